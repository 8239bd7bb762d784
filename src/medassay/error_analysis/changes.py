"""What changed between two runs, answer by answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Flip", "FlipKind", "OptionChosen", "choice_flips"]


class FlipKind(StrEnum):
    """What a change did, the first to be looked at first."""

    BROKEN = "broken"
    FIXED = "fixed"
    OTHERWISE = "otherwise wrong"


@dataclass(frozen=True, slots=True)
class OptionChosen:
    """What was chosen, and what is right; None for no choice."""

    choice: str | None
    gold: str

    @property
    def is_right(self) -> bool:
        """Say whether the right option was chosen."""
        return self.choice == self.gold


@dataclass(frozen=True, slots=True)
class Flip:
    """One answer whose choice is another than before.

    Attributes:
        system: The system, or both systems where two are compared.
        case: The case.
        old: The option chosen before; None for no choice.
        new: The option chosen now.
        gold: The right one, as the new run says.
        kind: Whether it is broken, fixed, or wrong in another way.
    """

    system: str
    case: str
    old: str | None
    new: str | None
    gold: str
    kind: FlipKind


def choice_flips(
    old: Mapping[tuple[str, str], OptionChosen], new: Mapping[tuple[str, str], OptionChosen]
) -> tuple[Flip, ...]:
    """List every answer that both runs have and whose choice, or its being right, differs.

    The broken ones first, then the fixed ones, then those that are wrong in another way.

    Example:
        >>> before = {("s", "1"): OptionChosen("A", "A")}
        >>> after = {("s", "1"): OptionChosen("B", "A")}
        >>> [flip.kind.value for flip in choice_flips(before, after)]
        ['broken']
    """
    flips = []
    for key in sorted(old.keys() & new.keys()):
        before, after = old[key], new[key]
        if before.is_right == after.is_right and (after.is_right or before.choice == after.choice):
            continue
        kind = FlipKind.OTHERWISE
        if before.is_right != after.is_right:
            kind = FlipKind.FIXED if after.is_right else FlipKind.BROKEN
        flips.append(Flip(*key, before.choice, after.choice, after.gold, kind))
    order = list(FlipKind)
    return tuple(sorted(flips, key=lambda flip: order.index(flip.kind)))
