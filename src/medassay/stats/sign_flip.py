"""How large would a mean difference be if the two sides were exchangeable?"""

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.stats.kendall_null import PMethod
from medassay.stats.seeding import Rng, as_generator
from medassay.stats.sign_count import counted_sign_p
from medassay.stats.ties import TIE_TOLERANCE

__all__ = ["draws_for", "sign_flip_p"]

_ENUMERATED: Final = 12
_CHUNK: Final = 1024
_FEWEST_DRAWS: Final = 10_000
_DRAWS_A_TEST: Final = 100
_MOST_TESTS_DRAWN: Final = 1000


def draws_for(tests: int) -> int | None:
    """Say how many sign patterns so many tests need that are adjusted together; None: all.

    The smallest p that draws can give is 1/(1 + B), and Holm's adjustment multiplies it by the
    number of tests: a hundred draws a test bring it well below .05. Each draw is held against each
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


def _drawn_p(
    scaled: NDArray[np.float64],
    bar: NDArray[np.float64],
    rng: np.random.Generator,
    permutations: int,
) -> NDArray[np.float64]:
    counts = np.zeros(len(scaled), dtype=np.int64)
    for start in range(0, permutations, _CHUNK):
        size = min(_CHUNK, permutations - start)
        flips = rng.integers(0, 2, size=(size, scaled.shape[1]), dtype=np.int8) * 2.0 - 1.0
        counts += (np.abs(flips @ scaled.T) >= bar).sum(axis=0)
    p: NDArray[np.float64] = (1 + counts) / (1 + permutations)
    return p


@lru_cache(maxsize=_ENUMERATED + 1)
def _every_sign(m: int) -> NDArray[np.float64]:
    bits = np.arange(2**m)[:, None] >> np.arange(m)[None, :]
    signs = (bits & 1).astype(np.float64) * 2 - 1
    signs.flags.writeable = False
    return signs
