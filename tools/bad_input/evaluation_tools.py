"""Evaluation tools' files that are not as they must be."""

import json
from typing import Final

from tools.bad_input.bad_case import BadCase
from tools.bad_input.making import Make, written

__all__ = ["EVALUATION_TOOLS"]

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
]
