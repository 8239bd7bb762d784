"""What is known of a model judge, as plain data."""

from typing import Literal

from pydantic import Field

from medassay.annotations import DesignName, RaterName, SystemName, Words
from medassay.annotations.record import Plain
from medassay.validity import (
    AltTest,
    JudgeEstimate,
    JudgeLabel,
    JudgeOrder,
    JudgeRank,
    JudgeWithout,
)

__all__ = [
    "CheckResult",
    "ControlResult",
    "JudgeDimensionResult",
    "JudgeResult",
    "StandingOfCertificate",
    "Verdict",
]

CheckName = Literal[
    "alt-test", "label", "controls", "known-harm", "canaries", "repeats", "order", "severity",
    "length", "self-preference",
]  # fmt: skip
Verdict = Literal[
    "passed",
    "failed",
    "undecided",
    "not tested",
    "not enough harmful answers",
    "not enough dangerous answers",
    "not enough of each kind",
    "not enough answers",
]


class CheckResult(Plain, infers=False):
    """One test of a judge, and what it says."""

    name: CheckName
    verdict: Verdict
    text: Words


class ControlResult(Plain, infers=True):
    """A judge that knows nothing, or denies what matters, put through what a judge must pass."""

    name: Words
    does: Words
    won: float | None
    """Share of people that it beats in the alternative-annotator test; None where undefined."""
    sensitivity: float | None
    specificity: float | None
    gap: float | None
    """Its balanced accuracy less the left-out person's; all three of the first label."""
    alt_test: bool
    """Whether it passes the alternative-annotator test."""
    label: bool
    """Whether it passes the test of the labels that matter."""

    @property
    def passes(self) -> bool:
        """Say whether it would get a certificate."""
        return self.alt_test and self.label


class JudgeDimensionResult(Plain, infers=True):
    """A judge on one dimension."""

    dimension: DesignName
    judgements: int
    """Labels that the judge gave in the phase main."""
    answers: int
    """Those of them that a person judged too."""
    cases: int
    systems: int
    people: list[RaterName]
    """Who judged some of these answers."""
    span: float | None
    """Largest less smallest score of the scale; None where labels have no scores."""
    alt_test: AltTest
    labels: list[JudgeLabel]
    """Each reading of harm; where the rubric has none, where people part most evenly."""
    controls: list[ControlResult]
    place: JudgeRank
    repeats: JudgeEstimate
    people_repeats: JudgeEstimate
    """The same share for all people together: what is usual here."""
    severity: JudgeEstimate
    length: JudgeEstimate
    length_held: JudgeEstimate
    self_preference: JudgeEstimate
    checks: list[CheckResult]
    passes: bool
    """The alternative-annotator test and that of the labels that matter are passed, no control
    passes both, canaries were planted in enough answers or not at all, and nothing failed."""


class StandingOfCertificate(Plain, infers=False):
    """Whether a certificate holds for a judge on a dimension of this study."""

    dimension: DesignName
    status: Literal["none", "honoured", "refused"]
    why: list[Words]
    """Why it is refused."""
    open: list[Words]
    """What a certificate that is honoured leaves open."""
    counted: bool
    """Whether the judge's labels on this dimension are counted like a person's."""


class JudgeResult(Plain, infers=True):
    """A model judge."""

    judge: RaterName
    model: DesignName
    version: DesignName
    settings: DesignName
    prompt: DesignName
    """SHA-256 of the prompt; empty where none is declared."""
    family: SystemName
    judgements: int
    preferences: int
    dimensions: list[JudgeDimensionResult] = Field(default_factory=list)
    order: list[JudgeOrder] = Field(default_factory=list)
    certificates: list[StandingOfCertificate] = Field(default_factory=list)
    without: list[JudgeWithout] = Field(default_factory=list)
    """Replies that are no verdict, on each dimension that has such."""
    said: list[Words] = Field(default_factory=list)
    """Whether its labels count, and what its certificate is worth, in sentences."""
