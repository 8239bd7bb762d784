"""What was evaluated and how it was run, as the report's opening shows it."""

from typing import Literal

from medassay.study.results.plain import Plain

__all__ = [
    "Counts",
    "DimensionResult",
    "LabelInfo",
    "RunInfo",
    "StudyInfo",
    "SystemResult",
]

Texts = Literal["full", "ids", "none"]


class Counts(Plain):
    """How much there is of everything."""

    cases: int
    systems: int
    answers: int
    answers_missing: int
    answers_empty: int
    raters: int
    judgements: int
    preferences: int


class StudyInfo(Plain):
    """What was evaluated."""

    title: str
    description: str
    date: str | None
    protocol: str
    protocol_title: str
    source: str
    licence: str
    synthetic: bool
    descriptive: bool = False
    """No intervals, tests or comparisons: the protocol's source reports descriptively only."""
    texts: Texts
    counts: Counts


class RunInfo(Plain):
    """How it was run. No clock: the same inputs and choices give the same run."""

    name: str
    seed: int
    replicates: int
    software: str
    inputs: dict[str, str]
    """File of the study to its SHA-256."""


class SystemResult(Plain):
    """One system and what it handed in."""

    id: str
    title: str
    family: str
    answers: int
    missing: int
    empty: int


class LabelInfo(Plain):
    """One label of a scale."""

    label: str
    score: float | None
    description: str


class DimensionResult(Plain):
    """One dimension that the raters judged."""

    id: str
    title: str
    question: str
    scale: str
    labels: list[LabelInfo]
