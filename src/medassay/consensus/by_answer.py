"""Methods that look at one answer's labels alone: majority, mean, median, sum of scores."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.consensus.label_scores import no_scores, score_sums
from medassay.consensus.method import MethodDeclaration, consensus_method
from medassay.judgements import Units
from medassay.scores import Number, Reason, Score, Unscored


@consensus_method(
    MethodDeclaration(
        name="label_sum",
        title="label sum",
        question="What do the scores that an answer's raters gave it add up to?",
        unit="points of the label scores, times the raters of an answer",
        undefined="the labels have no scores, or answers differ in their number of labels",
        parts=("sum of the label scores", "number of labels"),
        source="Soni & Demner-Fushman, who call it Pyramid; content-unit Pyramid is another thing",
        parameters={"scale": ("sum", "mean_x_n")},
        on_scale=False,
    )
)
def label_sum(units: Units, scale: str = "sum", **_: str) -> list[Score | Unscored]:
    """Add up the label scores of each answer.

    A sum rewards an answer for having more raters, so where answers differ in their number of
    labels there is no value. `label_sum(scale=mean_x_n)` takes the mean times the largest number of
    labels instead, which equals the sum where panels are equal.

    Example:
        >>> units = Units.from_codes([[0, 1], [1, -1]], ["no", "yes"], scores=[0, 2])
        >>> print(label_sum(units)[0])
        undefined here: answers have 1 to 2 labels, and a sum needs one number; \
