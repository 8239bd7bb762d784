"""A margin that study.toml or a protocol declares, and what the report says of it."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from medassay.analyses import run_study
from medassay.analyses.builtin.leaderboards import leaderboards_in
from medassay.analyses.results import Results
from medassay.errors import InvalidInput
from medassay.exhibits.overview import Overview, difference_words
from medassay.report import findings
from medassay.report.opening import opening_of
from medassay.report.tables import all_tables
from medassay.study import open_run

PRIMARY = "mean(dimension=quality)"
SETTINGS = 'schema = 1\ntitle = "Margins"\n[protocol]\nname = "ratings"\n'
MARGIN = "[margins]\nquality = 0.8\n"


def study(folder: Path, settings: str, lacks: float = 0.0, cases: int = 120) -> Path:
    """Write three systems: two alike, and one that is worse on so many steps of the scale."""
    rng = np.random.default_rng(8)
    (folder / "answers").mkdir(parents=True)
    (folder / "study.toml").write_text(f"{SETTINGS}{settings}", encoding="utf-8")
    names = [f"c{k:03}" for k in range(cases)]
    lines = "".join(f"{json.dumps({'case': n, 'question': 'Why?'})}\n" for n in names)
    (folder / "cases.jsonl").write_text(lines, encoding="utf-8")
    rows = [["rater", "system", "case", "dimension", "label"]]
    for system, lost in (("A", 0.0), ("B", 0.0), ("C", lacks)):
        told = "".join(
            f"{json.dumps({'case': n, 'text': f'Rest, says {system}.'})}\n" for n in names
        )
        (folder / "answers" / f"{system}.jsonl").write_text(told, encoding="utf-8")
        for name in names:
            quality = int(np.clip(np.rint(3.5 - lost + 0.8 * rng.normal()), 1, 5))
            rows.append(["anna", system, name, "quality", str(quality)])
    with (folder / "judgements.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    return folder


def ran(folder: Path) -> Results:
    return run_study(open_run(folder))[0]


def opened(results: Results) -> Overview:
    overview = opening_of(results, findings(results)).overview
    assert overview is not None
    return overview


def verdicts(results: Results) -> set[str]:
    return {row.spots[-1].verdict for row in opened(results).rows[1:]}


def test_without_a_margin_nothing_is_similar(tmp_path: Path) -> None:
    results = ran(study(tmp_path / "s", ""))
    assert verdicts(results) == {"undecided"}
    assert leaderboards_in(results.analyses).margins == ()
    assert not any("similar" in own.text for own in findings(results))


def test_within_the_margin_systems_are_similar_on_screen_sentence_and_table(tmp_path: Path) -> None:
    results = ran(study(tmp_path / "s", MARGIN))
    overview = opened(results)
    assert verdicts(results) == {"similar"}
    assert overview.title.endswith("are similar, within 0.8")
    assert "inside the margin of 0.8" in overview.caption
    assert "corrected over 3 pairs" in overview.caption
    [leaders] = [own for own in findings(results) if own.id == "leaders"]
    assert "similar to" in leaders.text
    assert leaders.claims
    [table] = [own for own in all_tables(results) if own.id == "comparisons"]
    [at] = [k for k, column in enumerate(table.columns) if column.title == "Within the margin"]
    assert table.columns[at].fields[:2] == ("similar", "margin")
    rows = [row.cells[at] for row in table.rows if not row.cells[at].missing]
    assert {cell.text for cell in rows} == {"similar"}
    assert {cell.raw[1] for cell in rows} == {0.8}


def test_a_worse_system_is_lower_and_the_alike_one_similar(tmp_path: Path) -> None:
    results = ran(study(tmp_path / "s", MARGIN, lacks=1.5))
    of = {row.title: row.spots[-1].verdict for row in opened(results).rows}
    assert of["C"] == "lower"
    assert {of["A"], of["B"]} == {"", "similar"}


def test_a_small_margin_leaves_it_undecided(tmp_path: Path) -> None:
    assert verdicts(ran(study(tmp_path / "s", "[margins]\nquality = 0.05\n"))) == {"undecided"}


def test_a_column_of_scores_may_have_a_margin_of_its_own(tmp_path: Path) -> None:
    both = f'[margins]\nquality = 0.05\n"{PRIMARY}" = 0.8\n'
    results = ran(study(tmp_path / "s", both))
    assert verdicts(results) == {"similar"}
    of = {own.source: own.margin for own in leaderboards_in(results.analyses).margins}
    assert (of[PRIMARY], of["majority(dimension=quality)"]) == (0.8, 0.05)


def test_a_protocol_declares_one_and_study_toml_has_the_last_word(tmp_path: Path) -> None:
    folder = study(tmp_path / "s", "")
    (folder / "mine.toml").write_text(
        'name = "mine"\ntitle = "Mine"\nrubric = "likert5"\nmetrics = ["length"]\n'
        'agreement = ["fleiss"]\nconsensus = ["mean"]\n'
        f'rank_by = "{PRIMARY}"\n[margins]\nquality = 0.8\n',
        encoding="utf-8",
    )
    settings = folder / "study.toml"
    text = SETTINGS.replace('"ratings"', '"mine.toml"')
    settings.write_text(text, encoding="utf-8")
    assert verdicts(ran(folder)) == {"similar"}
    settings.write_text(f"{text}[margins]\nquality = 0.05\n", encoding="utf-8")
    assert verdicts(ran(folder)) == {"undecided"}


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (
            "[margins]\nqualty = 0.5\n",
            r'margins\.qualty: must name a dimension.*Did you mean "qual',
        ),
        ("[margins]\nquality = 4\n", r"margins\.quality: must be less than the scale is long, 4"),
        ("[margins]\nquality = 0\n", r"margins\.quality: must be"),
        ("[margins]\nquality = inf\n", r"margins\.quality: must be"),
    ],
)
def test_a_margin_that_cannot_be_is_refused(settings: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=said):
        open_run(study(tmp_path / "s", settings, cases=3))


def test_a_bound_inside_the_margin_is_never_printed_as_one_that_reaches_it() -> None:
    [(text, span)] = difference_words([(0.1, -0.1, 0.496, False)], 1, [0.5])
    assert (text, span) == ("0.100", "(−0.100 to 0.496)")


def test_one_system_has_nothing_to_be_similar_to(tmp_path: Path) -> None:
    folder = study(tmp_path / "s", MARGIN)
    for system in "BC":
        (folder / "answers" / f"{system}.jsonl").unlink()
    rows = (folder / "judgements.csv").read_text(encoding="utf-8").splitlines()
    kept = [row for row in rows if row.startswith("rater,") or ",A," in row]
    (folder / "judgements.csv").write_text("\n".join(kept) + "\n", encoding="utf-8")
    assert "margin" not in opened(ran(folder)).caption
