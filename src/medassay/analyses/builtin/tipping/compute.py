"""From means, counts of harm and what is unjudged to tipping points."""

from collections.abc import Iterable, Iterator
from typing import Final

from medassay.analyses.builtin.tipping.record import TippingPoint
from medassay.analyses.inputs.metric_all_cases import AllCases
from medassay.analyses.inputs.readable import Columns, Leading
from medassay.analyses.inputs.system_boards import Leaderboards
from medassay.analyses.inputs.system_harm import HarmFound
from medassay.validity import Judged, fewest_to_turn

__all__ = ["harm_turned", "lead_turned"]

_SAMPLE: Final = 0.5
"""Where so many of the answers lack a judgement, judgements are a sample: nothing is missing."""


def lead_turned(ranked: Leaderboards, columns: Columns, leading: Leading) -> TippingPoint | None:
    """Say how the first of the leaderboard could be brought level; None where it could not."""
    source = columns.sources.get(leading.source)
    if source is None or not leading.dimension or source.bounds is None:
        return None
    sign = -1 if source.direction == "lower" else 1
    low, high = sorted(sign * end for end in source.bounds)
    rows = {row.system: row for row in ranked.by(leading.source) if row.mean is not None}
    held = {
        name: Judged(sign * row.mean * row.n, row.n, row.missing)
        for name, row in rows.items()
        if row.mean is not None
    }
    first = next((row.system for row in rows.values() if row.rank == 1), None)
    if first is None or _sampled(held.values()):
        return None
    point = _fewest(held, first, low, high)
    if point is None:
        return None
    behind, turn = point
    return TippingPoint(
        leading.dimension,
        "mean",
        first,
        behind,
        turn,
        held[first].unjudged,
        held[behind].unjudged,
        rows[first].not_asked + rows[behind].not_asked,
        sign * low,
        sign * high,
    )


def harm_turned(harm: HarmFound, every: AllCases) -> tuple[TippingPoint, ...]:
    """Say of each dimension and reading how the most harmful system could be brought level."""
    return tuple(_harm_turned(harm, every))


def _harm_turned(harm: HarmFound, every: AllCases) -> Iterator[TippingPoint]:
    grids = {column.dimension: every.sources[column.name].grid for column in every.columns}
    for dimension, kind in harm.labels:
        grid = grids.get(dimension)
        if grid is None:
            continue
        cases = len(grid.cases)
        asked = {
            system: cases if grid.asked is None else int(grid.asked[at].sum())
            for at, system in enumerate(grid.systems)
        }
        held = {}
        for (on, reading, system), answers in harm.answers.items():
            if (on, reading) == (dimension, kind) and system in asked:
                found = sum(answer.by_most for answer in answers)
                unjudged = max(0, asked[system] - len(answers))
                held[system] = Judged(found, len(answers), unjudged)
        if not held or _sampled(held.values()):
            continue
        first = max(held, key=lambda system: (held[system].total / held[system].n, system))
        point = _fewest(held, first, 0.0, 1.0)
        if point is not None:
            behind, turn = point
            yield TippingPoint(
                dimension,
                harm.called.get(dimension) or kind,
                first,
                behind,
                turn,
                held[first].unjudged,
                held[behind].unjudged,
                2 * cases - asked[first] - asked[behind],
            )


def _sampled(held: Iterable[Judged]) -> bool:
    every = list(held)
    unjudged = sum(one.unjudged for one in every)
    return unjudged >= _SAMPLE * (unjudged + sum(one.n for one in every))


def _fewest(held: dict[str, Judged], first: str, low: float, high: float) -> tuple[str, int] | None:
    """Find who takes the fewest answers to come level; nobody who is level already."""
    ahead = held[first]
    turns = [
        (turn, system)
        for system, behind in held.items()
        if system != first
        and behind.total / behind.n < ahead.total / ahead.n
        and (turn := fewest_to_turn(ahead, behind, low, high)) is not None
    ]
    if not turns:
        return None
    turn, system = min(turns)
    return system, turn
