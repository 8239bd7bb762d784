"""The sentence about who leads on the dimensions that do not order the leaderboard."""

from itertools import combinations
from typing import Final

from medassay.analyses.builtin.leaderboards.claims import other_columns
from medassay.analyses.builtin.leaderboards.order import ordered
from medassay.analyses.builtin.leaderboards.shared import (
    comparative,
    harm_decides,
    shared_cases,
)
from medassay.analyses.inputs.system_boards import Leaderboards
from medassay.exhibits import Names
from medassay.exhibits.groups import alike
from medassay.exhibits.numbers import listed, listed_few

__all__ = ["elsewhere"]

_NAMED: Final = 3
"""Systems that a sentence names; the table has all."""


def elsewhere(boards: Leaderboards, names: Names) -> str:
    """Say on each other dimension who leads, or what is undecided."""
    by_leaders: dict[str, list[str]] = {}
    for source in other_columns(names):
        text = _leading(boards, names, source.name)
        if text:
            by_leaders.setdefault(text, []).append(names.of_dimension(source.dimension or ""))
    return " ".join(f"On {listed(where)}, {text}." for text, where in by_leaders.items())


def _leading(boards: Leaderboards, names: Names, source: str) -> str:
    placed = [row for row in ordered(boards, names, source) if row.mean is not None and row.letters]
    if len(placed) < 2:  # noqa: PLR2004 - a lead needs another
        return ""
    top = placed[0]
    with_top = [row for row in placed[1:] if alike(row.letters, top.letters)]
    first = names.of_system(top.system)
    if not with_top:
        return f"{first} leads"
    group = [row.system for row in (top, *with_top)]
    others = [s for s in group[1:] if not harm_decides(boards, names, source, top.system, s)]
    if not others:
        return f"{first} differs from the others of its group in harm (harm by system)"
    if any(
        not alike(a.letters, b.letters) or harm_decides(boards, names, source, a.system, b.system)
        for a, b in combinations((top, *with_top), 2)
    ):
        shared = shared_cases(boards, names, source, [(top.system, system) for system in others])
        than = listed_few([names.of_system(system) for system in others], _NAMED)
        more = comparative(names, source)
        return f"whether {first} is {more} than {than} is undecided{shared}"
    shared = shared_cases(boards, names, source, combinations(group, 2))
    if len(with_top) == len(placed) - 1:
        return f"differences between systems are undecided{shared}"
    order = listed_few([names.of_system(system) for system in group], _NAMED)
    return f"the order of {order} at the top is undecided{shared}"
