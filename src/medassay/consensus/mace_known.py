"""Of which raters MACE's competence is borne out by the labels, and of which it is made up."""

from collections.abc import Collection
from typing import Final

import numpy as np

from medassay.judgements import Units
from medassay.scores import Unit
from medassay.text import count_of

__all__ = ["FEWEST_SHARED", "not_identified"]

_OTHERS: Final = 3
_ORDERED: Final = 2
"""Two labels are as good as unordered: who never says one of them has a habit, as in the model."""
FEWEST_SHARED: Final = 30
"""Control items that show how often a rater is right; and common answers that show two alike."""
_FEWEST_TELLING: Final = 150
"""Answers that show it where nobody knows the truth: on fewer, two who share half of their errors
stand first in more than 5 % of studies (simulations/mace-competence.md)."""


def not_identified(units: Units, known: Collection[Unit] = ()) -> tuple[str, ...]:
    """Say of each rater why the labels cannot show how often they know; empty where they may.

    Two raters who differ do not show who is right, and of three nobody can say whether two of them
    err together: each explanation fits as well. It takes 30 control items whose label is known, or
    150 answers with labels of three others, controls counted: on fewer a pair that shares half of
    its errors is not found often enough. On three labels and more that
    have an order a strict rater, who is a step below the truth, says the true label as seldom as
    one who guesses: there nothing is told. Whether raters err together is asked of the fit.

    Args:
        units: Who said what.
        known: Keys of the control items whose known label the fit reads.

    Example:
        >>> three = Units.from_codes([[0, 0, 0], [0, 1, 1]] * 75, ["no", "yes"])
        >>> not_identified(three)[0]
        'no answer of this rater has labels of three others'
        >>> not_identified(Units.from_codes([[0, 0, 0, 1], [0, 1, 1, 1]] * 75, ["no", "yes"]))
        ('', '', '', '')
    """
    used = np.unique(units.code).size
    if units.scale != "nominal" and used > _ORDERED:
        why = f"the {used} labels have an order: a strict rater looks like one who guesses"
        return (why,) * len(units.raters)
    controls = set(known)
    is_control = np.array([key in controls for key in units.keys], dtype=np.bool_)
    telling, sure = (
        np.bincount(units.rater[kind[units.unit]], minlength=len(units.raters)).tolist()
        for kind in (is_control | (units.sizes > _OTHERS), is_control)
    )
    return tuple(_why(shown, known_ones) for shown, known_ones in zip(telling, sure, strict=True))


def _why(shown: int, controls: int) -> str:
    if controls >= FEWEST_SHARED or shown >= _FEWEST_TELLING:
        return ""
    if not shown:
        return "no answer of this rater has labels of three others"
    have = "has" if shown == 1 else "have"
    return (
        f"only {count_of(shown, 'answer')} of this rater {have} labels of three others or a known "
        f"one: it takes {_FEWEST_TELLING}, or {FEWEST_SHARED} control items"
    )
