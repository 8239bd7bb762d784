"""Under which names two versions' systems are compared, and what only one of them has."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from medassay.analyses.versions.version import Version
from medassay.errors import InvalidInput, Problem
from medassay.exhibits.natural_order import natural_order
from medassay.exhibits.numbers import count_of

__all__ = [
    "Pairing",
    "left_over",
    "not_asked_again",
    "other_cases",
    "pair_systems",
    "unchanged_systems",
]

_NAMED: Final = 3


@dataclass(frozen=True)
class Pairing:
    """Under which name each side's systems are compared.

    Attributes:
        old: What the old version calls a system to the name it is compared by.
        new: The same of the new version.
        lost: Systems that only the old version has.
        gained: Systems that only the new version has.
    """

    old: dict[str, str]
    new: dict[str, str]
    lost: tuple[str, ...] = ()
    gained: tuple[str, ...] = ()


def pair_systems(old: Version, new: Version) -> Pairing:
    """Give each side's systems the names under which they are compared.

    Raises:
        InvalidInput: They have no system in common.
    """
    before, after = old.systems, new.systems
    if old.system or new.system:
        first = old.system or (new.system if new.system in before else None)
        second = new.system or (old.system if old.system in after else None)
        before = (first,) if first else before
        after = (second,) if second else after
    if len(before) == len(after) == 1:
        name = before[0] if before == after else f"{before[0]} to {after[0]}"
        return Pairing({before[0]: name}, {after[0]: name})
    if not set(before) & set(after):
        must = "have a system in common, or name one each, as in FOLDER:SYSTEM"
        got = f"{', '.join(before)} and {', '.join(after)}"
        raise InvalidInput(Problem(f"{old.shown} and {new.shown}", must, got))
    lost = tuple(name for name in before if name not in after)
    gained = tuple(name for name in after if name not in before)
    return Pairing({name: name for name in before}, {name: name for name in after}, lost, gained)


def unchanged_systems(old: Version, new: Version, pairing: Pairing) -> frozenset[str]:
    """Find the systems of which nothing differs: no score and no answer.

    A table of scores holds no answers, and that five scores are equal does not show that the
    answers are: of two tables nothing counts as unchanged, only of one that is named twice.
    """
    if old.scales.keys() != new.scales.keys():
        return frozenset()
    held: list[tuple[Mapping[Any, object], Mapping[Any, object]]] = [
        (old.values(name, pairing.old), new.values(name, pairing.new)) for name in old.scales
    ]
    before, after = old.contents(pairing.old), new.contents(pairing.new)
    if before is not None and after is not None:
        held.append((before, after))
    elif old.shown != new.shown:
        return frozenset()
    changed = {
        key[0]
        for before, after in held
        for key in before.keys() | after.keys()
        if before.get(key) != after.get(key)
    }
    return frozenset(set(pairing.old.values()) & set(pairing.new.values()) - changed)


def left_over(
    old: Version,
    new: Version,
    pairing: Pairing,
    lost_metrics: Sequence[str],
    new_metrics: Sequence[str],
) -> list[str]:
    """Name every system and every metric that only one side has."""
    lines = []
    for noun, lost, gained in (
        ("system", pairing.lost, pairing.gained),
        ("metric", lost_metrics, new_metrics),
    ):
        if lost:
            who = f"{noun}{'s' * (len(lost) > 1)} {', '.join(lost)}"
            lines.append(f"{new.shown} has no scores of {who}: all of {old.shown}'s are lost.")
        if gained:
            lines.append(_only(new, f"{noun}{'s' * (len(gained) > 1)} {', '.join(gained)}"))
    return lines


def other_cases(old: Version, new: Version, *, named: bool) -> list[str]:
    """Say how many cases only one side has.

    Args:
        old: The old version.
        new: The new one, its cases called as the old one's are.
        named: Whether ids of cases may be told.
    """
    before, after = set(old.table.frame["case"]), set(new.table.frame["case"])
    lost, gained = before - after, after - before
    lines = []
    if lost:
        who = f"{count_of(len(lost), 'case')} of {old.shown}{_names(lost) if named else ''}"
        lines.append(f"{new.shown} lacks {who}: their scores are lost.")
    if gained:
        lines.append(
            _only(new, f"{count_of(len(gained), 'case')}{_names(gained) if named else ''}")
        )
    return lines


def not_asked_again(old: Version, new: Version, count: int) -> list[str]:
    """Say how many answers of the old version were not asked of the new one."""
    if not count:
        return []
    were, them = ("answer was", "it") if count == 1 else ("answers were", "them")
    what = f"{count:,} {were} not asked of {new.shown} again (asked.csv)"
    return [f"{what}: no comparison with {old.shown} holds {them}."]


def _only(new: Version, what: str) -> str:
    return f"Only {new.shown} has {what}: nothing to compare with."


def _names(cases: Collection[str]) -> str:
    listed = ", ".join(sorted(cases, key=natural_order)[:_NAMED])
    more = f" and {len(cases) - _NAMED:,} more" if len(cases) > _NAMED else ""
    return f" ({listed}{more})"
