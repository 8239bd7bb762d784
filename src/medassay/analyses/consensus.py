"""What every consensus says of the raters and of doubtful answers, as the report shows it."""

from collections.abc import Sequence
from dataclasses import replace

from medassay.analyses.builtin.harm_prevalence import harm_prevalence
from medassay.analyses.builtin.tie_rules import tie_rules
from medassay.analyses.inputs.consensus_fits import (
    aggregation_of,
    consensus_fits,
    fitted_of,
    notes_on_fits,
)
from medassay.analyses.inputs.readable import randomness_of
from medassay.analyses.inputs.study_columns import consensus_of, scale_ends
from medassay.analyses.inputs.system_boards import consensus_means
from medassay.analyses.results.whole import (
    ConsensusMean,
    ConsensusReport,
    ConsensusScore,
    JoinedLabel,
    LabelShare,
)
from medassay.consensus import (
    ConsensusDetails,
    find_method,
    rater_qualities,
    source_name,
)
from medassay.errors import InvalidInput
from medassay.judgements import Judgements
from medassay.progress import told
from medassay.scores import UNIT, ScoreTable, Unit
from medassay.stats import Interval, means_over_cases
from medassay.study.config.study_toml import ConsensusChoice
from medassay.study.contents.ratings import lacking_for
from medassay.study.folder import Study


def joined_labels(details: Sequence[ConsensusDetails]) -> list[JoinedLabel]:
    """Name the label of each answer, under each method that gives labels."""
    return [
        JoinedLabel(
            dimension=consensus.units.dimension,
            method=consensus.method,
            system=system,
            case=case,
            label=consensus.units.labels[code] if code >= 0 else None,
        )
        for consensus in details
        if consensus.joined.codes is not None
        for (system, case, _, about), code in zip(
            consensus.units.keys, consensus.joined.codes, strict=True
        )
        if not about
    ]


def label_shares(details: Sequence[ConsensusDetails]) -> list[LabelShare]:
    """Count the answers of each label, in the scale's order; those without one come last."""
    return [
        LabelShare(
            dimension=consensus.units.dimension,
            method=consensus.method,
            label=label,
            answers=consensus.joined.codes.count(code),
            of=len(consensus.joined.codes),
        )
        for consensus in details
        if consensus.joined.codes
        for code, label in [*enumerate(consensus.units.labels), (-1, None)]
    ]


def consensus_report(
    study: Study,
    *,
    methods: Sequence[str] | None = None,
    dimensions: Sequence[str] | None = None,
) -> ConsensusReport:
    """Lay out all that the raters jointly say: scores, doubt, raters' quality, ties and harm.

    Args:
        study: The study.
        methods: Canonical names of methods instead of the study's own.
        dimensions: Which dimensions; all that have judgements if not given.

    Raises:
        UnknownName: No such method or dimension.
        InvalidInput: A parameter or its value is not known, or a method reads control items or
            priors that study.toml does not give.
    """
    study = study if methods is None else _with_methods(study, methods)
    study = study if dimensions is None else _of_dimensions(study, dimensions)
    table = consensus_of(study)
    details = fitted_of(study).ways
    doubt = {
        (consensus.method, consensus.units.dimension, cell): entropy
        for consensus in details
        for cell, entropy in zip(consensus.units.keys, consensus.joined.uncertainty, strict=True)
    }
    of_source = {
        str(source_name(method, dimension)): (str(find_method(method)[1]), dimension)
        for method in study.config.rules.consensus
        for dimension in study.rubric.ids
    }
    ends = {
        name: scale_ends(study, dimension, method)
        for name, (method, dimension) in of_source.items()
    }
    around = {
        (source, system): interval
        for source in told("intervals of the consensus", table.sources)
        for system, interval in _intervals(study, table, source, *of_source[source]).items()
    }
    ties = tie_rules.compute(study.rubric, study.judgements)
    harm = harm_prevalence.compute(study.judgements, aggregation_of(study), randomness_of(study))
    rows = table.frame.select("source", *UNIT, "value", "reason", "detail").iter_rows()
    return ConsensusReport(
        scores=[
            ConsensusScore(
                source=source,
                system=system,
                case=case,
                value=value,
                reason=reason or "",
                detail=detail or "",
                uncertainty=doubt.get((*of_source[source], Unit(system, case, sample, about))),
            )
            for source, system, case, sample, about, value, reason, detail in rows
            if not about
        ],
        means=[
            ConsensusMean(
                source=mean.metric,
                dimension=of_source[mean.metric][1],
                method=of_source[mean.metric][0],
                system=mean.system,
                mean=mean.mean,
                interval=around[mean.metric, mean.system],
                adjusted=mean.adjusted,
                scored=mean.scored,
                unscored=mean.unscored,
                why=mean.why,
            )
            for mean in consensus_means(study, table, ends)
        ],
        fits=consensus_fits(details),
        notes=notes_on_fits(details),
        labels=joined_labels(details),
        label_shares=label_shares(details),
        quality=rater_qualities(details),
        ties=list(ties.dimensions) if ties else [],
        harm=list(harm.counts) if harm else [],
    )


def _of_dimensions(study: Study, dimensions: Sequence[str]) -> Study:
    """Leave out what was judged on the others."""
    import polars as pl

    for name in dimensions:
        study.rubric.dimension(name)
    file = study.judgements_on_file
    rows = file.frame.filter(pl.col("dimension").is_in(list(dimensions)))
    return replace(study, judgements_on_file=Judgements(rows, file.rubric))


def _with_methods(study: Study, methods: Sequence[str]) -> Study:
    named = list(dict.fromkeys(str(find_method(name)[1]) for name in methods))
    choice = (study.config.consensus or ConsensusChoice()).model_copy(update={"methods": named})
    config = study.config.model_copy(update={"consensus": choice})
    lacking = lacking_for(config)
    if lacking:
        raise InvalidInput(lacking)
    return replace(study, config=config)


def _intervals(
    study: Study, table: ScoreTable, source: str, method: str, dimension: str
) -> dict[str, Interval | None]:
    """Give the interval of each system's mean over cases, clusters of cases kept together."""
    grid = table.grid(source, study.systems, study.cases.ids)
    known = study.clusters
    of_case = [(case in known, known.get(case, case)) for case in grid.cases]
    means = means_over_cases(
        grid.values, grid.known, clusters=of_case, bounds=scale_ends(study, dimension, method)
    )
    pairs = zip(grid.systems, means, strict=True)
    return {system: mean.interval for system, mean in pairs}
