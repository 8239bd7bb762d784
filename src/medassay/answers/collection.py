"""All answers of a study."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

from medassay.answers.record import Answer
from medassay.errors import InvalidInput, Problem
from medassay.surface import refuse_others

__all__ = ["Answers"]


@dataclass(frozen=True, repr=False)
class Answers:
    """Answers, at most one for each system, case and sample.

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
        return tuple(sorted({record.system for record in self.records}))

    @cached_property
    def _by_pair(self) -> Mapping[tuple[str, str], tuple[Answer, ...]]:
        samples: dict[tuple[str, str], tuple[Answer, ...]] = {}
        for answer in self.records:
            pair = (answer.system, answer.case)
            samples[pair] = (*samples.get(pair, ()), answer)
        for pair, samples_of in samples.items():
            if len(samples_of) > 1:
                samples[pair] = tuple(sorted(samples_of, key=lambda answer: answer.sample))
        return MappingProxyType(samples)

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
        return self._by_pair.get((system, case), ())

    @cached_property
    def repeated(self) -> bool:
        """Say whether a system answered a case more than once."""
        return len(self._by_pair) < len(self.records)

    def __iter__(self) -> Iterator[Answer]:
        """Go through the answers in the order read."""
        return iter(self.records)

    def __repr__(self) -> str:
        """Say how many there are: all of them would fill pages."""
        return f"Answers({len(self):,})"

    def __len__(self) -> int:
        """Count the answers."""
        return len(self.records)
