"""How a bounded scale ties the spread of scores to their mean."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.stats.correlation import spearman
from medassay.stats.intervals import Interval
from medassay.stats.randomness import Rng, as_generator

_FEWEST: Final = 3
_SURE: Final = 1e-9
_CELLS: Final = 200_000
"""Scores drawn at once: what a processor's cache holds."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class BoundedSpread:
    """Means and spreads of columns on a bounded scale, beside what the scale alone produces.

    Attributes:
        means: Mean of each column, shape (columns,); NaN where fewer than three values are known.
        spreads: Standard deviation of each column (n in the denominator); NaN as above.
        share: Variance as a share of the largest that the scale allows at the same mean, one for
            all columns; None where the scale allows none.
        rho: Spearman's correlation of means and spreads; None where undefined.
        null: Where rho lies under the null, two-sided; None where undefined.
        p: Two-sided Monte-Carlo p of rho; None where undefined.
        low: Spread of each column under the null, lower end; NaN where undefined.
        high: Upper end.
        undefined: Why there is no null; empty where there is one.
    """

    means: Floats
    spreads: Floats
    share: float | None
    rho: float | None
    null: Interval | None
    p: float | None
    low: Floats
    high: Floats
    undefined: str = ""

    def expected(self, mean: float, scale: tuple[float, float]) -> float:
        """Give the spread that the null expects at a mean."""
        low, high = scale
        return float(np.sqrt((self.share or 0.0) * max(0.0, (mean - low) * (high - mean))))


def bounded_spread(
    values: Floats,
    known: NDArray[np.bool_],
    scale: tuple[float, float],
    *,
    rng: Rng,
    replicates: int = 2000,
    level: float = 0.95,
) -> BoundedSpread:
    """Do columns with a higher mean spread less, beyond what a bounded scale makes them do?

    On a scale from a to b the variance cannot pass (μ − a)(b − μ), so a mean near an end leaves no
    room to differ. The null: every column uses the same share of that room,
    σ² = φ (μ − a)(b − μ), with φ = Σ s² / Σ (m − a)(b − m) over the columns. Its distribution is
    had by drawing each column from the beta distribution with that mean and variance. The observed
    means stand for the true ones.

    Args:
        values: Shape (rows, columns); rows are systems, columns cases, say.
        known: Same shape.
        scale: Smallest and largest value that there can be.
        rng: Draws the null.
        replicates: How many times.
        level: Of the null's ranges.

    Returns:
        Means, spreads, and the null. A p is as small as 2 / (1 + replicates).

    Source: the bound: Bhatia & Davis (2000), doi:10.1080/00029890.2000.12005203.

    Example:
        >>> values = np.array([[0.0, 2.0, 2.0], [1.0, 2.0, 2.0], [2.0, 2.0, 1.0]])
        >>> found = bounded_spread(
        ...     values, np.ones((3, 3), bool), (0, 2), rng=np.random.default_rng(1), replicates=99
        ... )
        >>> found.means.round(2).tolist(), found.spreads.round(2).tolist()
        ([1.0, 2.0, 1.67], [0.82, 0.0, 0.47])
        >>> round(found.share, 3)  # (2/3 + 0 + 2/9) / (1 + 0 + 5/9)
        0.571
    """
    rng = as_generator(rng)
    counts = known.sum(axis=0)
    enough = counts >= _FEWEST
    safe = np.maximum(counts, 1)
    means = np.where(known, values, 0.0).sum(axis=0) / safe
    spreads = np.sqrt((np.where(known, values - means, 0.0) ** 2).sum(axis=0) / safe)
    nothing = np.full(means.shape, np.nan)
    shown = np.where(enough, means, np.nan), np.where(enough, spreads, np.nan)
    low, high = scale
    room = np.maximum(0.0, (means - low) * (high - means))
    rho = spearman(means[enough], spreads[enough]) if enough.sum() >= _FEWEST else None
    why = _why(int(enough.sum()), float(room[enough].sum()), scale, values[known])
    share = None if why else float((spreads[enough] ** 2).sum() / room[enough].sum())
    if not why and (share is None or not _SURE < share < 1 - _SURE):
        why = "the scores leave no room between no spread and the largest possible"
    if why or rho is None or share is None:
        why = why or "the means or the spreads are all the same"
        return BoundedSpread(*shown, share, rho, None, None, nothing, nothing, why)
    # Σ s² / Σ room has its expectation a little below φ, since s² divides by n.
    phi = min(1 - _SURE, share / float(1 - (1 / safe[enough]).mean()))
    rhos, drawn = _null(means, known, (phi, scale), rng, replicates)
    tails = (1 - level) / 2, (1 + level) / 2
    ends = np.quantile(rhos, tails)
    below, above = ((rhos <= rho).sum(), (rhos >= rho).sum())
    bands = np.full((2, means.size), np.nan)
    bands[:, enough] = np.quantile(drawn[:, enough], tails, axis=0)
    return BoundedSpread(
        *shown,
        share,
        rho,
        Interval(
            float(ends[0]), float(ends[1]), level, "beta null", "a bounded scale alone", replicates
        ),
        min(1.0, 2 * (1 + float(min(below, above))) / (1 + replicates)),
        bands[0],
        bands[1],
    )


def _why(columns: int, room: float, scale: tuple[float, float], values: Floats) -> str:
    if columns < _FEWEST:
        return f"the null needs {_FEWEST} columns with {_FEWEST} values each; got {columns}"
    if values.min() < scale[0] - _SURE or values.max() > scale[1] + _SURE:
        return f"values lie outside the scale {scale[0]:g} to {scale[1]:g}"
    return "" if room > _SURE else "every value lies at an end of the scale"


def _null(
    means: Floats,
    known: NDArray[np.bool_],
    law: tuple[float, tuple[float, float]],
    rng: np.random.Generator,
    replicates: int,
) -> tuple[Floats, Floats]:
    """Draw rho, shape (replicates,), and spreads, shape (replicates, columns)."""
    phi, (low, high) = law
    place = np.clip((means - low) / (high - low), _SURE, 1 - _SURE)
    strength = 1 / phi - 1
    counts = np.maximum(known.sum(axis=0), 1)
    rhos = np.full(replicates, np.nan)
    spreads = np.empty((replicates, means.size))
    enough = known.sum(axis=0) >= _FEWEST
    together = max(1, _CELLS // max(1, known.size))
    for start in range(0, replicates, together):
        some = slice(start, min(start + together, replicates))
        size = (some.stop - start, *known.shape)
        drawn = rng.beta(place * strength, (1 - place) * strength, size=size)
        centres = np.where(known, drawn, 0.0).sum(axis=1) / counts
        gaps = np.where(known, drawn - centres[:, None], 0.0)
        spreads[some] = np.sqrt((gaps**2).sum(axis=1) / counts) * (high - low)
        rhos[some] = _rank_correlations(centres[:, enough], spreads[some][:, enough])
    return rhos, spreads


def _rank_correlations(x: Floats, y: Floats) -> Floats:
    """Correlate the ranks of each row of one with those of the same row of the other."""
    first, second = (np.argsort(np.argsort(side)) - (side.shape[1] - 1) / 2 for side in (x, y))
    product, variance = (
        (ranks_of * first).sum(axis=1) * (1 / (x.shape[1] - 1)) for ranks_of in (second, first)
    )
    spread = np.sqrt(variance)
    rhos: Floats = product / spread / spread
    return rhos
