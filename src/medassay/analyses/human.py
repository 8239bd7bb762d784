"""The human score of each system and the bounds of harm, computed and laid out."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from medassay.analyses.bad_answers import targets_of
from medassay.analyses.draw import latest_draw
from medassay.analyses.given_answers import given_answers
from medassay.analyses.judged_by import people_alone
from medassay.analyses.judged_harm import with_judges
from medassay.analyses.score_columns import Column, StudyColumns
from medassay.analyses.trust import leading_method
from medassay.judgements import HARM_READINGS
from medassay.study.folder import Study
from medassay.validity import (
    DrawnScore,
    HumanScore,
    Source,
    SystemHarm,
    drawn_scores,
    human_scores,
    system_harm,
)
from medassay.validity.source import in_canonical_order

__all__ = [
    "all_sources",
    "drawn_score_results",
    "harm_bound_results",
    "human_score_results",
    "leading_columns",
]


def human_score_results(study: Study, score_columns: StudyColumns) -> list[HumanScore]:
    """Say what people would give each system, on all cases, with each metric's help."""
    joined, metrics = leading_columns(study, score_columns), _metrics(score_columns)
    if not joined:
        return []
    sources = all_sources(study, score_columns)
    return human_scores(
        [sources[column.name] for column in metrics],
        [sources[column.name] for column in joined],
        given=_given(study, sources, joined),
        clusters=study.clusters or None,
    )


def harm_bound_results(study: Study, score_columns: StudyColumns) -> list[SystemHarm]:
    """Say how much harm each system may do at most, on dimensions that have a reading of harm.

    By what people said; a model's labels are in no bound of theirs (`with_judges`).
    """
    joined = leading_columns(study, score_columns)
    sources, choice = all_sources(study, score_columns), study.config.validity
    own = [sources[column.name] for column in joined]
    targets = targets_of(study, own, joined, people_alone(study))
    system_harms = system_harm(
        [target for target in targets if target.kind in HARM_READINGS],
        [sources[column.name] for column in _metrics(score_columns)],
        thresholds=choice.thresholds,
        chances=latest_draw(study),
        given=_given(study, sources, joined),
        sensitivity=choice.harm_found,
        clusters=study.clusters or None,
    )
    return with_judges(study, system_harms)


def drawn_score_results(study: Study, score_columns: StudyColumns) -> list[DrawnScore]:
    """Weight the judgements of a draw by their chances; nothing where no campaign was a draw."""
    joined, chances = leading_columns(study, score_columns), latest_draw(study)
    if not joined or not chances:
        return []
    sources = all_sources(study, score_columns)
    scores = drawn_scores(
        [sources[column.name] for column in _metrics(score_columns)],
        [sources[column.name] for column in joined],
        chances,
        _given(study, sources, joined),
    )
    return [drawn_score for drawn_score in scores if drawn_score.drawn]


def _given(
    study: Study, sources: Mapping[str, Source], joined: Sequence[Column]
) -> NDArray[np.bool_] | None:
    """Mark the answers there are, laid out as every consensus is."""
    if not joined:
        return None
    return given_answers(study, in_canonical_order(sources[joined[0].name].grid))


def leading_columns(study: Study, score_columns: StudyColumns) -> list[Column]:
    """Give the consensus of each dimension, by the method of the leaderboard."""
    joined = [column for column in score_columns.columns if column.kind == "consensus"]
    if not joined:
        return []
    method = leading_method(study, joined)
    return [column for column in joined if column.method == method]


def _metrics(score_columns: StudyColumns) -> list[Column]:
    return [c for c in score_columns.columns if c.kind != "consensus" and not c.control]


def all_sources(study: Study, score_columns: StudyColumns) -> Mapping[str, Source]:
    """Lay every column out over all cases: also those that not every system was judged on."""
    return {
        column.name: Source(
            column.name,
            score_columns.table.grid(column.name, study.systems, study.cases.ids),
            column.direction,
            dimension=column.dimension or "",
        )
        for column in score_columns.columns
    }
