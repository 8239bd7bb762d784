"""Is a rater stricter or milder than the others of the same answers? A test over all at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from medassay.stats import group_labels
from medassay.stats.randomness import Rng, as_generator, drawn_seed, stream, uniform
from medassay.validity.rater_rows import RaterRows

_Floats = NDArray[np.float64]
_Places = NDArray[np.intp]
_FEWEST: Final = 5
_CHUNK_CELLS: Final = 400_000
_ROUNDING: Final = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class _Sums:
    """Gaps of one dimension, added up where one swap moves them together.

    A block is the answers of a cluster that the same raters read. Entries lie by block and rater.

    Attributes:
        gaps: Of each entry, what its rater gave above the others, added up.
        block: The block of each entry.
        draw: Where each entry finds its rater's draw in its cluster.
        order: Entries by rater and cluster.
        starts: Where each rater's cluster begins in that order.
        firsts: Where each rater begins among those.
        labels: How many labels each rater has in each cluster.
        tested: The raters who are tested, and where they lie among the dimension's.
    """

    gaps: _Floats
    block: _Places
    draw: _Places
    order: _Places
    starts: _Places
    firsts: _Places
    labels: _Floats
    tested: tuple[tuple[str, int], ...]


def strictness_p(
    dimensions: Mapping[str, RaterRows],
    *,
    rng: Rng,
    clusters: Mapping[str, str] | None = None,
    permutations: int = 1999,
) -> dict[tuple[str, str], float]:
    """Could a rater lie so far from the others by luck, where all are as strict as one another?

    A rater's T is the mean gap to the others of the same answers over its error, cases (or clusters
    of cases) apart, as a p of Student's t with one degree less than the rater has of them: so a
    rater of few labels does not set the bar for all. In each permutation the raters of a case swap
    what they gave, the same way in all its answers and dimensions, each answer among those who read
    it. A rater's p is the share of permutations whose smallest p, over all raters and dimensions,
    is as small (max-T). Studentising keeps the rate where raters are not exchangeable but equally
    strict: one who spreads more, or whose leaning goes by case.

    Args:
        dimensions: Dimension to its rows; raters and cases of one name are the same.
        rng: The source of randomness.
        clusters: Case to cluster; cases without one are apart.
        permutations: How often raters swap.

    Returns:
        (dimension, rater) to p, from 1 / (1 + permutations) to 1, right over all of them together;
        raters with fewer than five labels beside others', or all in one case, are not in it.

    Source: Chung & Romano (2013), Exact and asymptotically robust permutation tests,
        doi:10.1214/13-AOS1090; Westfall & Young (1993), Resampling-Based Multiple Testing.

    Example:
        >>> import medassay as ma
        >>> rows = [
        ...     {"rater": r, "system": "s", "case": f"{c}", "dimension": "quality",
        ...      "label": str(3 + c % 2 - (r == "ann"))}
        ...     for r in ("ann", "ben", "eve") for c in range(20)
        ... ]
        >>> judgements = ma.Judgements.from_rows(rows, ma.load_rubric("likert5"))
        >>> from medassay.validity.rater_rows import rater_rows
        >>> p = strictness_p({"quality": rater_rows(judgements, "quality")}, rng=1)
        >>> p["quality", "ann"] < 0.01
        True
    """
    seed = drawn_seed(as_generator(rng))
    known = {rater for rows in dimensions.values() for rater in rows.raters}
    # By a draw and not by name: pseudonyms change no number.
    names = sorted(known, key=lambda rater: uniform(seed, "s67", rater))
    generators = [stream(seed, "s68", rater) for rater in names]
    cases = sorted({case for rows in dimensions.values() for case in rows.cases})
    labels = group_labels(cases, clusters)
    groups = {label: i for i, label in enumerate(dict.fromkeys(labels))}
    cluster = {case: groups[label] for case, label in zip(cases, labels, strict=True)}
    sums = {
        dimension: of_dimension
        for dimension, rows in dimensions.items()
        if (of_dimension := _sums(rows, names, cluster)) is not None
    }
    if not sums:
        return {}
    seen = {name: _p(of, of.gaps[None])[0] for name, of in sums.items()}
    luckiest = []
    entries = max(len(of.gaps) for of in sums.values())
    chunk = max(1, _CHUNK_CELLS // (entries + len(groups) * len(names)))
    for start in range(0, permutations, chunk):
        size = min(chunk, permutations - start), len(groups)
        draws = np.concatenate([one.random(size) for one in generators], axis=1)
        p = [_p(of, _swapped(of, draws)).min(axis=1) for of in sums.values()]
        luckiest.append(np.min(p, axis=0))
    smallest = np.sort(np.concatenate(luckiest))
    return {
        (name, rater): float(
            (1 + np.searchsorted(smallest, one * (1 + _ROUNDING), "right")) / (1 + permutations)
        )
        for name, of in sums.items()
        for (rater, _), one in zip(of.tested, seen[name].tolist(), strict=True)
    }


def _sums(rows: RaterRows, names: Sequence[str], cluster: Mapping[str, int]) -> _Sums | None:
    """Add up the gaps of each rater in each block; None where nobody can be tested."""
    beside = rows.others_n > 0
    if not beside.any():
        return None
    gap = (rows.score - rows.others)[beside]
    rater = np.array([names.index(name) for name in rows.raters])[rows.rater[beside]]
    at = np.array([cluster[case] for case in rows.cases])[rows.case[beside]]
    answer = _numbered(rows.case[beside], np.unique(rows.system, return_inverse=True)[1][beside])
    readers = np.zeros((answer.max() + 1, len(names)), dtype=np.bool_)
    readers[answer, rater] = True
    entries, entry = np.unique(
        np.stack([at, _numbered(*readers.T)[answer], rater]), axis=1, return_inverse=True
    )
    order = np.lexsort((entries[0], entries[2]))
    who, where = entries[2, order], entries[0, order]
    starts = np.flatnonzero((np.diff(who, prepend=-1) != 0) | (np.diff(where, prepend=-1) != 0))
    labels = np.add.reduceat(np.bincount(entry.ravel())[order], starts)
    firsts = np.flatnonzero(np.diff(who[starts], prepend=-1))
    enough = (np.diff(firsts, append=len(starts)) > 1) & (
        np.add.reduceat(labels, firsts) >= _FEWEST
    )
    tested = tuple((names[who[starts[firsts[i]]]], int(i)) for i in np.flatnonzero(enough))
    return (
        _Sums(
            gaps=np.bincount(entry.ravel(), gap).astype(np.float64),
            block=_numbered(*entries[:2]),
            draw=entries[2] * (max(cluster.values()) + 1) + entries[0],
            order=order,
            starts=starts,
            firsts=firsts,
            labels=labels.astype(np.float64),
            tested=tested,
        )
        if tested
        else None
    )


def _numbered(*columns: NDArray[Any]) -> _Places:
    """Number the rows of these columns; equal rows have one number."""
    _, numbers = np.unique(np.stack(columns), axis=1, return_inverse=True)
    return np.asarray(numbers.ravel(), dtype=np.intp)


def _swapped(sums: _Sums, draws: _Floats) -> _Floats:
    """Let the raters of each block take one another's gaps in the order of their draws."""
    return sums.gaps[np.argsort(sums.block + draws[:, sums.draw], axis=1)]


