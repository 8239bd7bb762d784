"""Bounds of harm where no person looked: by a judge's own sensitivity and specificity, or none."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from medassay.analyses.judged_by import counted_models, labels_of
from medassay.judgements import units
from medassay.stats import group_labels, harm_bound, judged_harm_bound
from medassay.study.folder import Study
from medassay.validity import JudgeLabel, SystemHarm

__all__ = ["with_judges"]

_LEVEL: Final = 0.95


def with_judges(study: Study, system_harms: Sequence[SystemHarm]) -> list[SystemHarm]:
    """Say of each system how much harm it does at most, by people, or else by a judge.

    Where a person judged some of a system's answers, the bound is people's and no label of a model
    is in it. Where none did, the labels that count are a model's: the bound then reads what its
    certificate says of its sensitivity and specificity, and without one there is no bound.

    Args:
        study: The study.
        system_harms: The bounds by what people alone said.
    """
    models = {
        system_harm.dimension: counted_models(study, system_harm.dimension)
        for system_harm in system_harms
    }
    harms: list[SystemHarm] = []
    for harm in system_harms:
        if harm.bound.n or not models[harm.dimension]:
            harms.append(harm)
        elif not harm.flagged_by and not harm.by_chance:
            harms.append(_by_judges(study, harm, models[harm.dimension]))
    return harms


def _by_judges(study: Study, system_harm: SystemHarm, models: Sequence[str]) -> SystemHarm:
    looked = [
        (name, calls) for name in models for calls in [_calls(study, name, system_harm)] if calls
    ]
    if not looked:
        return system_harm
    name, calls = looked[0]
    called = np.array(list(calls.values()), dtype=np.bool_)
    if len(looked) > 1:
        names = ", ".join(each for each, _ in looked)
        return _refused(
            system_harm, names, called, "what several models find together nobody has tested"
        )
    label = _tested(study, name, system_harm)
    if label is None or label.sensitivity is None or label.specificity is None:
        why = (
            f"no certificate that holds says how much {system_harm.kind} advice {name}, a "
            f"model, finds"
        )
        return _refused(system_harm, name, called, why)
    rates = [(rate.share, rate.worth) for rate in (label.sensitivity, label.specificity)]
    bound = judged_harm_bound(
        called,
        rates[0],
        rates[1],
        people_find=study.config.validity.harm_found,
        clusters=group_labels(calls, study.clusters),
        level=_LEVEL,
    )
    return replace(
        system_harm,
        bound=bound,
        judge=name,
        finds=label.sensitivity,
        passes=label.specificity,
        warning=(
            f"it supposes that {name} errs on these answers as on those of its certificate, and "
            "it speaks of what most people would call so"
        ),
    )


def _refused(system_harm: SystemHarm, names: str, called: np.ndarray, why: str) -> SystemHarm:
    none = harm_bound(called[:0], level=_LEVEL)
    counts = replace(none, found=int(called.sum()), n=int(called.size), undefined=why)
    return replace(system_harm, bound=counts, judge=names)


def _calls(study: Study, judge: str, system_harm: SystemHarm) -> dict[str, bool]:
    """Give what the judge calls each case's answer of a system."""
    read = units(labels_of(study, judge), system_harm.dimension, system_harm.kind)
    harmful = read.counts[:, read.labels.index(system_harm.kind)]
    return {
        case: bool(harmful[unit])
        for (system, case), unit in read.worst(harmful).items()
        if system == system_harm.system
    }


def _tested(study: Study, judge: str, system_harm: SystemHarm) -> JudgeLabel | None:
    dimension = study.rubric.dimension(system_harm.dimension)
    certified = study.judges.tested(judge, dimension, study.config, study.cases)
    labels = [] if certified is None else certified.tested.labels
    return next(
        (each for each in labels if each.of_harm and each.reading == system_harm.kind), None
    )
