"""What differences a study can show at best, of systems and of versions, in words."""

from typing import Final

from medassay.exhibits.numbers import PROPORTION, count_of
from medassay.metrics import Direction
from medassay.study import Study
from medassay.study.opening.choices import resolve_metrics
from medassay.validity import DifferencesAtBest, GateFloor, differences_at_best

__all__ = [
    "MARGIN",
    "differences_at_best_of",
    "differences_at_best_words",
    "smallest_difference",
]

MARGIN: Final = 0.02
"""The largest loss that a gate accepts unless told otherwise, in the metric's unit."""


def differences_at_best_of(study: Study, margin: float = MARGIN) -> DifferencesAtBest | None:
    """Ask what a study of this size allows; nothing where its protocol describes only.

    Raises:
        InvalidInput: The margin is not above 0.
    """
    if study.config.rules.descriptive:
        return None
    metrics = [
        metric
        for metric in resolve_metrics(study.config.rules.metrics)
        if metric.declaration.direction is not Direction.NONE
    ]
    ranges = {str(metric.name): metric.range for metric in metrics if metric.declaration.harm}
    ranges |= {
        source: (scores_file.meaning.low, scores_file.meaning.high)
        for scores_file in study.imported
        if scores_file.meaning.harm
        for source in scores_file.table.sources
    }
    imported = sum(
        len(scores_file.table.sources)
        for scores_file in study.imported
        if scores_file.meaning.direction != "none"
    )
    harms = {
        name: high - low
        for name, (low, high) in ranges.items()
        if low is not None and high is not None
    }
    each = study.asked.fewest(study.systems, len(study.cases))
    return differences_at_best(
        len(study.systems), len(metrics) + imported, each, margin=margin, harms=harms
    )


def differences_at_best_words(differences: DifferencesAtBest) -> list[str]:
    """Say it, a sentence each."""
    sentences = [*smallest_difference(differences)]
    sentences += [_floor(differences, floor) for floor in differences.floors]
    sentences.append(_floor(differences, differences.other, "any other score from 0 to 1"))
    together = (
        f", its {count_of(differences.tests, 'test')} together" if differences.tests > 1 else ""
    )
    sentences.append(
        f"Of 100 changes that lose nothing, a gate on all metrics and systems is expected to call "
        f"up to {differences.false_alarms:g} worse{together}."
    )
    return sentences


def smallest_difference(differences: DifferencesAtBest) -> list[str]:
    """Say which difference sets two systems apart; nothing without two, or without an answer."""
    if not (differences.pairs and differences.answers):
        return []
    together = f", {differences.pairs} pairs corrected together" if differences.pairs > 1 else ""
    exact = (
        "no difference in right answers is large enough to settle which of two systems is better"
        if differences.right_or_wrong is None
        else f"two systems must differ by {PROPORTION(differences.right_or_wrong)} or more in "
        "right answers for the order to be decided"
    )
    spread = (
        ""
        if differences.standard_deviations is None
        else "; a difference of means is found with 80 % probability from "
        f"{PROPORTION(differences.standard_deviations)} standard deviations (of the difference "
        f"within a case) on{_on_a_scale(differences)}"
    )
    return [f"On {count_of(differences.answers, 'answer')} each{together}, {exact}{spread}."]


def _on_a_scale(differences: DifferencesAtBest) -> str:
    share = differences.share_of_scale
    assumed = PROPORTION(differences.assumed_spread)
    if share is None:
        return f", which is none on a scale where we assume these to be {assumed} of its width"
    return (
        f", {PROPORTION(share)} of a scale's width if these are {assumed} of it, which is assumed "
        "here and not measured"
    )


def _floor(differences: DifferencesAtBest, floor: GateFloor, named: str = "") -> str:
    what = named or floor.metric or "a score of harm from 0 to 1"
    together = (
        f", {floor.together:,} where all {differences.tests:,} tests are made together"
        if differences.tests > 1
        else ""
    )
    return (
        f"For a gate with a margin of {differences.margin:g} to say 'metric not worse' by {what} "
        f"takes {floor.alone:,} answers of a system where nothing changes{together}; here there "
        f"are {differences.answers:,}."
    )
