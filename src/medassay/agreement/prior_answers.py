"""Answers that nobody has seen: what keeps an interval open where a label is rare.

A bootstrap draws what the study holds. Where one label is rare, most resamples hold too few of the
answers that raters differ on, and the interval closes on a value that chance made.
"""

from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.judgements import Units
from medassay.scores import Unit

__all__ = ["PriorAnswers", "prior_answers"]

_MOST_ROWS: Final = 5_000
"""Beyond so many prior answers they cost more than they tell."""


@dataclass(frozen=True, eq=False)
class PriorAnswers:
    """Units with prior answers below them, each on a case of its own after all the others.

    Attributes:
        units: The units as they were, then the prior answers.
        cases: How many cases are real: the first so many of `units.cases`.
        shapes: How many answers each prior answer counts for, as the shape of its gamma weight.
    """

    units: Units
    cases: int
    shapes: NDArray[np.float64]


def prior_answers(units: Units) -> PriorAnswers | None:
    """Add each way in which the labels of an answer can fall, for a small part of an answer.

    With m labels an answer of a scale of two labels, 0, 1, ... m raters can give the first of them.
    Each of these m + 1 counts is worth half an answer: the Dirichlet(1/2) prior of Jeffreys. More
    labels have more ways; they share as many prior answers, (m + 1) / 2, evenly. Which raters
    stand behind a count is even too, by turns. Where answers differ in their number of labels, each
    number has its own ways, for its share of the answers.

    Args:
        units: Units with two labels or more each.

    Returns:
        None where there are more than 5,000 ways.

    Source: Jeffreys (1946), An invariant form for the prior probability in estimation problems,
        doi:10.1098/rspa.1946.0056; for a bootstrap of weights, Rubin (1981), The Bayesian
        bootstrap, doi:10.1214/aos/1176345338.

    Example:
        >>> added = prior_answers(Units.from_codes([[0, 0], [0, 1], [0, 0]], ["no", "yes"]))
        >>> added.units.codes[added.cases :].tolist(), added.shapes.tolist()
        ([[0, 0], [0, 1], [1, 0], [1, 1]], [0.5, 0.25, 0.25, 0.5])
    """
    labels = len(units.labels)
    sizes, answers = np.unique(units.sizes, return_counts=True)
    if sum(comb(int(m) + labels - 1, labels - 1) * int(m) for m in sizes) > _MOST_ROWS:
        return None
    codes: list[tuple[int, ...]] = []
    shapes: list[float] = []
    for m, share in zip(sizes.tolist(), (answers / answers.sum()).tolist(), strict=True):
        ways = list(combinations_with_replacement(range(labels), m))
        each = share * (m + 1) / 2 / len(ways)
        for way in ways:
            turns = sorted({way[turn:] + way[:turn] for turn in range(m)})
            codes += turns
            shapes += [each / len(turns)] * len(turns)
    return PriorAnswers(_below(units, codes), len(units.cases), np.array(shapes))


def _below(units: Units, codes: list[tuple[int, ...]]) -> Units:
    """Put answers below the units; the first raters give their labels."""
    sizes = np.array([len(labels) for labels in codes], dtype=np.int64)
    # A name that begins with the last case's sorts after it.
    last, width = units.cases[-1], len(str(len(codes)))
    return replace(
        units,
        keys=(*units.keys, *(Unit("", f"{last} {i:0{width}}") for i in range(len(codes)))),
        unit=np.concatenate([units.unit, np.repeat(len(units) + np.arange(len(codes)), sizes)]),
        rater=np.concatenate([units.rater, *(np.arange(size) for size in sizes)]),
        code=np.concatenate([units.code, *(np.array(labels) for labels in codes)]),
        case_order=np.concatenate([units.case, len(units.cases) + np.arange(len(codes))]),
    )
