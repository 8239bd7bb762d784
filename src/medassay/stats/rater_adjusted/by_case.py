"""What each case says of the fit: its share of the information, and its residuals."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from medassay.stats.rater_adjusted.labels import Floats, Labels, Sums

__all__ = ["said_by_clusters"]

_CELLS = 4_000_000


def said_by_clusters(
    labels: Labels,
    sums: Sums,
    coefficients: Floats,
    spreads: Floats,
    groups: NDArray[np.int64],
) -> Iterator[tuple[Floats, Floats]]:
    """Give X'V⁻¹X and X'V⁻¹(y − Xβ) of clusters of cases, a few clusters at a time.

    Yields:
        Shapes (clusters, columns, columns) and (clusters, columns).
    """
    columns = len(coefficients)
    clusters = int(groups.max(initial=-1)) + 1
    step = max(1, _CELLS // columns**2)
    of_answer = groups[sums.case]
    for start in range(0, clusters, step):
        mine = np.flatnonzero((of_answer >= start) & (of_answer < start + step))
        size = min(step, clusters - start)
        yield _said(labels, sums, coefficients, spreads, groups - start, mine, size)


def _said(
    labels: Labels,
    sums: Sums,
    coefficients: Floats,
    spreads: Floats,
    groups: NDArray[np.int64],
    mine: NDArray[np.int64],
    size: int,
) -> tuple[Floats, Floats]:
    case, answer = spreads**2
    rows, n = sums.rows[mine], sums.size[mine]
    group = groups[sums.case[mine]]
    shrunk = 1 / (1 + n * answer)
    pull = answer * shrunk
    gaps = sums.values[mine] - rows @ coefficients
    # Labels one by one.
    on_mine = np.isin(labels.answer, mine)
    of_label, system = labels.answer[on_mine], labels.system[labels.answer[on_mine]]
    rater = labels.rater[on_mine]
    within = groups[sums.case[of_label]]
    gap = labels.values[on_mine] - _foretold(coefficients, system, rater, labels.systems)
    columns = len(coefficients) + 1
    other = labels.systems + rater
    gram = np.zeros((size, columns, columns))
    for first, two in ((system, system), (other, other), (system, other), (other, system)):
        place = (within * columns + first) * columns + two
        gram += np.bincount(place, minlength=gram.size).reshape(gram.shape)
    summed = sum(
        np.bincount(within * columns + first, gap, minlength=size * columns)
        for first in (system, other)
    )
    gram = gram[:, :-1, :-1]
    right = np.asarray(summed).reshape(size, columns)[:, :-1]
    # Less what an answer's labels share, then less what a case's answers share.
    places, order = _laid(group)
    padded = np.zeros((size, int(places.max(initial=0)) + 1, columns - 1))
    padded[group[order], places] = (rows * np.sqrt(pull)[:, None])[order]
    gram = gram - np.swapaxes(padded, 1, 2) @ padded
    right = right - _added(group, rows * (pull * gaps)[:, None], size)
    cases, at = np.unique(sums.case[mine], return_inverse=True)
    total = _added(at, rows * shrunk[:, None], len(cases))
    shared = np.bincount(at, shrunk * gaps)
    share = case / (1 + case * np.bincount(at, n * shrunk))
    group = groups[cases]
    places, order = _laid(group)
    padded = np.zeros((size, int(places.max(initial=0)) + 1, columns - 1))
    padded[group[order], places] = (total * np.sqrt(share)[:, None])[order]
    gram = gram - np.swapaxes(padded, 1, 2) @ padded
    return gram, right - _added(group, total * (share * shared)[:, None], size)


def _foretold(
    coefficients: Floats, system: NDArray[np.int64], rater: NDArray[np.int64], systems: int
) -> Floats:
    whole = np.append(coefficients, 0.0)
    foretold: Floats = whole[system] + whole[systems + rater]
    return foretold


def _laid(group: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Give each member of a group a place in it: places, and the order that they are for."""
    order = np.argsort(group, kind="stable")
    first = np.searchsorted(group[order], group[order])
    return np.arange(len(order)) - first, order


def _added(group: NDArray[np.int64], rows: Floats, size: int) -> Floats:
    added = np.zeros((size, rows.shape[1]))
    np.add.at(added, group, rows)
    return added
