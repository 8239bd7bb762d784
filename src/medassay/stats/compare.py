"""Two systems on the cases that both have."""

import math
import sys
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.annotations import PValue, record
from medassay.errors import InvalidInput, Problem
from medassay.stats.intervals import Interval, sums_by_cluster
from medassay.stats.kendall import TIE_TOLERANCE, PMethod, pair_index
from medassay.stats.means import moments, t_intervals
from medassay.stats.randomness import Rng, as_generator

_ENUMERATED: Final = 12
_CHUNK: Final = 1024
_CELLS: Final = 100_000
_MOST_IN_A_BYTE: Final = 255
_FEWEST_DRAWS: Final = 10_000
_DRAWS_A_TEST: Final = 100
_MOST_TESTS_DRAWN: Final = 1000
_STEPS: Final = 4096
_STEPS_A_DIFFERENCE: Final = 8
_MOST_STEPS: Final = 16_384
_FEW: Final = 64
"""Up to so many differences what rounding adds to their sum moves p by less than a hundredth."""
_SAME: Final = 1e-9
"""What is below this share of the largest difference is rounding of floats."""
_NEAR: Final = 1e-4
"""How far from a whole number of units a multiple may be, the unit being found to some digits."""
_IN_A_WORD: Final = 32
_DOUBLINGS: Final = 1000
"""Counts double with every difference, and a float holds 1023 doublings."""
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """One system against another, case by case.

    Attributes:
        difference: Mean of first minus second over the cases that both have; None without any.
        interval: Its t interval; None where undefined.
        p: Two-sided sign-flip p; None without a common case.
        p_method: `exact`, `grid` (see `counted_sign_p`) or `monte-carlo`; None where p is.
        minimal_detectable_effect: The true difference that a test at 1 - level with this standard
            error finds with the power asked for; None where the standard error is undefined.
        n: Number of common cases.
        undefined: Why something is None; empty where nothing is.
    """

    difference: float | None
    interval: Interval | None
    p: float | None
    p_method: PMethod | None
    minimal_detectable_effect: float | None
    n: int
    undefined: str = ""


def compare_paired(
    differences: NDArray[np.float64],
    known: NDArray[np.bool_],
    *,
    rng: Rng,
    clusters: Sequence[Hashable] | None = None,
    permutations: int | None = 10_000,
    level: float = 0.95,
    power: float = 0.8,
) -> list[PairedDifference]:
    """Is one system better than another on cases like these, and by how much?

    For each row d̄ ± t · SE (clustered, with its degrees of freedom; see `moments`), the p of
    `sign_flip_p` over cases or whole clusters, and what could have been found at all:
    MDE = (z_{1−α/2} + z_{power}) · SE.

    Args:
        differences: First minus second, shape (comparisons, cases).
        known: Whether both have the case; the same shape.
        rng: The source of randomness for p.
        clusters: For each case the label of its cluster.
        permutations: Random sign patterns where there are too many to try all; None counts all.
        level: Coverage of the interval; α is 1 - level.
        power: Probability of detection that the MDE refers to.

    Source: Miller (2024), Adding error bars to evals, arXiv:2411.00640.

    Example:
        >>> d = np.array([[0.0, 1.0, 1.0, 2.0]])
        >>> [found] = compare_paired(d, np.ones((1, 4), dtype=bool), rng=np.random.default_rng(1))
        >>> found.difference, found.p, round(found.minimal_detectable_effect, 2)
        (1.0, 0.25, 1.14)
    """
    rng = as_generator(rng)
    from scipy.special import ndtri

    estimates = moments(differences, known, clusters)
    sums = sums_by_cluster(np.where(known, differences, 0.0), clusters)
    p_values = sign_flip_p(sums, rng=rng, permutations=permutations)
    reach = float(ndtri((1 + level) / 2) + ndtri(power))
    intervals = t_intervals(estimates, estimand="these systems, new cases", level=level)
    made = []
    for row, ((interval, why), (p, method)) in enumerate(zip(intervals, p_values, strict=True)):
        n = int(estimates.n[row])
        if n == 0:
            why = "the two have no case in common"  # noqa: PLW2901 - says it better than "nothing"
            made.append(PairedDifference(None, None, None, None, None, 0, why))
            continue
        detectable = None if interval is None else reach * float(estimates.error[row])
        difference = float(estimates.mean[row])
        made.append(PairedDifference(difference, interval, p, method, detectable, n, why))
    return made


