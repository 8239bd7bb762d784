"""What criteria say of systems, and what answers say of criteria."""

from typing import Literal

from medassay.marks import CaseId, DesignName, SystemName, Tag, TagName, Text, Words, record
from medassay.stats import Interval

__all__ = ["AgainstCriteria", "CriteriaReport", "CriteriaScore", "CriterionItem", "WorstOfSamples"]


@record(infers=True)
class CriteriaScore:
    """How good a system's answers are by their criteria, over some cases or some criteria.

    Attributes:
        system: The system.
        over: `all` cases; the cases of one `tag`; or, of all cases, the criteria of one `axis`.
        tag: The name of the cases' tag; empty otherwise.
        group: The tag's value, or the axis; empty for all.
        mean: The mean over cases of points met by the positive points there are, clipped to 0 and
            1 after averaging; None where no answer has a score.
        interval: Over cases or clusters; None where it is undefined.
        cases: Cases with a score.
        missing: Answers without one, since a criterion has no label.
        low: The mean if every criterion without a label went against the answer.
        high: The mean if every one went for it.
        why: Why there is no mean or no interval; empty where both are there.
    """

    system: SystemName
    over: Literal["all", "tag", "axis"]
    tag: TagName
    group: Tag
    mean: float | None
    interval: Interval | None
    cases: int
    missing: int
    low: float | None
    high: float | None
    why: Words


@record(infers=False)
class WorstOfSamples:
    """How bad the worst of k answers to a case is.

    Attributes:
        system: The system.
        k: How many answers are drawn.
        mean: Over cases with at least k scored answers, clipped after averaging.
        cases: How many those are.
    """

    system: SystemName
    k: int
    mean: float
    cases: int


@record(infers=True)
class CriterionItem:
    """A criterion that tells answers apart badly.

    Attributes:
        case: Its case.
        criterion: What it says.
        points: What meeting it adds.
        answers: Answers with a label on it.
        systems: Whose answers they are.
        met: Share of them that meet it.
        disagreement: Share of pairs of raters who differ on it; None where no answer has two.
        problem: `never met`, `always met`, `raters differ` or `met by worse answers`.
        correlation: Of meeting it with the rest of the answer's score; None under 30 systems.
        discrimination: The same shrunken towards the mean of all criteria: what to expect again.
        q: False-discovery rate at which it lies below 0; None where it is not tested.
    """

    case: CaseId
    criterion: Text
    points: float
    answers: int
    systems: int
    met: float
    disagreement: float | None
    problem: Words
    correlation: float | None
    discrimination: float | None
    q: float | None


@record(infers=True)
class AgainstCriteria:
    """How often a system's answers meet a criterion with points below 0.

    Attributes:
        system: The system.
        cases: Cases with a label on such a criterion.
        met: Cases where an answer meets one by the label that most raters gave.
        interval: Of the share, over cases or clusters; None where it is undefined.
        criteria: What it met so, each once, the gravest first; at most three.
    """

    system: SystemName
    cases: int
    met: int
    interval: Interval | None
    criteria: tuple[Text, ...]


@record(infers=True)
class CriteriaReport:
    """The scores by criteria of one dimension.

    Attributes:
        dimension: The dimension that asks whether a criterion is met.
        source: How the raters' labels were joined.
        scores: Each system over all cases, tags and axes.
        against: What each system did that no answer should; empty where no criterion says.
        worst: The worst of k answers, where systems answered cases more than once.
        items: Criteria to look at, the worst problem first; at most 50 of each problem.
        criteria: How many criteria have a label.
        problems: How many criteria have each problem.
    """

    dimension: DesignName
    source: DesignName
    scores: tuple[CriteriaScore, ...]
    against: tuple[AgainstCriteria, ...]
    worst: tuple[WorstOfSamples, ...]
    items: tuple[CriterionItem, ...]
    criteria: int
    problems: dict[Words, int]
