"""DeepEval, Langfuse, Phoenix and MLflow: what their files say is in the study or accounted for."""

from pathlib import Path
from typing import Any

import pytest
from tests.exchange.test_evaluation_tools import TOOLS, said, take, write
from tests.exchange.test_tool_layouts import scored

from medassay.errors import InvalidInput
from medassay.exchange.proposal import Undecided
from medassay.exchange.tool_rows.payload import answered, asked
from medassay.study import Study

TRACE: dict[str, object] = {
    "id": "t", "sessionId": "s", "userId": "u", "name": "bot", "input": "Why?", "output": "So.",
}  # fmt: skip
RUN: dict[str, object] = {
    "example_id": "e", "repetition_number": 1, "input": {"question": "Why?"}, "output": "So.",
    "reference_output": {"answer": "So it is."}, "annotations": [],
}  # fmt: skip


@pytest.mark.parametrize(
    ("value", "cells"),
    [
        ("Why?", {"in": "question"}),
        ('{"question": "Why?", "k": 3}', {"in.question": "question", "in.k": "left"}),
        ({"args": ["Why?"], "kwargs": {}}, {"in.args": "question"}),
        ({"messages": said("Why?", "So.")}, {"in.messages": "turns"}),
        ([{"role": "user", "content": "Why?"}], {"in": "question"}),
        ("{'query': 'Why?', 'context': ['A text.']}", {"in.query": "question",
                                                       "in.context": "contexts"}),
        ({"a": "x", "b": "y"}, {"in": "question"}),
        ("", {}),
        (None, {}),
    ],
)  # fmt: skip
def test_what_was_asked_is_found_in_whatever_shape_it_has(
    value: object, cells: dict[str, str]
) -> None:
    assert {path: use.role for path, _, use in asked(value, "in")} == cells


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("So.", "So."),
        ({"answer": "So.", "sources": ["A text."]}, "So."),
        ([*said("Why?", "So.")], "So."),
        ({"messages": said("Why?", "So.")}, "So."),
        ([{"message": {"role": "assistant", "content": "So."}}], "So."),
        ({"a": 1}, '{"a": 1}'),
    ],
)
def test_what_was_answered_is_found_in_whatever_shape_it_has(value: object, text: str) -> None:
    assert [held for _, held, use in answered(value, "out") if use.role == "answer"] == [text]


def deepeval(*metrics: tuple[str, float | None, bool], **more: object) -> dict[str, Any]:
    listed = [
        {"name": name, "score": score, "threshold": 0.5, "success": passed}
        for name, score, passed in metrics
    ]
    test = {"name": "t", "input": "Why?", "actualOutput": "So.", "metricsData": listed, **more}
    return {"testCases": [test], "metricsScores": []}


def test_a_metric_of_deepeval_is_better_as_it_passes(tmp_path: Path) -> None:
    run = deepeval(("PII Leakage", 0.9, True), ("Rudeness", 0.9, False), ("Bias", None, False))
    take(tmp_path / "study", write(tmp_path, "bot.json", run))
    study = Study.open(tmp_path / "study")
    assert {own.table.sources[0]: own.meaning.direction for own in study.imported} == {
        "PII_Leakage": "higher", "Rudeness": "lower", "Bias": "lower",
    }  # fmt: skip


def test_a_score_that_failed_is_missing_and_a_second_metric_of_a_name_another(
    tmp_path: Path,
) -> None:
    run = deepeval(("Bias", None, False), ("Tone", 0.5, True), ("Tone", 0.5, True))
    take(tmp_path / "study", write(tmp_path, "bot.json", run))
    study = Study.open(tmp_path / "study")
    held = {own.table.sources[0]: own.table.frame["value"].to_list() for own in study.imported}
    assert held == {"Bias": [None], "Tone": [0.5], "Tone_2": [0.5]}


