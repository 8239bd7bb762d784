"""What is known of a model judge, as plain data."""

from typing import Literal, Self

from pydantic import Field

from medassay.marks import DesignName, PValue, RaterName, SystemName, Words
from medassay.stats import Interval
from medassay.study.results.plain import Plain
from medassay.validity import JudgeEstimate

__all__ = [
    "AltRaterResult",
    "AltResult",
    "CheckResult",
    "JudgeDimensionResult",
    "JudgeNumber",
    "JudgeOrderResult",
    "JudgeResult",
    "PlaceAgainstResult",
    "PlaceResult",
    "StandingOfCertificate",
]

CheckName = Literal["alt-test", "repeats", "order", "severity", "length", "self-preference"]
Verdict = Literal["passed", "failed", "undecided", "not tested"]


class JudgeNumber(Plain, infers=True):
    """A number about a judge; see `validity.JudgeEstimate`."""

    value: float | None
    interval: Interval | None
    n: int
    cases: int
    reason: Words

    @classmethod
    def of(cls, found: JudgeEstimate) -> Self:
        """Lay out an estimate."""
        return cls(
            value=found.value,
            interval=found.interval,
            n=found.n,
            cases=found.cases,
            reason=found.undefined,
        )


class AltRaterResult(Plain, infers=True):
    """The judge against one person; see `validity.AltTestRater`."""

    rater: RaterName
    answers: int
    judge_as_good: float
    rater_as_good: float
    p: PValue | None
    p_clustered: PValue | None
    beaten: bool
    beaten_clustered: bool


class AltResult(Plain, infers=True):
    """The alternative-annotator test; see `validity.AltTest`."""

    epsilon: float
    alignment: Words
    raters: list[AltRaterResult]
    winning_rate: float | None
    winning_rate_clustered: float | None
    advantage: float | None
    passes: bool
    reason: Words


class PlaceAgainstResult(Plain, infers=True):
    """The judge and one person, held against the others; see `validity.PlaceAgainst`."""

    rater: RaterName
    answers: int
    cases: int
    judge: float
    person: float
    difference: float
    interval: Interval | None
    reason: Words


class PlaceResult(Plain, infers=True):
    """The judge's place among the raters; see `validity.JudgePlace`."""

    place: int | None
    of: int
    interval: Interval | None
    against: list[PlaceAgainstResult]
    reason: Words


class CheckResult(Plain, infers=False):
    """One test of a judge, and what it says."""

    name: CheckName
    verdict: Verdict
    text: Words


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
    alt_test: AltResult
    place: PlaceResult
    repeats: JudgeNumber
    people_repeats: JudgeNumber
    """The same share for all people together: what is usual here."""
    severity: JudgeNumber
    length: JudgeNumber
    length_held: JudgeNumber
    self_preference: JudgeNumber
    checks: list[CheckResult]
    passes: bool
    """The alternative-annotator test is passed and nothing failed."""


class JudgeOrderResult(Plain, infers=True):
    """A judge's preferences when the answers change places; see `validity.JudgeOrder`."""

    dimension: DesignName
    pairs: int
    kept: int
    first_twice: int
    second_twice: int
    with_tie: int
    flips: JudgeNumber
    lean: JudgeNumber
    same_order: JudgeNumber


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
    order: list[JudgeOrderResult] = Field(default_factory=list)
    certificates: list[StandingOfCertificate] = Field(default_factory=list)
    said: list[Words] = Field(default_factory=list)
    """Whether its labels count, and what its certificate is worth, in sentences."""
