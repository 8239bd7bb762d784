"""Each system's means and place by each column of scores, and each pair of systems compared."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from medassay.analyses.inputs.label_sources import judged_by
from medassay.analyses.inputs.study_columns import (
    StudyColumns,
    primary_source,
    ranking_cases,
    sources_of,
    step_rng,
)
from medassay.analyses.results.whole import JudgedBy
from medassay.annotations import DesignName, SystemName, record
from medassay.scores import Grid, Reason, ScoreTable
from medassay.stats import AT_ONCE_FROM, CaseAdjustment, Interval, group_labels
from medassay.study.allotted import RaterShares
from medassay.study.folder import Study
from medassay.study.opening.choices import margin_of
from medassay.study.scoring.score_study import Progress, Scored
from medassay.validity import (
    Comparison,
    Leaderboard,
    LeaderboardRow,
    Source,
    WithinMargin,
    rank_systems,
    unranked,
    within_margin,
)
from medassay.validity.ranking import sets_of


class MeanScore(NamedTuple):
    """One system's mean of one column; the mean is None where nothing is scored.

    Adjusted is what it would be on all cases that any system has, where systems have different
    ones; None where all have the same, or no case links them.
    """

    metric: str
    system: str
    mean: float | None
    adjusted: float | None
    scored: int
    unscored: int
    why: str


def mean_scores(study: Study, scored: Scored) -> list[MeanScore]:
    """Give each system's mean of each metric, in the order of the metrics."""
    return [
        row
        for metric in scored.metrics
        for row in _of(study, scored.table, str(metric.name), metric.range)
    ]


def consensus_means(
    study: Study, table: ScoreTable, ends: Mapping[str, tuple[float, float] | None]
) -> list[MeanScore]:
    """Give each system's mean of each consensus.

    Args:
        study: The study.
        table: The scores of every consensus.
        ends: Each consensus's scale, where it has ends.
    """
    return [
        row
        for name in table.sources
        for row in _of(study, table, name, ends.get(name) or (None, None))
    ]


def within_scale(mean: float | None, low: float | None, high: float | None) -> float | None:
    """Cut a mean that an additive fit puts beyond the end of its scale.

    Example:
        >>> within_scale(1.01, 0.0, 1.0), within_scale(1.01, 0.0, None), within_scale(None, 0, 1)
        (1.0, 1.01, None)
    """
    if mean is None:
        return None
    mean = mean if low is None else max(mean, low)
    return mean if high is None else min(mean, high)


def _of(
    study: Study, table: ScoreTable, source: str, ends: tuple[float | None, float | None]
) -> list[MeanScore]:
    import polars as pl

    if source not in table.sources:
        return []
    # The score of an answer, not those of its criteria or statements beside it.
    frame = table.select(source).filter(pl.col("about") == "")
    grid = table.grid(source, study.systems, study.cases.ids)
    rows: list[MeanScore] = []
    adjusted = _adjusted(study, table, source)
    for place, system in enumerate(study.systems):
        of_case = grid.values[place][grid.known[place]]
        mine = frame.filter(pl.col("system") == system)
        values = mine["value"].drop_nulls()
        reasons = mine["reason"].drop_nulls().value_counts().sort("reason").rows()
        rows.append(
            MeanScore(
                metric=source,
                system=system,
                mean=float(of_case.mean()) if len(of_case) else None,
                adjusted=within_scale(adjusted.get(system), *ends),
                scored=len(values),
                unscored=mine.height - len(values),
                why=", ".join(f"{count} {Reason(reason).words}" for reason, count in reasons),
            )
        )
    return rows


def _adjusted(study: Study, table: ScoreTable, source: str) -> dict[str, float]:
    grid = table.grid(source, study.systems, study.cases.ids)
    there = np.flatnonzero(grid.known.any(axis=1))
    adjustment = CaseAdjustment(grid.known[there])
    if adjustment.complete or not adjustment.linked:
        return {}
    means = adjustment.means(grid.values[None, there])[0].tolist()
    return {grid.systems[at]: mean for at, mean in zip(there.tolist(), means, strict=True)}


_Ends = tuple[float | None, float | None]


