"""All cases of a study."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

from medassay.api_checks import refuse_others
from medassay.cases.record import Case, one_object
from medassay.errors import InvalidInput, Problem, UnknownName

__all__ = ["Cases", "look_alikes", "placed"]


@dataclass(frozen=True, repr=False)
class Cases:
    """The cases in file order, each id once.

    Attributes:
        records: The cases: a tuple, or read from a file each time where they are very many.
        warnings: What a reader should know though nothing is wrong, such as ids `01` and `1`.

    Example:
        >>> cases = Cases.of([Case(case="b"), Case(case="a")])
        >>> cases.ids, cases["a"].case, len(cases)
        (('a', 'b'), 'a', 2)
    """

    records: Sequence[Case]
    warnings: tuple[Problem, ...] = ()

    @classmethod
    def of(cls, records: Iterable[Case]) -> "Cases":
        """Make the collection from records in memory.

        Raises:
            InvalidInput: Two records have the same id.
        """
        listed = tuple(records)
        refuse_others(listed, Case, "cases")
        seen: set[str] = set()
        problems = []
        for number, record in enumerate(listed, start=1):
            if record.case in seen:
                got = f'"{record.case}" again'
                problems.append(Problem("cases", "name each case once", got, row=number))
            seen.add(record.case)
        if problems:
            raise InvalidInput(problems)
        return cls(listed, look_alikes("cases", "case", seen))

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """List the case ids, sorted: the order of every result."""
        return tuple(sorted(self._places))

    @cached_property
    def _places(self) -> Mapping[str, int]:
        return MappingProxyType(
            {one_object(record.case): at for at, record in enumerate(self.records)}
        )

    def warned(self, warnings: tuple[Problem, ...]) -> "Cases":
        """Give the same cases with other warnings."""
        return self.with_records(self.records, warnings)

    def with_records(
        self, records: Sequence[Case], warnings: tuple[Problem, ...] | None = None
    ) -> "Cases":
        """Give records of the same ids in their place: their ids are not read again."""
        told = self.warnings if warnings is None else warnings
        return placed(records, self._places, told)

    @property
    def in_file_order(self) -> Iterable[str]:
        """List the case ids as the file has them; no case is read for it."""
        return self._places

    def __getitem__(self, case: str) -> Case:
        """Give one case by its id.

        Raises:
            UnknownName: There is no such case.
        """
        try:
            return self.records[self._places[case]]
        except KeyError:
            raise UnknownName("case", case, self.ids) from None

    def __contains__(self, case: object) -> bool:
        """Say whether there is a case with this id."""
        return case in self._places

    def __iter__(self) -> Iterator[Case]:
        """Go through the cases in file order."""
        return iter(self.records)

    def __repr__(self) -> str:
        """Say how many there are: all of them would fill pages."""
        return f"Cases({len(self):,})"

    def __len__(self) -> int:
        """Count the cases."""
        return len(self.records)


def placed(
    records: Sequence[Case], places: Mapping[str, int], warnings: tuple[Problem, ...]
) -> Cases:
    """Make the collection from records whose places, by id, were noted as they came."""
    made = Cases(records, warnings)
    made.__dict__["_places"] = places
    return made


def look_alikes(file: str, column: str, ids: Iterable[str]) -> tuple[Problem, ...]:
    """Warn of ids that differ only in leading zeros, as a spreadsheet likes to drop them.

    Example:
        >>> print(*look_alikes("cases.csv", "case", ["1", "01", "2"]))
        cases.csv, column case: must tell ids apart; got "01", "1". They count as different.
    """
    alike: dict[str, set[str]] = {}
    for name in ids:
        alike.setdefault(name.lstrip("0") or "0", set()).add(name)
    return tuple(
        Problem(
            file,
            "tell ids apart",
            ", ".join(f'"{name}"' for name in sorted(names)),
            "They count as different.",
            column=column,
            counted=f"{len(names)} that differ in leading zeros alone",
        )
        for _, names in sorted(alike.items())
        if len(names) > 1
    )