def compare_all_pairs(
    values: NDArray[np.float64],
    known: NDArray[np.bool_],
    *,
    rng: Rng,
    clusters: Sequence[Hashable] | None = None,
    permutations: int | None = 10_000,
    level: float = 0.95,
) -> list[PairedDifference]:
    """Compare every two systems i < j, in the order of `pair_index`.

    Args:
        values: Shape (systems, cases).
        known: The same shape; values are read where it is True.
        rng: The source of randomness for the p values.
        clusters: For each case the label of its cluster.
        permutations: Random sign patterns, shared by all pairs; None counts all (`draws_for`).
        level: Coverage of the intervals.

    Example:
        >>> values = np.array([[1.0, 2.0], [0.0, 0.0], [1.0, 2.0]])
        >>> pairs = compare_all_pairs(values, values >= 0, rng=np.random.default_rng(1))
        >>> [pair.difference for pair in pairs]
        [1.5, 0.0, -1.5]
    """
    rng = as_generator(rng)
    first, second = pair_index(len(values))
    masked = np.where(known, values, 0.0)
    return compare_paired(
        masked[first] - masked[second],
        known[first] & known[second],
        rng=rng,
        clusters=clusters,
        permutations=permutations,
        level=level,
    )


@record(infers=True)
class McNemar:
    """The exact test of two paired shares.

    Attributes:
        only_a: Questions that only the first has right.
        only_b: Questions that only the second has right.
        p: Two-sided; 1 where they differ on no question.
    """

    only_a: int
    only_b: int
    p: PValue


def mcnemar_exact(only_a: int, only_b: int) -> McNemar:
    """Could as lopsided a split of the questions they differ on come by chance?

    If both are right equally often, each of the n = b + c questions that exactly one has right goes
    to either with probability 1/2: p = min(1, 2 P(X ≤ min(b, c))), X ~ Binomial(n, 1/2). Holds for
    any n; the questions must be independent of each other.

    Args:
        only_a: Questions that only the first has right, b.
        only_b: Questions that only the second has right, c.

    Raises:
        InvalidInput: A count is below 0.

    Source: McNemar (1947), doi:10.1007/BF02295996; the exact form in Fay (2010),
        doi:10.1093/biostatistics/kxp050.

    Example:
        >>> mcnemar_exact(1, 9).p
        0.021484375
        >>> mcnemar_exact(0, 0).p
        1.0
    """
    from scipy.special import bdtr

    least, n = min(only_a, only_b), only_a + only_b
    if least < 0:
        raise InvalidInput(Problem("only_a and only_b", "be 0 or more", f"{least}"))
    p = min(1.0, 2 * float(bdtr(least, n, 0.5))) if n else 1.0
    return McNemar(only_a, only_b, p)


def draws_for(tests: int) -> int | None:
    """Say how many sign patterns so many tests need that are adjusted together; None: all.

    The smallest p that draws can give is 1/(1 + B), and Holm's adjustment multiplies it by the
    number of tests: a hundred draws a test bring it well below 0.05. Each draw is held against each
    test, so the work grows with the square of the tests, that is with the fourth power of the
    systems. From a thousand tests on (46 systems) counting all patterns is quicker.

    Example:
        >>> draws_for(15), draws_for(378), draws_for(10_153)
        (10000, 37800, None)
    """
    return max(_FEWEST_DRAWS, _DRAWS_A_TEST * tests) if tests <= _MOST_TESTS_DRAWN else None


