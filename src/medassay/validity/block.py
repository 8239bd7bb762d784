"""Metrics and consensuses that share the answers they know, as arrays side by side."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.errors import InvalidInput, Problem
from medassay.scores import Grid
from medassay.stats import (
    TIE_TOLERANCE,
    CaseAdjustment,
    Reliability,
    dense_ranks,
    permutation_p,
    reliability_of_means,
    tau_replicates,
)
from medassay.stats.intervals import group_labels
from medassay.stats.randomness import stream
from medassay.validity.kept_pairs import PairsKept
from medassay.validity.source import Source, in_canonical_order

FEWEST_SYSTEMS: Final = 3
_PERMUTED: Final = PairsKept(2**20)


@dataclass(frozen=True, eq=False)
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

    @cached_property
    def adjustment(self) -> CaseAdjustment:
        """Say which systems have which cases."""
        return CaseAdjustment(self.known)

    @property
    def adjusted(self) -> bool:
        """Say whether means are adjusted by case, since not every system has every case."""
        return not self.adjustment.complete

    @cached_property
    def means(self) -> NDArray[np.float64]:
        """Give the mean of each system in each source, shape (sources, systems).

        Where not every system has every case, it is what the mean over all cases would be by the
        fit of `CaseAdjustment`; NaN where cases do not link the systems.
        """
        return self.adjustment.means(self.values)

    @property
    def constant(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Say which metrics and which consensuses give all systems one score on every case."""
        above = np.where(self.known, self.values, -np.inf).max(axis=1)
        below = np.where(self.known, self.values, np.inf).min(axis=1)
        scales = np.abs(self.values).max(axis=(1, 2), initial=0.0)
        flat = (above - below).max(axis=1, initial=0.0) <= TIE_TOLERANCE * scales
        return flat[: len(self.metrics)], flat[len(self.metrics) :]

    def why_no_order(self, metric: int, consensus: int, say: tuple[str, str]) -> str:
        """Say why a metric and a consensus of this block have no tau; empty where they have one.

        Args:
            metric: Its position in this block.
            consensus: The same.
            say: What the two are called, with the verb, such as "the raters give".
        """
        systems = len(self.systems)
        if systems < FEWEST_SYSTEMS:
            needed = f"tau needs {FEWEST_SYSTEMS} systems with answers that are scored and rated"
            return f"{needed}; got {systems}"
        if not self.adjustment.linked:
            return self.adjustment.undefined
        ranked = self.ranked[0][metric], self.ranked[1][consensus]
        for what, is_same in (
            ("score on every case", (self.constant[0][metric], self.constant[1][consensus])),
            ("mean", [places.max(initial=0) == 0 for places in ranked]),
        ):
            alike = [name for name, same in zip(say, is_same, strict=True) if same]
            if alike:
                return "; ".join(f"{who} all systems the same {what}" for who in alike)
        return ""

    @cached_property
    def ranked(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Rank the means of metrics and of consensuses; the scale of the values says what ties.

        Systems that cases do not link all share a rank: nothing puts them in order.
        """
        scales = np.abs(self.values).max(axis=(1, 2), initial=0.0).tolist()
        means = self.means if self.adjustment.linked else np.zeros(self.means.shape)
        ranks = [dense_ranks(m, scale=s) for m, s in zip(means, scales, strict=True)]
        shaped = np.array(ranks, dtype=np.intp).reshape(len(scales), len(self.systems))
        return shaped[: len(self.metrics)], shaped[len(self.metrics) :]

    def pairs_in_order(self, metric: int, consensus: int) -> tuple[int, int]:
        """Count the pairs of systems that both put in one order, and in opposite ones."""
        ours, theirs = (
            np.sign(np.subtract.outer(ranks, ranks))
            for ranks in (self.ranked[0][metric], self.ranked[1][consensus])
        )
        agreed = ours * theirs
        return int((agreed > 0).sum()) // 2, int((agreed < 0).sum()) // 2

    @cached_property
    def taus(self) -> NDArray[np.float64]:
        """Give tau-b of every metric and consensus; NaN where there is none."""
        if len(self.systems) < FEWEST_SYSTEMS or not self.adjustment.linked:
            return np.full((len(self.metrics), len(self.consensuses)), np.nan)
        taus: NDArray[np.float64] = tau_replicates(*self.sides).values[0]
        return taus

    def permutation_p(self, seed: int) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Give the two-sided p of every tau, over all orders of the systems, and which are exact.

        A pair has the same p in every block, whichever other sources stand beside it; NaN where it
        has no tau.

        Args:
            seed: Of the study's one step for tau, so that each of its readers has the same p.
        """
        if np.isnan(self.taus).all():
            return self.taus, np.zeros(self.taus.shape, dtype=np.bool_)
        drawn, (ours, theirs) = stream(seed, "s19", *self.systems), self.ranked

        def compute(rows: list[int], columns: list[int]) -> NDArray[np.float64]:
            rng = stream(seed, "s19", *self.systems)
            return np.array(permutation_p(ours[rows], theirs[columns], rng=rng))

        p, exact = _PERMUTED.of(
            repr(drawn.bit_generator.state).encode(),
            [ranks.tobytes() for ranks in ours],
            [ranks.tobytes() for ranks in theirs],
            compute,
        )
        return np.where(np.isnan(self.taus), np.nan, p), exact.astype(np.bool_)

    def reliabilities(self, clusters: Mapping[str, str] | None) -> list[Reliability]:
        """Say of each source how much of the spread of its means is not luck of the cases."""
        return [self.reliability(place, clusters) for place in range(len(self.values))]

    def reliability(self, place: int, clusters: Mapping[str, str] | None) -> Reliability:
        """Say the same of one source, by its place among metrics, then consensuses."""
        labels = group_labels(self.cases, clusters)
        return reliability_of_means(self.values[place], self.known, clusters=labels)


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
            with_any, used = joint.any(axis=1), joint.any(axis=0)
            known = joint[np.ix_(with_any, used)]
            grids = [*(left[i] for i in rows), *(right[j] for j in columns)]
            values = np.array([grid.values[np.ix_(with_any, used)] for grid in grids])
            yield Block(
                tuple(rows),
                tuple(columns),
                tuple(first.systems[i] for i in np.flatnonzero(with_any)),
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
