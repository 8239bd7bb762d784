"""What questions about a ranking by raters rest on: the labels read, and the ways to rank by."""

from typing import Final

from medassay.judgements import Judgements, Rubric, Units, units

__all__ = ["RANKED_BY", "judged_units"]

RANKED_BY: Final = ("mean", "mace(restarts=2)")
"""Fitted hundreds of times: two restarts each, and the name says so."""


def judged_units(rubric: Rubric, judgements: Judgements) -> list[Units]:
    """Lay out each dimension that was judged and has scores."""
    judged = set(judgements.current()["dimension"])
    return [
        units(judgements, dimension.id)
        for dimension in rubric.dimensions
        if dimension.id in judged and dimension.scores is not None
    ]
