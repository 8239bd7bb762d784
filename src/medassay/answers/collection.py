"""All answers of a study."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from medassay.answers.asked import EVERY_CASE, Asked
from medassay.answers.looked_at import LookedAt
from medassay.answers.places import Places
from medassay.answers.record import Answer
from medassay.answers.tally import Tally
from medassay.errors import InvalidInput, Problem
from medassay.surface import refuse_others
from medassay.text import count_of, first_of

__all__ = ["Answers", "collected"]

_FEW: Final = 5
_SAME: Final = ("systems", "_places", "tally", "repeated")
"""What is found out of the records once, however many were asked for."""


@dataclass(frozen=True, repr=False)
class Answers:
    """Answers, at most one for each system, case and sample.

    Attributes:
        records: The answers, in the order read: a tuple, or read from a file each time where they
            are very many.
        warnings: What a reader should know though nothing is wrong.
        asked: Which system was asked which case. An answer that was asked for and has no record was
            never given (`lacks`); one that was not asked for is not missing.

    Example:
        >>> answers = Answers.of([Answer(system="B", case="1", text=""),
        ...                       Answer(system="A", case="2", text="Rest.")])
        >>> answers.systems, answers.get("B", "1").text, answers.get("B", "2")
        (('A', 'B'), '', None)
    """

    records: Sequence[Answer]
    warnings: tuple[Problem, ...] = ()
    asked: Asked = EVERY_CASE

    @classmethod
    def of(cls, records: Iterable[Answer], asked: Asked = EVERY_CASE) -> "Answers":
        """Make the collection from records in memory.

        Args:
            records: The answers.
            asked: Which system was asked which case; every system every case if not given.

        Raises:
            InvalidInput: A system gives the same sample of a case twice, or answers a case that it
                was not asked.
        """
        listed = tuple(records)
        seen: set[tuple[str, str, int]] = set()
        refuse_others(listed, Answer, "answers")
        problems = []
        for number, record in enumerate(listed, start=1):
            if record.key in seen:
                got = f'a second answer of "{record.system}" to "{record.case}"'
                hint = "Number repeated answers in the column sample: 0, 1, 2."
                must = "hold one answer for a system, case and sample"
                problems.append(Problem("answers", must, got, hint, row=number))
            seen.add(record.key)
        if problems:
            raise InvalidInput(problems)
        return cls(listed).asking(asked, "asked")

    def asking(self, asked: Asked, shown: str) -> "Answers":
        """Give the same answers, where systems were asked these cases.

        Args:
            asked: Which system was asked which case.
            shown: Where that is said, for messages.

        Raises:
            InvalidInput: Answers to cases that their systems were not asked.

        Example:
            >>> rest = Answers.of([Answer(system="A", case="1", text="Rest.")])
            >>> some = rest.asking(Asked.in_pairs([("A", "1"), ("A", "2"), ("B", "2")]), "asked")
            >>> some.lacks("A", "2"), some.lacks("B", "1")
            (True, False)
        """
        strange = [
            f"{system} to {case}"
            for system, own in self._places.first.items()
            for case in own
            if not asked.holds(system, case)
        ]
        if strange:
            must = "ask for every answer that was given"
            got = f"{count_of(len(strange), 'answer')} not asked for: {first_of(strange, _FEW)}"
            hint = "Add their rows (case, system), or take these answers out of the study."
            raise InvalidInput(Problem(shown, must, got, hint))
        same = replace(self, asked=asked)
        same.__dict__.update({name: self.__dict__[name] for name in _SAME if name in self.__dict__})
        return same

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """List the systems, sorted."""
        return tuple(sorted(self._places.first))

    @cached_property
    def _places(self) -> Places:
        return Places(record.key for record in self.records)

    @cached_property
    def tally(self) -> Tally:
        """Give what is counted of them."""
        return Tally.of(self.records)

    @property
    def keys(self) -> Iterator[tuple[str, str, int]]:
        """Give system, case and sample of each answer in the order read, and not the answer."""
        return self._places.keys()

    def get(self, system: str, case: str, sample: int | None = None) -> Answer | None:
        """Give the answer, or None if the system never gave one.

        Args:
            system: The system.
            case: The case.
            sample: Which of its answers; the first that there is, if not given.
        """
        own = self.samples(system, case)
        if sample is None:
            return own[0] if own else None
        return next((answer for answer in own if answer.sample == sample), None)

    def samples(self, system: str, case: str) -> tuple[Answer, ...]:
        """Give all answers of a system to a case, by sample.

        Example:
            >>> twice = [Answer(system="A", case="1", sample=n, text="") for n in (1, 0)]
            >>> [answer.sample for answer in Answers.of(twice).samples("A", "1")]
            [0, 1]
        """
        return tuple([self.records[place] for place in self.places(system, case)])

    def places(self, system: str, case: str) -> tuple[int, ...]:
        """Say where the answers of a system to a case stand among the records, by sample."""
        return self._places.of_pair(system, case)

    def gave(self, system: str, case: str) -> bool:
        """Say whether a system answered a case; no answer is read for it."""
        return case in self._places.first.get(system, ())

    def lacks(self, system: str, case: str) -> bool:
        """Say whether a system was asked a case and never answered it."""
        return not self.gave(system, case) and self.asked.holds(system, case)

    def lacking(self, systems: Iterable[str], cases: Iterable[str]) -> list[tuple[str, str]]:
        """List system and case of every answer that was asked for and never given."""
        listed = tuple(cases)
        return [(system, case) for system in systems for case in listed if self.lacks(system, case)]

    def answered(self, system: str) -> int:
        """Count the cases that a system answered."""
        return len(self._places.first.get(system, ()))

    @cached_property
    def repeated(self) -> bool:
        """Say whether a system answered a case more than once."""
        return bool(self._places.several)

    def __iter__(self) -> Iterator[Answer]:
        """Go through the answers in the order read."""
        return iter(self.records)

    def __repr__(self) -> str:
        """Say how many there are: all of them would fill pages."""
        return f"Answers({len(self):,})"

    def __len__(self) -> int:
        """Count the answers."""
        return len(self.records)


def collected(records: Sequence[Answer], found: LookedAt, warnings: tuple[Problem, ...]) -> Answers:
    """Make the collection from records that were looked at as they came."""
    made = Answers(records, warnings)
    made.__dict__.update(_places=Places(found.rows), tally=found.tally)
    return made
