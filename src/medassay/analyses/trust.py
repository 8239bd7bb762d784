"""The trust table of a study, laid out."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from medassay.analyses.describe import describe_source
from medassay.analyses.primary import primary_of
from medassay.analyses.results.trust import TrustResult
from medassay.analyses.score_columns import (
    Column,
    StudyColumns,
    ranking_cases,
    sources_of,
    step_rng,
    tau_rng,
)
from medassay.analyses.sentinels import SENTINEL_TITLES, sentinels_of
from medassay.judgements import Dimension, units
from medassay.study.folder import Study
from medassay.validity import (
    NoiseReference,
    Source,
    Trust,
    coverage_warning,
    noise_reference,
    trust,
)

__all__ = ["leading_method", "titles_of", "trust_results", "trust_tables"]

_NO_SCORES: Final = "the labels have no scores"


def trust_results(study: Study, score_columns: StudyColumns, method: str = "") -> list[TrustResult]:
    """Say of every metric what it may be used for, dimension by dimension.

    Args:
        study: The study.
        score_columns: Its columns.
        method: The consensus method; the one of the leaderboard, or the first, where none is given.
    """
    columns = score_columns.columns
    joined = [column for column in columns if column.kind == "consensus"]
    candidates = [c for c in columns if c.kind != "consensus" and not c.control]
    if not joined or not candidates:
        return []
    chosen = method or leading_method(study, joined)
    joined = [column for column in joined if column.method == chosen]
    sources = sources_of(study, score_columns)
    trusts = trust_tables(
        study, score_columns, sources, [sources[column.name] for column in joined]
    )
    titles = titles_of(study, score_columns)
    return [
        _laid_out(study, column, table, titles)
        for column, table in zip(joined, trusts, strict=True)
    ]


def trust_tables(
    study: Study,
    score_columns: StudyColumns,
    sources: Mapping[str, Source],
    raters: Sequence[Source],
) -> list[Trust]:
    """Hold every metric and sentinel against each consensus, on the cases that sources lay out."""
    return trust(
        [sources[c.name] for c in score_columns.columns if c.kind != "consensus" and not c.control],
        sentinels_of(study, score_columns.columns, sources),
        raters,
        rng=tau_rng(study),
        clusters=study.clusters or None,
        families=study.families or None,
        replicates=study.config.run.replicates,
        primary=primary_of(study, score_columns),
    )


def leading_method(study: Study, joined: Sequence[Column]) -> str:
    """Give the consensus method that the leaderboard reads, else the first."""
    first = next((c for c in joined if c.name == study.config.rules.rank_by), joined[0])
    return first.method or ""


def _dimension(study: Study, column: Column) -> Dimension:
    return next(
        dimension for dimension in study.rubric.dimensions if dimension.id == column.dimension
    )


def _raters(study: Study, column: Column) -> NoiseReference:
    dimension = column.dimension or ""
    if _dimension(study, column).scores is None:
        return NoiseReference(None, None, None, None, 0, 0, _NO_SCORES)
    read, ranked = units(study.judgements, dimension), set(ranking_cases(study))
    inside = np.array([unit.case in ranked for unit in read.keys], dtype=np.bool_)
    rng = step_rng(study, "s46", dimension)
    return noise_reference(read.only(inside[read.unit]), rng=rng)


def titles_of(study: Study, score_columns: StudyColumns) -> dict[str, str]:
    """Give every column its title; a title that two share gets the name beside it."""
    own = {
        c.name: describe_source(study, score_columns.table, c).title for c in score_columns.columns
    }
    times = Counter(own.values())
    told = {
        name: title if times[title] == 1 else f"{title} ({name})" for name, title in own.items()
    }
    return {**SENTINEL_TITLES, **told}


def _laid_out(study: Study, column: Column, table: Trust, titles: dict[str, str]) -> TrustResult:
    raters = _raters(study, column)
    return TrustResult(
        dimension=column.dimension or "",
        title=_dimension(study, column).title or column.dimension or "",
        method=column.method or "",
        consensus=column.name,
        entries=list(table.entries),
        titles={entry.metric: titles.get(entry.metric, entry.metric) for entry in table.entries},
        level=table.level,
        each_level=table.each_level,
        noise=table.noise,
        reliability=table.reliability.value,
        raters=raters.halves,
        raters_low=raters.low,
        raters_high=raters.high,
        raters_one=raters.one_against_rest,
        raters_reason=raters.undefined,
        interval_warning=coverage_warning(
            max((entry.n_systems for entry in table.entries), default=0), table.reliability.value
        ),
    )
