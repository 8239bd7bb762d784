"""Which systems differ in how much harm people found in their answers?"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, Protocol

import numpy as np

from medassay.analyses.score_columns import step_rng
from medassay.scores import Grid
from medassay.study.folder import Study
from medassay.validity import Comparison, Source, rank_systems

__all__ = ["adjusted_together", "harm_differs", "harm_pairs"]

_LEVEL: Final = 0.05
_NO_PLACES: Final = 1


class _Read(Protocol):
    @property
    def case(self) -> str: ...
    @property
    def by_most(self) -> bool: ...


def harm_pairs(
    study: Study, about: tuple[str, str], answers: Mapping[str, Sequence[_Read]]
) -> tuple[Comparison, ...]:
    """Test every two systems, as a leaderboard does: on shared cases, or all where chance dealt.

    Args:
        study: Its seed, clusters, and how its cases were allotted.
        about: The dimension and what is to be found on it.
        answers: System to what people said of its answers.
    """
    dimension, kind = about
    systems = tuple(sorted(answers))
    cases = tuple(sorted({answer.case for own in answers.values() for answer in own}))
    if len(systems) < 2 or not cases:  # noqa: PLR2004 - a difference needs two
        return ()
    row, column = ({name: at for at, name in enumerate(ids)} for ids in (systems, cases))
    values = np.zeros((len(systems), len(cases)))
    known = np.zeros(values.shape, dtype=np.bool_)
    for system, own in answers.items():
        for answer in own:
            known[row[system], column[answer.case]] = True
            values[row[system], column[answer.case]] = float(answer.by_most)
    board = rank_systems(
        Source(dimension, Grid(systems, cases, values, known), "lower", (0.0, 1.0)),
        rng=step_rng(study, "s49", dimension, kind),
        clusters=study.clusters or None,
        replicates=_NO_PLACES,
        by_chance=study.config.ranking.allotted == "by-chance",
    )
    return board.comparisons


def adjusted_together(
    pairs: Mapping[tuple[str, str], tuple[Comparison, ...]],
) -> dict[tuple[str, str], tuple[Comparison, ...]]:
    """Adjust the p of every dimension's pairs for how many dimensions and readings are tested."""
    tested = sum(any(pair.p_adjusted is not None for pair in own) for own in pairs.values())
    return {
        about: tuple(
            pair
            if pair.p_adjusted is None
            else replace(pair, p_adjusted=min(1.0, tested * pair.p_adjusted))
            for pair in own
        )
        for about, own in pairs.items()
    }


def harm_differs(pair: Comparison) -> bool:
    """Say whether all pairs, tested at once on all dimensions, tell these two apart."""
    return pair.p_adjusted is not None and pair.p_adjusted <= _LEVEL
