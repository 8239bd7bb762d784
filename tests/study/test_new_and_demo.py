"""A new study is whole, and the demo's files are never written over what someone changed."""

import contextlib
import os
import re
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from medassay.__main__ import main
from medassay.analyses import Results, run_study
from medassay.analyses.builtin.accuracy import accuracy
from medassay.analyses.builtin.leaderboards import leaderboards_in
from medassay.analyses.builtin.safety import safety
from medassay.errors import InvalidInput, UnknownName
from medassay.report.contents import Contents
from medassay.study import (
    Study,
    new_study,
    open_run,
    protocol_names,
    write_demo,
)
from medassay.testing import check_protocol

Ran = Callable[[str], tuple[Path, list[Path], Results]]


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """Give a new study of a protocol, the files that were written for it, and what it finds.

    It resamples a hundred times; pages that begin with a new study are followed with every draw.
    """

    @cache
    def once(protocol: str) -> tuple[Path, list[Path], Results]:
        folder = tmp_path_factory.mktemp(protocol) / "s"
        written = new_study(folder, protocol)
        with (folder / "study.toml").open("a", encoding="utf-8") as settings:
            settings.write("\n[run]\nreplicates = 100\n")
        return folder, written, run_study(open_run(folder))[0]

    return once


@pytest.mark.slow
@pytest.mark.parametrize("protocol", protocol_names())
def test_every_protocol_holds_to_what_a_strangers_must(protocol: str) -> None:
    assert check_protocol(protocol)


@pytest.mark.slow
def test_a_new_study_is_whole_and_says_that_it_is_made_up(ran: Ran) -> None:
    _, written, results = ran("clinical-mcq")
    assert all(path.is_file() for path in written)
    assert results.study.synthetic


@pytest.mark.slow
def test_every_part_of_the_clinical_report_has_something_to_show(ran: Ran) -> None:
    _, _, results = ran("clinical-mcq")
    parts = {part.id.removeprefix("clinical-") for part in Contents.of(results).asked["clinical"]}
    assert parts == {"accuracy", "options", "errors", "calibration", "reasoning", "safety"}
    found = results.analyses.of(accuracy)
    assert found is not None
    of_b = [o for o in found.groups if o.system == "system-b" and not o.tag]
    # Right: the cold and the diabetes; the ankle without a choice has A, its first option, as gold.
    assert {o.policy: (o.right, o.n) for o in of_b} == {"wrong": (2, 6), "first": (3, 6)}
    told = results.analyses.of(safety)
    assert told is not None
    assert {one.by for one in told.dangers} == {"rule", "raters", "tag"}
    flagged = {one.case for one in told.dangers if one.by == "rule"}
    assert flagged == {"chest-pain", "migraine"}


@pytest.mark.parametrize("protocol", protocol_names())
def test_every_line_that_is_commented_out_holds(tmp_path: Path, protocol: str) -> None:
    """What the comments show as the default is the default: uncommented, it changes nothing."""
    new_study(tmp_path / "s", protocol)
    before = Study.open(tmp_path / "s")
    path = tmp_path / "s" / "study.toml"
    lines = path.read_text(encoding="utf-8").splitlines()
    keys = re.compile(r"# (\[|[a-z]+ = )")
    path.write_text("\n".join(x.removeprefix("# ") if keys.match(x) else x for x in lines))
    # The judge in the comments needs what a judge needs: its prompt, and a label that it gave.
    (tmp_path / "s" / "prompts").mkdir()
    (tmp_path / "s" / "prompts" / "my-judge.txt").write_text("Rate the answer.")
    dimension, case = before.rubric.dimensions[0], next(iter(before.cases)).case
    header = (tmp_path / "s" / "judgements.csv").read_text().partition("\n")[0].split(",")
    rows = before.judgements.frame.rows(named=True)
    held = rows[0] if rows else {"about": "", "case": ""}
    said = {"rater": "my-judge", "rater_kind": "model", "system": "system-a", "case": case,
            "dimension": dimension.id, "label": dimension.labels[0].label, "phase": "main",
            "about": held["about"] if held["case"] == case else ""}  # fmt: skip
    with (tmp_path / "s" / "judgements.csv").open("a") as judgements:
        judgements.write(",".join(said.get(name, "") for name in header) + "\n")
    after = Study.open(tmp_path / "s")
    assert after.config.rules == before.config.rules
    assert set(after.clusters.values()) == {case.tags["specialty"] for case in before.cases}
    assert after.rubric == before.rubric
    assert (after.config.run, after.config.privacy) == (before.config.run, before.config.privacy)
    assert after.system("system-a").family == "pipeline-1"


def test_an_empty_study_lacks_cases_and_nothing_else(tmp_path: Path) -> None:
    new_study(tmp_path / "s", "ratings", empty=True)
    with pytest.raises(InvalidInput, match=r"^cases\.jsonl: must hold at least one case") as caught:
        Study.open(tmp_path / "s")
    assert len(caught.value.problems) == 1
    (tmp_path / "s" / "cases.jsonl").write_text('{"case": "1"}\n')
    study = Study.open(tmp_path / "s")
    assert (study.config.synthetic, len(study.answers), len(study.judgements)) == (False, 0, 0)
    results, _ = run_study(open_run(tmp_path / "s"))
    assert (results.primary, leaderboards_in(results.analyses).standings) == ("", ())


def test_a_folder_in_use_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(InvalidInput, match="be a new or empty folder"):
        new_study(tmp_path, "ratings")
    with pytest.raises(UnknownName, match='Did you mean "ratings"'):
        new_study(tmp_path / "s", "rating")
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_the_title_is_the_folders_name_whatever_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = tmp_path / 'a "b" $x \\c'
    odd.mkdir()
    monkeypatch.chdir(odd)
    new_study(Path(), "ratings")
    assert Study.open(odd).config.title == "a 'b' $x c"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems let no folder be called so")
@pytest.mark.parametrize(("name", "title"), [(b"caf\xe9", "caf?"), (b"a\x1b[31m", "a?[31m")])
def test_a_folder_of_any_bytes_holds_a_study(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: bytes, title: str
) -> None:
    folder = tmp_path / os.fsdecode(name)
    for words in (["new", str(folder)], ["check", str(folder)], ["score", str(folder)]):
        with contextlib.suppress(SystemExit):
            main(words)
        said = capsys.readouterr()
        assert "\x1b" not in said.out + said.err
    assert Study.open(folder).config.title == title
    logs = tmp_path / "logs"
    with contextlib.suppress(SystemExit):
        main(["export", "--to", "inspect", str(folder), "--into", str(logs), "--only", "length"])
    assert len([*logs.glob("*.json")]) == len(Study.open(folder).answers.systems)


@pytest.mark.slow
def test_the_demo_is_written_once_and_never_over_a_change(tmp_path: Path) -> None:
    write_demo(tmp_path)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    write_demo(tmp_path)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before
    (tmp_path / "cases.jsonl").unlink()
    with (tmp_path / "judgements.csv").open("a") as file:
        file.write("mine\n")
    with pytest.raises(
        InvalidInput, match=r"judgements\.csv: must be unchanged since the demo wrote it"
    ):
        write_demo(tmp_path)
    assert not (tmp_path / "cases.jsonl").exists()
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidInput, match="be writable"):
        write_demo(tmp_path / "file")