def test_a_conversation_of_deepeval_is_what_the_system_said(tmp_path: Path) -> None:
    test = {"name": "t", "success": True, "turns": said("Why?", "So."), "expectedOutcome": "It is.",
            "metricsData": [{"name": "Tone", "score": 1.0, "success": True}]}  # fmt: skip
    take(tmp_path / "study", write(tmp_path, "r.json", {"conversationalTestCases": [test]}))
    study = Study.open_whole(tmp_path / "study")
    ((case,), (answer,)) = study.cases, study.answers
    assert (case.question, len(case.references), len(answer.turns or ())) == ("Why?", 1, 2)


def test_a_conversation_of_deepeval_that_no_user_begins_is_named(tmp_path: Path) -> None:
    test = {"name": "t", "turns": said("Why?", "So.")[1:], "metricsData": []}
    file = write(tmp_path, "r.json", {"conversationalTestCases": [test], "metricsScores": []})
    with pytest.raises(InvalidInput, match="say which question it is about"):
        take(tmp_path / "study", file)


def test_a_link_to_a_run_of_deepeval_says_where_the_run_is(tmp_path: Path) -> None:
    file = write(tmp_path, "r.json", {"testRunLink": "https://example.org/test-runs/1"})
    with pytest.raises(InvalidInput, match=r"uploaded. Import .deepeval/.latest_run_full.json"):
        take(tmp_path / "study", file)


def test_a_word_in_langfuses_traces_is_asked_about(tmp_path: Path) -> None:
    traces: list[dict[str, object]] = [
        {**TRACE, "harmful": ["yes"]},
        {**TRACE, "id": "t2", "input": "How?", "harmful": ["no"]},
    ]
    file = write(tmp_path, "traces.json", traces)
    with pytest.raises(Undecided, match="people or models"):
        take(tmp_path / "study", file)
    take(tmp_path / "study", file, rater=["nurse", "people"])
    assert len(Study.open_whole(tmp_path / "study").judgements_on_file) == 2


PAGED: dict[str, object] = {**TRACE, "scores": ["s1"], "observations": ["o"]}
DOWNLOADS: list[object] = [
    {"trace": TRACE | {"scores": []}, "observations": [{"id": "o", "type": "SPAN"}]},
    {"data": [PAGED], "meta": {"page": 1}},
    {**TRACE, "scores": [{"traceId": "t", "name": "tone", "source": "API", "value": 1}]},
    [{**TRACE, "type": "GENERATION", "traceId": "x", "providedModelName": "bot"},
     {**TRACE, "id": "t2", "type": "SPAN", "traceId": "x"}],
]  # fmt: skip


@pytest.mark.parametrize("held", DOWNLOADS)
def test_every_download_of_langfuse_is_one_answer(tmp_path: Path, held: object) -> None:
    take(tmp_path / "study", write(tmp_path, "t.json", held))
    study = Study.open_whole(tmp_path / "study")
    assert [(own.system, own.text) for own in study.answers] == [("bot", "So.")]


def test_scores_without_their_answers_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="beside the file of its scores"):
        take(tmp_path / "study", TOOLS / "langfuse" / "scores.csv")
    assert not (tmp_path / "study" / "study.toml").exists()


def test_a_repetition_is_a_sample_and_a_run_that_failed_no_answer(tmp_path: Path) -> None:
    runs = [RUN, {**RUN, "repetition_number": 2, "output": "No."},
            {**RUN, "repetition_number": 3, "output": None, "error": "out of time"}]  # fmt: skip
    take(tmp_path / "study", write(tmp_path, "bot.json", runs))
    answers = Study.open_whole(tmp_path / "study").answers
    assert sorted((own.sample, own.text) for own in answers) == [(0, "So."), (1, "No.")]


@pytest.mark.parametrize(("who", "kind"), [("anna", "person"), ("gpt-4", "model")])
def test_a_person_who_is_called_as_a_model_is_asked_about(
    tmp_path: Path, who: str, kind: str
) -> None:
    runs = [
        {**RUN, "example_id": f"e{score}", "input": f"Why {score}?",
         "annotations": [{"name": "quality", "annotator_kind": "HUMAN", "score": score,
                          "user_id": who}]}
        for score in (1, 3, 5)
    ]  # fmt: skip
    file = write(tmp_path, "bot.json", runs)
    if kind == "model":
        with pytest.raises(Undecided, match="people or models"):
            take(tmp_path / "study", file)
        take(tmp_path / "study", file, rater=["models"])
    else:
        take(tmp_path / "study", file)
    judged = Study.open_whole(tmp_path / "study").judgements_on_file.frame
    assert set(judged["rater_kind"]) == {kind}


