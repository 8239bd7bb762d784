"""Raters whose labels are those of a model, or of scores that came with a file."""

from collections import Counter
from collections.abc import Hashable, Mapping
from typing import Final, Literal

from medassay.annotations import DesignName, RaterName, record

FEWEST: Final = 10
"""Answers in common under which nothing is said."""
_LUCK: Final = 1e-3
"""The most that chance may make of it, by how often each label was given."""
OFTEN: Final = 0.9
"""How often two who agree well give one label to an answer: said beside each copy."""


@record(infers=False)
class LabelCopy:
    """A person's labels that equal those of a model on every answer that both rated.

    Attributes:
        rater: The person.
        model: The model, where it is a rater; else empty.
        source: The column of scores, where it is that; else empty.
        dimension: What both rated.
        answers: Answers that both rated.
        labels: How many different labels the person gave to them.
    """

    rater: RaterName
    model: RaterName
    source: DesignName
    dimension: DesignName
    answers: int
    labels: int

    @property
    def by_agreement(self) -> float:
        """Give how often two who agree on nine of ten answers would agree on all of these."""
        return OFTEN**self.answers


_Kind = Literal["model", "scores"]


def find_copies(
    people: Mapping[str, Mapping[Hashable, Hashable]],
    others: Mapping[str, Mapping[Hashable, Hashable]],
    dimension: str,
    kind: _Kind,
) -> list[LabelCopy]:
    """Find people whose every label can be read off a model's, or a column of scores.

    With a model's labels they must be equal; of scores each value must stand for one label and each
    label for one value. Ten answers in common are asked for, two labels, and that chance makes it
    in fewer than one of a thousand such files, by how often each label was given.

    Args:
        people: Rater to what each answer got.
        others: The same of models, or of columns of scores.
        dimension: What both rated.
        kind: What the others are.

    Example:
        >>> said = {f"c{k}": "yes" if k % 3 else "no" for k in range(20)}
        >>> [copy] = find_copies({"anna": said}, {"gpt": dict(said)}, "right", "model")
        >>> copy.answers, round(copy.by_agreement, 2)
        (20, 0.12)
    """
    return [
        LabelCopy(
            rater,
            other if kind == "model" else "",
            other if kind == "scores" else "",
            dimension,
            *counts,
        )
        for rater, mine in sorted(people.items())
        for other, theirs in sorted(others.items())
        if (counts := read_copy(mine, theirs, equal=kind == "model")) is not None
    ]


def read_copy(
    mine: Mapping[Hashable, Hashable], theirs: Mapping[Hashable, Hashable], *, equal: bool
) -> tuple[int, int] | None:
    """Give the answers in common and the labels on them, where one is a copy of the other.

    Args:
        mine: Answer to label.
        theirs: The same.
        equal: Whether labels must be equal; else one must stand for the other.
    """
    common = [key for key in mine if key in theirs]
    pairs = Counter((mine[key], theirs[key]) for key in common)
    labels = Counter(mine[key] for key in common)
    values = Counter(theirs[key] for key in common)
    if len(common) < FEWEST or len(labels) < 2 or len(pairs) != len(labels):  # noqa: PLR2004 - one label tells nothing
        return None
    if len(values) != len(labels) or (equal and any(a != b for a, b in pairs)):
        return None
    by_luck = sum((count / len(common)) ** 2 for count in labels.values())
    return (len(common), len(labels)) if by_luck ** len(common) <= _LUCK else None
