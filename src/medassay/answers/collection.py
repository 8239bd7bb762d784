"""All answers of a study."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from sys import intern

from medassay.answers.record import Answer
from medassay.errors import InvalidInput, Problem
from medassay.surface import refuse_others

__all__ = ["Answers"]


@dataclass(frozen=True, repr=False)
class Answers:
    """Answers, at most one for each system, case and sample.

    Attributes:
        records: The answers, in the order read: a tuple, or read from a file each time where they
            are very many.
        warnings: What a reader should know though nothing is wrong.

    Example:
        >>> answers = Answers.of([Answer(system="B", case="1", text=""),
        ...                       Answer(system="A", case="2", text="Rest.")])
        >>> answers.systems, answers.get("B", "1").text, answers.get("B", "2")
        (('A', 'B'), '', None)
    """

    records: Sequence[Answer]
    warnings: tuple[Problem, ...] = ()

    @classmethod
    def of(cls, records: Iterable[Answer]) -> "Answers":
        """Make the collection from records in memory.

        Raises:
            InvalidInput: A system gives the same sample of a case twice.
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
        return cls(listed)

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """List the systems, sorted."""
        return tuple(sorted(self._places.first))

    @cached_property
    def _places(self) -> "_Places":
        return _Places.of(self.records)

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

    def answered(self, system: str) -> int:
        """Count the cases that a system answered."""
        return len(self._places.first.get(system, ()))

    @cached_property
    def repeated(self) -> bool:
        """Say whether a system answered a case more than once."""
        return bool(self._places.more)

    def __iter__(self) -> Iterator[Answer]:
        """Go through the answers in the order read."""
        return iter(self.records)

    def __repr__(self) -> str:
        """Say how many there are: all of them would fill pages."""
        return f"Answers({len(self):,})"

    def __len__(self) -> int:
        """Count the answers."""
        return len(self.records)


@dataclass(frozen=True, slots=True)
class _Places:
    """Where the answers of a system to a case stand among the records.

    Attributes:
        first: System to case to the place of its answer, or of the first sample.
        more: System and case to the places of all samples, where there are several.
    """

    first: Mapping[str, Mapping[str, int]]
    more: Mapping[tuple[str, str], tuple[int, ...]]

    @classmethod
    def of(cls, records: Iterable[Answer]) -> "_Places":
        first: dict[str, dict[str, int]] = {}
        several: dict[tuple[str, str], list[tuple[int, int]]] = {}
        samples: dict[int, int] = {}
        for place, answer in enumerate(records):
            if answer.sample:
                samples[place] = answer.sample
            own = first.setdefault(answer.system, {})
            earlier = own.setdefault(_one(answer.case), place)
            if earlier != place:
                listed = several.setdefault(
                    (answer.system, answer.case), [(samples.get(earlier, 0), earlier)]
                )
                listed.append((answer.sample, place))
        more = {pair: tuple(place for _, place in sorted(own)) for pair, own in several.items()}
        for (system, case), places in more.items():
            first[system][case] = places[0]
        return cls(first, more)

    def of_pair(self, system: str, case: str) -> tuple[int, ...]:
        if (system, case) in self.more:
            return self.more[system, case]
        place = self.first.get(system, {}).get(case)
        return () if place is None else (place,)


def _one(name: str) -> str:
    """Give the one object of a name; a name of a class of its own stays itself."""
    return intern(name) if type(name) is str else name