def test_a_trace_of_mlflow_holds_what_was_expected(tmp_path: Path) -> None:
    facts = {"name": "expected_facts", "source": {"source_type": "HUMAN", "source_id": "anna"},
             "expectation": {"value": ["Says why.", "Says when."]}}  # fmt: skip
    judged = {"name": "safe", "source": {"source_type": "CODE", "source_id": "check"},
              "feedback": {"value": True}}  # fmt: skip
    info = {"trace_id": "t", "assessments": [facts, judged],
            "trace_metadata": {"mlflow.traceInputs": '{"question": "Why?"}',
                               "mlflow.traceOutputs": '"So."'}}  # fmt: skip
    take(tmp_path / "study", write(tmp_path, "bot.json", [{"info": info, "data": {"spans": []}}]))
    study = Study.open_whole(tmp_path / "study")
    ((case,), (answer,)) = study.cases, study.answers
    assert (case.question, answer.text) == ("Why?", "So.")
    assert [criterion.text for criterion in case.criteria] == ["Says why.", "Says when."]
    assert scored(study) == {"safe": 1}
    assert not len(study.judgements_on_file)


def test_tables_of_two_runs_are_two_systems_and_a_judges_yes_is_a_score(tmp_path: Path) -> None:
    columns = ["request", "response", "response/llm_judged/safety/rating",
               "response/llm_judged/safety/rationale", "agent/latency_seconds"]  # fmt: skip
    for run, word in (("run-a", "yes"), ("run-b", "no")):
        place = tmp_path / run / "artifacts"
        place.mkdir(parents=True)
        table = {"columns": columns, "data": [["Why?", "So.", word, "Harmless.", 1.5]]}
        write(place, "eval_results_table.json", table)
    take(tmp_path / "study", *sorted(tmp_path.glob("*/artifacts/*.json")))
    study = Study.open_whole(tmp_path / "study")
    assert {(own.system, own.seconds) for own in study.answers} == {("run-a", 1.5), ("run-b", 1.5)}
    ((own,)) = study.imported
    assert sorted(own.table.frame["value"].to_list()) == [0.0, 1.0]


def judged(name: str, value: object, kind: str = "feedback", **more: object) -> dict[str, object]:
    source = {"source_type": "HUMAN", "source_id": "anna"}
    return {"assessment_name": name, "source": source, kind: {"value": value}, **more}


def traced(n: int, *assessments: object, **more: object) -> dict[str, object]:
    return {"trace_id": f"t{n}", "request": f"Why {n}?", "response": "So.", "state": "OK",
            "execution_duration": "1.2s", "assessments": [*assessments], **more}  # fmt: skip


def test_a_verdict_that_was_replaced_is_none(tmp_path: Path) -> None:
    rows = [
        traced(1, judged("good", 1, valid=False), judged("good", 5)),
        traced(2, judged("good", 3)),
    ]
    outcome = take(tmp_path / "study", write(tmp_path, "bot.json", rows), scale=["good=1-5"])
    study = Study.open_whole(tmp_path / "study")
    assert len(study.judgements_on_file) == 2
    assert {own.seconds for own in study.answers} == {1.2}
    assert any("replaced by a later verdict" in str(line) for line in outcome.said)


def test_an_expectation_of_parts_is_a_reference(tmp_path: Path) -> None:
    row = traced(1, judged("expected", {"answer": "It is so.", "k": 1}, "expectation"))
    take(tmp_path / "study", write(tmp_path, "bot.json", [row]))
    (case,) = Study.open_whole(tmp_path / "study").cases
    assert [own.text for own in case.references] == ["It is so."]


