"""How accurate are the probabilities of model judges, by people's labels?"""

import json
from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.readable import Design, OnFile, Randomness
from medassay.annotations import DesignName, RaterName, Words, record
from medassay.exhibits import PROPORTION, Names, Table, shown, table_of
from medassay.exhibits.columns import counted, estimated, how
from medassay.judgements import Dimension, Rubric, units
from medassay.scores import UNIT, Unit
from medassay.stats import Interval, bootstrap_counts, group_labels, percentile_interval
from medassay.stats.calibration import calibration_error, calibration_replicates
from medassay.validity import most_say
from medassay.validity.judge_labels import ESTIMAND, mean_of


@record(infers=True)
class ProbabilitiesOf:
    """A judge's probabilities on one dimension.

    Attributes:
        judge: The judge.
        dimension: What it was asked.
        answers: Answers with its probabilities and a label of most people.
        cases: Their cases.
        without: Answers that it labelled without probabilities.
        right: The share on which its likeliest label is that of most people.
        sure: The mean probability of its likeliest label.
        brier: Σ (p - y)² over the labels, halved, averaged: from 0, sure and right, to 1, sure and
            wrong; None where no answer has both.
        brier_interval: Over cases or clusters.
        base: The Brier score of who says the shares of people's labels of every answer.
        ece: How far the probability of its likeliest label lies from how often it is right, in ten
            bins.
        ece_interval: Over cases or clusters.
        reason: Why there is nothing, or no interval.
    """

    judge: RaterName
    dimension: DesignName
    answers: int
    cases: int
    without: int
    right: float | None
    sure: float | None
    brier: float | None
    brier_interval: Interval | None
    base: float | None
    ece: float | None
    ece_interval: Interval | None
    reason: Words


@record(infers=True)
class JudgeProbabilities:
    """The probabilities of every judge that gave some.

    Attributes:
        rows: One for each judge and dimension.
    """

    rows: tuple[ProbabilitiesOf, ...]


_NOBODY: Final = "no answer has both its probabilities and a label of most people"


def probabilities_of(
    rubric: Rubric, on_file: OnFile, design: Design, randomness: Randomness
) -> tuple[ProbabilitiesOf, ...]:
    """Hold each judge against people on each dimension with labels on which it gave some."""
    return tuple(
        of_judge
        for dimension in rubric.dimensions
        if dimension.labels
        for of_judge in _of_dimension(dimension, on_file, design, randomness)
    )


def _of_dimension(
    dimension: Dimension, on_file: OnFile, design: Design, randomness: Randomness
) -> Iterator[ProbabilitiesOf]:
    import polars as pl

    labelled = on_file.judgements.in_phases().filter(
        (pl.col("dimension") == dimension.id)
        & pl.col("rater").is_in(sorted(on_file.models))
        & pl.col("label").is_not_null()
    )
    if not labelled["probabilities"].is_not_null().any():
        return
    read = units(on_file.judgements, dimension.id)
    excluded = {rater.rater for rater in on_file.raters.excluded}
    most = most_say(read, on_file.models | excluded)
    truth = {key: int(label) for key, label in zip(read.keys, most, strict=True) if label >= 0}
    for (judge,), rows in labelled.group_by("rater", maintain_order=True):
        with_probabilities = rows.filter(pl.col("probabilities").is_not_null())
        if str(judge) in excluded or not with_probabilities.height:
            continue
        held = [
            (key, json.loads(text))
            for *unit, text in with_probabilities.select(*UNIT, "probabilities").iter_rows()
            for key in [Unit(*unit)]
            if key in truth
        ]
        p = np.array([[chances.get(label, 0.0) for label in read.labels] for _, chances in held])
        y = np.array([truth[key] for key, _ in held], dtype=np.int64)
        keys = [key for key, _ in held]
        without = rows.height - with_probabilities.height
        yield _measured(str(judge), dimension.id, keys, p, y, without, design, randomness)


def _measured(
    judge: str,
    dimension: str,
    keys: list[Unit],
    p: NDArray[np.float64],
    y: NDArray[np.int64],
    without: int,
    design: Design,
    randomness: Randomness,
) -> ProbabilitiesOf:
    cases = [key.case for key in keys]
    if not keys:
        nothing = (None,) * 7
        return ProbabilitiesOf(judge, dimension, 0, 0, without, *nothing, _NOBODY)
    truth = np.eye(p.shape[1])[y]
    each = ((p - truth) ** 2).sum(axis=1) / 2
    base = ((truth.mean(axis=0) - truth) ** 2).sum(axis=1) / 2
    of_case = group_labels(cases, design.clusters)
    brier = mean_of(each, cases, of_case, _NOBODY)
    sure, right = p.max(axis=1), (p.argmax(axis=1) == y).astype(np.float64)
    rng = randomness.stream("s61", judge, dimension)
    counts = bootstrap_counts(len(keys), randomness.replicates, rng, of_case)
    ece = calibration_replicates(sure[None, :], right[None, :], counts).ece[:, 0]
    return ProbabilitiesOf(
        judge=judge,
        dimension=dimension,
        answers=len(keys),
        cases=len(set(cases)),
        without=without,
        right=float(right.mean()),
        sure=float(sure.mean()),
        brier=brier.value,
        brier_interval=brier.interval,
        base=float(base.mean()),
        ece=calibration_error(sure, right),
        ece_interval=percentile_interval(ece, estimand=ESTIMAND),
        reason=brier.reason,
    )


def probability_tables(report: JudgeProbabilities, _: Names) -> list[Table]:
    """Show each judge's Brier score beside that of the base rates, and its calibration."""
    return [
        table_of(
            report.rows,
            (
                shown("Judge", "judge"),
                shown("Dimension", "dimension"),
                counted("Answers", "answers"),
                counted("Without", "without"),
                shown("As most people", "right", PROPORTION, why_not="reason"),
                shown("Its probability", "sure", PROPORTION, why_not="reason"),
                estimated("Brier", "brier", interval="brier_interval"),
                shown("Brier of base rates", "base", PROPORTION, why_not="reason"),
                estimated("ECE", "ece", interval="ece_interval"),
            ),
            id="judge-probabilities",
            title="How accurate judges' probabilities are",
            caption="Against the label of more than half of the people. Brier: 0 is sure and "
            "right, 1 sure and wrong; under that of the base rates it says more than how common "
            "each label is. ECE: how far the probability of the likeliest label lies from how "
            "often it is right, in ten bins; of few answers it is above 0 by chance. "
            + how(row.brier_interval for row in report.rows),
        )
    ]


@analysis(
    Declaration(
        id="judge_probabilities",
        title="Probabilities of judges",
        question="Where a judge gives a label a probability of 0.80, do most people give it four "
        "times of five?",
        section="judges",
        infers=True,
        reader="methodologist",
        place=10,
        tables=probability_tables,
    )
)
def judge_probabilities(
    rubric: Rubric, on_file: OnFile, design: Design, randomness: Randomness
) -> JudgeProbabilities | None:
    """Hold each judge's probabilities against the label of most people, on each dimension."""
    rows = probabilities_of(rubric, on_file, design, randomness)
    return JudgeProbabilities(rows) if rows else None
