"""All answers of a study."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

from medassay.answers.record import Answer
from medassay.errors import InvalidInput, Problem

__all__ = ["Answers"]


@dataclass(frozen=True, repr=False)
class Answers:
    """Answers, at most one for each system and case.

    Attributes:
        records: The answers, in the order read.
        warnings: What a reader should know though nothing is wrong.

    Example:
        >>> answers = Answers.of([Answer(system="B", case="1", text=""),
        ...                       Answer(system="A", case="2", text="Rest.")])
        >>> answers.systems, answers.get("B", "1").text, answers.get("B", "2")
        (('A', 'B'), '', None)
    """

    records: tuple[Answer, ...]
    warnings: tuple[Problem, ...] = ()

    @classmethod
    def of(cls, records: Iterable[Answer]) -> "Answers":
        """Make the collection from records in memory.

        Raises:
            InvalidInput: A system answers the same case twice.
        """
        kept = tuple(records)
        seen: set[tuple[str, str]] = set()
        problems = []
        for number, record in enumerate(kept, start=1):
            if (record.system, record.case) in seen:
                got = f'a second answer of "{record.system}" to "{record.case}"'
                problems.append(
                    Problem("answers", "hold one answer for a system and case", got, row=number)
                )
            seen.add((record.system, record.case))
        if problems:
            raise InvalidInput(problems)
        return cls(kept)

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """List the systems, sorted."""
        return tuple(sorted({record.system for record in self.records}))

    @cached_property
    def _by_pair(self) -> Mapping[tuple[str, str], Answer]:
        return MappingProxyType({(a.system, a.case): a for a in self.records})

    def get(self, system: str, case: str) -> Answer | None:
        """Give the answer, or None if the system never gave one."""
        return self._by_pair.get((system, case))

    def __iter__(self) -> Iterator[Answer]:
        """Go through the answers in the order read."""
        return iter(self.records)

    def __repr__(self) -> str:
        """Say how many there are: all of them would fill pages."""
        return f"Answers({len(self):,})"

    def __len__(self) -> int:
        """Count the answers."""
        return len(self.records)
