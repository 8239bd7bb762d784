"""The shared tasks' leaderboards: from import to report, by each scorer's own rules."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from medassay.analyses import Results, run_study
from medassay.analyses.builtin.leaderboards import leaderboards_in
from medassay.analyses.builtin.shared_task import (
    UNDECIDED_ALSO,
    shared_task,
    task_finding,
    task_tables,
)
from medassay.analyses.inputs.system_task_boards import TaskBoard, TaskColumn, composite_of
from medassay.exchange.archehr import import_archehr
from medassay.exchange.archehr.submission import FORMS, Form
from medassay.exhibits import Names
from medassay.metrics import resolve
from medassay.scores import Score, ScoreTable
from medassay.study import load_protocol, open_run
from medassay.validity import CompositeValue, composite_values
from medassay.validity.composite import Place

ROOT = Path(__file__).parents[1]
PRINTED = ROOT / "data" / "archehr"
XML, KEY = PRINTED / "table4.xml", PRINTED / "table4_key_2026.json"
TABLE_S1 = ROOT / "golden" / "archehr_table_s1.csv"
SCORER = ROOT / "golden" / "archehr_scorer.json"
LONG = " ".join(f"w{i}" for i in range(80))
PREDICTIONS: dict[Form, object] = {
    "archehr2025": f"She had pneumonia. |5|\n{LONG} |6|",
    "archehr2026-st1": "Why was she given antibiotics?",
    "archehr2026-st2": ["5", "1"],
    "archehr2026-st3": "She was given antibiotics for a pneumonia.",
    "archehr2026-st4": [{"answer_id": "1", "evidence_id": ["5"]}],
}


def run(folder: Path, form: Form, *, key: bool = True, answer: object = None) -> Results:
    given = PREDICTIONS[form] if answer is None else answer
    name = "answer" if form == "archehr2025" else "prediction"
    file = folder / "one.json"
    file.write_text(json.dumps([{"case_id": "table4", name: given}]), encoding="utf-8")
    import_archehr(folder / "study", XML, KEY if key else None, [file], form=form)
    return run_study(open_run(folder / "study"))[0]


def values(results: Results) -> dict[str, float | None]:
    return {
        column.name: value.value
        for board in results.analyses[shared_task.id]
        for column in board.columns
        for value in column.values
    }


@pytest.mark.parametrize("form", list(FORMS))
@pytest.mark.parametrize("key", [True, False])
def test_every_form_runs_to_a_report_with_a_key_and_without(
    tmp_path: Path, form: Form, *, key: bool
) -> None:
    results = run(tmp_path, form, key=key)
    assert results.study.protocol == ("archehr" if form == "archehr2025" else form)
    boards = results.analyses[shared_task.id]
    assert boards
    for board in boards:
        assert board.order in {column.name for column in board.columns}
        for value in (value for column in board.columns for value in column.values):
            assert (value.value is None) <= bool(value.undefined)
    if key:
        assert [value.place.rank for value in boards[0].leading.values] == [1]


@pytest.mark.parametrize("form", list(FORMS))
def test_columns_are_of_metrics_that_the_protocol_computes(form: Form) -> None:
    rules = load_protocol("archehr" if form == "archehr2025" else form)
    computed = {str(resolve(name).name) for name in rules.metrics}
    model_metrics = {"bertscore", "alignscore", "medcon"}
    for board in rules.boards:
        for column in board.columns:
            if column.sources and column.name not in model_metrics:
                assert set(column.sources) <= computed


@pytest.mark.slow
def test_the_scorers_limit_is_in_the_metrics_and_the_overall(tmp_path: Path) -> None:
    whole = run(tmp_path, "archehr2025")
    (tmp_path / "cut").mkdir()
    # The first 75 words are the same, three of them in the first sentence; the rest differs.
    other = " ".join([*LONG.split()[:72], *(f"other{i}" for i in range(40))])
    same = run(tmp_path / "cut", "archehr2025", answer=f"She had pneumonia. |5|\n{other} |6|")
    names = [n for n in values(whole) if n.startswith(("bleu", "rouge", "sari", "overall_scorer"))]
    assert len(names) > 4
    assert any(values(whole)[n] for n in names)
    assert [values(whole)[n] for n in names] == [values(same)[n] for n in names]


@pytest.mark.slow
def test_one_rule_says_how_many_words_an_answer_has(tmp_path: Path) -> None:
    joined = "\u00a0".join(["word"] * 80) + " |5|"
    results = run(tmp_path, "archehr2025", answer=joined)
    rows = leaderboards_in(results.analyses).by("over_limit(words=blanks)")
    found = [row.mean for row in rows]
    assert found == [0.0]


@pytest.mark.slow
def test_the_numbers_of_2026_are_the_scorers_own() -> None:
    """Micro and macro of subtasks 2 and 4, as the official scripts printed them."""
    batches = json.loads(SCORER.read_text(encoding="utf-8"))["batches"]
    for batch in batches:
        official = batch["archehr2026"]
        for column, value in board_values("archehr2026-st2", batch).items():
            gold, average, measure = column.split("_")
            assert value == pytest.approx(float(official[gold][average][measure]))
        official = batch["alignment"]
        for column, value in board_values("archehr2026-st4", batch).items():
            assert value == pytest.approx(float(official[column.removeprefix("strict_")]))


def board_values(form: Form, batch: dict[str, dict[str, dict[str, str]]]) -> dict[str, float]:
    from medassay.answers import Answer
    from medassay.cases import Case

    [board] = load_protocol(form).boards
    cases = [
        Case.model_validate(
            {"case": case, "evidence": [{"id": i, "text": "t", "relevance": w}
                                        for i, w in key.items()]}
        )
        for case, key in batch["keys"].items()
    ]  # fmt: skip
    answers = [
        Answer.model_validate(
            {"system": "A", "case": case.case,
             "retrieved": [{"document": one} for one in batch["cited"][case.case]]}
        )
        for case in cases
    ]  # fmt: skip
    sources = {column.name: column.sources[0] for column in board.columns}
    metrics = {name: resolve(name) for name in set(sources.values())}
    rows = [
        ("A", case.case, name, metric.score_batch([(case, answer)])[0])
        for name, metric in metrics.items()
        for case, answer in zip(cases, answers, strict=True)
    ]
    table = ScoreTable.from_rows(rows)
    found = {}
    for column in board.columns:
        [one] = composite_values(
            table,
            composite_of(board, column.name, sources),
            systems=["A"],
            cases=[case.case for case in cases],
            metrics=metrics,
            rng=np.random.default_rng(1),
            replicates=100,
        )
        assert one.value is not None
        found[column.name] = one.value
    return found


RELEVANCE = {
    "bleu": "bleu",
    "rouge": "rougeLsum",
    "sari": "sari",
    "bertscore": "bertscore",
    "alignscore": "alignscore",
    "medcon": "medcon",
}


@pytest.mark.parametrize("ref", ["human", "note"])
def test_table_s1_overall_is_the_papers_rule(ref: str) -> None:
    # The printed columns as if they were the scores of one case.
    board = next(one for one in load_protocol("archehr").boards if one.name == ref)
    sources = {column.name: column.name for column in board.columns if column.sources}
    with TABLE_S1.open(encoding="utf-8", newline="") as file:
        printed = list(csv.DictReader(file))
    columns = {"strict_macro_f1": "strict_f1"} | {
        name: f"{ref[0]}_{short}" for short, name in RELEVANCE.items()
    }
    rows = [
        (row["system"], "all", name, Score(float(row[column])))
        for row in printed
        for name, column in columns.items()
    ]
    found = composite_values(
        ScoreTable.from_rows(rows),
        composite_of(board, f"overall_paper(ref={ref})", sources),
        systems=[row["system"] for row in printed],
        cases=["all"],
        metrics={},
        rng=np.random.default_rng(1),
    )
    assert len(found) == 28
    for row, one in zip(printed, found, strict=True):
        # Six printed columns with one decimal each: rounding moves the mean by at most 0.1.
        assert one.value == pytest.approx(float(row[f"{ref[0]}_overall"]), abs=0.1)


@pytest.mark.parametrize("may_reverse", [True, False])
def test_a_board_says_why_a_difference_that_its_tests_find_is_undecided(
    *, may_reverse: bool
) -> None:
    values = tuple(
        CompositeValue(system, value, None, 0, n=20, place=Place(rank, 1, 2, "a", may_reverse))
        for rank, (system, value) in enumerate((("a", 0.6), ("b", 0.5)), start=1)
    )
    columns = (TaskColumn("overall", "Overall", "", "1", "", values),)
    board = TaskBoard("task", "Task", "What it is.", "overall", columns)
    names = Names(systems={"a": "", "b": ""})
    names.cases = 20
    found = task_finding([board], names)
    assert found is not None
    why = " Rare large losses that these cases may not show could reverse a difference."
    assert found.text == (
        "a has the highest overall score in Task (Overall 60.0; 20 cases). "
        f"Whether it is better than b (50.0) is undecided on the same 20 cases.{why * may_reverse}"
    )
    [table] = task_tables([board], names)
    assert (UNDECIDED_ALSO in table.caption) == may_reverse
