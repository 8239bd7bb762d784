"""What a tool's record says twice, or does not say at all: nothing is lost without a word."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from medassay.cli.app import app
from medassay.exchange.registry import recognise
from medassay.exchange.tool_rows.making import ImportOptions, make_study
from medassay.exchange.tool_rows.rows import Role, ToolRows, Use
from medassay.study import Study


def imported(folder: Path, held: object) -> tuple[Study, str]:
    """Import what a tool wrote, and give the study with all that was said."""
    file = folder / "written.json"
    file.write_text(json.dumps(held), encoding="utf-8")
    words = ["import", str(file), "--into", str(folder / "study")]
    result = CliRunner().invoke(app, words, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return Study.open(folder / "study"), " ".join(result.output.split())


def promptfoo(variables: dict[str, str]) -> dict[str, Any]:
    result = {"provider": "bot", "vars": variables, "response": {"output": "So."}, "success": True}
    return {"results": {"version": 3, "results": [result]}}


def test_every_long_variable_of_a_prompt_is_kept(tmp_path: Path) -> None:
    variables = {"question": "Why?", "history": "Old.\nNotes.", "competitors": "Dear\ncolleague"}
    study, _ = imported(tmp_path, promptfoo(variables))
    assert study.cases["1"].narrative == "Old.\nNotes.\n\nDear\ncolleague"


@pytest.mark.parametrize("role", ["answer", "gold", "choice", "reasoning", "question"])
def test_a_second_value_of_what_is_said_once_is_left_out_and_told(role: Role) -> None:
    rows = ToolRows()
    uses = {"id": Use("case"), "answer": Use("answer"), "a": Use(role), "b": Use(role)}
    cells = [("id", "1"), ("answer", "Rest."), ("a", "x"), ("b", "y")]
    rows.add("f", 1, [cell for cell in cells if (role, cell[0]) != ("answer", "answer")],
             uses.__getitem__, system="bot")  # fmt: skip
    assert [use.fate for use in rows.fates["f", "b"]] == [
        f"left out: a second {role}: the first is taken"
    ]


@pytest.mark.parametrize(("role", "of"), [("gold", ""), ("narrative", ""), ("option", "A"),
                                          ("tag", "topic")])  # fmt: skip
def test_a_record_that_says_otherwise_of_a_known_question_is_told(
    tmp_path: Path, role: Role, of: str
) -> None:
    rows, uses = ToolRows(), {"q": Use("question"), "a": Use("answer"), "x": Use(role, of)}
    for system, said in (("one", "yes"), ("two", "no")):
        cells = [("q", "Why?"), ("a", "So."), ("x", said)]
        rows.add("f", 1, cells, uses.__getitem__, system=system)
    if role == "gold":
        rows.asked["1"].options.update(yes="yes", no="no")
    elif role == "option":
        rows.asked["1"].options["B"] = "never"
    outcome = make_study(tmp_path / "study", [tmp_path], rows, ImportOptions())
    name = f"{role} {of}".strip()
    told = f"note: {name}: 1 record says otherwise than the first of the question"
    assert any(str(line).startswith(told) for line in outcome.said)


def inspect_log(*outputs: object) -> dict[str, Any]:
    samples = [
        {"id": at, "epoch": 1, "input": f"Why {at}?", "target": "x", "output": output}
        for at, output in enumerate(outputs)
    ]
    return {"version": 2, "status": "success", "eval": {"task": "t", "model": "m"},
            "samples": samples}  # fmt: skip


def test_a_sample_without_output_has_no_answer_and_an_empty_text_is_one(tmp_path: Path) -> None:
    empty = {"choices": [{"message": {"content": ""}}], "completion": ""}
    said = {"choices": [{"message": {"content": "So."}}], "completion": "So."}
    held = inspect_log({"choices": [], "completion": ""}, empty, said)
    study, told = imported(tmp_path, held)
    assert [answer.case for answer in study.answers] == ["1", "2"]
    assert [answer.is_blank for answer in study.answers] == [True, False]
    assert "samples whose model gave no output have no answer" in told
    assert "no answer to 1 of 3 questions (0)" in told


def test_a_score_without_an_answer_is_kept_and_the_answer_is_told_as_not_held(
    tmp_path: Path,
) -> None:
    tests = [
        {"input": "Why?", "actualOutput": None, "metricsData": [{"name": "f", "score": 0.5}]},
        {"input": "How?", "actualOutput": "So.", "metricsData": [{"name": "f", "score": 0.7}]},
    ]
    study, told = imported(tmp_path, {"testRunData": {"testCases": tests}})
    assert {answer.case: answer.held for answer in study.answers} == {"1": False, "2": True}
    assert "1 answer was scored, rated or compared, and the files hold no text of it" in told
    assert "counted as missing" not in told


EMPTY: dict[str, Any] = {
    "promptfoo": {"evalId": "e", "results": {"version": 3, "results": []}, "config": {}},
    "langfuse": {"data": [], "meta": {"page": 1}},
    "opik": {"experiment": {"name": "e"}, "items": []},
    "bioasq": {"questions": []},
    "deepeval": {"testRunData": {"testCases": [], "metricsScores": []}},
    "inspect": {"version": 2, "status": "error", "eval": {"model": "m"}, "samples": []},
    "helm": {"adapter_spec": {"method": "generation", "model": "m"}, "request_states": []},
}


@pytest.mark.parametrize("name", EMPTY)
def test_a_file_of_a_tool_without_records_is_known_and_said_to_hold_none(
    tmp_path: Path, name: str
) -> None:
    file = tmp_path / "written.json"
    file.write_text(json.dumps(EMPTY[name]), encoding="utf-8")
    assert [known.id for known in recognise([file])] == [name]
    result = CliRunner().invoke(app, ["import", str(file), "--into", str(tmp_path / "study")])
    assert result.exit_code
    assert "got none" in str(result.exception)


@pytest.mark.parametrize(("held", "got"), [([], "an empty list"), ({}, "an empty object")])
def test_a_file_of_nothing_is_said_to_hold_nothing(tmp_path: Path, held: object, got: str) -> None:
    file = tmp_path / "written.json"
    file.write_text(json.dumps(held), encoding="utf-8")
    result = CliRunner().invoke(app, ["import", str(file), "--into", str(tmp_path / "study")])
    assert f"must hold records; got {got}" in str(result.exception)


@pytest.mark.parametrize(("winner", "choices"), [("inconsistent", ["tie"]), ("error", [])])
def test_a_judge_that_chose_by_place_says_a_tie_and_one_that_failed_says_nothing(
    tmp_path: Path, winner: str, choices: list[str]
) -> None:
    battle = {"question_id": 1, "model_a": "x", "model_b": "y", "judge": ["gpt-4", "pair"],
              "conversation_a": [{"role": "user", "content": "Why?"}]}  # fmt: skip
    study, _ = imported(tmp_path, [{**battle, "winner": winner},
                                   {**battle, "question_id": 2, "winner": "y"}])  # fmt: skip
    assert study.preferences_on_file.frame["choice"].to_list() == [*choices, "b"]


def test_an_address_is_offered_neither_as_question_nor_as_answer(tmp_path: Path) -> None:
    text = "Rest for a day or two, and take the tablets with a meal."
    data = {"page": f"https://example.org/{'a' * 50}", "first": text, "second": text.upper()}
    rated = {"type": "rating", "from_name": "quality", "value": {"rating": 3}}
    tasks = [{"id": 1, "data": data, "annotations": [{"completed_by": 1, "result": [rated]}]}]
    file = tmp_path / "written.json"
    file.write_text(json.dumps(tasks), encoding="utf-8")
    result = CliRunner().invoke(app, ["import", str(file), "--into", str(tmp_path / "study")])
    told = f"{result.output} {result.exception}"
    assert "question=first" in told
    assert "=page" not in told
