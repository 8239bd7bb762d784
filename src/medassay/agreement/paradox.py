"""High agreement, low kappa: say so where one common label makes the two part."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.agreement.sums import distance_of_units
from medassay.judgements import Units

__all__ = ["paradox"]

_HIGH_AGREEMENT: Final = 0.7
_LOW_VALUE: Final = 0.4
_COMMON_LABEL: Final = 0.7


def paradox(used: Units, value: float, costs: NDArray[np.float64] | None = None) -> str:
    """Say that agreement is high though the coefficient is low, or nothing.

    Said where pairs agree on at least 70 %, the coefficient is at most .4, and one label holds at
    least 70 % of all labels. Then chance alone would already agree often, and a few disagreements
    weigh heavily: the coefficient speaks about the labels' frequencies as much as about the raters.

    Args:
        used: The units that the coefficient reads, each with a pair of labels.
        value: The coefficient.
        costs: How far it sets labels apart, as shares of the largest. Agreement is then one less
            the mean distance, as the coefficient sees it; without them any difference counts as 1.

    Source:
        Feinstein & Cicchetti (1990), High agreement but low kappa, I: The problems of two
        paradoxes, doi:10.1016/0895-4356(90)90158-L. The three bounds are ours.

    Example:
        >>> codes = [[0, 0]] * 18 + [[0, 1], [1, 0]]
        >>> paradox(Units.from_codes(codes, ["yes", "no"]), -0.05)
        'raters agree on 90 % of pairs, but 95 % of the labels are "yes", so chance alone would \
agree on 90 %: read specific agreement, AC1 and S beside it'
    """
    shares = np.bincount(used.code, minlength=len(used.labels)) / len(used.code)
    common = int(np.argmax(shares))
    if value > _LOW_VALUE or shares[common] < _COMMON_LABEL:
        return ""
    apart = 1 - np.eye(len(shares)) if costs is None else costs
    observed = 1 - float(distance_of_units(used, apart).mean())
    if observed < _HIGH_AGREEMENT:
        return ""
    chance = 1 - float(shares @ apart @ shares)
    how, beside = (
        ("", "AC1 and S")
        if costs is None
        else (", near misses counted in part", "AC2 and S with the same weights")
    )
    return (
        f"raters agree on {100 * observed:.0f} % of pairs{how}, but {100 * shares[common]:.0f} % "
        f'of the labels are "{used.labels[common]}", so chance alone would agree on '
        f"{100 * chance:.0f} %: read specific agreement, {beside} beside it"
    )
