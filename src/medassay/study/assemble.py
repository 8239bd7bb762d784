"""Put everything that was computed into the one structure that the report renders."""

from collections.abc import Sequence

from medassay.__about__ import __version__
from medassay.metrics import BoundMetric
from medassay.scores import ScoreTable
from medassay.stats import holm
from medassay.study import results as r
from medassay.study.agreement_results import agreement_report, say_notes
from medassay.study.analysis import (
    Column,
    Gathered,
    gather,
    leaderboards_of,
    preferences_of,
    primary_source,
    ranking_cases,
    validity_of,
)
from medassay.study.case_results import case_results
from medassay.study.describe import describe_source, methods_of, notes_of, ranking_rule
from medassay.study.folder import Study
from medassay.study.joint_results import harm_results, strengths_of, with_strengths
from medassay.study.rating_results import label_counts, preference_results, rating_counts
from medassay.study.scoring import Progress, Scored, score_study
from medassay.validity import Comparison, Leaderboard, Standing, Validity

__all__ = [
    "assemble",
    "correlation_results",
    "standing_results",
    "validity_results",
]


def assemble(
    study: Study,
    scored: Scored,
    gathered: Gathered,
    run_name: str,
    progress: Progress | None = None,
) -> r.Results:
    """Compute what is left to compute, and lay everything out."""
    table, columns = gathered.table, gathered.columns
    primary, fallback = primary_source(study, columns)
    sources = [describe_source(study, table, column) for column in columns]
    boards = leaderboards_of(study, gathered, progress)
    found = validity_of(study, gathered)
    agreed = agreement_report(study)
    return r.Results(
        study=_study_info(study),
        run=r.RunInfo(
            name=run_name,
            seed=study.config.run.seed,
            replicates=study.config.run.replicates,
            software=f"medassay {__version__}",
            inputs=study.inputs,
        ),
        systems=[_system(study, system) for system in study.systems],
        dimensions=[_dimension(study, name) for name in study.rubric.ids],
        sources=sources,
        ranking_rule=ranking_rule(study),
        ranking_cases=list(ranking_cases(study)),
        primary=primary,
        standings=standing_results(study, scored.table, boards),
        comparisons=[_comparison(b.source, c) for b in boards.values() for c in b.comparisons],
        rating_counts=rating_counts(study),
        label_counts=label_counts(study),
        agreement=agreed.panel,
        agreement_parts=agreed.parts,
        agreement_notes=agreed.notes,
        rater_flow=agreed.flow,
        harm=tuple(harm_results(study)),
        preferences=with_strengths(preference_results(preferences_of(study)), strengths_of(study)),
        correlations=correlation_results(columns, found),
        cases=case_results(study, table, columns),
        methods=methods_of(study, columns),
        warnings=[*notes_of(study, sources), *fallback, *say_notes(agreed.notes)],
    )


def standing_results(
    study: Study, scores: ScoreTable, boards: dict[str, Leaderboard]
) -> list[r.Standing]:
    """Lay out the leaderboards, with the means over given answers beside where some are missing."""
    return [
        _standing(study, scores, board.source, one)
        for board in boards.values()
        for one in board.standings
    ]


def validity_results(
    study: Study, metrics: Sequence[BoundMetric], progress: Progress | None = None
) -> list[r.CorrelationResult]:
    """Score what is stale, and correlate every metric with every consensus."""
    scored = score_study(study, metrics, progress)
    gathered = gather(study, scored)
    return correlation_results(gathered.columns, validity_of(study, gathered))


def correlation_results(
    columns: Sequence[Column], found: Sequence[Validity]
) -> list[r.CorrelationResult]:
    """Lay out the correlations; p is adjusted over the metrics and dimensions of one method."""
    of = {column.name: column for column in columns}
    adjusted: dict[tuple[str, str], float] = {}
    for method in dict.fromkeys(of[one.consensus].method for one in found):
        family = [
            one
            for one in found
            if of[one.consensus].method == method
            and not of[one.metric].control
            and one.p is not None
        ]
        values = holm([one.p for one in family if one.p is not None]).tolist()
        for one, value in zip(family, values, strict=True):
            adjusted[one.metric, one.consensus] = value
    return [_correlation(one, of[one.consensus], adjusted) for one in found]


