"""Which system was asked which case: what was not asked is not missing."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.text import count_of

__all__ = ["EVERY_CASE", "Asked"]


@dataclass(frozen=True, repr=False)
class Asked:
    """Which cases each system was asked.

    An answer that was asked for and never came is missing: it counts as its metric says. One that
    was not asked for has no value, and is in no mean, no denominator and no bound.

    Attributes:
        of: System to the cases that it was asked; None where every system was asked every case.

    Example:
        >>> asked = Asked.in_pairs([("A", "1"), ("B", "2")])
        >>> asked.holds("A", "1"), asked.holds("A", "2"), EVERY_CASE.holds("A", "2")
        (True, False, True)
    """

    of: Mapping[str, frozenset[str]] | None = None

    @classmethod
    def in_pairs(cls, pairs: Iterable[tuple[str, str]]) -> "Asked":
        """Say that these systems were asked these cases, and nothing else."""
        cases: dict[str, set[str]] = {}
        for system, case in pairs:
            cases.setdefault(system, set()).add(case)
        return cls({system: frozenset(cases[system]) for system in sorted(cases)})

    @property
    def everything(self) -> bool:
        """Say whether every system was asked every case, without a list that says so."""
        return self.of is None

    def holds(self, system: str, case: str) -> bool:
        """Say whether a system was asked a case."""
        return self.of is None or case in self.of.get(system, ())

    def count(self, system: str, of: int) -> int:
        """Count the cases that a system was asked, of so many."""
        return of if self.of is None else len(self.of.get(system, ()))

    def left_out(self, system: str, of: int) -> int:
        """Count the cases that a system was not asked, of so many."""
        return of - self.count(system, of)

    def fewest(self, systems: Sequence[str], of: int) -> int:
        """Count the cases of the system that was asked the fewest."""
        return min((self.count(system, of) for system in systems), default=of)

    def pairs(self, systems: Sequence[str], cases: Sequence[str]) -> list[tuple[str, str]]:
        """List every system with every case that it was asked."""
        return [(system, case) for system in systems for case in cases if self.holds(system, case)]

    def systems(self, case: str, systems: Sequence[str]) -> tuple[str, ...]:
        """List the systems that were asked a case."""
        return tuple(system for system in systems if self.holds(system, case))

    def mask_of_some(
        self, systems: Sequence[str], cases: Sequence[str]
    ) -> NDArray[np.bool_] | None:
        """Mark what was asked; None where every system was asked every case."""
        return None if self.of is None else self.mask(systems, cases)

    def mask(self, systems: Sequence[str], cases: Sequence[str]) -> NDArray[np.bool_]:
        """Mark what was asked, systems down and cases across."""
        marks = np.ones((len(systems), len(cases)), dtype=np.bool_)
        if self.of is not None:
            for row, system in enumerate(systems):
                own = self.of.get(system, frozenset())
                marks[row] = [case in own for case in cases]
        return marks

    def called(self, cases: Mapping[str, str]) -> "Asked":
        """Give the same under other names of the cases."""
        if self.of is None:
            return self
        return Asked(
            {
                system: frozenset(cases.get(case, case) for case in own)
                for system, own in self.of.items()
            }
        )

    def describe(self, systems: Sequence[str], cases: Sequence[str]) -> list[str]:
        """Say of how many systems each case was asked, where not all were asked all.

        Example:
            >>> asked = Asked.in_pairs([("A", "1"), ("B", "2"), ("B", "3")])
            >>> for line in asked.describe(["A", "B"], ["1", "2", "3"]):
            ...     print(line)
            Each case was asked of 1 of 2 systems, and each system was asked 1 to 2 of 3 cases.
            3 answers were not asked for. They are not missing: no mean and no count holds them.
        """
        if self.of is None or not systems or not cases:
            return []
        marks = self.mask(systems, cases)
        words = (
            f"Each case was asked of {_range(marks.sum(axis=0))} of "
            f"{count_of(len(systems), 'system')}, and each system was asked "
            f"{_range(marks.sum(axis=1))} of {count_of(len(cases), 'case')}."
        )
        left = int((~marks).sum())
        if left:
            many = "1 answer was" if left == 1 else f"{left:,} answers were"
            who = "It is not missing" if left == 1 else "They are not missing"
            what = "it" if left == 1 else "them"
            return [words, f"{many} not asked for. {who}: no mean and no count holds {what}."]
        return [words]

    def __repr__(self) -> str:
        """Say how much it holds: all pairs would fill pages."""
        return "Asked()" if self.of is None else f"Asked({sum(map(len, self.of.values())):,} pairs)"


EVERY_CASE: Final = Asked()
"""Every system was asked every case."""


def _range(counts: NDArray[np.int_]) -> str:
    least, most = int(counts.min()), int(counts.max())
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"
