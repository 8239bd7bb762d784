"""Metrics and consensuses that share the answers they know, as arrays side by side."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from medassay.errors import InvalidInput, Problem
from medassay.scores import Grid
from medassay.stats import Reliability, dense_ranks, reliability_of_means
from medassay.validity.source import Source, group_labels, in_canonical_order

__all__ = ["Block", "blocks", "in_higher_is_better"]


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Sources over the answers that all of them know; higher is better in each.

    Attributes:
        metrics: Positions of the metrics in the list they came from.
        consensuses: Positions of the consensuses in theirs.
        systems: Ids of the systems with an answer that all know.
        cases: Ids of the cases with one.
        known: bool, shape (systems, cases).
        values: float64, shape (metrics then consensuses, systems, cases); 0 where not known.
    """

    metrics: tuple[int, ...]
    consensuses: tuple[int, ...]
    systems: tuple[str, ...]
    cases: tuple[str, ...]
    known: NDArray[np.bool_]
    values: NDArray[np.float64]

    @property
    def sides(
        self,
    ) -> tuple[
        tuple[NDArray[np.float64], NDArray[np.bool_]],
        tuple[NDArray[np.float64], NDArray[np.bool_]],
    ]:
        """Give values and flags of metrics and of consensuses, as `tau_replicates` takes them."""
        split, flags = len(self.metrics), np.broadcast_to(self.known, self.values.shape)
        return (self.values[:split], flags[:split]), (self.values[split:], flags[split:])

    @property
    def means(self) -> NDArray[np.float64]:
        """Give the mean of each system in each source, shape (sources, systems)."""
        means: NDArray[np.float64] = self.values.sum(axis=2) / self.known.sum(axis=1)
        return means

    @property
    def ranked(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Rank the means of metrics and of consensuses; the scale of the values says what ties."""
        scales = np.abs(self.values).max(axis=(1, 2), initial=0.0).tolist()
        ranks = [dense_ranks(m, scale=s) for m, s in zip(self.means, scales, strict=True)]
        shaped = np.array(ranks, dtype=np.intp).reshape(len(scales), len(self.systems))
        return shaped[: len(self.metrics)], shaped[len(self.metrics) :]

    def reliabilities(self, clusters: Mapping[str, str] | None) -> list[Reliability]:
        """Say of each source how much of the spread of its means is not luck of the cases."""
        labels = group_labels(self.cases, clusters)
        return [reliability_of_means(part, self.known, clusters=labels) for part in self.values]


def blocks(metrics: Sequence[Source], consensuses: Sequence[Source]) -> Iterator[Block]:
    """Cut all pairs of sources into blocks within which the jointly known answers are the same.

    Raises:
        InvalidInput: The sources are not laid out over the same systems and cases.
    """
    left = [in_higher_is_better(source) for source in metrics]
    right = [in_higher_is_better(source) for source in consensuses]
    _check_layout([*metrics, *consensuses], [*left, *right])
    for rows in _by_known(left):
        for columns in _by_known(right):
            first = left[rows[0]]
            joint = first.known & right[columns[0]].known
            kept, used = joint.any(axis=1), joint.any(axis=0)
            known = joint[np.ix_(kept, used)]
            grids = [*(left[i] for i in rows), *(right[j] for j in columns)]
            values = np.array([grid.values[np.ix_(kept, used)] for grid in grids])
            yield Block(
                tuple(rows),
                tuple(columns),
                tuple(first.systems[i] for i in np.flatnonzero(kept)),
                tuple(first.cases[k] for k in np.flatnonzero(used)),
                known,
                np.where(known, values, 0.0),
            )


def in_higher_is_better(source: Source) -> Grid:
    """Sort the grid, and turn the sign where lower is better."""
    grid = in_canonical_order(source.grid)
    if source.direction != "lower":
        return grid
    return Grid(grid.systems, grid.cases, -grid.values, grid.known)


def _by_known(grids: Sequence[Grid]) -> list[list[int]]:
    groups: dict[bytes, list[int]] = {}
    for i, grid in enumerate(grids):
        groups.setdefault(grid.known.tobytes(), []).append(i)
    return list(groups.values())


def _check_layout(sources: Sequence[Source], grids: Sequence[Grid]) -> None:
    problems = [
        Problem(
            source.name,
            f"have the same systems and cases as {sources[0].name}",
            f"{len(grid.systems)} systems and {len(grid.cases)} cases",
            "Lay all sources out over one list of systems and one of cases.",
        )
        for source, grid in zip(sources, grids, strict=True)
        if (grid.systems, grid.cases) != (grids[0].systems, grids[0].cases)
    ]
    if problems:
        raise InvalidInput(problems)
