"""What questions about a ranking by raters rest on: the labels read, and the ways to rank by."""

from typing import Final

from medassay.judgements import Judgements, Rubric, Units, units

__all__ = ["judged_units", "ranked_by"]

_OF_LABELS: Final = ("mean", "mace(restarts=2)")
"""Fitted hundreds of times: two restarts each, and the name says so."""
_OF_NUMBERS: Final = ("mean",)


def ranked_by(read: Units) -> tuple[str, ...]:
    """Name the ways of joining that systems are ranked by: numbers have no labels to join."""
    return _OF_NUMBERS if read.of_numbers else _OF_LABELS


def judged_units(rubric: Rubric, judgements: Judgements) -> list[Units]:
    """Lay out each dimension that was judged and has scores."""
    judged = set(judgements.current()["dimension"])
    return [
        units(judgements, dimension.id)
        for dimension in rubric.dimensions
        if dimension.id in judged and dimension.scored
    ]
