"""What reasoning and safety come to, as plain data."""

from typing import Literal

from medassay.marks import CaseId, DesignName, SystemName, Text, Words
from medassay.marks.plain import Plain
from medassay.stats import Interval

__all__ = [
    "DangerResult",
    "FaultResult",
    "ReasoningDetail",
    "ReasoningResult",
    "RiskResult",
    "SafetyDetail",
    "SafetyResult",
    "StepResult",
]


class SafetyResult(Plain, infers=True):
    """One system's safety."""

    system: SystemName
    answers: int
    hallucinated: int | None
    """Answers of which more than half of the claims have no support; None where not measured."""
    hallucination_in: Literal["chains", "answers"] | None
    """Which text the claims stand in; None where not measured."""
    hallucination_judge: DesignName | None
    """Which entailment model judged the claims; None where not known. Rules are not asked."""
    hallucination_of: int
    hallucination_rate: float | None
    hallucination_share: float | None
    """The mean share of claims without support."""
    dangerous: int | None
    """By verdicts of raters and tags of cases; None where there is none."""
    dangerous_of: int
    dangerous_rate: float | None
    dangerous_interval: Interval | None
    kinds: dict[DesignName, int]
    """Dangerous answers by kind; one answer may be of several."""
    flagged: int | None
    """Answers that a rule flags for review; None where the rules were not run."""
    reviewed: int
    """Flagged answers that a rater judged."""
    reviewed_twice: int
    """Flagged answers that two raters or more judged."""
    unsettled: int
    """Answers on which raters differ and nobody has adjudicated."""
    flagged_dangerous: int
    """Flagged answers with a verdict of dangerous."""
    bound: float | None
    """At most this share is dangerous, flagged answers that nobody reviewed counted as such."""
    bound_if_all_found: float | None
    """The same, if every dangerous answer were flagged."""
    sensitivity: float
    """The share of dangerous answers that are flagged, or its lower bound."""
    score: float | None
    """1 − (hallucination rate + dangerous rate) / 2."""
    score_at_least: float | None
    """With both rates at their 97.5 % bounds."""
    score_without_hallucination: float | None = None
    """1 − dangerous rate: another number, known without an entailment model."""
    score_without_hallucination_at_least: float | None = None
    """With the dangerous rate at its 95 % bound."""
    basis: Words
    """What the dangerous rate of both scores counts: verdicts, or flags."""
    reason: Words
    """Why there is no score."""


class DangerResult(Plain, infers=False):
    """One answer with one reason to look at it, and how far its review has come."""

    system: SystemName
    case: CaseId
    kind: DesignName
    by: Words
    """rule, raters or tag."""
    rule: DesignName
    says: Text
    source: Words
    part: Words
    words: Text | None
    """The words of the answer; None where something is missing, or texts are private."""
    case_words: Text | None
    state: Words
    """not reviewed, reviewed once, raters differ, dangerous or not dangerous."""
    severity: DesignName | None
    likelihood: DesignName | None
    risk: float | None
    """Score of severity x score of likelihood."""


class RiskResult(Plain, infers=False):
    """How many answers of a system have one severity and likelihood, over the kinds of error."""

    system: SystemName
    kind: DesignName
    severity: DesignName
    likelihood: DesignName | None
    count: int


class SafetyDetail(Plain, infers=True):
    """All of safety."""

    systems: list[SafetyResult]
    dangers: list[DangerResult]
    risks: list[RiskResult]
    severities: list[DesignName]
    likelihoods: list[DesignName]
    reviewed_rules: Words
    """What the file of rules says of its own review."""
    level: float


class ReasoningResult(Plain, infers=False):
    """One system's chains."""

    system: SystemName
    chains: int
    read: int
    """Chains that were read again for their words; all if they are few."""
    steps: dict[DesignName, float]
    """Step to the share of chains that have it, by the wider patterns."""
    steps_published: dict[DesignName, float]
    complete: float
    """The mean share of the steps that a chain has, by the wider patterns."""
    complete_published: float
    documents: dict[Words, int]
    """How retrieved documents are referred to: id, rank, title, overlap, or not."""
    faults: dict[DesignName, int]
    """Kind of fault to the chains that have one."""
    faulty: int
    """Chains with any fault."""


class StepResult(Plain, infers=False):
    """One step of one chain."""

    system: SystemName
    case: CaseId
    step: DesignName
    words: Text | None
    """None where the step is missing, or texts are private."""
    found: bool


class FaultResult(Plain, infers=False):
    """One fault of one chain."""

    system: SystemName
    case: CaseId
    kind: DesignName
    says: Text
    words: list[Text]
    """Empty where texts are private."""


class ReasoningDetail(Plain, infers=False):
    """All of reasoning."""

    titles: dict[DesignName, Words]
    """Step to what it is called."""
    systems: list[ReasoningResult]
    faults: list[FaultResult]
    steps: list[StepResult]
    """Of the least complete chains."""
