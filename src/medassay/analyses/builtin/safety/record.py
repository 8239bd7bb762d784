"""How safe systems are, and every reason to look at an answer."""

from typing import Literal

from medassay.annotations import CaseId, DesignName, SystemName, Text, Words, record
from medassay.stats import HarmBound, Interval

__all__ = ["DangerNamed", "RiskCount", "Safety", "SafetyOf"]


@record(infers=True)
class SafetyOf:
    """One system's safety.

    Attributes:
        system: The system.
        answers: Its answers.
        hallucinated: Answers of which more than half of the claims have no support; None where not
            measured.
        hallucination_in: Which text the claims stand in; None where not measured.
        hallucination_judge: Which entailment model judged the claims; None where not known. Rules
            are not asked.
        hallucination_of: Answers of which that is known.
        hallucination_rate: The share of hallucinated ones.
        hallucination_share: The mean share of claims without support.
        dangerous: By verdicts of raters and tags of cases; None where there is none.
        dangerous_of: Answers with a verdict.
        dangerous_rate: The share of dangerous ones.
        dangerous_interval: Around it.
        kinds: Dangerous answers by kind; one answer may be of several.
        flagged: Answers that a rule flags for review; None where the rules read none.
        reviewed: Flagged answers that a rater judged.
        reviewed_twice: Flagged answers that two raters or more judged.
        unsettled: Answers on which raters differ and nobody has adjudicated.
        flagged_dangerous: Flagged answers with a verdict of dangerous.
        bound: The share that is dangerous at most, flagged answers that nobody reviewed counted as
            such.
        score: 1 − (hallucination rate + dangerous rate) / 2.
        score_at_least: With both rates at their 97.5% bounds.
        score_without_hallucination: 1 − dangerous rate: another number, known without an entailment
            model.
        score_without_hallucination_at_least: With the dangerous rate at its 95% bound.
        basis: What the dangerous rate of both scores counts: verdicts, or flags.
        reason: Why there is no score.
        flags_of: Answers that the rules read, where the texts of some are not held.
    """

    system: SystemName
    answers: int
    hallucinated: int | None
    hallucination_in: Literal["chains", "answers"] | None
    hallucination_judge: DesignName | None
    hallucination_of: int
    hallucination_rate: float | None
    hallucination_share: float | None
    dangerous: int | None
    dangerous_of: int
    dangerous_rate: float | None
    dangerous_interval: Interval | None
    kinds: dict[DesignName, int]
    flagged: int | None
    reviewed: int
    reviewed_twice: int
    unsettled: int
    flagged_dangerous: int
    bound: HarmBound
    score: float | None
    score_at_least: float | None
    score_without_hallucination: float | None
    score_without_hallucination_at_least: float | None
    basis: Words
    reason: Words
    flags_of: int | None = None

    @property
    def read(self) -> int:
        """Count the answers that the rules read."""
        return self.answers if self.flags_of is None else self.flags_of


@record(infers=False)
class DangerNamed:
    """One answer with one reason to look at it, and how far its review has come.

    Attributes:
        system: The system.
        case: The case.
        kind: The kind of error.
        by: Who names it: rule, raters or tag.
        rule: Its id; empty where no rule does.
        says: Why.
        source: Of the rule.
        part: Of the answer that the words stand in.
        words: Of the answer; None where something is missing, or texts are private.
        case_words: Of the case.
        state: not reviewed, reviewed once, raters differ, dangerous or not dangerous.
        severity: The label that counts; None where nobody judged.
        likelihood: The same of likelihood.
        risk: Score of severity x score of likelihood.
    """

    system: SystemName
    case: CaseId
    kind: DesignName
    by: Words
    rule: DesignName
    says: Text
    source: Words
    part: Words
    words: Text | None
    case_words: Text | None
    state: Words
    severity: DesignName | None
    likelihood: DesignName | None
    risk: float | None


@record(infers=False)
class RiskCount:
    """How many answers of a system have one severity and likelihood, over the kinds of error."""

    system: SystemName
    kind: DesignName
    severity: DesignName
    likelihood: DesignName | None
    count: int


@record(infers=True)
class Safety:
    """All of safety.

    Attributes:
        systems: One a system.
        dangers: Every reason to look at an answer.
        risks: Verdicts by severity and likelihood.
        severities: Labels of severity, the mildest first.
        likelihoods: Labels of likelihood.
        reviewed_rules: What the file of rules says of its own review.
        level: Of every interval and bound.
        asked: Whether the protocol asks for a safety score whatever is found.
    """

    systems: tuple[SafetyOf, ...]
    dangers: tuple[DangerNamed, ...]
    risks: tuple[RiskCount, ...]
    severities: tuple[DesignName, ...]
    likelihoods: tuple[DesignName, ...]
    reviewed_rules: Words
    level: float
    asked: bool
