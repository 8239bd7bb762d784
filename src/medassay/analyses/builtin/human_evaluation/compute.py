"""What a protocol's source wants told in a paper, computed: table, kappa, correlations."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from medassay.agreement import ALL_CASES, Agreement
from medassay.analyses.builtin.human_evaluation.record import PaperRow, ScoreCorrelation
from medassay.analyses.builtin.summaries.record import Summary
from medassay.analyses.inputs.rater_agreement import Agreed
from medassay.analyses.inputs.readable import Design, Randomness
from medassay.analyses.inputs.study_columns import Column, StudyColumns
from medassay.cases import Cases
from medassay.stats import clustered_correlations, group_labels

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["kappa_of", "paper_rows", "score_correlations"]

_KAPPA: Final = ("cohen", "mean_cohen")
"""Of two raters, or the mean over pairs of more; a panel has one of them."""
_MOST_REPLICATES: Final = 1000


def kappa_of(agreed: Agreed, dimension: str) -> Agreement | None:
    """Find the panel's kappa on the labels in full, over all cases."""
    wanted = (dimension, "full", ALL_CASES)
    return next(
        (
            agreement
            for agreement in agreed.panel
            if agreement.coefficient in _KAPPA
            and (agreement.dimension, agreement.mapping, agreement.subset) == wanted
        ),
        None,
    )


def paper_rows(dimension: str, summaries: Sequence[Summary]) -> list[PaperRow]:
    """Give each system's scores over answers, the best mean first."""
    own = [
        summary
        for summary in summaries
        if (summary.name, summary.kind, summary.over) == (dimension, "dimension", "answers")
    ]
    own.sort(key=lambda summary: (summary.mean is None, -(summary.mean or 0.0), summary.system))
    return [
        PaperRow(
            system=summary.system, n=summary.n, mean=summary.mean, sd=summary.sd,
            median=summary.median, reason=summary.reason,
        )
        for summary in own
    ]  # fmt: skip


def score_correlations(
    score_columns: StudyColumns,
    dimension: str,
    design: Design,
    cases: Cases,
    randomness: Randomness,
) -> list[ScoreCorrelation]:
    """Correlate each machine score with the raters' mean: over all, within systems, in each."""
    people = f"mean(dimension={dimension})"
    known = {column.name for column in score_columns.columns}
    machines = [c for c in score_columns.columns if c.may_speak]
    if people not in known:
        return []
    return [
        score_correlation
        for column in machines
        for score_correlation in _of_source(
            score_columns, column, people, design, cases, randomness
        )
    ]


def _of_source(
    score_columns: StudyColumns,
    column: Column,
    people: str,
    design: Design,
    cases: Cases,
    randomness: Randomness,
) -> list[ScoreCorrelation]:
    human, machine = (
        score_columns.table.grid(name, design.systems, cases.ids) for name in (people, column.name)
    )
    system, case = np.nonzero(human.known & machine.known)
    x, y = human.values[system, case], machine.values[system, case]
    clusters = group_labels((cases.ids[i] for i in case.tolist()), design.clusters)
    rng = randomness.stream("s57", str(column.name))
    replicates = min(_MOST_REPLICATES, randomness.replicates)
    score_correlations = []
    parts: list[tuple[Literal["all", "within", "one"], str, NDArray[np.bool_]]] = [
        ("all", "", np.ones(len(x), bool)),
        ("within", "", np.ones(len(x), bool)),
        *(("one", name, system == i) for i, name in enumerate(design.systems)),
    ]
    for over, name, inside in parts:
        measured = clustered_correlations(
            x[inside],
            y[inside],
            [cluster for cluster, keep in zip(clusters, inside, strict=True) if keep],
            groups=system[inside].tolist() if over == "within" else None,
            rng=rng,
            estimand="these systems and raters, new questions",
            replicates=replicates,
        )
        score_correlations += [
            ScoreCorrelation(
                source=column.name, kind=correlation.kind, over=over, system=name,
                value=correlation.value, interval=correlation.interval, n=correlation.n,
                questions=correlation.clusters, reason=correlation.undefined,
            )
            for correlation in measured
        ]  # fmt: skip
    return score_correlations