def sign_flip_p(
    sums: NDArray[np.float64], *, rng: Rng, permutations: int | None = _FEWEST_DRAWS
) -> list[tuple[float, PMethod]]:
    """Ask how often |Σ ±d_c| reaches |Σ d_c| when every sign is equally likely.

    Exchanging the two sides of a pair changes the sign of its difference. With at most twelve
    differences that are not 0 all 2^m signs are tried; otherwise B random ones, shared by all rows:
    p = (1 + #{|Σ ±d| ≥ |Σ d|}) / (1 + B). Or all of them are counted (`counted_sign_p`), which
    draws nothing. Two-sided. Without any difference p is 1.

    Args:
        sums: Sums of differences over clusters (or the differences themselves), shape (rows,
            clusters); 0 where nothing is known.
        rng: The source of randomness; not touched where every p is exact.
        permutations: B; None counts all patterns.

    Source: Phipson & Smyth (2010), Permutation p-values should never be zero,
        doi:10.2202/1544-6115.1585.

    Example:
        >>> sign_flip_p(np.array([[1.0, 2.0, 3.0]]), rng=np.random.default_rng(1))  # 2 of 8 signs
        [(0.25, 'exact')]
    """
    rng = as_generator(rng)
    scale = np.abs(sums).max(axis=1, initial=0.0)
    live = np.abs(sums) > TIE_TOLERANCE * scale[:, None]
    scaled = np.where(live, sums, 0.0) / np.where(scale > 0, scale, 1.0)[:, None]
    # A sum that reaches the observed one exactly must count, in whatever order it was added.
    bar = np.abs(scaled.sum(axis=1)) - TIE_TOLERANCE * np.maximum(live.sum(axis=1), 1)
    small = live.sum(axis=1) <= _ENUMERATED
    p, exact = np.empty(len(sums)), small.copy()
    for row in np.flatnonzero(small):
        reached = np.abs(_every_sign(int(live[row].sum())) @ scaled[row, live[row]]) >= bar[row]
        p[row] = reached.mean()
    otherwise: PMethod = "grid" if permutations is None else "monte-carlo"
    if permutations is None:
        p[~small], exact[~small] = counted_sign_p(scaled[~small])
    elif not small.all():
        p[~small] = _drawn_p(scaled[~small], bar[~small], rng, permutations)
    return [
        (value, "exact" if known else otherwise)
        for value, known in zip(p.tolist(), exact.tolist(), strict=True)
    ]


