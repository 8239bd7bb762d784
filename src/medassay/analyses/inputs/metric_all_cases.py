"""Metrics and judges over all cases, those that no person judged too, corrected for errors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.analyses.inputs.answer_draw import latest_draw
from medassay.analyses.inputs.answer_verdicts import nearer_to_worst, targets_of
from medassay.analyses.inputs.label_sources import counted_models, labels_of, people_alone
from medassay.analyses.inputs.metric_controls import given_answers
from medassay.analyses.inputs.metric_uses import leading_columns
from medassay.analyses.inputs.study_columns import ScoreColumn, StudyColumns
from medassay.judgements import HARM_READINGS, units
from medassay.scores import Grid
from medassay.stats import group_labels, harm_bound, judged_harm_bound
from medassay.study.folder import Study
from medassay.validity import (
    Chance,
    Flag,
    JudgedShare,
    JudgeLabel,
    Source,
    SystemHarm,
    Target,
    judged_shares,
    system_harm,
)
from medassay.validity.source import in_canonical_order

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


@dataclass(frozen=True)
class AllCases:
    """What is held against the raters on all cases.

    Attributes:
        columns: The raters' consensus of each dimension, by the method of the leaderboard.
        sources: Every column laid out over the systems and all cases, by name.
        metrics: Those that have a better end.
        joined: Those of the consensus.
        given: Which answers there are, laid out as every consensus is; None without any.
        clusters: Case to cluster; None where each case is independent.
        chances: With which chance each answer of the latest draw was drawn; empty where none was.
    """

    columns: tuple[ScoreColumn, ...]
    sources: Mapping[str, Source]
    metrics: tuple[Source, ...]
    joined: tuple[Source, ...]
    given: NDArray[np.bool_] | None
    clusters: Mapping[str, str] | None
    chances: Mapping[tuple[str, str], Chance]


def all_cases_of(study: Study, score_columns: StudyColumns) -> AllCases:
    """Lay every column out over all cases."""
    columns = tuple(leading_columns(study, score_columns))
    asked = study.asked.mask_of_some(study.systems, study.cases.ids)
    sources = {
        column.name: Source(
            column.name,
            score_columns.table.grid(column.name, study.systems, study.cases.ids, asked),
            column.direction,
            dimension=column.dimension or "",
        )
        for column in score_columns.columns
    }
    joined = tuple(sources[column.name] for column in columns)
    return AllCases(
        columns,
        sources,
        tuple(
            sources[column.name]
            for column in score_columns.columns
            if column.kind != "consensus" and not column.control
        ),
        joined,
        given_answers(study, in_canonical_order(joined[0].grid)) if joined else None,
        study.clusters or None,
        latest_draw(study),
    )


def harm_bounds_of(study: Study, held: AllCases) -> tuple[SystemHarm, ...]:
    """Say how much harm each system may do at most, on dimensions that have a reading of harm.

    By what people said; a model's labels are in no bound of theirs (`with_judges`).
    """
    choice = study.config.validity
    targets = targets_of(study, held.joined, held.columns, people_alone(study))
    system_harms = system_harm(
        [target for target in targets if target.kind in HARM_READINGS],
        held.metrics,
        thresholds=choice.thresholds,
        chances=held.chances,
        given=held.given,
        sensitivity=choice.harm_found,
        clusters=held.clusters,
    )
    return tuple(with_judges(study, system_harms))


def judged_shares_of(study: Study, held: AllCases) -> tuple[JudgedShare, ...]:
    """Correct what thresholded metrics and model judges say of each system's share of bad answers.

    A judge whose labels count as people's is no flag: it would be held against itself.
    """
    if not held.joined:
        return ()
    targets = targets_of(study, held.joined, held.columns)
    metrics = [
        _of_metric(held.sources[name], limit)
        for name, limit in sorted(study.config.validity.thresholds.items())
        if name in held.sources
    ]
    shares = judged_shares(
        targets,
        {(t.dimension, t.kind): [*metrics, *_of_judges(study, t)] for t in targets},
        clusters=held.clusters,
    )
    return tuple(shares)


def _of_metric(source: Source, limit: float) -> Flag:
    grid = source.grid
    fails = source.sign * grid.values < source.sign * limit
    values = np.where(grid.known & fails, 1.0, 0.0)
    return Flag(source.name, "metric", Grid(grid.systems, grid.cases, values, grid.known))


def _of_judges(study: Study, target: Target) -> list[Flag]:
    """Read what each judge calls bad by the same rule as what people call so."""
    import polars as pl

    dimension = study.rubric.dimension(target.dimension)
    scores = sorted(set(dimension.scores or ()))
    flags = []
    for judge in study.judges.raters:
        if study.counts(judge, dimension.id):
            continue
        frame = study.everyone.frame.filter(pl.col("rater") == judge)
        judgements = study.everyone.of_rows(frame)
        harm = target.kind in HARM_READINGS
        read = units(judgements, dimension.id, target.kind if harm else "full")
        counts = read.counts
        total = counts.sum(axis=1)
        if harm:
            share = counts[:, read.labels.index(target.kind)] / np.maximum(total, 1)
            bad = 2 * share >= 1
        else:
            of_label = dict(zip(dimension.names, dimension.scores or (), strict=True))
            worth = np.array([of_label[label] for label in read.labels])
            means = counts @ worth / np.maximum(total, 1)
            bad = nearer_to_worst(means, scores, dimension.better)
        of = {pair: float(bad[unit]) for pair, unit in read.worst(bad).items()}
        grid = target.grid
        cells = np.array([[of.get((s, c), -1.0) for c in grid.cases] for s in grid.systems])
        cells = cells.reshape(grid.values.shape)
        known = cells >= 0
        values = np.where(known, cells, 0.0)
        flags.append(Flag(judge, "judge", Grid(grid.systems, grid.cases, values, known)))
    return [flag for flag in flags if flag.grid.known.any()]
