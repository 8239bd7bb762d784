"""PERM-BOTH: does one metric order the systems more like the raters than another does?"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import repeat
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.stats.adjusted_means import ADJUSTED_TOLERANCE, CaseAdjustment
from medassay.stats.seeding import Rng, as_generator
from medassay.stats.ties import TIE_TOLERANCE, dense_ranks, pair_index

__all__ = ["SwapTest", "perm_both"]

_CHUNK_CELLS: Final = 6_000
"""Means of one system in one block: small enough to stay in the processor's cache."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class SwapTest:
    """Every pair of metrics, held against one human column.

    Attributes:
        difference: tau of the first minus tau of the second, shape (pairs,), in the order of
            `pair_index`; NaN where a tau is undefined.
        p: Two-sided, the same shape; NaN where the difference is.
    """

    difference: Floats
    p: Floats


def perm_both(
    metrics: Floats,
    human: Floats,
    known: NDArray[np.bool_],
    *,
    rng: Rng,
    permutations: int = 2000,
) -> SwapTest:
    """Which differences between the validities of two metrics are more than chance?

    Under the null the two metrics are exchangeable answer by answer. Both are standardised; in each
    permutation their values change places in every answer with probability ½, and tau-b of the
    system means is computed anew for both:

        p = (1 + #{|Δ*| ≥ |Δ|}) / (1 + B),  Δ = τ(m₁, h) − τ(m₂, h).

    Two-sided, unlike the published form, and never 0. All pairs share the same swaps, so one matrix
    product a system serves all of them. The human column stays as it is. Where not every system has
    every case the means are those of `CaseAdjustment`, in every permutation.

    Args:
        metrics: Shape (metrics, systems, cases); higher is better.
        human: Shape (systems, cases).
        known: Shape (systems, cases): the answers that all of them know; each system has one. There
            is no tau where cases do not link the systems.
        rng: The source of randomness.
        permutations: B.

    Source: Deutsch, Dror & Roth (2021), A statistical analysis of summarization evaluation metrics
        using resampling methods, doi:10.1162/tacl_a_00417 (there one-sided); Phipson & Smyth
        (2010), doi:10.2202/1544-6115.1585.

    Example:
        >>> rng = np.random.default_rng(1)
        >>> human = np.arange(8.0)[:, None] + rng.normal(size=(8, 30))
        >>> metrics = np.array([human + rng.normal(size=(8, 30)), rng.normal(size=(8, 30))])
        >>> found = perm_both(metrics, human, np.ones((8, 30), bool), rng=rng, permutations=500)
        >>> found.difference.shape, bool(found.p[0] < 0.05)
        ((1,), True)
    """
    rng = as_generator(rng)
    count = len(metrics)
    first, second = pair_index(count)
    adjustment = CaseAdjustment(known)
    if not adjustment.linked:
        return SwapTest(*np.full((2, len(first)), np.nan))
    ranked = _human_ranks(human, adjustment)
    order = np.argsort(ranked, kind="stable")
    ranked, known, metrics = ranked[order], known[order], metrics[:, order]
    values = _standardised(metrics, known)
    tolerance = TIE_TOLERANCE if adjustment.complete else ADJUSTED_TOLERANCE
    margin = tolerance * np.abs(values).max(initial=0.0)
    parts = list(_parts(values, CaseAdjustment(known)))
    whole = np.array([part.sum(axis=0) for part in parts])  # (systems, metrics)
    taus = _taus(whole, ranked, margin)
    difference = taus[first] - taus[second]
    bar = np.abs(difference) - TIE_TOLERANCE
    reached = np.zeros(len(first), dtype=np.int64)
    chunk = max(1, _CHUNK_CELLS // max(1, len(first)))
    for start in range(0, permutations, chunk):
        size = min(chunk, permutations - start)
        drawn = rng.integers(0, 2, size=(size, human.shape[1], len(order)), dtype=np.int8)
        # Drawn by case, then by system as they stood: sorting by the human column changes nothing.
        swaps = drawn[:, :, order].transpose(2, 0, 1).astype(np.float64)
        sides = _sides(swaps, complete=adjustment.complete)
        moved = np.array([side @ part for side, part in zip(sides, parts, strict=True)])
        gained = moved[:, :, second] - moved[:, :, first]
        ours = (whole[:, None, first] + gained).reshape(len(order), -1)
        others = (whole[:, None, second] - gained).reshape(len(order), -1)
        apart = np.abs(_taus(ours, ranked, margin) - _taus(others, ranked, margin))
        reached += (apart.reshape(size, len(first)) >= bar).sum(axis=0)
    p = (1 + reached) / (1 + permutations)
    p[np.isnan(difference)] = np.nan
    return SwapTest(difference, p)


def _parts(values: Floats, adjustment: CaseAdjustment) -> Iterator[Floats]:
    """Give what each answer adds to each system's mean, shape (answers, metrics).

    The answers are the system's own; those of all systems where cases are taken out.
    """
    columns = np.ascontiguousarray(values.transpose(1, 2, 0))
    if adjustment.complete:
        yield from columns / adjustment.known.sum(axis=1)[:, None, None]
        return
    for system in range(len(columns)):
        weighed = adjustment.weights_of(system)[:, :, None] * columns
        yield weighed.reshape(-1, columns.shape[2])


def _sides(swaps: Floats, *, complete: bool) -> Iterable[Floats]:
    """Give the swaps that go with each of these parts, shape (permutations, answers)."""
    if complete:
        return swaps
    return repeat(swaps.transpose(1, 0, 2).reshape(swaps.shape[1], -1), len(swaps))


def _human_ranks(human: Floats, adjustment: CaseAdjustment) -> NDArray[np.intp]:
    masked = np.where(adjustment.known, human, 0.0)
    scale = float(np.abs(masked).max(initial=0.0))
    return dense_ranks(adjustment.means(masked[None])[0], scale=scale)


def _standardised(metrics: Floats, known: NDArray[np.bool_]) -> Floats:
    """Give every metric mean 0 and variance 1 over the known answers; 0 where not known."""
    n = known.sum()
    masked = np.where(known, metrics, 0.0)
    mean = masked.sum(axis=(1, 2), keepdims=True) / n
    centred = np.where(known, metrics - mean, 0.0)
    spread = np.sqrt((centred**2).sum(axis=(1, 2), keepdims=True) / n)
    scale = np.abs(masked).max(axis=(1, 2), keepdims=True, initial=0.0)
    varies = spread > TIE_TOLERANCE * scale
    standardised: Floats = np.where(varies, centred, 0.0) / np.where(varies, spread, 1.0)
    return standardised


def _taus(means: Floats, human: NDArray[np.intp], margin: float) -> Floats:
    """Compute tau-b of every column of means (systems, columns), systems by human rank upwards.

    Sorted so, a pair is concordant where the later system has the higher mean; the systems that
    tie with i in the human column stand next after it.
    """
    agreement = np.zeros(means.shape[1], dtype=np.int32)
    untied = np.zeros(means.shape[1], dtype=np.int32)
    human_untied = 0
    for i in range(len(means) - 1):
        tied = int(np.searchsorted(human, human[i], "right")) - i - 1
        human_untied += len(means) - 1 - i - tied
        apart = means[i + 1 :] - means[i]
        above, below = (apart > margin).view(np.int8), (apart < -margin).view(np.int8)
        for flags, sign in ((above, 1), (below, -1)):
            counted = flags[tied:].sum(axis=0, dtype=np.int32)
            agreement += sign * counted
            untied += counted if not tied else counted + flags[:tied].sum(axis=0, dtype=np.int32)
    with np.errstate(invalid="ignore", divide="ignore"):  # 0/0 is what NaN marks here
        tau: Floats = agreement / np.sqrt(untied.astype(np.float64) * human_untied)
    return tau
