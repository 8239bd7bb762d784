"""What a comparison of two systems rests on: the cases that both have, and harm in all answers."""

from collections.abc import Iterable
from itertools import combinations

from medassay.analyses.builtin.harm_by_system.compute import harm_of_systems
from medassay.analyses.harm_found import HarmFound
from medassay.analyses.leaderboards import Leaderboards
from medassay.exhibits import Names
from medassay.exhibits.numbers import count_of

__all__ = ["apart_by_harm", "comparative", "harm_decides", "shared_cases"]

Pair = tuple[str, str]


def apart_by_harm(harm: HarmFound) -> tuple[tuple[str, str, str], ...]:
    """Give every dimension and two systems whose intervals of harm on it do not overlap."""
    by_reading: dict[tuple[str, str], list[tuple[str, float, float]]] = {}
    for own in harm_of_systems(harm):
        if own.interval is not None:
            ends = own.system, own.interval.low, own.interval.high
            by_reading.setdefault((own.dimension, own.kind), []).append(ends)
    return tuple(
        sorted(
            {
                (dimension, min(a, b), max(a, b))
                for (dimension, _), systems in by_reading.items()
                for (a, low_a, high_a), (b, low_b, high_b) in combinations(systems, 2)
                if high_a < low_b or high_b < low_a
            }
        )
    )


def harm_decides(boards: Leaderboards, names: Names, source: str, a: str, b: str) -> bool:
    """Say whether the table of harm decides between two systems on a column's dimension."""
    return (names.sources[source].dimension, *sorted((a, b))) in boards.apart_by_harm


def comparative(names: Names, source: str) -> str:
    """Say how the first of a column differs from who comes after it."""
    return "lower" if names.sources[source].direction == "lower" else "higher"


def shared_cases(boards: Leaderboards, names: Names, source: str, pairs: Iterable[Pair]) -> str:
    """Say on how many cases these pairs of systems were compared; empty where none was.

    The most that two systems can share are the study's ranking cases: then they are the same ones.
    """
    wanted = {frozenset(pair) for pair in pairs}
    shared = [
        pair.n
        for pair in boards.comparisons
        if pair.source == source and frozenset((pair.system_a, pair.system_b)) in wanted
    ]
    if not shared:
        return ""
    fewest, most = min(shared), max(shared)
    if fewest == most == names.cases:
        return f" on the same {count_of(most, 'case')}"
    some = count_of(most, "case") if fewest == most else f"{fewest:,} to {most:,} cases"
    return f" on the {some} that {'both' if len(wanted) == 1 else 'each two of them'} have"
