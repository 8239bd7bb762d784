"""Which metrics a run computes: the study's own, those asked for beside them, or only some."""

from collections.abc import Sequence
from itertools import product
from typing import Final

from medassay.errors import InvalidInput, Problem
from medassay.metrics import BoundMetric, Declaration, Level, declarations, resolve
from medassay.models import use_models
from medassay.scores import Name
from medassay.study.choices import resolve_metrics
from medassay.study.folder import Study
from medassay.study.models import models_of

__all__ = ["choose_metrics"]

_ALL: Final = "all"


def choose_metrics(
    study: Study, more: Sequence[str] | None, only: Sequence[str] | None
) -> tuple[BoundMetric, ...]:
    """Choose the metrics of a run.

    Args:
        study: The study.
        more: Metrics beside the study's own; one that it has already changes nothing. `all` stands
            for every metric that can score an answer of the study on this machine.
        only: Metrics instead of the study's own; `all` as above.

    Raises:
        InvalidInput: A name is wrong, or means a column of scores that the study has imported.
    """
    own = study.config.rules.metrics
    chosen = list(
        resolve_metrics(_expanded(study, only), "--only") if only else resolve_metrics(own)
    )
    have = {str(metric.name) for metric in chosen}
    added = resolve_metrics(_expanded(study, more), "--metrics") if more else ()
    chosen += [metric for metric in added if str(metric.name) not in have]
    imported = {source for one in study.imported for source in one.table.sources}
    twice = sorted(imported & {str(metric.name) for metric in chosen})
    if twice:
        must = "name metrics that the study has not imported"
        raise InvalidInput(Problem("--only" if only else "--metrics", must, f'"{twice[0]}"'))
    return tuple(chosen)


def _expanded(study: Study, names: Sequence[str]) -> list[str]:
    if _ALL not in names:
        return list(names)
    named = [name for name in names if name != _ALL]
    known = {str(metric.name) for metric in resolve_metrics(named)}
    return [*named, *(name for name in _that_can_score(study) if name not in known)]


def _that_can_score(study: Study) -> list[str]:
    imported = {source for one in study.imported for source in one.table.sources}
    names = [name for one in declarations() for name in _forms(one)]
    with use_models(models_of(study)):
        return [name for name in names if name not in imported and _scores(study, resolve(name))]


def _forms(one: Declaration) -> list[str]:
    """List a metric's names with every value of what must be chosen, defaults elsewhere.

    A cut-off, or a parameter that takes anything, has no list of values: such a metric is named by
    whoever wants it.
    """
    required = [parameter for parameter in one.parameters if parameter.default is None]
    if one.level is not Level.ANSWER or one.takes_k or not all(p.values for p in required):
        return []
    return [
        str(Name.of(one.name, **dict(zip((p.name for p in required), values, strict=True))))
        for values in product(*(p.values for p in required))
    ]


def _scores(study: Study, metric: BoundMetric) -> bool:
    """Say whether its model is here and any answer has all that it reads."""
    if metric.missing is not None:
        return False
    lacking = {case.case for case in study.cases if metric.case_lacks(case) is not None}
    cases = {case.case: case for case in study.cases if case.case not in lacking}
    return any(
        answer.case in cases and metric.why_not(cases[answer.case], answer) is None
        for answer in study.answers
    )
