"""What every consensus says of the raters and of doubtful answers, as the report shows it."""

from medassay.consensus import (
    ConsensusDetails,
    consensus_details,
    find_method,
    source_name,
    tie_sensitivity,
)
from medassay.judgements import units
from medassay.scores import ScoreTable
from medassay.stats import means_over_cases
from medassay.study import results as r
from medassay.study.analysis import consensus_of, step_rng
from medassay.study.folder import Study
from medassay.study.joint_models import ConsensusMean, ConsensusReport, ConsensusScore, TieMeans
from medassay.study.joint_results import harm_results, panel_methods
from medassay.study.means import consensus_means

__all__ = ["consensus_report", "quality_results", "tie_results"]


def quality_results(study: Study) -> list[r.QualityResult]:
    """Say of each rater what each way of joining labels makes of them."""
    return _quality(_details(study))


def tie_results(study: Study) -> list[r.TieResult]:
    """Say how far the rule for ties moves a majority vote's means."""
    judged = set(study.judgements.current()["dimension"])
    found = [
        tie_sensitivity(units(study.judgements, one.id))
        for one in study.rubric.dimensions
        if one.id in judged and one.scores is not None
    ]
    return [
        r.TieResult(
            dimension=one.dimension,
            answers=one.answers,
            ties=one.ties,
            largest=one.largest,
            means=[
                TieMeans(system=system, unscored=unscored, lower=lower, median=median)
                for system, unscored, lower, median in zip(
                    one.systems,
                    one.means["unscored"],
                    one.means["lower"],
                    one.means["median"],
                    strict=True,
                )
            ],
        )
        for one in found
        if one.answers
    ]


def consensus_report(study: Study) -> ConsensusReport:
    """Lay out all that the raters jointly say: scores, doubt, raters' quality, ties and harm."""
    table = consensus_of(study)
    details = _details(study)
    doubt = {
        (one.method, one.units.dimension, *cell): entropy
        for one in details
        for cell, entropy in zip(one.units.keys, one.joined.uncertainty, strict=True)
    }
    of_source = {
        str(source_name(method, dimension)): (str(find_method(method)[1]), dimension)
        for method in study.config.rules.consensus
        for dimension in study.rubric.ids
    }
    around = {
        (source, system): interval
        for source in table.sources
        for system, interval in _intervals(study, table, source).items()
    }
    rows = table.frame.select("source", "system", "case", "value", "reason", "detail").iter_rows()
    return ConsensusReport(
        scores=[
            ConsensusScore(
                source=source,
                system=system,
                case=case,
                value=value,
                reason=reason or "",
                detail=detail or "",
                uncertainty=doubt.get((*of_source[source], system, case)),
            )
            for source, system, case, value, reason, detail in rows
        ],
        means=[
            ConsensusMean(
                source=one["metric"],
                dimension=of_source[one["metric"]][1],
                method=of_source[one["metric"]][0],
                system=one["system"],
                mean=one["mean"],
                interval=around[one["metric"], one["system"]],
                scored=one["scored"],
                unscored=one["unscored"],
                why=one["why"],
            )
            for one in consensus_means(study, table)
        ],
        quality=_quality(details),
        ties=tie_results(study),
        harm=harm_results(study),
    )


def _intervals(study: Study, table: ScoreTable, source: str) -> dict[str, r.IntervalResult | None]:
    """Give the t interval of each system's mean over cases, clusters of cases kept together."""
    grid = table.grid(source, study.systems, study.cases.ids)
    known = study.clusters
    of_case = [(case in known, known.get(case, case)) for case in grid.cases]
    found = means_over_cases(grid.values, grid.known, clusters=of_case)
    pairs = zip(grid.systems, found, strict=True)
    return {system: r.IntervalResult.of(mean.interval) for system, mean in pairs}


def _details(study: Study) -> list[ConsensusDetails]:
    # The same stream as `consensus_of`, so that these fits are those that systems are ranked by.
    return consensus_details(
        study.judgements, panel_methods(study), rng=step_rng(study, "consensus")
    )


def _quality(details: list[ConsensusDetails]) -> list[r.QualityResult]:
    return [
        r.QualityResult(
            dimension=one.units.dimension,
            method=one.method,
            title=one.title,
            meaning=one.meaning,
            rater=rater,
            quality=quality,
            n=int((one.units.rater == place).sum()),
        )
        for one in details
        for place, (rater, quality) in enumerate(
            zip(one.units.raters, one.joined.quality, strict=True)
        )
    ]
