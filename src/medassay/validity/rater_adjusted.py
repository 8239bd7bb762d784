"""Systems as if all had met the same raters: means, ranks and pairs adjusted for severity."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.annotations import DesignName, PValue, RaterName, SystemName, Words, record
from medassay.judgements import Units
from medassay.stats import (
    AT_ONCE_FROM,
    Interval,
    bootstrap_counts,
    compact_letters,
    holm,
    pair_index,
    rank_ranges,
    ranks,
)
from medassay.stats.intervals import group_labels
from medassay.stats.randomness import Rng, as_generator
from medassay.stats.rater_adjusted import Adjusted, Contrast, Labels, adjust_for_raters
from medassay.validity.ranking import Comparison, Leaderboard, sets_of
from medassay.validity.source import Direction

_PARTS: Final = "parts of answers were judged, or several answers of a system to one case"
_NO_SCORES: Final = "its labels have no scores"
_POWER: Final = 0.8
_DECIMALS: Final = 9
"""Adjusted means that differ only beyond are equal, as far as a fit can tell."""


@record(infers=True)
class AdjustedMean:
    """One system, by the mean of its labels and as if all had met the same raters.

    Attributes:
        system: The system.
        mean: Over its cases; None where it was not judged.
        rank: Place by that mean, ties sharing the best; None where no direction is better.
        adjusted: The mean, had all systems met the same raters.
        interval: Of the adjusted mean, over new cases; None where undefined.
        adjusted_rank: Place by the adjusted mean.
        labels: Labels that its answers were given.
        reason: Why there is no interval; empty where there is one.
    """

    system: SystemName
    mean: float
    rank: int | None
    adjusted: float
    interval: Interval | None
    adjusted_rank: int | None
    labels: int
    reason: Words = ""


@record(infers=True)
class SeverityOf:
    """How a rater lies to all raters, by the same fit.

    Attributes:
        rater: The rater.
        severity: Points above (+) or below (−) what all raters give the same answers, each of them
            counted as often as they judged.
        interval: Over new cases; None where undefined.
        p_adjusted: Two-sided, of "as all raters"; Holm over the raters of the dimension. None where
            undefined.
        labels: Labels that they gave.
        reason: Why there is no interval; empty where there is one.
    """

    rater: RaterName
    severity: float
    interval: Interval | None
    p_adjusted: PValue | None
    labels: int
    reason: Words = ""


@record(infers=True)
class RaterAdjusted:
    """One dimension, adjusted for who judged.

    Attributes:
        dimension: The dimension.
        systems: Best by the adjusted mean first; empty where it cannot be adjusted.
        raters: The mildest first.
        spread: Points between the mildest and the severest rater; None where undefined.
        ranked: Whether the leaderboard goes by the adjusted means.
        case_sd: How far cases lie apart, in points.
        answer_sd: How far a system's answers lie apart beyond that.
        residual_sd: How far a label lies from what system, rater, case and answer foretell.
        cases: Cases that were judged.
        undefined: Why it cannot be adjusted; empty where it can.
    """

    dimension: DesignName
    systems: tuple[AdjustedMean, ...]
    raters: tuple[SeverityOf, ...]
    spread: float | None
    ranked: bool
    case_sd: float | None
    answer_sd: float | None
    residual_sd: float | None
    cases: int
    undefined: Words = ""


@dataclass(frozen=True, eq=False)
class RaterAdjustment:
    """The labels of one dimension and, if asked for, the fit that takes raters out of them.

    Attributes:
        units: The labels.
        clusters: Case to cluster; a case that is not named is a cluster alone.
        level: Coverage of intervals.
        by_chance: Whether cases were allotted to systems by chance. If not, and not every system
            was judged on every case, systems are compared within cases alone.

    Example:
        >>> keys = [(system, str(case)) for case in range(40) for system in "AB"]
        >>> codes = [[-1, -1] for _ in keys]  # equal systems; the second rater is a point severer
        >>> for i, (system, case) in enumerate(keys):
        ...     who = int((int(case) % 4 == 0) == (system == "A"))
        ...     codes[i][who] = 2 + (int(case) // 4 + int(case)) % 2 - who
        >>> read = Units.from_codes(codes, list("0123"), keys=keys, scores=[0, 1, 2, 3])
        >>> found = RaterAdjustment(read).found({"A": 2.2, "B": 1.8}, "higher")
        >>> [(one.system, round(one.adjusted, 2)) for one in found.systems]
        [('A', 2.0), ('B', 2.0)]
        >>> [(one.rater, round(one.severity, 2)) for one in found.raters]
        [('rater 00', 0.5), ('rater 01', -0.5)]
    """

    units: Units
    clusters: Mapping[str, str] | None = None
    level: float = 0.95
    by_chance: bool = False

    @cached_property
    def undefined(self) -> str:
        """Say why nothing can be adjusted; empty where it can."""
        return self._not_asked or self._fit.undefined

    @property
    def uneven(self) -> bool:
        """Say whether systems met the raters in different shares, so that there is what to adjust.

        Labels without scores have nothing to adjust, nor have labels of parts of answers.
        """
        return not (self._not_asked or self._labels.even)

    @cached_property
    def _not_asked(self) -> str:
        if self.units.scores is None:
            return _NO_SCORES
        pairs = [self.units.keys[at].pair for at in np.unique(self.units.unit).tolist()]
        return _PARTS if len(set(pairs)) < len(pairs) else ""

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """List the systems that were judged, sorted."""
        judged = np.unique(self.units.unit).tolist()
        return tuple(sorted({self.units.keys[at].system for at in judged}))

    def found(
        self,
        means: Mapping[str, float],
        better: Direction,
        *,
        ends: tuple[float, float] | None = None,
        ranked: bool = False,
    ) -> RaterAdjusted:
        """Put each system's mean beside what it would be, had all met the same raters.

        Args:
            means: System to its mean as the leaderboard has it; systems without one are left out.
            better: Which way is better.
            ends: The ends of the scale, where adjusted means and their intervals are cut.
            ranked: Whether the leaderboard goes by the adjusted means.
        """
        dimension, n = self.units.dimension, self.units.with_labels(1).n_cases
        if self.undefined:
            return RaterAdjusted(
                dimension, (), (), None, ranked, None, None, None, n, self.undefined
            )
        rows, raters = self._rows(means, better, ends or (-np.inf, np.inf)), self._severities()
        return RaterAdjusted(
            dimension,
            tuple(rows),
            tuple(raters),
            raters[0].severity - raters[-1].severity,
            ranked,
            self._fit.case_sd,
            self._fit.answer_sd,
            self._fit.residual_sd,
            n,
        )

    def reranked(self, board: Leaderboard, *, rng: Rng, replicates: int) -> Leaderboard:
        """Rank a leaderboard by the adjusted means, and test its pairs by them.

        A rank's range is that of the adjusted means over resampled cases, where each case counts
        with what it adds to them; from twelve systems on it is `sets_of` the tests.

        Raises:
            ValueError: Nothing can be adjusted (`undefined` says why).
        """
        if self.undefined:
            raise ValueError(self.undefined)
        rng = as_generator(rng)
        rows = {row.system: row for row in board.standings if row.mean is not None}
        higher = board.direction != "lower"
        place = {system: at for at, system in enumerate(self.systems)}
        present = [system for system in self.systems if system in rows]
        adjusted = {system: float(self._fit.means[place[system]]) for system in present}
        rank = ranks(
            [adjusted[system] for system in present], higher_is_better=higher, decimals=_DECIMALS
        )
        order = [present[at] for at in np.argsort(rank, kind="stable").tolist()]
        first, second = pair_index(len(order))
        at = np.array([place[system] for system in order], dtype=np.int64)
        contrasts = self._differences(at[first], at[second])
        corrected = iter(
            holm([contrast.p for contrast in contrasts if contrast.p is not None]).tolist()
        )
        pairs = [
            _compared(board.source, order[i], order[j], contrast, corrected, self.units, self.level)
            for i, j, contrast in zip(first.tolist(), second.tolist(), contrasts, strict=True)
        ]
        apart = np.zeros((len(order), len(order)), dtype=np.bool_)
        apart[first, second] = [
            pair.p_adjusted is not None and pair.p_adjusted <= 1 - self.level for pair in pairs
        ]
        letters = compact_letters(apart | apart.T)
        numbered = dict(zip(present, rank.tolist(), strict=True))
        if len(order) < AT_ONCE_FROM:
            low, high = self._ranges(at.tolist(), rng, replicates, higher=higher)
        else:
            low, high = sets_of(pairs, np.sort(rank).tolist(), higher=higher, level=self.level)
        ranked = board.direction != "none"
        standings = [
            replace(
                rows[system],
                rank=numbered[system] if ranked else None,
                rank_low=int(low[i]) if ranked else None,
                rank_high=int(high[i]) if ranked else None,
                letters=letters[i],
                adjusted=adjusted[system],
                adjusted_for="raters",
            )
            for i, system in enumerate(order)
        ]
        rest = [row for row in board.standings if row.system not in adjusted]
        return replace(board, standings=(*standings, *rest), comparisons=tuple(pairs))

    @cached_property
    def _labels(self) -> Labels:
        units = self.units
        scores = units.scores if units.scores is not None else np.zeros(len(units.labels))
        judged, answer = np.unique(units.unit, return_inverse=True)
        place = {system: at for at, system in enumerate(self.systems)}
        system = np.array([place[units.keys[at].system] for at in judged.tolist()], dtype=np.int64)
        case = np.unique(units.case[judged], return_inverse=True)[1]
        rater = np.argsort(self._order)[np.unique(units.rater, return_inverse=True)[1]]
        rows = np.lexsort((rater, answer))
        return Labels(scores[units.code][rows], answer[rows], rater[rows], system, case)

    @cached_property
    def _order(self) -> NDArray[np.intp]:
        """Order the raters by what they said, so that no bit depends on what they are called."""
        labels_of = [
            (self.units.unit[mine].tolist(), self.units.code[mine].tolist())
            for rater in np.unique(self.units.rater).tolist()
            for mine in [np.flatnonzero(self.units.rater == rater)]
        ]
        return np.array(sorted(range(len(labels_of)), key=labels_of.__getitem__), dtype=np.intp)

    @cached_property
    def _raters(self) -> tuple[str, ...]:
        judged = np.unique(self.units.rater)
        return tuple(self.units.raters[at] for at in judged[self._order].tolist())

    @cached_property
    def _groups(self) -> NDArray[np.int64]:
        """Give the cluster of each judged case, in their order."""
        judged = np.unique(self.units.case[np.unique(self.units.unit)])
        cases = [self.units.cases[at] for at in judged.tolist()]
        of_case = cases if self.clusters is None else group_labels(cases, self.clusters)
        return np.unique(np.array([str(cluster) for cluster in of_case]), return_inverse=True)[1]

    @cached_property
    def _fit(self) -> Adjusted:
        fixed = not (self.by_chance or self._labels.complete)
        return adjust_for_raters(self._labels, self._groups, fixed_cases=fixed)

    def _rows(
        self, means: Mapping[str, float], better: Direction, ends: tuple[float, float]
    ) -> list[AdjustedMean]:
        there = [at for at, system in enumerate(self.systems) if system in means]
        raw = [means[self.systems[at]] for at in there]
        adjusted = self._fit.means[there]
        higher = better != "lower"
        before = ranks(raw, higher_is_better=higher)
        after = ranks(adjusted, higher_is_better=higher, decimals=_DECIMALS)
        counts = self._labels.table.sum(axis=1)
        rows = [
            AdjustedMean(
                self.systems[at],
                raw[i],
                int(before[i]) if better != "none" else None,
                float(np.clip(contrast.estimate, *ends)),
                _cut(contrast.interval, ends),
                int(after[i]) if better != "none" else None,
                int(counts[at]),
                contrast.undefined,
            )
            for i, (at, contrast) in enumerate(zip(there, self._singles(there), strict=True))
        ]
        return [rows[at] for at in np.argsort(after, kind="stable").tolist()]

    def _severities(self) -> list[SeverityOf]:
        places = [len(self.systems) + at for at in range(len(self._raters))]
        counts = self._labels.table.sum(axis=0)
        contrasts = self._singles(places)
        corrected = iter(
            holm([contrast.p for contrast in contrasts if contrast.p is not None]).tolist()
        )
        raters = [
            SeverityOf(
                rater,
                contrast.estimate,
                contrast.interval,
                None if contrast.p is None else next(corrected),
                int(counts[at]),
                contrast.undefined,
            )
            for at, (rater, contrast) in enumerate(zip(self._raters, contrasts, strict=True))
        ]
        return sorted(raters, key=lambda severity: (-severity.severity, severity.rater))

    def _singles(self, places: list[int]) -> list[Contrast]:
        contrasts = self._fit.contrasts
        return contrasts.single(places, self.level) if contrasts else []

    def _differences(self, first: NDArray[np.int64], second: NDArray[np.int64]) -> list[Contrast]:
        contrasts = self._fit.contrasts
        return contrasts.differences(first, second, self.level) if contrasts else []

    def _ranges(
        self, places: list[int], rng: Rng, replicates: int, *, higher: bool
    ) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        contrasts = self._fit.contrasts
        pulled = contrasts.pulled[:, places] if contrasts else np.zeros((1, len(places)))
        drawn = bootstrap_counts(len(pulled), replicates, rng, None) - 1
        moved = self._fit.means[places] + drawn @ pulled
        return rank_ranges(moved, higher_is_better=higher, level=self.level)


def _cut(interval: Interval | None, ends: tuple[float, float]) -> Interval | None:
    if interval is None:
        return None
    low, high = np.clip([interval.low, interval.high], *ends).tolist()
    return replace(interval, low=low, high=high)


def _compared(
    source: str,
    first: str,
    other: str,
    contrast: Contrast,
    corrected: Iterator[float],
    units: Units,
    level: float,
) -> Comparison:
    from scipy.special import ndtri

    error = None
    if contrast.interval is not None and contrast.error is not None:
        error = float((ndtri((1 + level) / 2) + ndtri(_POWER)) * contrast.error)
    return Comparison(
        source=source,
        system_a=first,
        system_b=other,
        difference=contrast.estimate,
        interval=contrast.interval,
        p=contrast.p,
        p_adjusted=None if contrast.p is None else next(corrected),
        method="" if contrast.p is None else "t of means adjusted for raters",
        minimal_detectable_effect=error,
        n=units.n_cases,
        reason=contrast.undefined,
    )