@record(infers=False)
class Leaderboards:
    """The leaderboards of a study, over its ranking cases.

    Attributes:
        standings: One system by one column; columns in their order, in each the best first.
        comparisons: Every pair of systems by every column; where these are more than 50,000, by
            what raters say and by the column that orders the systems.
        raters: Who judged the dimension that orders the systems; 0 where none does.
        judged_by: Whose labels count on it, in a study that counts labels of models.
        apart_by_harm: A dimension and two systems whose shares of harm on it a test tells apart.
        harm_p: The smallest p of those tests, adjusted for all of them; None where there is none.
        margins: Every pair of systems by each column that has a margin.
    """

    standings: tuple[LeaderboardRow, ...]
    comparisons: tuple[Comparison, ...]
    raters: int = 0
    judged_by: JudgedBy | None = None
    apart_by_harm: tuple[tuple[DesignName, SystemName, SystemName], ...] = ()
    harm_p: float | None = None
    margins: tuple[WithinMargin, ...] = ()

    def by(self, source: str) -> list[LeaderboardRow]:
        """Give the systems by one column."""
        return [row for row in self.standings if row.source == source]

    def margin(self, source: str, system: str, other: str) -> WithinMargin | None:
        """Give what is known of two systems by a column that has a margin; None without one."""
        two = {system, other}
        own = (w for w in self.margins if w.source == source and {w.system_a, w.system_b} == two)
        return next(own, None)

    def similar(self, source: str, system: str, other: str, level: float) -> bool:
        """Say whether two systems lie within the column's margin; never where it has none."""
        within = self.margin(source, system, other)
        return within is not None and within.similar(level)

    @property
    def of_pair(self) -> dict[tuple[str, str], LeaderboardRow]:
        """Give each row by its column and system."""
        return {(row.source, row.system): row for row in self.standings}


NO_LEADERBOARDS: Final = Leaderboards((), ())
_MOST_PAIRS: Final = 50_000
"""Of more, those by metrics are tested and not kept: nobody reads 11,175 pairs by 60 metrics."""


def leaderboards_of(
    study: Study,
    score_columns: StudyColumns,
    shares: Mapping[str, RaterShares],
    ends: Mapping[str, _Ends],
    progress: Progress | None = None,
) -> Leaderboards:
    """Rank the systems by each column, on the ranking cases.

    Where raters fell to systems otherwise than by chance, means adjusted for raters rank them; and
    where those cannot be had, nothing does. Of very many pairs those by other metrics are tested,
    for ranks and groups, and not kept. A t interval does not know where a scale ends; it is
    cut there, and its method says so. Nor does the additive fit behind a mean adjusted by case,
    which is cut there too.

    Args:
        study: The study.
        score_columns: Its columns of scores.
        shares: Dimension to how raters fell to systems.
        ends: Column to the ends of its scale.
        progress: Told how far it is.
    """
    sources = sources_of(study, score_columns)
    boards = _ranked(study, score_columns, sources, shares, progress)
    cases = ranking_cases(study)
    never = {
        system: np.array([study.answers.lacks(system, case) for case in cases], dtype=bool)
        for system in study.systems
    }
    left_out = (~study.asked.mask(study.systems, cases)).sum(axis=1).tolist()
    not_asked = dict(zip(study.systems, left_out, strict=True))
    columns = {column.name: column for column in score_columns.columns}
    rows = [
        _given_beside(row, score_columns.table, cases, never[row.system])
        if columns[row.source].kind == "metric"
        else row
        for board in boards.values()
        for row in (_within(row, ends[row.source]) for row in board.standings)
    ]
    rows = [replace(row, not_asked=not_asked[row.system]) for row in rows]
    primary, _ = primary_source(study, score_columns.columns)
    dimension = columns[primary].dimension if primary in columns else None
    judged = study.judgements.current()
    of_models = (
        each for each in judged_by(study) if (each.dimension, each.of) == (dimension, "labels")
    )
    pairs = {
        name: [
            _clustered(_pair_within(pair, ends[pair.source]), sources[name].grid, study.clusters)
            for pair in board.comparisons
        ]
        for name, board in boards.items()
    }
    few = sum(map(len, pairs.values())) <= _MOST_PAIRS
    ranges = {
        (name, system): places
        for name, board in boards.items()
        for system, places in _at_once(board, pairs[name], ends[name])
    }
    rows = [
        replace(row, rank_low=places[0], rank_high=places[1])
        if (places := ranges.get((row.source, row.system)))
        else row
        for row in rows
    ]
    return Leaderboards(
        tuple(rows),
        tuple(
            pair
            for name, own in pairs.items()
            if few or name == primary or columns[name].kind == "consensus"
            for pair in own
        ),
        judged.filter(judged["dimension"] == (dimension or ""))["rater"].n_unique(),
        next(of_models, None),
        margins=tuple(_margins(study, score_columns, sources, boards, ends)),
    )


def _at_once(
    board: Leaderboard, pairs: Sequence[Comparison], ends: _Ends
) -> Iterator[tuple[SystemName, tuple[int, int]]]:
    """Give the ranges of ranks of many systems, where rare large losses may reverse no pair."""
    ranked = [row for row in board.standings if row.rank is not None]
    if len(ranked) < AT_ONCE_FROM or None in ends or board.direction == "none":
        return
    rank = [row.rank for row in ranked if row.rank is not None]
    higher = board.direction == "higher"
    low, high = sets_of(pairs, rank, higher=higher, level=_SURE, ends=ends)
    for row, *places in zip(ranked, low.tolist(), high.tolist(), strict=True):
        yield row.system, (places[0], places[1])


