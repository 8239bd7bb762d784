"""Pairs of dimensions that one rater scored on the same answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from medassay.validity.rater_rows import RaterRows

__all__ = ["HaloColumns", "halo_columns"]


@dataclass(frozen=True, slots=True, eq=False)
class HaloColumns:
    """Moments of one rater's scores of two dimensions, then of the others' mean scores.

    Attributes:
        case: For each answer the position of its case in the first dimension's cases.
        values: Shape (answers, 12): x, y, xy, x², y², 1 twice.
    """

    case: NDArray[np.int64]
    values: NDArray[np.float64]


def halo_columns(
    laid_out: Mapping[str, RaterRows],
) -> dict[tuple[str, str], dict[str, HaloColumns]]:
    """Pair up dimensions, and within them each rater's answers that the others scored as well."""
    by_pair: dict[tuple[str, str], dict[str, HaloColumns]] = {}
    for first, second in combinations(laid_out, 2):
        rater_rows, other = laid_out[first], laid_out[second]
        here, there = _by_answer(rater_rows), _by_answer(other)
        of_raters: dict[str, HaloColumns] = {}
        for rater in rater_rows.raters:
            keys = [key for key in here if key[0] == rater and key in there]
            left = np.array([here[key] for key in keys], dtype=np.int64)
            right = np.array([there[key] for key in keys], dtype=np.int64)
            values = np.concatenate(
                [
                    _moments(rater_rows.score[left], other.score[right]),
                    _moments(rater_rows.others[left], other.others[right]),
                ],
                axis=1,
            )
            of_raters[rater] = HaloColumns(rater_rows.case[left], values)
        by_pair[first, second] = of_raters
    return by_pair


def _by_answer(rows: RaterRows) -> dict[tuple[str, str, str], int]:
    """Map rater, system and case to the row, where others scored the answer too."""
    return {
        (rows.raters[rater], system, rows.cases[case]): i
        for i, (rater, system, case, n) in enumerate(
            zip(
                rows.rater.tolist(),
                rows.system,
                rows.case.tolist(),
                rows.others_n.tolist(),
                strict=True,
            )
        )
        if n
    }


def _moments(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.stack([x, y, x * y, x * x, y * y, np.ones(len(x))], axis=1)
