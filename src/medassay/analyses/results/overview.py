"""What was evaluated and how it was run, as the report's opening shows it."""

from typing import Literal

from pydantic import Field

from medassay.annotations import DesignName, SystemName, Words
from medassay.annotations.record import Plain

__all__ = [
    "Counts",
    "DimensionResult",
    "FigureRowInfo",
    "LabelInfo",
    "RunInfo",
    "StudyInfo",
    "SystemResult",
]

Texts = Literal["full", "ids", "none"]


class Counts(Plain, infers=False):
    """How much there is of everything."""

    cases: int
    systems: int
    answers: int
    answers_not_held: int = 0
    """Those that are known by their ids alone: their texts are not held."""
    answers_missing: int
    answers_empty: int
    answers_not_asked: int = 0
    """Pairs of system and case that nobody asked: no mean and no count holds them."""
    raters: int
    judgements: int
    preferences: int


class FigureRowInfo(Plain, infers=False):
    """A row that the protocol wants in Figure 1 of the paper, in any study."""

    metric: DesignName
    title: DesignName


class StudyInfo(Plain, infers=False):
    """What was evaluated."""

    title: DesignName
    description: DesignName
    date: DesignName | None
    protocol: DesignName
    protocol_title: DesignName
    source: DesignName
    licence: DesignName
    synthetic: bool
    descriptive: bool = False
    """No intervals, tests or comparisons: the protocol's source reports descriptively only."""
    texts: Texts
    """What these results may show."""
    raters: Literal["pseudonyms", "named"] = "pseudonyms"
    """How people who rate are called."""
    sealed: bool = False
    """What they may not show is taken out."""
    figure_rows: list[FigureRowInfo] = Field(default_factory=list)
    """Rows of Figure 1 of the paper that are there whatever metrics the study has."""
    wording: DesignName = ""
    """What of the rubric is not its source's own words."""
    counts: Counts
    asked: Words = ""
    """Of how many systems each case was asked, where not all were asked all."""
    drawn: DesignName = ""
    """How the cases were drawn, and from what; empty where study.toml does not say."""


class RunInfo(Plain, infers=False):
    """How it was run. No clock: the same inputs and choices give the same run."""

    name: Words
    seed: int
    replicates: int
    software: Words
    inputs: dict[DesignName, Words]
    """File of the study to its SHA-256."""


class SystemResult(Plain, infers=False):
    """One system and what it handed in."""

    id: SystemName
    title: SystemName
    family: SystemName
    answers: int
    not_held: int = 0
    """Answers whose text is not held."""
    missing: int
    empty: int
    not_asked: int = 0
    """Cases that it was not asked."""


class LabelInfo(Plain, infers=False):
    """One label of a scale."""

    label: DesignName
    score: float | None
    description: DesignName


class DimensionResult(Plain, infers=False):
    """One dimension that the raters judged."""

    id: DesignName
    title: DesignName
    question: DesignName
    scale: DesignName
    labels: list[LabelInfo]
    number: DesignName = ""
    """The numbers that may be given in place of labels, in words."""
    kinds: list[DesignName] = Field(default_factory=list)
    """What a marked passage may be, in place of labels."""
