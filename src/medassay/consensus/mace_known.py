"""Of which raters MACE's competence is borne out by the labels, and of which it is made up."""

from collections.abc import Collection
from typing import Final

import numpy as np

from medassay.judgements import Units
from medassay.scores import Unit
from medassay.text import count_of

__all__ = ["FEWEST_SHARED", "not_identified"]

_OTHERS: Final = 2
FEWEST_SHARED: Final = 30
"""Answers that show how often a rater is right; see design/mace-competence.md for what fewer do."""


def not_identified(units: Units, known: Collection[Unit] = ()) -> tuple[str, ...]:
    """Say of each rater why the labels do not show how often they know; empty where they do.

    Two raters who differ do not show who is right: each explanation fits as well. It takes two
    others on the same answer, or the known label of a control item, and more than a few such
    answers. Even then a competence supposes that raters err apart from one another, which three of
    them cannot show.

    Args:
        units: Who said what.
        known: Keys of the control items whose known label the fit reads.

    Example:
        >>> pair = Units.from_codes([[0, 0], [0, 1], [1, 1]] * 10, ["no", "yes"])
        >>> not_identified(pair)[0]
        'no answer of this rater has labels of two others'
        >>> not_identified(Units.from_codes([[0, 0, 0], [0, 1, 1]] * 15, ["no", "yes"]))
        ('', '', '')
    """
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
        return "no answer of this rater has labels of two others"
    return (
        f"only {count_of(shown, 'answer')} of this rater "
        f"{'has' if shown == 1 else 'have'} labels of two others: it takes {FEWEST_SHARED}"
    )
