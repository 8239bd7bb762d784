"""What a protocol's source wants told in a paper, computed: table, kappa, correlations."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from medassay.agreement import band_sources, borne_out_band
from medassay.analyses.gathered import ALL_CASES, Column, Gathered, step_rng
from medassay.analyses.paper_checklist import checklist_of
from medassay.analyses.paper_pitfalls import pitfalls_of
from medassay.analyses.results import paper as p
from medassay.analyses.results.agreement import AgreementResult
from medassay.analyses.results.summary import SummaryResult
from medassay.scores import Unscored
from medassay.stats import clustered_correlations, group_labels
from medassay.study.folder import Study
from medassay.validity import RaterDiagnostic

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["paper_results"]

_KAPPA: Final = ("cohen", "mean_cohen")
"""Of two raters, or the mean over pairs of more; a panel has one of them."""
_MOST_REPLICATES: Final = 1000


def paper_results(
    study: Study,
    gathered: Gathered,
    agreed: Sequence[AgreementResult],
    summaries: Sequence[SummaryResult],
    diagnostics: Sequence[RaterDiagnostic],
) -> p.PaperResult | None:
    """Lay out what the protocol's source wants told; None where it names nothing."""
    rule = study.config.rules.paper
    if rule is None or rule.dimension not in study.rubric.ids:
        return None
    rows = _rows(rule.dimension, summaries)
    kappa = next(
        (
            one
            for one in agreed
            if one.coefficient in _KAPPA
            and (one.dimension, one.mapping, one.subset) == (rule.dimension, "full", ALL_CASES)
        ),
        None,
    )
    value = None if kappa is None else kappa.value
    word = None
    if kappa is not None and value is not None:
        word = borne_out_band(value, kappa.interval, rule.bands)
    bands = next(one for one in band_sources() if one.name == rule.bands)
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
        correlations=_correlations(study, gathered, rule.dimension),
        pitfalls=pitfalls_of(study, rule.dimension, diagnostics),
        checklist=checklist_of(study, rule.dimension, value, diagnostics),
    )


def _rows(dimension: str, summaries: Sequence[SummaryResult]) -> list[p.PaperRow]:
    own = [
        one
        for one in summaries
        if (one.name, one.kind, one.over) == (dimension, "dimension", "answers")
    ]
    own.sort(key=lambda one: (one.mean is None, -(one.mean or 0.0), one.system))
    return [
        p.PaperRow(
            system=one.system, n=one.n, mean=one.mean, sd=one.sd, median=one.median,
            reason=one.reason,
        )
        for one in own
    ]  # fmt: skip


def _correlations(study: Study, gathered: Gathered, dimension: str) -> list[p.ScoreCorrelation]:
    """Correlate each machine score with the raters' mean: over all, within systems, in each."""
    people = f"mean(dimension={dimension})"
    known = {column.name for column in gathered.columns}
    machines = [c for c in gathered.columns if c.kind != "consensus" and not c.control]
    if people not in known:
        return []
    return [one for column in machines for one in _of_source(study, gathered, column, people)]


def _of_source(
    study: Study, gathered: Gathered, column: Column, people: str
) -> list[p.ScoreCorrelation]:
    human, machine = (
        gathered.table.grid(name, study.systems, study.cases.ids) for name in (people, column.name)
    )
    system, case = np.nonzero(human.known & machine.known)
    x, y = human.values[system, case], machine.values[system, case]
    clusters = group_labels((study.cases.ids[i] for i in case.tolist()), study.clusters)
    rng = step_rng(study, "s57", str(column.name))
    replicates = min(_MOST_REPLICATES, study.config.run.replicates)
    found = []
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
        found += [
            p.ScoreCorrelation(
                source=column.name, kind=one.kind, over=over, system=name, value=one.value,
                interval=one.interval, n=one.n, questions=one.clusters,
                reason=one.undefined,
            )
            for one in measured
        ]  # fmt: skip
    return found
