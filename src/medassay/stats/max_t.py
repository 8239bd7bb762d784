"""Many paired tests at once, by the largest of their statistics: sharper than Holm's steps."""

from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.stats.seeding import Rng, as_generator
from medassay.stats.ties import TIE_TOLERANCE

__all__ = ["max_t"]

Floats = NDArray[np.float64]
_ENUMERATED: Final = 12
_CELLS: Final = 2_000_000
"""Statistics that are held at once."""


def max_t(sums: Floats, *, rng: Rng, permutations: int = 10_000) -> Floats:
    """How small is each p after as many tests, where every sign is equally likely?

    Each row's statistic is T = |Σ d_c| / √Σ d_c²; a pattern of signs, shared by all rows, keeps the
    denominator, so that rows with unlike spread count alike. With T sorted downwards,

        p̃_(i) = max over j ≤ i of P(max over k ≥ j of T_(k)* ≥ T_(j)).

    This is the closed test by the largest statistic, in steps: each step leaves out what is
    rejected already. Tests that go together, as all pairs of a few systems do, cost less than by
    Holm's steps. With at most twelve clusters that are not 0 everywhere all patterns are tried.

    Args:
        sums: Sums of differences over clusters (or the differences themselves), shape (tests,
            clusters); 0 where nothing is known.
        rng: The source of randomness; not touched where all patterns are tried.
        permutations: Patterns drawn otherwise; the smallest p is one in so many and one.

    Returns:
        Adjusted p, shape (tests,); 1 where a test has no difference at all.

    Source: Westfall & Young (1993), Resampling-based multiple testing; Romano & Wolf (2005),
        doi:10.1198/016214504000000539.

    Example:
        >>> max_t(np.array([[1.0, 2.0, 3.0], [1.0, -1.0, 0.0]]), rng=np.random.default_rng(1))
        array([0.25, 1.  ])
    """
    tests = len(sums)
    adjusted = np.ones(tests)
    live = np.flatnonzero(np.abs(sums).sum(axis=0) > 0)
    spread = np.sqrt((sums**2).sum(axis=1))
    moving = np.flatnonzero(spread > 0)
    if not moving.size:
        return adjusted
    scaled = sums[np.ix_(moving, live)] / spread[moving, None]
    seen = np.abs(scaled.sum(axis=1))
    order = np.argsort(-seen, kind="stable")
    scaled, seen = scaled[order], seen[order]
    # A sum that reaches the observed one exactly must count, in whatever order it was added.
    bar = seen - TIE_TOLERANCE * len(live)
    every = len(live) <= _ENUMERATED
    many = 2 ** len(live) if every else permutations
    drawn = None if every else as_generator(rng)
    reached = np.zeros(len(seen), dtype=np.int64)
    step = max(1, _CELLS // max(len(seen), len(live)))
    for start, stop in pairwise([*range(0, many, step), many]):
        if drawn is None:
            bits = np.arange(start, stop)[:, None] >> np.arange(len(live))[None, :]
            signs = (bits & 1) * 2.0 - 1.0
        else:
            size = (stop - start, len(live))
            signs = drawn.integers(0, 2, size=size, dtype=np.int8) * 2.0 - 1.0
        largest = np.maximum.accumulate(np.abs(signs @ scaled.T)[:, ::-1], axis=1)[:, ::-1]
        reached += (largest >= bar).sum(axis=0)
    p = reached / many if every else (1 + reached) / (1 + many)
    adjusted[moving[order]] = np.maximum.accumulate(p)
    return adjusted
