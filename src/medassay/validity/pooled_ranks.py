"""Where systems stand by numbers that are no mean over cases, such as pooled ones."""

from collections.abc import Hashable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.marks import RankEnd, TestWords, record
from medassay.stats import (
    AT_ONCE_FROM,
    compact_letters,
    compare_all_pairs,
    draws_for,
    holm,
    pair_index,
    rank_ranges,
    rank_sets,
    ranks,
)

__all__ = ["Place", "rank_pooled"]

_LEVEL: Final = 0.95


@record(infers=False)
class Place:
    """Where one system stands.

    Attributes:
        rank: By the value, the largest first, ties sharing the best; None without a value, and
            where no other of the systems has one.
        low: Best place in the central 95 % of the resamples, or of many systems in the set that
            holds with all others; None where some resamples have no value.
        high: Worst place in it.
        letters: Two systems share a letter exactly when their order is undecided; empty where the
            rank has no range.
    """

    rank: int | None = None
    low: RankEnd | None = None
    high: RankEnd | None = None
    letters: TestWords = ""


def rank_pooled(
    value: NDArray[np.float64],
    drawn: NDArray[np.float64],
    pseudo: NDArray[np.float64],
    whole: NDArray[np.bool_],
    *,
    rng: np.random.Generator,
    clusters: Sequence[Hashable] | None = None,
    decimals: int | None = None,
) -> list[Place]:
    """Who is ahead of whom, by values that are made of many cases at once?

    The ranges are the places over resamples, or from twelve systems on sets that hold at once
    (`stats.rank_sets`). The letters are those of the leaderboards, sign-flip
    tests of paired differences with Holm's adjustment, on the jackknife's pseudo-values: with θ of
    all n cases and θ₍ᵢ₎ of all but case i, nθ - (n - 1)θ₍ᵢ₎. They are the cases' own scores where
    the value is their mean, and so the letters are the same there.

    Args:
        value: Shape (systems,); NaN where a system has none.
        drawn: From resampled cases, shape (systems, resamples).
        pseudo: Pseudo-values, shape (systems, cases).
        whole: Whether a system has a value in every resample.
        rng: The source of randomness.
        clusters: For each case the label of its cluster.
        decimals: Round values to so many decimals before ranking.

    Source: Tukey (1958), Bias and confidence in not-quite large samples (abstract), Annals of
        Mathematical Statistics 29, 614.

    Example:
        >>> pseudo = np.array([[3.0, 4.0, 5.0, 4.0], [1.0, 2.0, 2.0, 0.0]])
        >>> value = pseudo.mean(axis=1)
        >>> [place.rank for place in rank_pooled(value, value[:, None], pseudo, value > 0,
        ...                                        rng=np.random.default_rng(1))]
        [1, 2]
    """
    places = [Place()] * len(value)
    there = np.flatnonzero(np.isfinite(value))
    # Of several systems one alone that has a value is ahead of nobody.
    if not there.size or there.size == 1 < len(value):
        return places
    taken = ranks(value[there], decimals=decimals)
    for i, rank in zip(there.tolist(), taken.tolist(), strict=True):
        places[i] = Place(rank)
    ranked = np.flatnonzero(whole & np.isfinite(pseudo).all(axis=1))
    ranked = ranked[np.argsort(-value[ranked], kind="stable")]
    if not ranked.size:
        return places
    shown = drawn[ranked].T if decimals is None else np.round(drawn[ranked].T, decimals)
    differences, apart = _tested(pseudo[ranked], rng, clusters)
    if len(ranked) >= AT_ONCE_FROM:
        printed = ranks(value[ranked], decimals=decimals)
        low, high = rank_sets(differences, apart, printed)
        high += there.size - ranked.size  # untested, so anywhere
    else:
        low, high = rank_ranges(shown, level=_LEVEL)
    letters = compact_letters(_matrix(apart, len(ranked)))
    for i, best, worst, of_one in zip(
        ranked.tolist(), low.tolist(), high.tolist(), letters, strict=True
    ):
        places[i] = Place(places[i].rank, best, worst, of_one)
    return places


def _tested(
    pseudo: NDArray[np.float64], rng: np.random.Generator, clusters: Sequence[Hashable] | None
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Give the difference of each pair, and whether the tests of all pairs set it apart."""
    compared = compare_all_pairs(
        pseudo,
        np.ones(pseudo.shape, dtype=np.bool_),
        rng=rng,
        clusters=clusters,
        permutations=draws_for(len(pseudo) * (len(pseudo) - 1) // 2),
        level=_LEVEL,
    )
    adjusted = iter(holm([pair.p for pair in compared if pair.p is not None]).tolist())
    apart = [pair.p is not None and next(adjusted) <= 1 - _LEVEL for pair in compared]
    differences = [pair.difference or 0.0 for pair in compared]
    return np.array(differences), np.array(apart, dtype=np.bool_)


def _matrix(apart: NDArray[np.bool_], systems: int) -> NDArray[np.bool_]:
    different = np.zeros((systems, systems), dtype=np.bool_)
    different[pair_index(systems)] = apart
    return different | different.T
