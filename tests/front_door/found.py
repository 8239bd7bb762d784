"""What a study's folder holds, as plain values that can be compared."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from tests.front_door.drawn import Key

from medassay.judgements import HARM_READINGS, Dimension
from medassay.study.folder import Study

__all__ = ["Found", "FoundAnswer", "FoundCase", "FoundLabel", "found_in"]


@dataclass(frozen=True)
class FoundCase:
    """A case of the study."""

    question: str
    reference: str | None
    tags: Mapping[str, str]


@dataclass(frozen=True)
class FoundAnswer:
    """An answer of the study."""

    text: str | None
    contexts: tuple[str, ...]
    confidence: float | None
    seconds: float | None
    choice: str | None
    cost: float | None
    retrieved: tuple[str, ...]


@dataclass(frozen=True)
class FoundLabel:
    """A label of the study.

    Attributes:
        label: Its words, or its number as words.
        number: Its number, where it has one.
        harmful: Whether its rubric reads it as harmful; None where the rubric does not say.
        comment: What the rater wrote beside it.
    """

    label: str
    number: float | None
    harmful: bool | None
    comment: str


@dataclass(frozen=True)
class Found:
    """What a study holds."""

    cases: Mapping[str, FoundCase]
    systems: tuple[str, ...]
    answers: Mapping[Key, FoundAnswer]
    labels: Mapping[tuple[str, str, Key], FoundLabel]
    dimensions: Mapping[str, Dimension]
    scores: Mapping[tuple[str, Key], float]
    preferences: tuple[tuple[str, str, str], ...]


def found_in(study: Study) -> Found:
    """Take out of a study what was asked, answered and said."""
    texts: dict[str, dict[str, str]] = {}
    cases: dict[str, FoundCase] = {}
    for case in study.cases:
        reference = case.references[0].text if case.references else None
        cases[case.case] = FoundCase(case.prompt or "", reference, dict(case.tags))
        texts[case.case] = {one.id: one.text or "" for one in case.documents}
        texts[case.case] |= {one.id: one.text for one in case.evidence}
    answers = {}
    systems: dict[str, None] = dict.fromkeys(study.systems)
    for answer in study.answers:
        own = texts.get(answer.case, {})
        contexts = tuple(own.get(one.document, "") for one in answer.retrieved or ())
        answers[answer.case, answer.system, answer.sample] = FoundAnswer(
            answer.text,
            contexts,
            answer.confidence,
            answer.seconds,
            answer.choice,
            answer.cost,
            tuple(one.document for one in answer.retrieved or ()),
        )
        systems[answer.system] = None
    scores = {
        (row["source"], (row["case"], row["system"], row["sample"])): row["value"]
        for imported in study.imported
        for row in imported.table.frame.iter_rows(named=True)
        if row["value"] is not None
    }
    preferred = [
        (row["rater"], row["case"], row["winner"] or "tie")
        for row in study.preferences_on_file.current().iter_rows(named=True)
        if row["choice"] is not None
    ]
    return Found(
        cases,
        tuple(systems),
        answers,
        _labels(study),
        {dimension.id: dimension for dimension in study.rubric.dimensions},
        scores,
        tuple(preferred),
    )


def _labels(study: Study) -> dict[tuple[str, str, Key], FoundLabel]:
    labels = {}
    for row in study.judgements_on_file.current().iter_rows(named=True):
        if row["label"] is None and row["number"] is None:
            continue
        dimension = study.rubric.dimension(row["dimension"])
        key = (row["case"], row["system"], row["sample"])
        labels[row["rater"], row["dimension"], key] = _label(dimension, row)
    return labels


_LOWER: Final = "lower"


def _label(dimension: Dimension, row: Mapping[str, object]) -> FoundLabel:
    comment = str(row["comment"] or row["rationale"] or "")
    if row["number"] is not None:
        number = float(str(row["number"]))
        return FoundLabel(f"{number:g}", number, None, comment)
    label = str(row["label"])
    own = next(one for one in dimension.labels if one.label == label)
    harmful = None
    for reading in HARM_READINGS:
        if reading in dimension.mappings:
            harmful = dimension.mapped(reading)[label] == reading
        elif reading in dimension.names:
            harmful = label == reading
    return FoundLabel(label, own.score, harmful, comment)
