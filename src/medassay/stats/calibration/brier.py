"""The Brier score, and what it is made of."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from medassay.stats.calibration.bins import Binning, bin_of, checked

__all__ = ["BrierParts", "brier", "brier_parts"]


@dataclass(frozen=True, slots=True)
class BrierParts:
    """The Brier score taken apart; brier = reliability - resolution + uncertainty + within.

    Attributes:
        brier: The score itself.
        reliability: Σ nₖ (p̄ₖ - ȳₖ)² / n: how far the bins' confidences are from their accuracies.
            0 is best.
        resolution: Σ nₖ (ȳₖ - ȳ)² / n: how far the bins' accuracies differ. More is better.
        uncertainty: ȳ (1 - ȳ): how hard the questions are together; not the system's doing.
        within: Σ (p - p̄ₖ)² / n - 2 Σ (y - ȳₖ)(p - p̄ₖ) / n: what binning hides; 0 where all
            confidences of a bin are the same.
    """

    brier: float
    reliability: float
    resolution: float
    uncertainty: float
    within: float


def brier(confidence: ArrayLike, correct: ArrayLike) -> float:
    """How far are the confidences from what came true? B = Σ (p - y)² / n.

    0 is a system that is sure and always right, 1 one that is sure and always wrong, .25 one that
    always says .5. It mixes calibration with how well right is told from wrong and with how hard
    the questions are; `brier_parts` takes it apart.

    Source: Brier 1950, doi:10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2.

    Example:
        >>> brier([1, 0.5], [1, 0])
        0.125
    """
    p, y = checked(confidence, correct)
    return float(((p - y) ** 2).mean())


def brier_parts(
    confidence: ArrayLike,
    correct: ArrayLike,
    bins: int = 10,
    binning: Binning = Binning.WIDTH,
) -> BrierParts:
    """How much of the Brier score is miscalibration, how much is skill, how much is the questions?

    Source: Murphy 1973, doi:10.1175/1520-0450(1973)012<0595:ANVPOT>2.0.CO;2; the terms within bins
        from Stephenson et al. 2008, doi:10.1175/2007WAF2006116.1.

    Example:
        >>> parts = brier_parts([0.9, 0.9, 0.2, 0.4], [1, 0, 0, 0])
        >>> round(parts.reliability - parts.resolution + parts.uncertainty + parts.within, 12)
        0.255
        >>> round(parts.brier, 12)
        0.255
    """
    p, y = checked(confidence, correct)
    where = bin_of(p, bins, binning)
    n = np.bincount(where, minlength=bins)
    filled = np.maximum(n, 1)
    mean_p = np.bincount(where, p, bins) / filled
    mean_y = np.bincount(where, y, bins) / filled
    share = n / p.size
    off_p, off_y = p - mean_p[where], y - mean_y[where]
    return BrierParts(
        brier=float(((p - y) ** 2).mean()),
        reliability=float((share * (mean_p - mean_y) ** 2).sum()),
        resolution=float((share * (mean_y - y.mean()) ** 2).sum()),
        uncertainty=float(y.mean() * (1 - y.mean())),
        within=float((off_p**2).mean() - 2 * (off_p * off_y).mean()),
    )
