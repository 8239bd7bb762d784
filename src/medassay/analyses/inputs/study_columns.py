"""The study as columns of scores: all that is computed before a question is asked."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal

import numpy as np

from medassay.agreement import ALL_CASES
from medassay.consensus import (
    consensus,
    find_method,
    of_whole_answers,
    source_name,
)
from medassay.metrics import BoundMetric, why_nothing_rests
from medassay.scores import Name, Reason, ScoreTable, Unscored
from medassay.stats import holm
from medassay.stats.randomness import stream
from medassay.study.config.study_toml import hushes_packages
from medassay.study.folder import Study
from medassay.study.opening.choices import primary_metrics
from medassay.study.opening.stand_ins import MetricPlace, decide
from medassay.study.scoring.score_study import Pairs, Scored
from medassay.validity import (
    FEW_SYSTEMS,
    Direction,
    Primary,
    Source,
    Validity,
    correlate,
)

RANKING_CASES: Final = "ranking cases"


@dataclass(frozen=True)
class ScoreColumn:
    """A column of scores and what is known about it.

    Attributes:
        name: The source's canonical name.
        kind: Who made it.
        direction: Which way is better.
        metric: The metric, where it is one.
        dimension: The dimension, where it is a consensus.
        method: The consensus method, where it is one.
        place: The metric whose place it takes, where it is imported and takes one.
        flat: Why no rank and no sentence rests on it; empty where they may.
        valued: Whether any answer has a value.
    """

    name: str
    kind: Literal["metric", "imported", "consensus"]
    direction: Direction
    metric: BoundMetric | None = None
    dimension: str | None = None
    method: str | None = None
    place: MetricPlace | None = None
    flat: str = ""
    valued: bool = True

    @property
    def may_speak(self) -> bool:
        """Say whether it may be tested as a stand-in for raters: none of theirs, and no control."""
        return self.kind != "consensus" and not self.control and not self.flat

    @property
    def control(self) -> bool:
        """Say whether it only controls the others: no value of it is better than another."""
        return self.direction == "none"


@dataclass(frozen=True)
class StudyColumns:
    """All columns of scores side by side: metrics, imported ones, consensus.

    Attributes:
        table: Every score of every column.
        columns: What is known about each column.
        places: Metric to what stands in its place.
    """

    table: ScoreTable
    columns: tuple[ScoreColumn, ...]
    places: Mapping[str, MetricPlace] = field(default_factory=dict)


def collect_columns(study: Study, scored: Scored) -> StudyColumns:
    """Put what was measured, what was imported and what the raters jointly say into one table."""
    joined = consensus_of(study)
    asked = study.asked.pairs(study.systems, study.cases.ids) if study.imported else []
    imported = [
        scores.table.completed(asked, Unscored(Reason.NOT_IMPORTED)) for scores in study.imported
    ]
    if study.config.privacy.texts != "full":
        # What other people wrote beside a missing score may quote an answer.
        imported = [table.without_details() for table in imported]
    table = ScoreTable.concat([scored.table, *imported, joined])
    places = places_of(study, scored)
    return StudyColumns(table, tuple(_columns_of(study, scored, joined, places)), places)


def places_of(study: Study, scored: Scored) -> dict[str, MetricPlace]:
    """Say what stands in each metric's place: what was computed, or what was imported."""
    valued = {
        source
        for source in scored.table.sources
        if scored.table.select(source)["value"].null_count() < scored.table.select(source).height
    }
    return decide(study.config, study.imported, valued)


def step_rng(study: Study, code: str, *drawn_for: str) -> np.random.Generator:
    """Give each step randomness of its own, so that it gives the same numbers run alone."""
    return stream(study.seed, code, *drawn_for)


def tau_rng(study: Study) -> np.random.Generator:
    """Give the randomness of tau: whoever reads a tau of this study reads one p, from one draw."""
    return step_rng(study, "s45")


