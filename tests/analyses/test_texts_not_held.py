"""No number of a study whose texts are not held hangs on what was written."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tools.ratings_alone import without_texts, write_ratings_alone
from tools.standard import write_standard

from medassay.__main__ import main
from medassay.analyses.builtin.calibration import calibration_of
from medassay.analyses.inputs.answer_choices import choices_of
from medassay.analyses.inputs.readable import Design, Randomness
from medassay.analyses.monitor.quantities import Seen, quantities_of
from medassay.analyses.triage import read_so_far
from medassay.answers import Answer, Answers
from medassay.cases import Case, Cases
from medassay.error_analysis import Cause, error_cause
from medassay.judgements import units
from medassay.study import Study

OF_RATERS = {
    "agreement", "label_counts", "pairwise", "plan", "quality", "rater_effects", "rater_flow",
    "rating_counts", "summaries", "tie_rules", "without_rater",
}  # fmt: skip
"""Analyses of what raters say alone: they are what they are with all texts."""
UNITS = {"system", "case", "sample", "about", "source"}
STANDS_FOR_NONE = {"not_held", "case_lacks", "answer_lacks", "backend_missing"}


def results_of(run: Path) -> dict[str, Any]:
    def refuse(word: str) -> None:
        raise AssertionError(word)

    text = (run / "report.json").read_text("utf-8")
    read: dict[str, Any] = json.loads(text, parse_constant=refuse)
    return read


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "ids_alone"),
    [
        ("missing", True),
        ("clinical", True),
        ("clinical", False),
        ("rated", True),
        ("subtask-2", False),
    ],
)
def test_what_a_run_says_is_said_of_any_text(
    name: str,
    ids_alone: bool,  # noqa: FBT001 - a parameter of the test
    tmp_path: Path,
    standard_run: Callable[[str], Any],
) -> None:
    folder = without_texts(write_standard(name, tmp_path), ids_alone=ids_alone)
    with pytest.raises(SystemExit) as stopped:
        main(["run", str(folder)])
    assert not stopped.value.code
    [run] = [path.parent for path in folder.glob("results/*/report.json")]
    whole = standard_run(name)
    now, before = results_of(run), results_of(whole.folder)
    for analysis in OF_RATERS & before["analyses"].keys():
        assert now["analyses"][analysis] == before["analyses"][analysis], analysis
    counts = now["study"]["counts"]
    assert counts["answers_not_held"] == counts["answers"] == before["study"]["counts"]["answers"]
    assert counts["answers_empty"] == 0
    told = [finding["text"] for finding in now["findings"]]
    assert not [text for text in told if "empty" in text]
    ours = pl.read_parquet(run / "scores.parquet")
    theirs = pl.read_parquet(whole.folder / "scores.parquet")
    keys = [name for name in ours.columns if name in UNITS]
    both = ours.join(theirs, on=keys, suffix="_whole", nulls_equal=True)
    assert both.height == ours.height
    changed = both.filter(pl.col("value").ne_missing(pl.col("value_whole")))
    assert changed["value"].null_count() == changed.height
    assert set(changed["reason"]) <= STANDS_FOR_NONE
    assert changed.filter(reason="not_held").height


OPTIONS = {"A": "Rest", "B": "Surgery"}


def asked(*answers: Answer) -> tuple[Cases, Answers]:
    names = dict.fromkeys(answer.case for answer in answers)
    cases = [Case(case=name, question="?", options=OPTIONS, gold="A") for name in names]
    return Cases.of(cases), Answers.of(answers)


def test_a_choice_that_nobody_can_read_is_neither_right_nor_wrong() -> None:
    cases, answers = asked(
        Answer(system="S", case="1", held=False),
        Answer(system="S", case="2", choice="A", confidence=0.9, held=False),
        Answer(system="T", case="1", choice="B", confidence=0.8),
        Answer(system="T", case="2", text="(A)"),
        Answer(system="U", case="1", held=False),
    )
    choices = choices_of(cases, answers, answers.systems)
    read = {system: [one.case for one in own] for system, own in choices.by_system.items()}
    assert read == {"S": ["2"], "T": ["1", "2"], "U": ["2"]}  # U never answered 2: that is known
    error = error_cause(cases["1"], Answer(system="S", case="1", held=False))
    assert error is not None
    assert (error.cause, error.why) == (Cause.UNKNOWN, "text not held")


def test_confidence_is_compared_on_the_questions_of_each_system() -> None:
    cases, answers = asked(
        *(Answer(system="S", case=str(n), choice="A", confidence=0.9) for n in range(4)),
        *(Answer(system="T", case=str(n), choice="B", confidence=0.6) for n in range(2)),
        *(Answer(system="T", case=str(n), held=False) for n in range(2, 4)),
    )
    design = Design(answers.systems, cases.ids, {}, {})
    choices = choices_of(cases, answers, answers.systems)
    found = calibration_of(choices, design, Randomness(50, lambda *_: np.random.default_rng(0)))
    assert [(one.system, one.n, one.accuracy) for one in found] == [("S", 4, 1.0), ("T", 2, 0.0)]


def test_no_queue_takes_what_nobody_can_be_shown(tmp_path: Path) -> None:
    folder = write_ratings_alone(tmp_path / "study", dimensions=("accuracy",))
    (folder / "judgements.csv").write_text("rater,system,case,dimension,label\nr,s0,id0,accuracy,1")
    study = Study.open_whole(folder)
    dimension = study.rubric.dimensions[0]
    now = read_so_far(study, dimension, units(study.judgements, dimension.id))
    assert not now.open.any()
    assert now.judged.known.sum() == 1


def test_a_baseline_without_texts_says_nothing_of_their_length() -> None:
    bare = Seen(Case(case="1"), Answer(system="S", case="1", held=False), {})
    values = {
        quantity.id: quantity.value(bare) for quantity in quantities_of([bare], [], named=True)
    }
    assert set(values.values()) == {None}


def test_no_length_of_an_unknown_text_stands_beside_the_raters(tmp_path: Path) -> None:
    from medassay.analyses.inputs.metric_controls import controls_of
    from medassay.scores import Grid
    from medassay.validity import Source

    folder = write_ratings_alone(tmp_path / "study")
    (folder / "answers" / "s0.jsonl").write_text(
        '{"case": "id0", "text": "Rest at home."}', "utf-8"
    )
    study = Study.open_whole(folder)
    shape = (2, 4)
    grid = Grid(study.systems, study.cases.ids, np.zeros(shape), np.ones(shape, dtype=np.bool_))
    found = {one.name: one for one in controls_of(study, [], {"x": Source("x", grid, "none")})}
    assert "question" not in found
    length = found["length"].grid
    assert length.known.tolist()[1] == [False] * 4
    assert length.values[0, 0] == 3
