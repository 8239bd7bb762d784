"""Evaluation tools' files that are not as they must be."""

import json
from typing import Final

from tools.bad_input.bad_case import BadCase
from tools.bad_input.making import Make, written

_BATTLE: Final = {
    "question_id": "1",
    "model_a": "clinic",
    "model_b": "robot",
    "winner": "model_a",
    "conversation_a": [
        {"role": "user", "content": "Rest?"},
        {"role": "assistant", "content": "Two days."},
    ],
    "conversation_b": [
        {"role": "user", "content": "Rest?"},
        {"role": "assistant", "content": "Six weeks."},
    ],
}
_MARKED: Final = {
    "id": 1,
    "data": {"text": "She took aspirin for two days, and felt better."},
    "annotations": [{"completed_by": 1, "result": [
        {"from_name": "drug", "to_name": "text", "type": "labels",
         "value": {"start": 9, "end": 16, "labels": ["Drug"]}}
    ]}],
}  # fmt: skip
_ASKED: Final = {"id": "q1", "type": "summary", "body": "Rest?", "ideal_answer": ["Two days."]}
_RESULTS: Final = {
    "version": "1.0.0", "suite_id": "clinic", "run_id": "1",
    "results": [{"test_case_id": "rest", "actual_output": "Two days.", "passed": True,
                 "grader_results": []}],
}  # fmt: skip

_TRACE: Final = {
    "id": "t1", "sessionId": "s1", "userId": "u1", "name": "clinic", "harmful": ["yes"],
    "input": {"question": "Rest?"}, "output": {"answer": "Two days."},
}  # fmt: skip
_RUN: Final = {
    "example_id": "e1", "input": {"question": "Rest?"}, "output": "Two days.",
    "reference_output": {"answer": "Two days."},
    "annotations": [{"name": "quality", "annotator_kind": "HUMAN", "score": 5, "user_id": "gpt-4"}],
}  # fmt: skip
_TRACED: Final = {
    "trace_id": "t1", "request": "Rest?", "response": "Two days.",
    "assessments": [{
        "assessment_name": "helpful", "source": {"source_type": "HUMAN", "source_id": "anna"},
        "feedback": {"value": True},
    }],
}  # fmt: skip


def _battles(**changes: object) -> Make:
    return written("battles.json", json.dumps([{**_BATTLE, **changes}]))


EVALUATION_TOOLS: Final = [
    BadCase(
        "Battles of an arena that name no judge",
        "the file does not say who chose",
        _battles(),
        "medassay import battles.json --into new",
    ),
    BadCase(
        "A judge who may be a person or a model",
        "the file names a judge and does not say what that is",
        _battles(judge="b.q."),
        "medassay import battles.json --into new",
    ),
    BadCase(
        "Battles of an arena in another shape",
        "a conversation holds bare texts",
        _battles(judge="expert_1", conversation_a=["Rest?", "Two days."]),
        "medassay import battles.json --into new",
    ),
    BadCase(
        "Results of RAGAS whose questions are missing",
        "the cells of the questions are empty",
        written("bot.csv", "user_input,response,reference,faithfulness\n,Two days.,Rest.,0.9\n"),
        "medassay import bot.csv --into new",
    ),
    BadCase(
        "Results of promptfoo without results",
        "the evaluation was stopped before its first test",
        written("results.json", '{"results": {"version": 3, "results": []}}'),
        "medassay import --from promptfoo results.json --into new",
    ),
    BadCase(
        "A link to a test run of DeepEval",
        "the run was sent away, and the file kept its address alone",
        written("run.json", '{"testRunLink": "https://example.org/test-runs/1"}'),
        "medassay import run.json --into new",
    ),
    BadCase(
        "Scores of Langfuse without their traces",
        "the export of scores names traces by their ids",
        written(
            "scores.csv", "traceId,name,source,dataType,value\nt1,faithfulness,EVAL,NUMERIC,1\n"
        ),
        "medassay import scores.csv --into new",
    ),
    BadCase(
        "A label in Langfuse's traces",
        "the export of traces does not say who gave it",
        written("traces.json", json.dumps([_TRACE, {**_TRACE, "id": "t2", "harmful": ["no"]}])),
        "medassay import traces.json --into new",
    ),
    BadCase(
        "An annotation of Phoenix's by a person who is called as a model",
        "the file says HUMAN, and the name is a model's",
        written("runs.json", json.dumps([_RUN])),
        "medassay import runs.json --into new",
    ),
    BadCase(
        "Feedback in MLflow that is true or false",
        "nobody can tell which of the two is good",
        written("traced.json", json.dumps([_TRACED])),
        "medassay import traced.json --into new",
    ),
    BadCase(
        "A run of HELM's without its requests",
        "the file holds the settings alone",
        written("scenario_state.json", '{"adapter_spec": {"model": "robot"}, "request_states": 1}'),
        "medassay import scenario_state.json --into new",
    ),
    BadCase(
        "Results of lm-evaluation-harness alone",
        "lm_eval ran without --log_samples",
        written("results.json", '{"results": {}, "configs": {}, "versions": {}}'),
        "medassay import results.json --into new",
    ),
    BadCase(
        "Tasks of Label Studio without data",
        "the file is a list of annotations",
        written("tasks.json", '[{"annotations": []}]'),
        "medassay import --from label-studio tasks.json --into new",
    ),
    BadCase(
        "Passages that were marked in Label Studio, and nothing else",
        "people marked words of a text, and rated nothing",
        written("marked.json", json.dumps([_MARKED])),
        "medassay import marked.json --into new",
    ),
    BadCase(
        "Answers of BioASQ that may be references",
        "golden files and submissions can look alike",
        written("run.json", json.dumps({"questions": [_ASKED]})),
        "medassay import run.json --into new",
    ),
    BadCase(
        "Results of EvalPort without their suite",
        "the questions are in another file",
        written("results.json", json.dumps(_RESULTS)),
        "medassay import results.json --into new",
    ),
]
