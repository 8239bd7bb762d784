"""A freeze loses nothing on its way to a file and back, and a comparison sees what changed."""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tools.freezing import Frozen, compare, freeze, read_frozen, read_renames, write_frozen
from tools.freezing.page_text import visible_text
from tools.standard.shared import SharedRuns

STUDY = "missing"
STANDINGS = "analyses.leaderboards.standings["
MEAN = f"{STANDINGS}length, A].mean"
CELL = "tables.tables/standings[length, A].mean"


@pytest.fixture(scope="module")
def frozen(standard_run: SharedRuns) -> Frozen:
    return freeze(standard_run(STUDY).folder)


def with_number(frozen: Frozen, path: str, value: str | None) -> Frozen:
    kept = {name: old for name, old in frozen.numbers.items() if name != path}
    return replace(frozen, numbers=kept | ({} if value is None else {path: value}))


def with_rows(frozen: Frozen, table: str, rows: list[list[str]]) -> Frozen:
    return replace(frozen, tables={**frozen.tables, table: rows})


def test_what_is_written_is_read_back(frozen: Frozen, tmp_path: Path) -> None:
    write_frozen(frozen, tmp_path / STUDY)
    back = read_frozen(tmp_path / STUDY)
    assert back == frozen
    assert list(compare(STUDY, frozen, back)) == []
    assert back.numbers[MEAN] == "3.0"
    assert [f"{MEAN[:-5]}.{name}" in back.numbers for name in ("n", "interval.low")] == [True, True]


def changed_number(frozen: Frozen) -> Frozen:
    return with_number(frozen, MEAN, "3.1")


def lost_number(frozen: Frozen) -> Frozen:
    return with_number(frozen, MEAN, None)


def new_number(frozen: Frozen) -> Frozen:
    return with_number(frozen, f"{STANDINGS}length, D].mean", "3.0")


def count_off_by_one(frozen: Frozen) -> Frozen:
    return with_number(frozen, "study.counts.cases", "5")


def lost_row(frozen: Frozen) -> Frozen:
    return with_rows(frozen, "tables/standings", frozen.tables["tables/standings"][:-1])


def swapped_rows(frozen: Frozen) -> Frozen:
    header, first, second, *rest = frozen.tables["tables/standings"]
    return with_rows(frozen, "tables/standings", [header, second, first, *rest])


def lost_table(frozen: Frozen) -> Frozen:
    return replace(frozen, tables={k: v for k, v in frozen.tables.items() if k != "tables/trust"})


def other_word(frozen: Frozen) -> Frozen:
    return replace(frozen, page=[line.replace("raters", "judges") for line in frozen.page])


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (changed_number, f"{MEAN}: was 3.0, is 3.1"),
        (lost_number, f"{MEAN}: gone, was 3.0"),
        (new_number, f"{STANDINGS}length, D].mean: new, is 3.0"),
        (count_off_by_one, "study.counts.cases: was 4, is 5"),
        (lost_row, "gone, was"),
        (swapped_rows, "tables.tables/standings.order: was "),
        (lost_table, "tables.tables/trust.columns: gone"),
        (other_word, "page, line "),
    ],
)
def test_every_change_is_seen(
    frozen: Frozen, change: Callable[[Frozen], Frozen], told: str
) -> None:
    found = [str(one) for one in compare(STUDY, frozen, change(frozen))]
    assert any(told in one for one in found), found
    assert all(one.startswith(f"{STUDY}: ") for one in found)


def test_a_last_digit_is_no_difference_but_a_whole_number_is_exact(frozen: Frozen) -> None:
    near = with_number(frozen, MEAN, "3.0000001")
    assert list(compare(STUDY, frozen, near)) == []
    assert len(list(compare(STUDY, frozen, with_number(frozen, MEAN, "3.000001")))) == 1
    of = {"n": "1000000000"}
    more = {"n": "1000000001"}
    pair = replace(frozen, numbers=of), replace(frozen, numbers=more)
    assert len(list(compare(STUDY, *pair))) == 1


def test_renamed_paths_are_compared_under_their_new_name(frozen: Frozen, tmp_path: Path) -> None:
    names = tmp_path / "map.toml"
    names.write_text(
        r"""
'analyses\.leaderboards\.standings\[(.*)\]\.mean$' = 'leaderboard[\1].value'
'tables\.tables/standings' = 'tables.tables/leaderboard'
""",
        encoding="utf-8",
    )
    now = replace(
        frozen,
        numbers={
            path.replace(STANDINGS, "leaderboard[").replace("].mean", "].value")
            if path.startswith(STANDINGS) and path.endswith("].mean")
            else path: value
            for path, value in frozen.numbers.items()
        },
        tables={
            table.replace("tables/standings", "tables/leaderboard"): rows
            for table, rows in frozen.tables.items()
            if table != "tables/leaderboard"
        },
    )
    was = replace(
        frozen, tables={k: v for k, v in frozen.tables.items() if k != "tables/leaderboard"}
    )
    assert now.numbers.keys() != was.numbers.keys()
    assert list(compare(STUDY, was, now, read_renames(names))) == []
    assert list(compare(STUDY, was, now)) != []
    names.write_text("'.*' = 'all'\n", encoding="utf-8")
    with pytest.raises(ValueError, match="two paths one name"):
        list(compare(STUDY, was, now, read_renames(names)))


@pytest.mark.slow
def test_the_command_prints_what_differs_and_ends_with_1(frozen: Frozen, tmp_path: Path) -> None:
    write_frozen(frozen, tmp_path / "a" / STUDY)
    write_frozen(changed_number(frozen), tmp_path / "b" / STUDY)
    write_frozen(frozen, tmp_path / "b" / "other")
    words = [sys.executable, "-m", "tools.compare_freezes", str(tmp_path / "a")]

    def said(other: Path) -> tuple[int, str]:
        done = subprocess.run(  # noqa: S603 - our own tool
            [*words, str(other)], capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout

    assert said(tmp_path / "a") == (0, "Nothing differs.\n")
    assert said(tmp_path / "b") == (
        1,
        f"{STUDY}: {MEAN}: was 3.0, is 3.1\nother: the study: new, is there\n1 changed, 1 new.\n",
    )


def test_a_reader_sees_neither_scripts_nor_pictures() -> None:
    page = (
        "<title>t</title><h2>A<em>b</em></h2><script>1</script><svg><text>2</text></svg>"
        "<table><caption>c</caption><tr><th>x<div>y</div></th><td>3</td></tr></table><p>z</p>"
    )
    assert visible_text(page) == "Ab\nc\nx y | 3\nz\n"
