"""What each rater gave, beside what the others gave the same answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from medassay.judgements import Judgements
from medassay.scores import UNIT

if TYPE_CHECKING:
    import polars as pl

_Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class RaterRows:
    """One row a scored label or number, sorted by rater, position and what it is about.

    Attributes:
        raters: The raters, sorted.
        cases: The cases, sorted.
        rater: Position in `raters`.
        case: Position in `cases`.
        system: The system's id.
        score: The label's score, or the number.
        others: Mean score that the others gave; NaN where there are none.
        others_n: How many others.
        others_sum: Their scores added up.
        others_squares: The squares of their scores added up.
        position: Place in the order that the rater saw; NaN where unknown.
        seconds: How long it took; NaN where unknown.
    """

    raters: tuple[str, ...]
    cases: tuple[str, ...]
    rater: NDArray[np.int64]
    case: NDArray[np.int64]
    system: tuple[str, ...]
    score: _Floats
    others: _Floats
    others_n: _Floats
    others_sum: _Floats
    others_squares: _Floats
    position: _Floats
    seconds: _Floats


def rater_rows(
    judgements: Judgements, dimension: str, phases: Sequence[str] | None = None
) -> RaterRows | None:
    """Lay out one dimension; None where it has no scores.

    Raises:
        UnknownName: No such dimension.
    """
    import polars as pl

    declared = judgements.rubric.dimension(dimension)
    if not declared.scored:
        return None
    answer = list(UNIT)
    rows = (
        judgements.in_phases(phases)
        .filter(pl.col("dimension") == dimension)
        .with_columns(score=declared.score())
        .drop_nulls("score")
        .with_columns(
            n=pl.len().over(answer).cast(pl.Float64) - 1,
            total=pl.col("score").sum().over(answer) - pl.col("score"),
            squares=(pl.col("score") ** 2).sum().over(answer) - pl.col("score") ** 2,
        )
        .sort("rater", "position", *UNIT, nulls_last=True)
    )
    raters, cases = (tuple(sorted(rows[name].unique())) for name in ("rater", "case"))
    n, total = _numbers(rows, "n"), _numbers(rows, "total")
    others = np.full(len(n), np.nan)
    np.divide(total, n, out=others, where=n > 0)
    return RaterRows(
        raters=raters,
        cases=cases,
        rater=_places(rows, "rater", raters),
        case=_places(rows, "case", cases),
        system=tuple(rows["system"]),
        score=_numbers(rows, "score"),
        others=others,
        others_n=n,
        others_sum=total,
        others_squares=_numbers(rows, "squares"),
        position=_numbers(rows, "position"),
        seconds=_numbers(rows, "seconds"),
    )


def _places(rows: "pl.DataFrame", name: str, order: tuple[str, ...]) -> NDArray[np.int64]:
    place = {word: i for i, word in enumerate(order)}
    return np.array([place[word] for word in rows[name]], dtype=np.int64)


def _numbers(rows: "pl.DataFrame", name: str) -> _Floats:
    import polars as pl

    filled: _Floats = rows[name].cast(pl.Float64).fill_null(float("nan")).to_numpy()
    return filled
