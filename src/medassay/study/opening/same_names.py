"""Scores imported under the very name of a metric that is computed: one table cannot hold both."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from medassay.cases import Case
from medassay.errors import Problem
from medassay.metrics import BoundMetric
from medassay.models import use_models
from medassay.study.config.own_rules import model_setup_of
from medassay.study.config.study_toml import StudyConfig
from medassay.study.contents.imported import Imported
from medassay.study.opening.choices import resolve_metrics
from medassay.study.opening.stand_ins import COMPUTED, IMPORTED, MetricPlace, decide

__all__ = ["computable", "opening_problems", "same_name_problems", "scale_problem", "twice_problem"]


def computable(metrics: Sequence[BoundMetric]) -> set[str]:
    """Name the metrics that this machine can compute, under the models in force."""
    return {str(metric.name) for metric in metrics if metric.missing is None}


def opening_problems(
    folder: Path, config: StudyConfig, cases: Iterable[Case] | None, imported: Sequence[Imported]
) -> list[Problem]:
    """Name the imports of a study's folder that cannot lie beside the metrics of the study."""
    with use_models(model_setup_of(folder, config, cases or ())):
        return same_name_problems(config, imported, resolve_metrics(config.rules.metrics))


def same_name_problems(
    config: StudyConfig, imported: Sequence[Imported], metrics: Sequence[BoundMetric]
) -> list[Problem]:
    """Name imports that have the name of a metric and do not take its place, nor give way to it."""
    named = {source for scores_file in imported for source in scores_file.table.sources}
    clashing = [metric for metric in metrics if str(metric.name) in named]
    if not clashing:
        return []
    could = computable(clashing)
    places = decide(config, imported, could)
    return [
        problem
        for scores_file in imported
        for metric in map(str, (bound_metric.name for bound_metric in clashing))
        if metric in scores_file.table.sources and places[metric].imported is None
        for problem in _conflicts(scores_file.file, places[metric], computed=metric in could)
    ]


def twice_problem(file: str, name: str) -> Problem:
    """Say that a name would have two columns of scores."""
    must = "bring scores of a name that the study does not compute"
    hint = f'Give them another name, or choose in study.toml: [scores] "{name}" = '
    return Problem(file, must, f'"{name}"', f'{hint}"{IMPORTED}" or "{COMPUTED}".')


def scale_problem(file: str, name: str, unfit: str) -> Problem:
    """Say that scores cannot be the metric's."""
    must, hint = f"be on the scale of {name}", "Or import them under a name of their own."
    return Problem(file, must, unfit, hint, None, "value")


def _conflicts(file: str, place: MetricPlace, *, computed: bool) -> list[Problem]:
    """Say why scores of a metric's very name cannot lie beside it; nothing if it is chosen."""
    if place.choice == COMPUTED:
        return []
    unfit = next(
        (
            candidate.unfit
            for candidate in place.rivals
            if candidate.unfit and candidate.file == file
        ),
        "",
    )
    if unfit and (place.choice or not computed):
        return [scale_problem(file, place.slot.metric, unfit)]
    return [twice_problem(file, place.slot.metric)]
