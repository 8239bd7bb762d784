"""Quartiles of the numbers that raters gave, by system."""

from collections.abc import Iterator, Sequence

import numpy as np

from medassay.analyses.builtin.numbers_given.record import SystemNumbers
from medassay.judgements import Judgements, Rubric

__all__ = ["numbers_of"]


def numbers_of(
    rubric: Rubric, judgements: Judgements, systems: Sequence[str]
) -> Iterator[SystemNumbers]:
    """Give the ends and quartiles of what was given on each dimension that asks for a number."""
    rows = judgements.in_phases()
    for dimension in rubric.dimensions:
        own = rows.filter(dimension=dimension.id)
        if dimension.number is None or not own.height:
            continue
        for system in systems:
            mine = own.filter(system=system)
            numbers = mine["number"].drop_nulls().to_numpy()
            ends: list[float] | list[None] = [None] * 5
            if numbers.size:
                ends = np.quantile(numbers, [0, 0.25, 0.5, 0.75, 1]).tolist()
            without = int(mine["reason"].count())
            unit = dimension.number.unit
            yield SystemNumbers(dimension.id, system, unit, len(numbers), without, *ends)
