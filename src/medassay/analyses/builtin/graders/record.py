"""What is known of how far graders agree with physicians."""

from typing import Literal

from medassay.marks import DesignName, RaterName, Tag, Words, record
from medassay.stats import Interval

__all__ = ["ByCategory", "GraderDifference", "GraderRow", "GradersReport"]


@record(infers=True)
class GraderRow:
    """How far one rater's labels match those of physicians.

    Attributes:
        rater: Whose labels; empty for all physicians together.
        kind: A `model`, a `physician`, or `physicians`: each against the others, pooled.
        against: One physician; empty for all of them.
        pairs: Pairs of labels of one criterion of one answer; between physicians each counts once.
        cases: Cases with a pair.
        alike: The share of pairs with the same label.
        pooled: Balanced F1 over all pairs.
        pooled_interval: Over cases or clusters; None where it is undefined.
        by_category: The mean over categories of criteria of balanced F1 in each; None where
            criteria have no category.
        by_category_interval: Over cases or clusters; None where it is undefined.
        categories: Categories with a pair.
        reason: Why there is no balanced F1 or no interval; empty where both are there.
    """

    rater: RaterName
    kind: Literal["model", "physician", "physicians"]
    against: RaterName
    pairs: int
    cases: int
    alike: float | None
    pooled: float | None
    pooled_interval: Interval | None
    by_category: float | None
    by_category_interval: Interval | None
    categories: int
    reason: Words


@record(infers=True)
class GraderDifference:
    """A grader's balanced F1 against physicians, less that of people with each other.

    Attributes:
        rater: The grader.
        difference: On cases that either is known of; None where it is undefined.
        interval: Over cases or clusters; None where it is undefined.
        reason: Why there is no difference or no interval; empty where both are there.
    """

    rater: RaterName
    difference: float | None
    interval: Interval | None
    reason: Words


@record(infers=True)
class ByCategory:
    """Balanced F1 on the criteria of one category.

    Attributes:
        category: The criteria's tag.
        rater: The grader; empty for people with each other.
        pairs: Pairs of labels.
        value: Over these pairs; None where it is undefined.
        interval: Over cases or clusters; None where it is undefined.
        reason: Why there is no value or no interval.
    """

    category: Tag
    rater: RaterName
    pairs: int
    value: float | None
    interval: Interval | None
    reason: Words


@record(infers=True)
class GradersReport:
    """How far graders agree with physicians on whether criteria are met.

    Attributes:
        dimension: The dimension that asks whether a criterion is met.
        graders: Each model against all physicians, the best first.
        physicians: Physicians with each other; None where no two labelled the same criterion.
        differences: Each grader's lead over people with each other.
        each_physician: Each person against the others.
        against_each: Each model against each physician.
        categories: Each category of criteria.
    """

    dimension: DesignName
    graders: tuple[GraderRow, ...]
    physicians: GraderRow | None
    differences: tuple[GraderDifference, ...]
    each_physician: tuple[GraderRow, ...]
    against_each: tuple[GraderRow, ...]
    categories: tuple[ByCategory, ...]
