"""The sentence about who leads on the dimensions that do not order the leaderboard."""

from typing import Final

from medassay.analyses.builtin.leaderboards.order import ordered
from medassay.analyses.leaderboards import Leaderboards
from medassay.exhibits import Names
from medassay.exhibits.groups import alike
from medassay.exhibits.numbers import listed, listed_few

__all__ = ["elsewhere"]

_MOST: Final = 4
"""Dimensions that the sentence names; the first table has all."""


def elsewhere(boards: Leaderboards, names: Names) -> str:
    """Say on each other dimension who leads, or from whom the first cannot be told apart."""
    primary = names.sources[names.primary]
    others = [
        source
        for source in names.sources.values()
        if (source.kind, source.method) == ("consensus", primary.method)
        and source.name != primary.name
    ]
    by_leaders: dict[str, list[str]] = {}
    for source in others[:_MOST]:
        text = _leading(boards, names, source.name)
        if text:
            by_leaders.setdefault(text, []).append(names.of_dimension(source.dimension or ""))
    return " ".join(f"On {listed(where)} {text}." for text, where in by_leaders.items())


def _leading(boards: Leaderboards, names: Names, source: str) -> str:
    placed = [row for row in ordered(boards, names, source) if row.mean is not None and row.letters]
    if len(placed) < 2:  # noqa: PLR2004 - a lead needs another
        return ""
    top = placed[0]
    with_top = [row for row in placed[1:] if alike(row.letters, top.letters)]
    if not with_top:
        return f"{names.of_system(top.system)} leads alone"
    if len(with_top) == len(placed) - 1:
        return "no system can be told apart from the others"
    group = [names.of_system(row.system) for row in (top, *with_top)]
    return f"{listed_few(group)} cannot be told apart at the top"
