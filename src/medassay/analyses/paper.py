"""What a protocol's source wants told in a paper, computed: table, kappa, correlations."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from medassay.agreement import ALL_CASES, Agreement, band_sources, borne_out_band
from medassay.analyses.builtin.summaries.compute import dimension_summaries
from medassay.analyses.builtin.summaries.record import Summary
from medassay.analyses.diagnosed import Diagnosed
from medassay.analyses.inputs import Inputs
from medassay.analyses.paper_checklist import checklist_of
from medassay.analyses.paper_pitfalls import pitfalls_of
from medassay.analyses.results import paper as p
from medassay.analyses.score_columns import Column, StudyColumns, step_rng
from medassay.scores import Unscored
from medassay.stats import clustered_correlations, group_labels
from medassay.study.folder import Study

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["paper_results"]

_KAPPA: Final = ("cohen", "mean_cohen")
"""Of two raters, or the mean over pairs of more; a panel has one of them."""
_MOST_REPLICATES: Final = 1000


def paper_results(
    study: Study,
    inputs: Inputs,
    agreed: Sequence[Agreement],
) -> p.PaperResult | None:
    """Lay out what the protocol's source wants told; None where it names nothing."""
    rule = study.config.rules.paper
    if rule is None or rule.dimension not in study.rubric.ids:
        return None
    effects = inputs.part(Diagnosed).effects
    summaries = dimension_summaries(study.rubric, study.judgements, study.systems, study.cases)
    rows = _rows(rule.dimension, summaries)
    kappa = next(
        (
            agreement
            for agreement in agreed
            if agreement.coefficient in _KAPPA
            and (agreement.dimension, agreement.mapping, agreement.subset)
            == (rule.dimension, "full", ALL_CASES)
        ),
        None,
    )
    value = None if kappa is None else kappa.value
    word = None
    if kappa is not None and value is not None:
        word = borne_out_band(value, kappa.interval, rule.bands)
    bands = next(band_source for band_source in band_sources() if band_source.name == rule.bands)
    judged = study.judgements.current()
    main = judged.filter((judged["phase"] == "main") & (judged["dimension"] == rule.dimension))
    raters = main["rater"].n_unique()
    return p.PaperResult(
        dimension=rule.dimension,
        rows=rows,
        questions=main["case"].n_unique(),
        raters=raters,
        kappa=value,
        kappa_reason="no two raters scored the same answers" if kappa is None else kappa.reason,
        pairs=raters * (raters - 1) // 2,
        word=word if isinstance(word, str) else "",
        word_reason=str(word) if isinstance(word, Unscored) else "",
        bands=bands.source,
        bands_rule=f"Rounded to {bands.decimals} decimals, then looked up. {bands.note}".strip(),
        correlations=_correlations(study, inputs.score_columns, rule.dimension),
        pitfalls=pitfalls_of(study, rule.dimension, effects),
        checklist=checklist_of(study, rule.dimension, value, effects),
    )


def _rows(dimension: str, summaries: Sequence[Summary]) -> list[p.PaperRow]:
    own = [
        summary
        for summary in summaries
        if (summary.name, summary.kind, summary.over) == (dimension, "dimension", "answers")
    ]
    own.sort(key=lambda summary: (summary.mean is None, -(summary.mean or 0.0), summary.system))
    return [
        p.PaperRow(
            system=summary.system, n=summary.n, mean=summary.mean, sd=summary.sd,
            median=summary.median, reason=summary.reason,
        )
        for summary in own
    ]  # fmt: skip


def _correlations(
    study: Study, score_columns: StudyColumns, dimension: str
) -> list[p.ScoreCorrelation]:
    """Correlate each machine score with the raters' mean: over all, within systems, in each."""
    people = f"mean(dimension={dimension})"
    known = {column.name for column in score_columns.columns}
    machines = [c for c in score_columns.columns if c.kind != "consensus" and not c.control]
    if people not in known:
        return []
    return [
        score_correlation
        for column in machines
        for score_correlation in _of_source(study, score_columns, column, people)
    ]


def _of_source(
    study: Study, score_columns: StudyColumns, column: Column, people: str
) -> list[p.ScoreCorrelation]:
    human, machine = (
        score_columns.table.grid(name, study.systems, study.cases.ids)
        for name in (people, column.name)
    )
    system, case = np.nonzero(human.known & machine.known)
    x, y = human.values[system, case], machine.values[system, case]
    clusters = group_labels((study.cases.ids[i] for i in case.tolist()), study.clusters)
    rng = step_rng(study, "s57", str(column.name))
    replicates = min(_MOST_REPLICATES, study.config.run.replicates)
    score_correlations = []
    parts: list[tuple[Literal["all", "within", "one"], str, NDArray[np.bool_]]] = [
        ("all", "", np.ones(len(x), bool)),
        ("within", "", np.ones(len(x), bool)),
        *(("one", name, system == i) for i, name in enumerate(study.systems)),
    ]
    for over, name, kept in parts:
        measured = clustered_correlations(
            x[kept],
            y[kept],
            [cluster for cluster, keep in zip(clusters, kept, strict=True) if keep],
            groups=system[kept].tolist() if over == "within" else None,
            rng=rng,
            estimand="these systems and raters, new questions",
            replicates=replicates,
        )
        score_correlations += [
            p.ScoreCorrelation(
                source=column.name, kind=correlation.kind, over=over, system=name,
                value=correlation.value, interval=correlation.interval, n=correlation.n,
                questions=correlation.clusters, reason=correlation.undefined,
            )
            for correlation in measured
        ]  # fmt: skip
    return score_correlations