def sign_block(tests: int) -> int:
    """Say for how many patterns so many tests are held at once.

    What they make stays in a processor's cache, and a byte counts those of one block.

    Example:
        >>> sign_block(15), sign_block(780)
        (255, 128)
    """
    return max(1, min(_MOST_IN_A_BYTE, _CELLS // max(1, tests)))


def _drawn_p(
    scaled: NDArray[np.float64],
    bar: NDArray[np.float64],
    rng: np.random.Generator,
    permutations: int,
) -> NDArray[np.float64]:
    counts = np.zeros(len(scaled), dtype=np.int64)
    block = sign_block(len(scaled))
    for start in range(0, permutations, _CHUNK):
        size = min(_CHUNK, permutations - start)
        flips = rng.integers(0, 2, size=(size, scaled.shape[1]), dtype=np.int8) * 2.0 - 1.0
        for begin in range(0, size, block):
            reached = np.abs(flips[begin : begin + block] @ scaled.T) >= bar
            counts += reached.view(np.uint8).sum(axis=0, dtype=np.uint8)
    p: NDArray[np.float64] = (1 + counts) / (1 + permutations)
    return p


@lru_cache(maxsize=_ENUMERATED + 1)
def _every_sign(m: int) -> NDArray[np.float64]:
    bits = np.arange(2**m)[:, None] >> np.arange(m)[None, :]
    signs = (bits & 1).astype(np.float64) * 2 - 1
    signs.flags.writeable = False
    return signs


def counted_sign_p(sums: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Ask how often |Σ ±d_c| reaches |Σ d_c| when every sign is equally likely, without drawing.

    Of the two signs one has the smaller sum T of |d|. A pattern reaches |Σ d_c| when the |d| on its
    smaller side sum up to T or less; so subsets are counted by their sums from 0 to T, one
    difference after the other. Where all differences are multiples of one unit (labels, shares of
    ten documents) that is exact. Elsewhere each |d_c| is rounded to whole steps of T/4096, as exact
    tests of real-valued scores do; p is then off by about a hundredth of itself. Differences that
    others outweigh ten thousandfold are lost beside them: a p above 0.1 may then be too large.

    Args:
        sums: Sums of differences over clusters, shape (rows, clusters); 0 where nothing is known.

    Returns:
        p, and whether it is exact; each of shape (rows,).

    Source: Streitberg & Röhmel (1986), Exact distributions for permutation and rank tests,
        Statistical Software Newsletter 12:10-17 (the shift algorithm); Pagano & Tritchler (1983),
        On obtaining permutation distributions in polynomial time, JASA 78:435-440 (the grid).

    Example:
        >>> p, exact = counted_sign_p(np.array([[1.0, 2.0, 3.0], [1.0, -1.0, 0.0]]))
        >>> p.tolist(), exact.tolist()  # 2 of 8 signs; all of them
        ([0.25, 1.0], [True, True])
    """
    scale = np.abs(sums).max(axis=1, initial=0.0)
    scaled = sums / np.where(scale > 0, scale, 1.0)[:, None]
    scaled[np.abs(scaled) <= _SAME] = 0.0
    smaller = (np.abs(scaled).sum(axis=1) - np.abs(scaled.sum(axis=1))) / 2
    unit = _common_unit(np.abs(scaled))
    # On one side alone there is one subset, the empty one, whatever the step.
    exact = (smaller <= _MOST_STEPS * unit) | (smaller <= _SAME)
    steps = max(_STEPS, _STEPS_A_DIFFERENCE * sums.shape[1])
    step = np.where(exact, np.maximum(unit, _SAME), smaller / steps)
    cells = np.rint(scaled / step[:, None]).astype(np.int64)
    # Among few differences a pattern that ties with the observed one must do so on the grid too;
    # among many, what rounding adds to the observed sum alone would count for more.
    own = exact | (np.count_nonzero(scaled, axis=1) <= _FEW)
    net = np.abs(np.where(own, cells.sum(axis=1), np.rint(scaled.sum(axis=1) / step)))
    p = np.ones(len(sums))
    for row in np.flatnonzero(net).tolist():
        sizes = np.sort(np.abs(cells[row][cells[row] != 0]))
        most = (int(sizes.sum()) - int(net[row])) // 2
        p[row] = min(1.0, 2 * _share_up_to(max(most, 0), sizes.tolist()))
    return p, exact


def _common_unit(sizes: Floats) -> Floats:
    """Find what all sizes of a row are multiples of, by Euclid's algorithm; 0 where nothing is."""
    unit = np.zeros(len(sizes))
    for column in sizes.T:
        large, small = np.maximum(unit, column), np.minimum(unit, column)
        while (small > 0).any():
            rest = np.mod(large, np.where(small > 0, small, np.inf))
            rest = np.where(small > 0, np.minimum(rest, small - rest), 0.0)
            large = np.where(small > 0, small, large)
            small = np.where(rest > _SAME, rest, 0.0)
        unit = large
    times = sizes / np.where(unit > 0, unit, 1.0)[:, None]
    return np.where((np.abs(times - np.rint(times)) < _NEAR).all(axis=1), unit, 0.0)


def _share_up_to(most: int, sizes: list[int]) -> float:
    """Give the share of all subsets that sum up to at most so much; never 0."""
    counts = np.zeros(most + 1, dtype=np.uint32 if len(sizes) <= _IN_A_WORD else np.float64)
    counts[0] = 1
    # Two arrays in turns: what is added in place is copied first.
    spare = counts.copy()
    top = scaled = 0
    for done, size in enumerate(sizes, start=1):
        if size > most:
            break
        top = min(most, top + size)
        spare[:size] = counts[:size]
        np.add(counts[size : top + 1], counts[: top + 1 - size], out=spare[size : top + 1])
        counts, spare = spare, counts
        if done % _DOUBLINGS == 0:
            counts = np.ldexp(counts, -_DOUBLINGS)
            scaled += _DOUBLINGS
    share = math.ldexp(float(counts.sum(dtype=np.float64)), scaled - len(sizes))
    return max(share, sys.float_info.min)
