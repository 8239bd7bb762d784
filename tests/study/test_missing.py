"""Four kinds of missing stay four different things, from the files to the report.

In the study of `conftest`: both raters gave a reason instead of a label for B's answer to c2; C
never answered c2; B's answer to c2 is empty; nobody wrote a reference to c4, so ROUGE cannot be had
there.
"""

import csv
import json
from pathlib import Path

import pytest

from medassay.analyses import Results, consensus_of, run_study
from medassay.analyses.builtin.label_counts import label_counts
from medassay.analyses.builtin.leaderboards import leaderboards_in
from medassay.report import render
from medassay.report.tables import answers
from medassay.scores import Reason, ScoreTable
from medassay.study import Study, open_run, score_study

ROUGE = "rouge1(ref=human)"
QUALITY = "mean(dimension=quality)"


@pytest.fixture(scope="module")
def ran(shared_folder: Path) -> tuple[Results, Path]:
    run = open_run(shared_folder)
    results, _ = run_study(run)
    render(results, run.folder, formats=("svg",))
    return results, run.folder


def cell(table: ScoreTable, source: str, system: str, case: str) -> tuple[float | None, str | None]:
    rows = table.select(source).select("system", "case", "value", "reason").iter_rows()
    found: dict[tuple[str, str], tuple[float | None, str | None]] = {
        (s, c): (value, reason) for s, c, value, reason in rows
    }
    return found[system, case]


def test_metrics_tell_them_apart(shared_folder: Path) -> None:
    run = open_run(shared_folder)
    table = score_study(run.study, run.metrics).table
    assert cell(table, ROUGE, "B", "c1") != (None, None)
    assert cell(table, ROUGE, "B", "c2") == (0.0, None)  # an empty answer shares no word
    assert cell(table, ROUGE, "C", "c2") == (0.0, None)  # ROUGE's worst value for no answer
    assert cell(table, ROUGE, "A", "c4") == (None, Reason.CASE_LACKS)
    assert cell(table, "length", "B", "c2") == (0.0, None)  # empty text is a given answer
    assert cell(table, "length", "C", "c2") == (None, Reason.NEVER_ANSWERED)


def test_raters_tell_them_apart(shared_folder: Path) -> None:
    table = consensus_of(Study.open_whole(shared_folder))
    assert cell(table, QUALITY, "B", "c2") == (None, Reason.NO_LABEL)
    assert cell(table, QUALITY, "C", "c2") == (None, Reason.NEVER_ANSWERED)
    # A's answer to c3 was labelled 4 and 3.
    assert cell(table, QUALITY, "A", "c3") == (3.5, None)


def test_an_answer_that_nobody_judged_is_a_fifth_thing(folder: Path) -> None:
    path = folder / "judgements.csv"
    kept = [line for line in path.read_text().splitlines() if ",A,c1," not in line]
    path.write_text("\n".join(kept) + "\n")
    joined = consensus_of(Study.open_whole(folder))
    assert cell(joined, QUALITY, "A", "c1") == (None, Reason.NOT_JUDGED)


@pytest.mark.slow
def test_results_tell_them_apart(ran: tuple[Results, Path]) -> None:
    results, _ = ran
    assert (results.study.counts.answers_missing, results.study.counts.answers_empty) == (1, 1)
    of = {(case.case, one.system): one for case in results.cases for one in case.answers}
    statuses = {of["c2", system].status: system for system in "ABC"}
    assert statuses == {"given": "A", "empty": "B", "never answered": "C"}
    assert (of["c2", "B"].text, of["c2", "C"].text) == ("", None)
    said = {one.rater: (one.label, one.reason) for one in of["c2", "B"].judgements}
    assert said == dict.fromkeys(["rater-A", "rater-B"], (None, "not applicable"))
    assert of["c2", "C"].judgements == []
    why = {one.source: (one.value, one.reason) for one in of["c4", "A"].scores}
    lacks = "the case lacks what is needed: no reference of kind human"
    assert why[ROUGE] == (None, lacks)
    assert why["length"] == (1.0, "")
    counted = {one.name: one.unscored for one in results.sources}
    assert counted[ROUGE] == {"the case lacks what is needed": 3}
    assert counted["length"] == {"never answered": 1}
    assert counted[QUALITY] == {"never answered": 1, "judged, no label given": 1}
    given = results.analyses.of(label_counts)
    assert given is not None
    labels = [one for one in given.counts if one.scope == "judgements" and one.is_reason]
    assert [(one.label, one.count) for one in labels] == [("not applicable", 2)]


@pytest.mark.slow
def test_never_answered_is_shown_beside_the_mean_without_it(ran: tuple[Results, Path]) -> None:
    row = leaderboards_in(ran[0].analyses).of_pair[ROUGE, "C"]
    # Three cases have a reference; c2 was never answered and counts 0: mean = 2/3 of the given.
    assert (row.n, row.never_answered) == (3, 1)
    assert row.mean is not None
    assert row.mean_given is not None
    assert row.mean == pytest.approx(row.mean_given * 2 / 3)


@pytest.mark.slow
def test_files_tell_them_apart(ran: tuple[Results, Path]) -> None:
    _, folder = ran
    stored = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    (case,) = [one for one in stored["cases"] if one["case"] == "c2"]
    assert {one["system"]: one["status"] for one in case["answers"]} == {
        "A": "given",
        "B": "empty",
        "C": "never answered",
    }
    page = (folder / "report.html").read_text(encoding="utf-8")
    for words in ("never answered", "empty", "not applicable", "the case lacks what is needed"):
        assert words in page
    for path in (folder / "tables").glob("*.csv"):
        with path.open(encoding="utf-8", newline="") as file:
            assert not [row for row in csv.reader(file) if {"nan", "NaN", "None"} & set(row)]


@pytest.mark.slow
def test_every_answer_has_its_consensus_or_the_reason_why_not(ran: tuple[Results, Path]) -> None:
    with (ran[1] / "tables" / "answers.csv").open(encoding="utf-8", newline="") as file:
        rows = {(row["system"], row["case"]): row for row in csv.DictReader(file)}
    majority = "majority(dimension=quality)"

    def said(system: str, case: str, source: str) -> tuple[str, str]:
        return rows[system, case][source], rows[system, case][f"{source}_reason"]

    assert said("A", "c1", QUALITY) == ("5.0", "")  # labels 5 and 5
    assert said("A", "c2", QUALITY) == ("4.5", "")  # labels 4 and 5
    assert said("A", "c2", majority) == ("", "raters tied: 1 4, 1 5")
    assert said("B", "c2", QUALITY) == ("", "judged, no label given: 2 not applicable")
    assert said("C", "c2", QUALITY) == ("", "never answered")


def test_answers_that_nobody_judged_say_so_and_take_no_room(folder: Path) -> None:
    path = folder / "judgements.csv"
    kept = [line for line in path.read_text().splitlines() if ",A,c1," not in line]
    path.write_text("\n".join(kept) + "\n")
    results, _ = run_study(open_run(folder))
    (answer,) = [
        one for c in results.cases if c.case == "c1" for one in c.answers if one.system == "A"
    ]
    assert QUALITY not in {one.source for one in answer.scores}
    table = answers(results)
    place = [column.fields[0] for column in table.columns].index(QUALITY)
    (row,) = [row for row in table.rows if [c.raw[0] for c in row.cells[:2]] == ["c1", "A"]]
    assert row.cells[place].raw == (None, "not judged")
