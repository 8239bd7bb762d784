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
"""Answers that show how often a rater is right; see design/mace-competence.md for what fewer do."""


def not_identified(units: Units, known: Collection[Unit] = ()) -> tuple[str, ...]:
    """Say of each rater why the labels cannot show how often they know; empty where they may.

    Two raters who differ do not show who is right, and of three nobody can say whether two of them
    err together: each explanation fits as well. It takes three others on the same answer, or the
    known label of a control item, and more than a few such answers. On three labels and more that
    have an order a strict rater, who is a step below the truth, says the true label as seldom as
    one who guesses: there nothing is told. Whether raters err together is asked of the fit.

    Args:
        units: Who said what.
        known: Keys of the control items whose known label the fit reads.

    Example:
        >>> three = Units.from_codes([[0, 0, 0], [0, 1, 1]] * 15, ["no", "yes"])
        >>> not_identified(three)[0]
        'no answer of this rater has labels of three others'
        >>> not_identified(Units.from_codes([[0, 0, 0, 1], [0, 1, 1, 1]] * 15, ["no", "yes"]))
        ('', '', '', '')
    """
    used = np.unique(units.code).size
    if units.scale != "nominal" and used > _ORDERED:
        why = f"the {used} labels have an order: a strict rater looks like one who guesses"
        return (why,) * len(units.raters)
    controls = set(known)
    telling = units.sizes > _OTHERS
    if controls:
        telling = telling | np.array([key in controls for key in units.keys], dtype=np.bool_)
    shown = np.bincount(units.rater[telling[units.unit]], minlength=len(units.raters))
    return tuple(_why(count) for count in shown.tolist())


def _why(shown: int) -> str:
    if shown >= FEWEST_SHARED:
        return ""
    if not shown:
        return "no answer of this rater has labels of three others"
    return (
        f"only {count_of(shown, 'answer')} of this rater "
        f"{'has' if shown == 1 else 'have'} labels of three others: it takes {FEWEST_SHARED}"
    )