choose label_sum(scale=mean_x_n)
        >>> [score.value for score in label_sum(units, scale="mean_x_n")]
        [2.0, 4.0]
    """
    if units.scores is None:
        return no_scores(units)
    totals, counts = score_sums(units)
    least, most = min(counts, default=0.0), max(counts, default=0.0)
    if scale == "mean_x_n":
        return [
            Score(total / count * most, parts=(total, count))
            for total, count in zip(totals, counts, strict=True)
        ]
    if least != most:
        detail = (
            f"answers have {least:.0f} to {most:.0f} labels, and a sum needs one number; "
            "choose label_sum(scale=mean_x_n)"
        )
        return [Unscored(Reason.UNDEFINED, detail)] * len(units)
    return [Score(total, parts=(total, count)) for total, count in zip(totals, counts, strict=True)]


def median_scores(units: Units) -> tuple[list[float], list[float]]:
    """Give each unit's lower and upper median: equal unless an even panel is split.

    Example:
        >>> median_scores(Units.from_codes([[0, 1], [1, 1]], ["no", "yes"], scores=[0, 2]))
        ([0.0, 2.0], [2.0, 2.0])
    """
    scores = np.zeros(len(units.labels)) if units.scores is None else units.scores
    given = scores[units.code]
    given = np.append(given[np.lexsort((given, units.unit))], 0.0)  # of a unit without labels
    first = np.cumsum(units.sizes) - units.sizes
    return (
        given[first + (units.sizes - 1) // 2].tolist(),
        given[first + units.sizes // 2].tolist(),
    )


@consensus_method(
    MethodDeclaration(
        name="median",
        title="median",
        question="What score do as many of an answer's raters exceed as fall short of?",
        unit="points of the label scores",
        undefined="the labels have no scores",
        numbers=True,
        parts=("lower median", "upper median", "number of labels"),
        parameters={"middle": ("mean", "lower")},
    )
)
def median(units: Units, middle: str = "mean", **_: str) -> list[Score | Unscored]:
    """Take the middle score; between two middle ones their mean, or the lower one.

    Example:
        >>> units = Units.from_codes([[0, 1, 1], [0, 1, -1]], ["no", "yes"], scores=[0, 2])
        >>> [score.value for score in median(units)], median(units, middle="lower")[1].value
        ([2.0, 1.0], 0.0)
    """
    if units.scores is None:
        return no_scores(units)
    sizes = units.sizes.tolist()
    return [
        Score(low if middle == "lower" else (low + high) / 2, parts=(low, high, float(size)))
        for low, high, size in zip(*median_scores(units), sizes, strict=True)
    ]


TIES: Final = ("unscored", "lower", "median")
"""What a tie scores: nothing, the lowest of the leading labels, or the median of all labels."""


def majority_codes(units: Units) -> NDArray[np.int64]:
    """Give each unit the code of the label that more raters gave than any other; -1 at a tie.

    With three raters that is the label of at least two. A unit with one label has that one, and a
    unit without labels has a tie of nothing: -1.

    Example:
        >>> majority_codes(Units.from_codes([[1, 1, 0], [0, 1, -1]], ["no", "yes"])).tolist()
        [1, -1]
    """
    top = units.counts.max(axis=1, keepdims=True)
    leaders = (units.counts == top).sum(axis=1)
    return np.where(leaders == 1, units.counts.argmax(axis=1), -1).astype(np.int64)


def _codes(units: Units, least: str = "1", ties: str = "unscored", **_: str) -> NDArray[np.int64]:
    """Give each unit's label; -1 at a tie without a rule, and where too few are behind it.

    The median of tied labels need not be a label: such a unit has none.
    """
    codes = majority_codes(units)
    top = units.counts.max(axis=1, initial=0)
    if ties != "unscored" and units.scores is not None:
        instead = np.array(_broken(units, ties), dtype=np.float64)
        match = units.scores == instead[:, None]
        named = np.where(match.any(axis=1), match.argmax(axis=1), -1)
        codes = np.where(codes < 0, named, codes)
    return np.where(top >= int(least), codes, -1).astype(np.int64)


@consensus_method(
    MethodDeclaration(
        name="majority",
        title="majority",
        question="What score has the label that most raters of an answer gave?",
        unit="points of the label scores",
        undefined="two labels tie and `ties` names no rule, fewer than `least` raters gave it, "
        "or labels have no scores",
        parts=("raters who gave that label", "number of labels"),
        parameters={"least": Number("1"), "ties": TIES},
    ),
    choose=_codes,
)
def majority(
    units: Units, least: str = "1", ties: str = "unscored", **_: str
) -> list[Score | Unscored]:
    """Take the score of the leading label, and say so where two labels lead together.

    `majority(least=2)` asks for at least two raters behind the label. `majority(ties=lower)` takes
    the lowest of the labels that lead together, the cautious reading; `majority(ties=median)` the
    median score of the answer's labels.

    Example:
        >>> units = Units.from_codes([[1, 1, 0], [0, 1, -1]], ["no", "yes"], scores=[0, 1])
        >>> for score in majority(units):
        ...     print(score)
        Score(value=1.0, parts=(2.0, 3.0))
        raters tied: 1 no, 1 yes
    """
    if units.scores is None:
        return no_scores(units)
    joined: list[Score | Unscored] = []
    broken = _broken(units, ties)
    rows = zip(majority_codes(units).tolist(), units.counts.tolist(), broken, strict=True)
    for code, counts, instead in rows:
        if code < 0 and instead is not None and max(counts) >= int(least):
            joined.append(Score(instead, parts=(float(max(counts)), float(sum(counts)))))
        elif code < 0:
            lines = [f"{n} {label}" for n, label in zip(counts, units.labels, strict=True) if n]
            joined.append(Unscored(Reason.TIE, ", ".join(lines)))
        elif counts[code] < int(least):
            detail = f"{counts[code]} for {units.labels[code]}, and {least} are asked for"
            joined.append(Unscored(Reason.UNDEFINED, detail))
        else:
            parts = (float(counts[code]), float(sum(counts)))
            joined.append(Score(float(units.scores[code]), parts=parts))
    return joined


def _broken(units: Units, ties: str) -> list[float] | list[None]:
    """Give what each unit scores if its labels tie."""
    if ties == "unscored" or units.scores is None:
        return [None] * len(units)
    if ties == "median":
        return [(low + high) / 2 for low, high in zip(*median_scores(units), strict=True)]
    leads = units.counts == units.counts.max(axis=1, keepdims=True)
    lowest: list[float] = np.where(leads, units.scores, np.inf).min(axis=1).tolist()
    return lowest


@consensus_method(
    MethodDeclaration(
        name="mean",
        title="mean",
        question="What score do the raters of an answer give it on average?",
        unit="points of the label scores; a share where labels are read through a mapping",
        undefined="the labels have no scores",
        numbers=True,
        parts=("sum of the label scores", "number of labels"),
    )
)
def mean(units: Units, **_: str) -> list[Score | Unscored]:
    """Divide the sum of the label scores by the number of labels given.

    Through a mapping such as `harmful` it is the share of the raters who chose its first label.

    Example:
        >>> units = Units.from_codes([[0, 1], [1, -1]], ["no", "yes"], scores=[0, 1])
        >>> [score.value for score in mean(units)]
        [0.5, 1.0]
    """
    if units.scores is None:
        return no_scores(units)
    totals, counts = score_sums(units)
    return [
        Score(total / count, parts=(total, count))
        for total, count in zip(totals, counts, strict=True)
    ]
