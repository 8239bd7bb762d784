"""Who made a label is what a file says of it, in every tool that says so; else it is asked."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.exchange.test_evaluation_tools import take, write

from medassay.exchange.proposal import Undecided
from medassay.study import Study


def argilla(**facts: object) -> list[dict[str, Any]]:
    """Give a record whose only label is a suggestion."""
    suggestion = {"value": "yes", "score": 0.8, **facts}
    return [{"id": "1", "fields": {"question": "Why?", "answer": "So."}, "responses": {},
             "suggestions": {"useful": suggestion}}]  # fmt: skip


def argilla_flat(**facts: object) -> list[dict[str, Any]]:
    return [{"id": "1", "external_id": None, "question": "Why?", "answer": "So.", "useful": [],
             "useful-suggestion": "yes", "useful-suggestion-metadata": facts}]  # fmt: skip


def label_studio(list_of: str, **facts: object) -> list[dict[str, Any]]:
    result = {"from_name": "useful", "to_name": "answer", "type": "choices",
              "value": {"choices": ["yes"]}}  # fmt: skip
    return [{"id": 1, "data": {"question": "Why?", "answer": "So."}, "annotations": [],
             list_of: [{**facts, "result": [result]}]}]  # fmt: skip


def langfuse(**facts: object) -> list[dict[str, Any]]:
    score = {"traceId": "t", "dataType": "CATEGORICAL", "stringValue": "yes", "value": 1, **facts}
    return [{"id": "t", "input": "Why?", "output": "So.", "sessionId": "s", "userId": "u",
             "projectId": "p", "scores": [score]}]  # fmt: skip


def opik(**facts: object) -> dict[str, Any]:
    score = {"value": 1.0, "category_name": "yes", "created_by": "anna", **facts}
    trace = {"id": "t", "input": {"question": "Why?"}, "output": {"answer": "So."},
             "feedback_scores": [score]}  # fmt: skip
    return {"trace": trace, "spans": [], "project_name": "bot"}


def mlflow(**source: object) -> list[dict[str, Any]]:
    said = {"assessment_name": "useful", "source": source, "feedback": {"value": "yes"}}
    return [{"trace_id": "t", "request": "Why?", "response": "So.", "assessments": [said],
             "trace_metadata": {}}]  # fmt: skip


def phoenix(**facts: object) -> list[dict[str, Any]]:
    said = {"name": "useful", "label": "yes", **facts}
    return [{"example_id": "e", "repetition_number": 1, "input": "Why?", "reference_output": "Yes.",
             "output": "So.", "latency_ms": 1, "annotations": [said]}]  # fmt: skip


TOLD: Mapping[str, tuple[object, str]] = {
    "argilla, human": (argilla(type="human", agent="anna"), "person"),
    "argilla, human without a name": (argilla(type="human", agent=None), "person"),
    "argilla, human called as a model": (argilla(type="human", agent="gpt-4"), "asked"),
    "argilla, model": (argilla(type="model", agent="anna"), "model"),
    "argilla, a model's name": (argilla(type=None, agent="gpt-4"), "model"),
    "argilla, nobody says": (argilla(agent="anna"), "asked"),
    "argilla, flat, human": (argilla_flat(type="human", agent="anna"), "person"),
    "argilla, flat, model": (argilla_flat(type="model", agent="anna"), "model"),
    "argilla, flat, nobody says": (argilla_flat(type=None, agent=None), "asked"),
    "label studio, annotation": (label_studio("annotations", completed_by=3), "person"),
    "label studio, of nobody": (label_studio("annotations"), "asked"),
    "label studio, prediction": (label_studio("predictions", model_version="v1"), "model"),
    "langfuse, annotator": (langfuse(name="useful", source="ANNOTATION"), "person"),
    "langfuse, evaluator": (langfuse(name="user-feedback", source="EVAL"), "score"),
    "langfuse, program": (langfuse(name="useful", source="API"), "score"),
    "langfuse, user by a program": (langfuse(name="user-feedback", source="API"), "asked"),
    "opik, page": (opik(name="useful", source="ui"), "person"),
    "opik, rule": (opik(name="user_rating", source="online_scoring"), "score"),
    "opik, program": (opik(name="useful", source="sdk"), "score"),
    "opik, user by a program": (opik(name="user_rating", source="sdk"), "asked"),
    "mlflow, person": (mlflow(source_type="HUMAN", source_id="anna"), "person"),
    "mlflow, judge": (mlflow(source_type="LLM_JUDGE", source_id="gpt-4"), "score"),
    "mlflow, program": (mlflow(source_type="CODE", source_id="f"), "score"),
    "mlflow, nobody says": (mlflow(source_type="SOURCE_TYPE_UNSPECIFIED"), "asked"),
    "phoenix, person": (phoenix(annotator_kind="HUMAN", user_id="anna"), "person"),
    "phoenix, judge": (phoenix(annotator_kind="LLM"), "score"),
    "phoenix, program": (phoenix(annotator_kind="CODE"), "score"),
    "phoenix, nobody says": (phoenix(), "asked"),
}


@pytest.mark.parametrize("name", TOLD)
def test_who_made_a_label_is_what_the_file_says_of_it(tmp_path: Path, name: str) -> None:
    held, told = TOLD[name]
    file = write(tmp_path, "records.json", held)
    typed: dict[str, list[str]] = {}
    try:
        take(tmp_path / "study", file)
        raters = []
    except Undecided as error:
        raters = [question for question in error.questions if question.option == "rater"]
        for question in error.questions:
            answers = question.answers.get("models") or next(iter(question.answers.values()))
            typed.setdefault(question.option, []).extend(answers)
        take(tmp_path / "study", file, **typed)
    study = Study.open_whole(tmp_path / "study")
    kinds = set(study.judgements_on_file.frame["rater_kind"])
    if told == "score":
        assert (kinds, raters) == (set(), [])
        assert sum(map(len, (imported.table for imported in study.imported))) == 1
    else:
        assert bool(raters) is (told == "asked")
        assert kinds == {"model" if told == "asked" else told}


def test_a_model_that_is_called_as_a_person_stays_a_model(tmp_path: Path) -> None:
    record = argilla(type="model", agent="anna")[0]
    record["responses"] = {"useful": [{"value": "no", "user_id": "anna"}]}
    typed = {"label": ["useful.good=yes"]}
    take(tmp_path / "study", write(tmp_path, "records.json", [record]), **typed)
    frame = Study.open_whole(tmp_path / "study").judgements_on_file.frame
    told = dict(zip(frame["rater"], frame["rater_kind"], strict=True))
    assert told == {"anna": "person", "anna (model)": "model"}
