"""All cases of a study."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

from medassay.api_checks import checked, frame_html, refuse_others
from medassay.cases.record import Case, one_object
from medassay.cases.rows import CASE_COLUMNS, case_row, cases_of_sheet, look_alikes
from medassay.errors import InvalidInput, Problem, UnknownName
from medassay.tables import Framed, frame_of_rows, sheet_of_frame

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Cases", "placed"]


@dataclass(frozen=True, repr=False)
class Cases(Framed):
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

    @classmethod
    @checked
    def from_frame(cls, frame: object, shown_as: str = "cases") -> "Cases":
        """Check a frame of pandas or polars, a row a case; messages count its rows from 1.

        The columns are those that `read_cases` reads: `reference` holds one human reference,
        `tag.NAME` one tag, and a nested column lists and dicts, or JSON text. An empty cell is
        nothing given.

        Args:
            frame: A frame of pandas or polars, or a table that speaks Arrow. A named index of
                pandas is read as a column.
            shown_as: What messages call the frame.

        Raises:
            InvalidInput: With every problem of the frame, its row and its column.

        Example:
            >>> import polars as pl
            >>> cases = Cases.from_frame(pl.DataFrame({"case": [1, 2], "question": ["Why?", None]}))
            >>> cases.ids, cases["1"].question
            (('1', '2'), 'Why?')
        """
        return cls(*cases_of_sheet(sheet_of_frame(frame, shown_as, ("case",))))

    @property
    def frame(self) -> "pl.DataFrame":
        """All cases as a frame, a row each; what no case has is no column, nested values are JSON.

        Example:
            >>> Cases.of([Case(case="a", tags={"field": "skin"}), Case(case="b")]).frame.rows()
            [('a', 'skin'), ('b', None)]
        """
        return frame_of_rows([case_row(case, nested=False) for case in self.records], CASE_COLUMNS)

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

    def _repr_html_(self) -> str:
        return frame_html(repr(self), self.frame)

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
