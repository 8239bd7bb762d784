"""The human score of each system and the bounds of harm, computed and laid out."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

import numpy as np
from numpy.typing import NDArray

from medassay.judgements import HARM_READINGS
from medassay.stats import Combined
from medassay.study.analysis.bad_answers import targets_of
from medassay.study.analysis.draw import latest_draw
from medassay.study.analysis.gathered import Column, Gathered
from medassay.study.analysis.given_answers import given_answers
from medassay.study.analysis.trust import leading_method
from medassay.study.folder import Study
from medassay.study.results.drawn import DrawnScoreResult
from medassay.study.results.human import (
    CombinedResult,
    HarmBoundResult,
    HumanScoreResult,
)
from medassay.validity import Source, drawn_scores, human_scores, system_harm
from medassay.validity.source import in_canonical_order

__all__ = [
    "all_sources",
    "as_combined",
    "drawn_score_results",
    "harm_bound_results",
    "human_score_results",
    "leading_columns",
]


def human_score_results(study: Study, gathered: Gathered) -> list[HumanScoreResult]:
    """Say what people would give each system, on all cases, with each metric's help."""
    joined, metrics = leading_columns(study, gathered), _metrics(gathered)
    if not joined:
        return []
    sources = all_sources(study, gathered)
    dimension = {column.name: column.dimension or "" for column in joined}
    return [
        HumanScoreResult(
            consensus=one.consensus,
            dimension=dimension[one.consensus],
            system=one.system,
            metric=one.metric,
            n=one.n,
            total=one.total,
            alone_new=as_combined(one.alone_new),
            ppi=as_combined(one.ppi),
            alone_these=as_combined(one.alone_these),
            difference=as_combined(one.difference),
            gain=one.gain,
        )
        for one in human_scores(
            [sources[column.name] for column in metrics],
            [sources[column.name] for column in joined],
            given=_given(study, sources, joined),
            clusters=study.clusters or None,
        )
    ]


def harm_bound_results(study: Study, gathered: Gathered) -> list[HarmBoundResult]:
    """Say how much harm each system may do at most, on dimensions that have a reading of harm."""
    joined = leading_columns(study, gathered)
    sources, choice = all_sources(study, gathered), study.config.validity
    targets = targets_of(study, [sources[column.name] for column in joined], joined)
    found = system_harm(
        [target for target in targets if target.kind in HARM_READINGS],
        [sources[column.name] for column in _metrics(gathered)],
        thresholds=choice.thresholds,
        chances=latest_draw(study),
        given=_given(study, sources, joined),
        sensitivity=choice.harm_found,
        clusters=study.clusters or None,
    )
    return [
        HarmBoundResult(
            dimension=one.dimension,
            kind=one.kind,
            system=one.system,
            flagged_by=one.flagged_by,
            by_chance=one.by_chance,
            left_out=one.left_out,
            warning=one.warning,
            **asdict(one.bound),
        )
        for one in found
    ]


def drawn_score_results(study: Study, gathered: Gathered) -> list[DrawnScoreResult]:
    """Weight the judgements of a draw by their chances; nothing where no campaign was a draw."""
    joined, chances = leading_columns(study, gathered), latest_draw(study)
    if not joined or not chances:
        return []
    sources = all_sources(study, gathered)
    dimension = {column.name: column.dimension or "" for column in joined}
    return [
        DrawnScoreResult(
            dimension=dimension[one.consensus],
            system=one.system,
            metric=one.metric,
            before=one.before,
            drawn=one.drawn,
            back=one.back,
            total=one.total,
            plain=as_combined(one.plain),
            weighted=as_combined(one.weighted),
            stratified=as_combined(one.stratified),
        )
        for one in drawn_scores(
            [sources[column.name] for column in _metrics(gathered)],
            [sources[column.name] for column in joined],
            chances,
            _given(study, sources, joined),
        )
        if one.drawn
    ]


def _given(
    study: Study, sources: Mapping[str, Source], joined: Sequence[Column]
) -> NDArray[np.bool_] | None:
    """Mark the answers there are, laid out as every consensus is."""
    if not joined:
        return None
    return given_answers(study, in_canonical_order(sources[joined[0].name].grid))


def leading_columns(study: Study, gathered: Gathered) -> list[Column]:
    """Give the consensus of each dimension, by the method of the leaderboard."""
    joined = [column for column in gathered.columns if column.kind == "consensus"]
    if not joined:
        return []
    method = leading_method(study, joined)
    return [column for column in joined if column.method == method]


def _metrics(gathered: Gathered) -> list[Column]:
    return [c for c in gathered.columns if c.kind != "consensus" and not c.control]


def all_sources(study: Study, gathered: Gathered) -> Mapping[str, Source]:
    """Lay every column out over all cases: also those that not every system was judged on."""
    return {
        column.name: Source(
            column.name,
            gathered.table.grid(column.name, study.systems, study.cases.ids),
            column.direction,
        )
        for column in gathered.columns
    }


def as_combined(one: Combined) -> CombinedResult:
    """Lay out one estimate."""
    told = {key: value for key, value in asdict(one).items() if key not in {"n", "total"}}
    return CombinedResult(**told)
