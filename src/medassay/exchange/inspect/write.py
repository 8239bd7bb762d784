"""Logs that Inspect reads, and files for its `precomputed_scores`."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from medassay.tables import json_bytes

_MOMENT: Final = "1970-01-01T00:00:00+00:00"
"""The same study gives the same bytes, so no clock is read; Inspect wants a moment."""


@dataclass(frozen=True, slots=True)
class LoggedScore:
    """A score of a sample.

    Attributes:
        value: A number, or each rater's; None where there is none. Inspect has no word for that
            but NaN, which is no JSON: the score is left out, and the reason stands in the sample's
            metadata under `unscored`.
        reason: Why there is none.
        metadata: What stands beside it.
    """

    value: float | Sequence[float | str] | None
    reason: str = ""
    metadata: Mapping[str, object] = field(default_factory=dict)

    def record(self) -> dict[str, object]:
        """Give it as Inspect writes it."""
        beside = {"metadata": dict(self.metadata)} if self.metadata else {}
        return {"value": self.value, **beside}


@dataclass(frozen=True, slots=True)
class LoggedSample:
    """A case with an answer and its scores.

    Attributes:
        case: Its id.
        asked: The question.
        target: What experts answered.
        answer: What the system answered; None where the study does not have it: the sample then has
            no output, and its metadata say `text_held: false`.
        scores: Name to score.
        seconds: How long it took.
    """

    case: str
    asked: str
    target: Sequence[str]
    answer: str | None
    scores: Mapping[str, LoggedScore]
    seconds: float | None = None


def inspect_log(
    task: str, system: str, samples: Sequence[LoggedSample], *, notes: Mapping[str, object]
) -> bytes:
    """Write the log of one system as JSON, in version 2 of the format.

    Args:
        task: What the evaluation is called.
        system: The system; Inspect calls it the model.
        samples: The cases that it answered.
        notes: What stands in the log's metadata.
    """
    names = list(dict.fromkeys(name for sample in samples for name in sample.scores))
    ids = [sample.case for sample in samples]
    return json_bytes(
        {
            "version": 2,
            "status": "success",
            "eval": {
                "created": _MOMENT,
                "task": task,
                "task_id": task,
                "run_id": task,
                "eval_id": f"{task} {system}",
                "dataset": {"name": task, "samples": len(ids), "sample_ids": ids},
                "model": system,
                "config": {},
                "packages": {},
                "metadata": dict(notes),
                "scorers": [{"name": name} for name in names],
            },
            "results": {
                "total_samples": len(samples),
                "completed_samples": len(samples),
                "scores": [
                    result for name in names if (result := _result(name, samples)) is not None
                ],
            },
            "stats": {"started_at": _MOMENT, "completed_at": _MOMENT},
            "samples": [_sample(sample, system) for sample in samples],
        }
    )


def inspect_ratings(samples: Sequence[LoggedSample], name: str) -> bytes:
    """Write one column of scores as `precomputed_scores` reads it: what is missing is left out."""
    return json_bytes(
        [
            {"id": sample.case, **sample.scores[name].record()}
            for sample in samples
            if name in sample.scores and sample.scores[name].value is not None
        ]
    )


def _result(name: str, samples: Sequence[LoggedSample]) -> dict[str, object] | None:
    """Give a column's mean, as Inspect shows it; none for ratings, which are lists."""
    values = [sample.scores[name].value for sample in samples if name in sample.scores]
    known = [value for value in values if isinstance(value, float)]
    if not known or any(isinstance(value, Sequence) for value in values):
        return None
    mean = math.fsum(known) / len(known)
    return {
        "name": name,
        "scorer": name,
        "scored_samples": len(known),
        "unscored_samples": len(samples) - len(known),
        "metrics": {"mean": {"name": "mean", "value": mean}},
    }


def _sample(logged_sample: LoggedSample, system: str) -> dict[str, object]:
    lacking = {
        name: score.reason for name, score in logged_sample.scores.items() if score.value is None
    }
    held = logged_sample.answer is not None
    reply = {
        "role": "assistant",
        "content": logged_sample.answer,
        "source": "generate",
        "model": system,
    }
    return {
        "id": logged_sample.case,
        "epoch": 1,
        "input": logged_sample.asked,
        "target": list(logged_sample.target),
        "messages": [
            {"role": "user", "content": logged_sample.asked, "source": "input"},
            *([reply] if held else []),
        ],
        "output": {
            "model": system,
            "choices": [{"message": reply, "stop_reason": "stop"}] if held else [],
            "completion": logged_sample.answer or "",
        },
        "scores": {
            name: score.record()
            for name, score in logged_sample.scores.items()
            if score.value is not None
        },
        "metadata": {
            **({"unscored": lacking} if lacking else {}),
            **({} if held else {"text_held": False}),
        },
        **({} if logged_sample.seconds is None else {"total_time": logged_sample.seconds}),
    }