def _correlation(
    one: Validity, consensus: Column, adjusted: dict[tuple[str, str], float]
) -> r.CorrelationResult:
    cases, systems, both = (
        [r.IntervalResult.of(part.interval) for part in one.intervals]
        if one.intervals
        else (None, None, None)
    )
    return r.CorrelationResult(
        metric=one.metric,
        consensus=one.consensus,
        dimension=consensus.dimension or "",
        method=consensus.method or "",
        tau=one.tau,
        reason=one.undefined,
        p=one.p,
        p_method=one.p_method or "",
        p_adjusted=adjusted.get((one.metric, one.consensus)),
        n_systems=one.n_systems,
        n_cases=one.n_cases,
        over_cases=cases,
        over_systems=systems,
        over_both=both,
        no_interval="; ".join(
            f"{part.estimand}: {part.undefined}" for part in one.intervals if part.undefined
        ),
        reliability_metric=one.metric_reliability.value,
        reliability_consensus=one.consensus_reliability.value,
    )


def _study_info(study: Study) -> r.StudyInfo:
    config, rules = study.config, study.config.rules
    judged, preferred = study.judgements.current(), study.preferences.current()
    raters = set(judged["rater"].unique()) | set(preferred["rater"].unique())
    return r.StudyInfo(
        title=config.title,
        description=config.description,
        date=config.date,
        protocol=rules.name,
        protocol_title=rules.title,
        source=config.source or rules.source,
        licence=config.licence,
        synthetic=config.synthetic,
        texts=config.privacy.texts,
        counts=r.Counts(
            cases=len(study.cases),
            systems=len(study.systems),
            answers=len(study.answers),
            answers_missing=len(study.cases) * len(study.answers.systems) - len(study.answers),
            answers_empty=sum(answer.is_blank for answer in study.answers),
            raters=len(raters),
            judgements=judged.height,
            preferences=preferred.height,
        ),
    )


def _system(study: Study, system: str) -> r.SystemResult:
    answers = [answer for answer in study.answers if answer.system == system]
    said = study.system(system)
    return r.SystemResult(
        id=system,
        title=said.title or system,
        family=said.family,
        answers=len(answers),
        missing=study.missing(system),
        empty=sum(answer.is_blank for answer in answers),
    )


def _dimension(study: Study, name: str) -> r.DimensionResult:
    dimension = study.rubric.dimension(name)
    return r.DimensionResult(
        id=dimension.id,
        title=dimension.title or dimension.id,
        question=dimension.question,
        scale=dimension.scale,
        labels=[
            r.LabelInfo(label=one.label, score=one.score, description=one.description)
            for one in dimension.labels
        ],
    )


def _standing(study: Study, scores: ScoreTable, source: str, one: Standing) -> r.Standing:
    never, given = _given_only(study, scores, source, one.system)
    return r.Standing(
        source=source,
        system=one.system,
        mean=one.mean,
        reason=one.undefined,
        interval=r.IntervalResult.of(one.interval),
        n=one.n,
        missing=one.missing,
        never_answered=never,
        mean_given=given,
        rank=one.rank,
        rank_low=one.rank_low,
        rank_high=one.rank_high,
        letters=one.letters,
    )


def _given_only(
    study: Study, scores: ScoreTable, source: str, system: str
) -> tuple[int, float | None]:
    """Count answers never given that a metric scored all the same, and the mean without them."""
    if source not in scores.sources:
        return 0, None
    cases = ranking_cases(study)
    grid = scores.grid(source, [system], cases)
    never = [study.answers.get(system, case) is None for case in cases]
    counted = sum(missing and known for missing, known in zip(never, grid.known[0], strict=True))
    kept = [
        value
        for value, known, missing in zip(grid.values[0], grid.known[0], never, strict=True)
        if known and not missing
    ]
    return int(counted), float(sum(kept) / len(kept)) if counted and kept else None


def _comparison(source: str, one: Comparison) -> r.ComparisonResult:
    return r.ComparisonResult(
        source=source,
        system_a=one.first,
        system_b=one.second,
        difference=one.difference,
        interval=r.IntervalResult.of(one.interval),
        p=one.p,
        p_adjusted=one.p_adjusted,
        method=one.p_method or "",
        minimal_detectable_effect=one.minimal_detectable_effect,
        n=one.n,
        reason=one.undefined,
    )
