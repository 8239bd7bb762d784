"""What each metric may be used for in the raters' place, dimension by dimension."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from medassay.analyses.inputs.metric_controls import CONTROL_TITLES, controls_of
from medassay.analyses.inputs.study_columns import (
    ScoreColumn,
    StudyColumns,
    primary_of,
    ranking_cases,
    sources_of,
    step_rng,
    tau_rng,
)
from medassay.analyses.inputs.study_description import describe_source
from medassay.annotations import DesignName, Words, record
from medassay.judgements import units
from medassay.study.folder import Study
from medassay.validity import (
    NoiseReference,
    Source,
    Trust,
    coverage_warning,
    noise_reference,
    trust,
)

_NO_SCORES: Final = "the labels have no scores"


@record(infers=True)
class TrustOn:
    """Which metric may stand in for the raters on one dimension.

    Attributes:
        dimension: The dimension.
        method: How the raters' labels are joined.
        table: Every metric and every control.
        raters: How far halves of the raters go together: a reference, not a ceiling.
        interval_warning: Why the intervals may hold less than their level; empty where simulation
            bears them out.
        unjudged: Answers that nobody judged; 0 where every answer is judged, or most are not.
        ruled: Metrics on which the verdict hangs on what becomes of those answers.
    """

    dimension: DesignName
    method: DesignName
    table: Trust
    raters: NoiseReference
    interval_warning: Words = ""
    unjudged: int = 0
    ruled: tuple[DesignName, ...] = ()


def trusted_of(study: Study, score_columns: StudyColumns) -> tuple[TrustOn, ...]:
    """Say of every metric what it may be used for, by the consensus of the leaderboard."""
    joined = leading_columns(study, score_columns)
    if not joined or not any(column.may_speak for column in score_columns.columns):
        return ()
    sources = sources_of(study, score_columns)
    trusts = trust_tables(
        study, score_columns, sources, [sources[column.name] for column in joined]
    )
    return tuple(
        TrustOn(
            dimension=column.dimension or "",
            method=column.method or "",
            table=table,
            raters=_raters(study, column.dimension or ""),
            interval_warning=coverage_warning(
                max((entry.n_systems for entry in table.entries), default=0),
                table.reliability.value,
            ),
        )
        for column, table in zip(joined, trusts, strict=True)
    )


def trust_tables(
    study: Study,
    score_columns: StudyColumns,
    sources: Mapping[str, Source],
    raters: Sequence[Source],
) -> list[Trust]:
    """Hold every metric and control against each consensus, on the cases that sources lay out."""
    return trust(
        [sources[c.name] for c in score_columns.columns if c.may_speak],
        controls_of(study, score_columns.columns, sources),
        raters,
        rng=tau_rng(study),
        clusters=study.clusters or None,
        families=study.families or None,
        replicates=study.config.run.replicates,
        primary=primary_of(study, score_columns),
    )


def leading_columns(study: Study, score_columns: StudyColumns) -> list[ScoreColumn]:
    """Give the consensus of each dimension, by the method of the leaderboard, else the first."""
    joined = [column for column in score_columns.columns if column.kind == "consensus"]
    if not joined:
        return []
    leading = next((c for c in joined if c.name == study.config.rules.rank_by), joined[0])
    return [column for column in joined if column.method == leading.method]


def _raters(study: Study, dimension: str) -> NoiseReference:
    if not study.rubric.dimension(dimension).scored:
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
    titled = {
        name: title if times[title] == 1 else f"{title} ({name})" for name, title in own.items()
    }
    return {**CONTROL_TITLES, **titled}