def ranking_cases(study: Study) -> tuple[str, ...]:
    """Give the cases that systems are ranked on, sorted."""
    if study.config.rules.rank_cases == "all":
        return study.cases.ids
    judged = study.judgements.current().select("system", "case").unique()
    counts = dict(judged.group_by("case").len().iter_rows())
    asked = ((case, study.asked.systems(case, study.systems)) for case in study.cases.ids)
    return tuple(
        sorted(case for case, systems in asked if systems and counts.get(case) == len(systems))
    )


def ranking_subsets(study: Study) -> list[tuple[str, tuple[str, ...] | None]]:
    """Give what agreement is computed over: all cases and, where they differ, the ranking cases."""
    subsets: list[tuple[str, tuple[str, ...] | None]] = [(ALL_CASES, None)]
    ranked = ranking_cases(study)
    if ranked != study.cases.ids:
        subsets.append((RANKING_CASES, ranked))
    return subsets


def consensus_of(study: Study) -> ScoreTable:
    """Join the raters' labels by every method of the study."""
    known = bool(len(study.answers))
    joined = consensus(
        study.judgements,
        study.config.rules.consensus,
        expected=study.asked.pairs(study.systems, study.cases.ids),
        never_answered=study.answers.lacking(study.systems, study.cases.ids) if known else (),
        given=study.given,
        rng=step_rng(study, "s38"),
        hushed=hushes_packages(study.config),
    )
    for method in study.config.rules.consensus:
        for dimension in study.rubric.dimensions:
            source = str(source_name(method, dimension.id))
            if source in joined.sources:
                joined = of_whole_answers(joined, source, dimension.about, study.cases)
    return joined


def _columns_of(
    study: Study, scored: Scored, joined: ScoreTable, places: Mapping[str, MetricPlace]
) -> list[ScoreColumn]:
    """List every column of scores: metrics, imported ones, and the consensus of each dimension.

    A metric has none where the study holds no answers.
    """
    pairs = Pairs(study)
    columns = [
        ScoreColumn(
            str(metric.name),
            "metric",
            _direction(metric),
            metric,
            flat=why_nothing_rests(metric, pairs),
            valued=scored.table.select(str(metric.name))["value"].count() > 0,
        )
        for metric in scored.metrics
        if str(metric.name) in scored.table.sources
    ]
    taken = {place.source: place for place in places.values() if place.imported is not None}
    for imported in study.imported:
        columns += [
            ScoreColumn(name, "imported", imported.meaning.direction, place=taken.get(name))
            for name in imported.table.sources
        ]
    for method in study.config.rules.consensus:
        for dimension in study.rubric.ids:
            name = str(source_name(method, dimension))
            if name in joined.sources:
                of = str(find_method(method)[1])
                better = study.rubric.dimension(dimension).better
                columns.append(ScoreColumn(name, "consensus", better, None, dimension, of))
    return columns


def primary_source(study: Study, columns: Sequence[ScoreColumn]) -> tuple[str, list[str]]:
    """Give the column that orders the leaderboard; and say so where it is not the one asked for.

    Without the one asked for it is the first consensus, else the first column that has values and
    a better end, else the first of all.
    """
    taken = {
        column.place.slot.metric: column.name for column in columns if column.place is not None
    }
    wanted = str(Name.parse(study.config.rules.rank_by))
    wanted = taken.get(wanted, wanted)
    if wanted in {column.name for column in columns}:
        return wanted, []
    joined = [column.name for column in columns if column.kind == "consensus"]
    scored = [
        column.name
        for column in columns
        if not column.control and column.valued and not column.flat
    ]
    instead = [*joined, *scored, *(column.name for column in columns)][:1]
    if not instead:
        return "", [f"Nothing orders the systems: the study has no {wanted} and no other scores."]
    note = f"The leaderboard is ordered by {instead[0]}, since the study has no {wanted}."
    return instead[0], [note]