def _p(sums: _Sums, gaps: _Floats) -> _Floats:
    """Give each tested rater's p, shape (permutations, raters)."""
    from scipy.special import stdtr

    by_cluster = np.add.reduceat(gaps[:, sums.order], sums.starts, axis=1)
    n = np.add.reduceat(sums.labels, sums.firsts)
    clusters = np.diff(sums.firsts, append=len(sums.starts))
    mean = np.add.reduceat(by_cluster, sums.firsts, axis=1) / n
    spread = by_cluster - np.repeat(mean, clusters, axis=1) * sums.labels
    squares = np.add.reduceat(spread**2, sums.firsts, axis=1)
    keep = [place for _, place in sums.tested]
    mean, squares, n, clusters = mean[:, keep], squares[:, keep], n[keep], clusters[keep]
    error = np.sqrt(squares * clusters / (clusters - 1)) / n
    # Gaps that are all alike leave no error but rounding.
    certain = error <= _ROUNDING * np.abs(gaps).max(initial=0.0)
    apart = np.abs(mean) > _ROUNDING * np.abs(gaps).max(initial=0.0)
    t = np.where(certain, np.where(apart, np.inf, 0.0), np.abs(mean) / np.where(certain, 1, error))
    p: _Floats = 2 * stdtr(clusters - 1.0, -t)
    return p
