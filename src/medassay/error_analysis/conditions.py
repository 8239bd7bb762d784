"""Which condition was chosen where another was right."""

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum

from medassay.error_analysis.condition_groups import ConditionGroups, condition_groups
from medassay.marks import Tag, record

__all__ = ["ConditionConfusion", "ConditionPair", "Likeness"]


class Likeness(StrEnum):
    """How near what was chosen is to what is right."""

    SAME = "same"
    SIMILAR = "similar"
    UNRELATED = "unrelated"


@record(infers=False)
class ConditionPair:
    """Two conditions of which one was taken for the other, whichever was right.

    Attributes:
        one: The first by name.
        other: The second by name.
        likeness: Whether they stand in one group.
        n: How often.
    """

    one: Tag
    other: Tag
    likeness: Likeness
    n: int


@record(infers=False)
class ConditionConfusion:
    """Wrong answers by how near the chosen condition is to the right one.

    Attributes:
        same: Both options are names of one condition: the question's options overlap.
        similar: Both stand in one group.
        unrelated: They stand in two groups.
        outside: One of the two names no condition of any group, such as a treatment; or nothing
            was chosen.
        pairs: Each pair of conditions, the most frequent first.
        similar_share: similar / all wrong answers, as the source divides; None where none is wrong.
        unrelated_share: The same for unrelated.
        outside_share: The same for outside.

    Example:
        >>> found = ConditionConfusion.of([("AKI", "CKD"), ("CKD", "AKI"), ("Gastritis", "AKI")])
        >>> found.similar, found.unrelated, found.pairs[0].n
        (2, 1, 2)
    """

    same: int
    similar: int
    unrelated: int
    outside: int
    pairs: tuple[ConditionPair, ...]
    similar_share: float | None
    unrelated_share: float | None
    outside_share: float | None

    @property
    def errors(self) -> int:
        """Count all wrong answers."""
        return self.same + self.similar + self.unrelated + self.outside

    @classmethod
    def of(
        cls, errors: Iterable[tuple[str, str | None]], groups: ConditionGroups | None = None
    ) -> "ConditionConfusion":
        """Count pairs of the right option's text and the chosen one's.

        Args:
            errors: One for each wrong answer; the second is None where nothing was chosen.
            groups: The conditions; those that come with medassay if not given.
        """
        known = condition_groups() if groups is None else groups
        times: Counter[tuple[str, str, Likeness]] = Counter()
        outside = 0
        for texts in errors:
            right, chosen = (None if text is None else known.find(text) for text in texts)
            if right is None or chosen is None:
                outside += 1
                continue
            likeness = Likeness.SIMILAR if right.group == chosen.group else Likeness.UNRELATED
            likeness = Likeness.SAME if right == chosen else likeness
            first, second = sorted((right.name, chosen.name))
            times[first, second, likeness] += 1
        total: Counter[Likeness] = Counter()
        for (_, _, likeness), n in times.items():
            total[likeness] += n
        ordered = sorted(times.items(), key=lambda item: (-item[1], item[0]))
        similar, unrelated, same = (
            total[kind] for kind in (Likeness.SIMILAR, Likeness.UNRELATED, Likeness.SAME)
        )
        n = same + similar + unrelated + outside
        pairs = tuple(ConditionPair(*pair, times) for pair, times in ordered)
        shares = [times / n if n else None for times in (similar, unrelated, outside)]
        return cls(same, similar, unrelated, outside, pairs, *shares)