_SURE: Final = 0.95


def _margins(
    study: Study,
    score_columns: StudyColumns,
    sources: Mapping[str, Source],
    boards: Mapping[str, Leaderboard],
    ends: Mapping[str, _Ends],
) -> Iterator[WithinMargin]:
    """Ask of each column with a margin which systems lie within it, as they are compared there."""
    margins = study.config.rules.margins
    for column in score_columns.columns if margins else ():
        source, (low, high) = sources[column.name], ends[column.name]
        on_scale = column.dimension is not None and source.bounds is not None
        margin = margin_of(margins, column.name, column.dimension if on_scale else None)
        if margin is None:
            continue
        span = None if low is None or high is None or low >= high else (low, high)
        for pair in within_margin(source, margin, span, clusters=study.clusters or None):
            why = _not_as_compared(boards[column.name], pair)
            yield replace(pair, interval=None, p=None, reason=why) if why else pair


def _not_as_compared(board: Leaderboard, pair: WithinMargin) -> str:
    """Say why the margin cannot be tested where the two are not compared by plain means."""
    two = {pair.system_a, pair.system_b}
    compared = next(c for c in board.comparisons if {c.system_a, c.system_b} == two)
    if compared.difference is None:
        return compared.reason
    adjusted = {row.adjusted_for for row in board.standings if row.adjusted is not None}
    if adjusted - {"cases"}:
        return f"no test of a margin is known for means adjusted for {', '.join(sorted(adjusted))}"
    return ""


def _ranked(
    study: Study,
    score_columns: StudyColumns,
    sources: Mapping[str, Source],
    shares: Mapping[str, RaterShares],
    progress: Progress | None,
) -> dict[str, Leaderboard]:
    methods = {column.name: column.method for column in score_columns.columns}
    flat = {column.name: column.flat for column in score_columns.columns}
    boards = {}
    for done, (name, source) in enumerate(sources.items(), start=1):
        boards[name] = rank_systems(
            source,
            rng=step_rng(study, "s49", str(name)),
            clusters=study.clusters or None,
            replicates=study.config.run.replicates,
            by_chance=study.config.ranking.allotted == "by-chance",
        )
        if flat[name]:
            boards[name] = unranked(boards[name], flat[name])
        if source.dimension in shares:
            boards[name] = shares[source.dimension].fairly_ranked(
                boards[name],
                of_means=methods[name] == "mean",
                rng=step_rng(study, "s49", str(name), "raters"),
                replicates=study.config.run.replicates,
            )
        if progress is not None:
            progress("leaderboards", done, len(sources))
    return boards


def _within(row: LeaderboardRow, ends: _Ends) -> LeaderboardRow:
    """Cut interval and adjusted mean where the scale ends."""
    interval = _cut(row.interval, *ends)
    return replace(row, interval=interval, adjusted=within_scale(row.adjusted, *ends))


def _clustered(pair: Comparison, grid: Grid, clusters: Mapping[str, str]) -> Comparison:
    """Count the clusters of a pair's cases: what a cluster shares is seen once."""
    if not clusters:
        return pair
    known = grid.known[[grid.systems.index(pair.system_a), grid.systems.index(pair.system_b)]]
    count = known.any(axis=0) if pair.alone else known.all(axis=0)
    # Means adjusted for raters rest on every case of either, and say so by their number.
    count = known.any(axis=0) if pair.n > count.sum() else count
    labels = group_labels(grid.cases, clusters)
    return replace(pair, clusters=len({labels[at] for at in np.flatnonzero(count).tolist()}))


def _pair_within(pair: Comparison, ends: _Ends) -> Comparison:
    """Cut the interval where no difference can be larger: one end of the scale from the other."""
    low, high = ends
    if low is None or high is None:
        return pair
    return replace(pair, interval=_cut(pair.interval, low - high, high - low))


def _cut(interval: Interval | None, low: float | None, high: float | None) -> Interval | None:
    if interval is None:
        return None
    below = interval.low if low is None else max(interval.low, low)
    above = interval.high if high is None else min(interval.high, high)
    if (below, above) == (interval.low, interval.high):
        return interval
    method = f"{interval.method}, cut at the scale"
    return replace(interval, low=below, high=above, method=method)


def _given_beside(
    row: LeaderboardRow, scores: ScoreTable, cases: Sequence[str], never: NDArray[np.bool_]
) -> LeaderboardRow:
    """Count answers never given that a metric scored all the same, and the mean without them."""
    if not never.any():
        return row
    grid = scores.grid(row.source, [row.system], cases)
    counted = int((never & grid.known[0]).sum())
    values = list(grid.values[0, grid.known[0] & ~never])
    mean_given = float(sum(values) / len(values)) if counted and values else None
    return replace(row, never_answered=counted, mean_given=mean_given)