def validity_of(study: Study, score_columns: StudyColumns) -> list[Validity]:
    """Correlate every metric with every consensus, on the ranking cases."""
    sources = sources_of(study, score_columns)
    columns = score_columns.columns
    metrics = [sources[column.name] for column in columns if column.kind != "consensus"]
    joined = [sources[column.name] for column in columns if column.kind == "consensus"]
    if not metrics or not joined:
        return []
    return correlate(
        metrics,
        joined,
        rng=tau_rng(study),
        clusters=study.clusters or None,
        families=study.families or None,
        method="bias-corrected" if len(study.systems) < FEW_SYSTEMS else "basic",
        replicates=study.config.run.replicates,
    )


def sources_of(study: Study, score_columns: StudyColumns) -> Mapping[str, Source]:
    """Lay every column out over the systems and the ranking cases."""
    return sources_over(study, score_columns, ranking_cases(study))


def sources_over(
    study: Study, score_columns: StudyColumns, cases: Sequence[str]
) -> Mapping[str, Source]:
    """Lay every column out over the systems and these cases."""
    asked = study.asked.mask_of_some(study.systems, cases)
    return {
        column.name: Source(
            column.name,
            score_columns.table.grid(column.name, study.systems, cases, asked),
            column.direction,
            None
            if column.dimension is None
            else scale_ends(study, column.dimension, column.method),
            dimension=column.dimension or "",
        )
        for column in score_columns.columns
    }


def scale_ends(study: Study, dimension: str, method: str | None) -> tuple[float, float] | None:
    """Give the ends of a consensus's scale; a sum of labels, say, has none known beforehand."""
    ends = study.rubric.dimension(dimension).ends
    off_scale = method is not None and not find_method(method)[0].declared.on_scale
    # Points may be lost without end.
    endless = study.rubric.dimension(dimension).about == "criterion"
    return None if ends is None or off_scale or endless or ends[0] == ends[1] else ends


def _direction(metric: BoundMetric) -> Direction:
    better: Direction = metric.declaration.direction.value
    return better


def primary_of(study: Study, score_columns: StudyColumns) -> Primary:
    """Give the metrics, and the consensuses on the dimensions, that the study was made to test."""
    dimensions = study.config.report.primary_dimensions
    consensuses = [
        column.name for column in score_columns.columns if column.dimension in (dimensions or ())
    ]
    return Primary(
        primary_metrics(study.config), None if dimensions is None else frozenset(consensuses)
    )


_Pair = tuple[str, str]


def adjusted_validities(
    columns: Sequence[ScoreColumn], validities: Sequence[Validity], primary: Primary
) -> tuple[Validity, ...]:
    """Say of each whose dimension it is, with p adjusted over either family of tests.

    The one family is the metrics of one dimension, as in the trust table: who asks what a metric
    may be used for there reads no other dimension. The other is all metrics and dimensions of one
    consensus method: who looks over the whole table and picks from it has tried them all. What is
    not primary belongs to neither, and has no adjusted p.
    """
    of = {column.name: column for column in columns}
    tested = [
        validity
        for validity in validities
        if not of[validity.metric].control and primary.holds(validity.metric, validity.consensus)
    ]
    here = _holm(tested, lambda validity: validity.consensus)
    everywhere = _holm(tested, lambda validity: of[validity.consensus].method)
    return tuple(
        replace(
            validity,
            dimension=of[validity.consensus].dimension or "",
            method=of[validity.consensus].method or "",
            control=of[validity.metric].control,
            p_adjusted=here.get((validity.metric, validity.consensus)),
            p_adjusted_everywhere=everywhere.get((validity.metric, validity.consensus)),
        )
        for validity in validities
    )


def _holm(
    validities: Sequence[Validity], family: Callable[[Validity], Hashable]
) -> dict[_Pair, float]:
    families: dict[Hashable, dict[_Pair, float]] = {}
    for validity in validities:
        if validity.p is not None:
            families.setdefault(family(validity), {})[validity.metric, validity.consensus] = (
                validity.p
            )
    return {
        pair: p
        for own in families.values()
        for pair, p in zip(own, holm(list(own.values())).tolist(), strict=True)
    }
