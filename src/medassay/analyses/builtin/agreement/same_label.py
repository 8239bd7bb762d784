"""The sentence about how often two raters give an answer the same label."""

from collections.abc import Sequence
from typing import Final

from medassay.agreement import Agreement
from medassay.exhibits import Names
from medassay.exhibits.numbers import listed

__all__ = ["same_label"]

_MOST: Final = 4
"""Dimensions that are named one by one; of more, the ends of the range."""


def same_label(panel: Sequence[Agreement], names: Names) -> str:
    """Say how often two raters chose the same label, and how much the commonest label takes."""
    pairs = sorted(
        (
            (agreement.value, agreement)
            for agreement in panel
            if (str(agreement.coefficient), agreement.mapping) == ("mean_pairwise", "full")
            and agreement.subset == panel[0].subset
            and agreement.value is not None
        ),
        key=lambda pair: -pair[0],
    )
    if not pairs:
        return ""
    commonest = {
        agreement.dimension: agreement.value
        for agreement in panel
        if (agreement.coefficient, agreement.mapping) == ("commonest", "full")
        and agreement.subset == panel[0].subset
    }

    def where(agreement: Agreement) -> str:
        share = commonest.get(agreement.dimension)
        beside = "" if share is None else f" (commonest label: {_percent(share)})"
        return f"{names.of_dimension(agreement.dimension)}{beside}"

    if len(pairs) > _MOST and _percent(pairs[0][0]) == _percent(pairs[-1][0]):
        every = f"{_percent(pairs[0][0])} of answers on every question"
        return f"Two raters gave the same label to {every}."
    (value, best), *rest = [(value, where(agreement)) for value, agreement in pairs]
    first = f"{_percent(value)} of answers on {best}"
    others = [f"{_percent(value)} on {dimension}" for value, dimension in rest]
    shares = f"{first} to {others[-1]}" if len(others) >= _MOST else listed([first, *others])
    return f"Two raters gave the same label to {shares}."


def _percent(share: float) -> str:
    return f"{100 * share:.0f}\u00a0%"
