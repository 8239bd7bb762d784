"""The longest run of one label, beside what chance makes."""

import numpy as np
from numpy.typing import NDArray

from medassay.stats import Interval
from medassay.validity.rater_rows import RaterRows

__all__ = ["longest_run"]

_FEWEST = 5


def longest_run(
    rows: RaterRows,
    own: NDArray[np.bool_],
    rng: np.random.Generator,
    replicates: int,
    level: float,
) -> tuple[float | None, Interval | None, int, str]:
    """Give the excess of a rater's longest run over chance, its range by chance, n, and why not.

    The same labels are put in random order many times. The interval is the central share of the
    longest runs found so, less their mean: an effect above it is longer than chance makes.
    """
    placed = own & ~np.isnan(rows.position)
    scores = rows.score[placed]
    if not len(scores):
        return None, None, 0, "positions are not known"
    if len(scores) < _FEWEST:
        return None, None, len(scores), f"fewer than {_FEWEST} labels ({len(scores)})"
    if np.ptp(scores) == 0:
        return None, None, len(scores), f"all {len(scores)} labels are the same, in any order"
    shuffled = rng.permuted(np.broadcast_to(scores, (replicates, len(scores))), axis=1)
    by_chance = _runs(shuffled)
    mean = float(by_chance.mean())
    low, high = np.quantile(by_chance - mean, [(1 - level) / 2, (1 + level) / 2]).tolist()
    estimand = "the same labels in random order"
    band = Interval(low, high, level, "permutation range", estimand, replicates)
    return float(_runs(scores[None])[0]) - mean, band, len(scores), ""


def _runs(scores: NDArray[np.float64]) -> NDArray[np.int64]:
    """Give the longest run of equal values in each row."""
    longest = np.ones(len(scores), dtype=np.int64)
    current = longest.copy()
    for before, after in zip(scores.T[:-1], scores.T[1:], strict=True):
        current = np.where(before == after, current + 1, 1)
        np.maximum(longest, current, out=longest)
    return longest
