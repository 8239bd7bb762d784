"""Metrics beside what raters jointly say, over all cases: also those not every system met."""

from collections.abc import Mapping
from dataclasses import dataclass

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
from medassay.validity import Chance, Source, SystemHarm, system_harm
from medassay.validity.source import in_canonical_order

__all__ = ["AllCases", "all_cases_of", "harm_bounds_of", "leading_columns"]


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

    columns: tuple[Column, ...]
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


def leading_columns(study: Study, score_columns: StudyColumns) -> list[Column]:
    """Give the consensus of each dimension, by the method of the leaderboard."""
    joined = [column for column in score_columns.columns if column.kind == "consensus"]
    if not joined:
        return []
    method = leading_method(study, joined)
    return [column for column in joined if column.method == method]
