"""Of many cases a report shows those to review, and others evenly spaced; of few, all."""

import json
from pathlib import Path

import pytest

from medassay.analyses.inputs.answer_dangers import Dangers
from medassay.analyses.shown_cases import describe_shown, shown_cases
from medassay.study import Study, write_demo

NOTHING = Dangers({}, {}, {})


@pytest.fixture
def study(tmp_path: Path) -> Study:
    write_demo(tmp_path / "study", "clinical")
    return Study.open(tmp_path / "study")


def test_all_cases_of_a_small_study_are_shown(study: Study) -> None:
    shown = shown_cases(study, NOTHING)
    assert shown == frozenset(study.cases.ids)
    assert describe_shown(study, shown) == []


def test_of_many_the_most_confident_errors_come_first(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("medassay.analyses.shown_cases.MOST_SHOWN", 10)
    gold = {case.case: case.gold for case in study.cases}
    wrong = sorted(
        (-(one.confidence or 0), one.case)
        for one in study.answers
        if one.choice is not None and one.choice != gold[one.case]
    )
    shown = shown_cases(study, NOTHING)
    assert len(shown) == 10
    assert {case for _, case in wrong[:5]} <= shown
    rest = [case for case in study.cases.ids if case not in {case for _, case in wrong[:5]}]
    # Evenly: of 95 others those at places 0, 19, 38, 57 and 76.
    assert {rest[place] for place in (0, 19, 38, 57, 76)} <= shown
    assert "Details of 10 of 100 cases" in describe_shown(study, shown)[0]


def test_errors_in_words_count_as_those_stated(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("medassay.analyses.shown_cases.MOST_SHOWN", 10)
    stated = shown_cases(study, NOTHING)
    (file,) = (study.path / "answers").glob("*.jsonl")
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    for row in rows:
        del row["statements"]
        row["text"] = f"The answer is ({row.pop('choice')})."
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    assert shown_cases(Study.open(study.path), NOTHING) == stated


def test_what_a_rule_flags_comes_before_errors(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("medassay.analyses.shown_cases.MOST_SHOWN", 2)
    last = study.cases.ids[-1]
    assert last in shown_cases(study, Dangers({("bm25", last): []}, {}, {}))


@pytest.mark.slow
def test_a_report_of_some_cases_keeps_to_its_privacy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from medassay.library import run_and_report

    monkeypatch.setattr("medassay.analyses.shown_cases.MOST_SHOWN", 4)
    write_demo(tmp_path / "study", "clinical")
    done = run_and_report(tmp_path / "study", texts="ids", metrics=["exact_match"])
    report = json.loads((done.folder / "report.json").read_text(encoding="utf-8"))
    assert len(report["cases"]) == 4
    assert any("Details of 4 of 100 cases" in one for one in report["warnings"])