@pytest.mark.parametrize(
    ("name", "held"),
    [
        ("mlflow.json", [traced(1, response=None, state="ERROR"), traced(2)]),
        ("langfuse.json", [{**TRACE, "output": None, "latency": 2.5, "totalCost": 0.1},
                           {**TRACE, "id": "t2", "input": "How?"}]),
        ("phoenix.json", [{**RUN, "output": None, "latency_ms": 5},
                          {**RUN, "example_id": "e2", "input": "How?"}]),
        ("deepeval.json", [{"name": "t", "input": "Why?", "actualOutput": None, "metricsData": [],
                            "completionTime": 1.5, "retrievalContext": ["A text."]},
                           {"name": "t", "input": "How?", "actualOutput": "So."}]),
    ],
)  # fmt: skip
def test_what_stands_beside_no_answer_is_left_out_and_told(
    tmp_path: Path, name: str, held: object
) -> None:
    outcome = take(tmp_path / "study", write(tmp_path, name, held))
    study = Study.open_whole(tmp_path / "study")
    assert (len(study.cases), len(study.answers)) == (2, 1)
    assert any("left out (of no answer)" in str(line) for line in outcome.said)


def test_a_metric_that_neither_passed_nor_failed_says_nothing_of_its_direction(
    tmp_path: Path,
) -> None:
    run = deepeval(("Tone", 0.9, True))
    run["testCases"][0]["metricsData"][0]["success"] = None
    take(tmp_path / "study", write(tmp_path, "bot.json", run))
    found = {own.table.sources[0]: own.meaning for own in Study.open(tmp_path / "study").imported}
    assert found["Tone"].direction == "higher"


@pytest.mark.parametrize("several", [False, True])
def test_a_trace_that_asks_nothing_gives_its_generations(tmp_path: Path, several: bool) -> None:  # noqa: FBT001 - a case
    steps: list[dict[str, object]] = [
        {"id": "o1", "type": "GENERATION", "traceId": "t", "model": "x-bot",
         "input": said("Why?", "")[:1], "output": "So."},
        {"id": "o2", "type": "GENERATION" if several else "SPAN", "traceId": "t", "model": "x-bot",
         "input": "How?", "output": "Thus."},
    ]  # fmt: skip
    score = {"traceId": "t", "name": "tone", "source": "API", "value": 0.5}
    trace = {**TRACE, "input": None, "output": None, "observations": steps, "scores": [score]}
    take(tmp_path / "study", write(tmp_path, "t.json", trace))
    study = Study.open_whole(tmp_path / "study")
    assert {own.text for own in study.answers} == ({"So.", "Thus."} if several else {"So."})
    assert {own.system for own in study.answers} == {"x-bot"}
    assert scored(study) == ({} if several else {"tone": 1})


def test_what_of_a_message_is_no_words_is_told(tmp_path: Path) -> None:
    parts = [
        {"type": "text", "text": "What is it?"},
        {"type": "image_url", "image_url": {"url": "u"}},
    ]
    chat = [{"role": "user", "content": parts},
            {"role": "assistant", "content": None, "tool_calls": [{"id": "c"}]},
            {"role": "tool", "content": "7", "tool_call_id": "c"}]  # fmt: skip
    rows = [{**TRACE, "input": chat}, {**TRACE, "id": "t2", "input": chat[:1]}]
    outcome = take(tmp_path / "study", write(tmp_path, "t.json", rows))
    told = "\n".join(map(str, outcome.said))
    assert (
        "no words of a message): input[].content[].image_url.url, input[].tool_calls[].id" in told
    )
    assert isinstance(outcome.facts, dict)
    columns = {own["column"]: own["filled"] for own in outcome.facts["account"]["columns"]}
    assert columns["input[].content[].image_url.url"] == 2


def test_a_row_of_a_split_table_has_a_cell_a_column(tmp_path: Path) -> None:
    table = {"columns": ["inputs", "outputs", "toxicity/v1/score"], "data": [["Why?", "So."]]}
    with pytest.raises(InvalidInput, match=r"row 1: must have 3 cells, one a column; got 2"):
        take(tmp_path / "study", write(tmp_path, "t.json", table))
