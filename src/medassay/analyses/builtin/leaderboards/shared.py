"""What a comparison of two systems rests on: the cases that both have, and harm in all answers."""

from collections.abc import Iterable
from typing import Final

from medassay.analyses.inputs.system_boards import Leaderboards
from medassay.analyses.inputs.system_harm import HarmFound, harm_differs
from medassay.exhibits import Names
from medassay.exhibits.numbers import count_of

__all__ = [
    "apart_by_harm",
    "cases_alone",
    "comparative",
    "harm_decides",
    "shared_cases",
    "smallest_p",
]

Pair = tuple[str, str]

_NEARLY_ALL: Final = 0.9


def apart_by_harm(harm: HarmFound) -> tuple[tuple[str, str, str], ...]:
    """Give every dimension and two systems whose shares of harm on it a test tells apart."""
    return tuple(
        sorted(
            {
                (dimension, min(pair.system_a, pair.system_b), max(pair.system_a, pair.system_b))
                for (dimension, _), pairs in harm.pairs.items()
                for pair in pairs
                if harm_differs(pair)
            }
        )
    )


def smallest_p(harm: HarmFound) -> float | None:
    """Give the smallest p of all pairs' tests of harm; None where none was tested."""
    every = (pair.p_adjusted for own in harm.pairs.values() for pair in own)
    return min((p for p in every if p is not None), default=None)


def harm_decides(boards: Leaderboards, names: Names, source: str, a: str, b: str) -> bool:
    """Say whether the table of harm decides between two systems on a column's dimension."""
    return (names.sources[source].dimension, *sorted((a, b))) in boards.apart_by_harm


def comparative(names: Names, source: str) -> str:
    """Say how the first of a column differs from who comes after it."""
    return "higher" if names.sources[source].direction == "none" else "better"


def shared_cases(boards: Leaderboards, names: Names, source: str, pairs: Iterable[Pair]) -> str:
    """Say on how many cases these pairs of systems were compared; empty where none was.

    Where cases were allotted by chance those count that either of two has. Else the most that two
    systems can share are the study's ranking cases: then they are the same ones.
    """
    wanted = {frozenset(pair) for pair in pairs}
    shared = [
        (pair.n, pair.alone)
        for pair in boards.comparisons
        if pair.source == source and frozenset((pair.system_a, pair.system_b)) in wanted
    ]
    if not shared:
        return ""
    several = len(wanted) > 1
    if any(alone for _, alone in shared):
        every = [both + alone for both, alone in shared]
        of = "either of each two has" if several else "either has"
        return f" on the {_from_to(every)} that {of}"
    counts = [both for both, _ in shared]
    fewest, most = min(counts), max(counts)
    if fewest == most == names.cases:
        return f" on the same {count_of(most, 'case')}"
    return f" on the {_from_to(counts)} that {'each two of them' if several else 'both'} have"


def cases_alone(boards: Leaderboards, source: str) -> bool:
    """Say whether a comparison leaves out many cases, over a tenth, that one system alone has.

    Not where cases were allotted by chance, nor where raters are adjusted for: all count there.
    """
    rows = {row.system: row for row in boards.by(source)}
    return any(
        pair.n < _NEARLY_ALL * max(rows[pair.system_a].n, rows[pair.system_b].n) and not pair.alone
        for pair in boards.comparisons
        if pair.source == source and pair.p is not None
    ) and not any(row.adjusted_for == "raters" for row in rows.values())


def _from_to(counts: list[int]) -> str:
    fewest, most = min(counts), max(counts)
    return count_of(most, "case") if fewest == most else f"{fewest:,} to {most:,} cases"
