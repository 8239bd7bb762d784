"""All cases of a study, in files, with the documents that many of them share."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from medassay.api_checks import checked, frame_html, refuse_others
from medassay.cases.record import Case, Document, one_object
from medassay.cases.rows import (
    CASE_COLUMNS,
    case_row,
    cases_of_sheet,
    count_twins,
    look_alikes,
    same_options,
)
from medassay.errors import InvalidInput, Problem, UnknownName
from medassay.tables import (
    Doubt,
    Framed,
    Gathering,
    Shared,
    check_columns,
    frame_of_rows,
    gathered,
    good_lines,
    read_record,
    read_sheet,
    sheet_of_frame,
    with_shared_names,
    write_rows,
)
from medassay.text import Counted

if TYPE_CHECKING:
    import polars as pl


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
        return placed(self.records, self._places, warnings)

    def with_records(self, records: Sequence[Case]) -> "Cases":
        """Give records of the same ids in their place: their ids are not read again."""
        return placed(records, self._places, self.warnings)

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


_DOCUMENT_COLUMNS: Final = ("id", "title", "text")
_Said = tuple[str, str | None, str | None, float | None]
_SHORT: Final = {"id", "grade"}


@checked
def read_cases(path: Path | str) -> Cases:
    """Read a file of cases and check all of it.

    The columns are the keys of `Case`. In a flat file such as CSV, `reference` holds one human
    reference, `tag.NAME` one tag, and a nested column (turns, evidence, references, options,
    documents, criteria, tags) holds JSON text. An empty cell or a null is nothing given.

    Raises:
        InvalidInput: Every problem of the file, with row and column.
    """
    path = Path(path)
    return _read_lines(path) or Cases(*cases_of_sheet(read_sheet(path)))


def _read_lines(path: Path) -> Cases | None:
    """Read a file of which nothing needs to be said; each case is looked at once, as it comes."""
    same, twins = SameDocuments(), Counted()
    records: Gathering[Case] = Gathering(same.shared)
    places: dict[str, int] = {}
    try:
        for _, case in good_lines(path, Case, prepare=same):
            if places.setdefault(case.case, len(records)) != len(records):
                return None
            records.add(case)
            count_twins(case, twins)
    except Doubt:
        return None
    alike = look_alikes(path.name, "case", places)
    warnings = (*alike, *same_options(path.name, twins))
    return placed(records.all(), MappingProxyType(places), warnings) if places else None


def write_cases(path: Path | str, cases: Iterable[Case]) -> None:
    """Write cases to .jsonl, .csv or .parquet; what was not given is left out.

    In CSV and Parquet each tag has a column `tag.NAME` and nested values are JSON text.

    Raises:
        InvalidInput: The ending is another, or the file cannot be written.
    """
    path = Path(path)
    nested = path.suffix.lower() == ".jsonl"
    write_rows(path, [case_row(case, nested=nested) for case in cases])


def read_documents(path: Path | str) -> dict[str, Document]:
    """Read a file of documents: `id`, `title` and `text`.

    Grades are no part of it: how relevant a document is depends on the case.

    Raises:
        InvalidInput: Every problem of the file, with row and column.
    """
    path = Path(path)
    problems: list[Problem] = []
    sheet = check_columns(read_sheet(path), _DOCUMENT_COLUMNS, ("id",), problems)
    documents: dict[str, Document] = {}
    first_row: dict[str, int] = {}
    for row, cells in sheet.records():
        record = read_record(Document, cells, file=sheet.file, row=row, problems=problems)
        if record is None:
            continue
        if record.id in documents:
            got = f'"{record.id}", as in row {first_row[record.id]}'
            problems.append(Problem(sheet.file, "name each document once", got, row=row))
        documents[record.id] = record
        first_row.setdefault(record.id, row)
    if problems:
        raise InvalidInput(problems)
    return documents


def with_documents(
    cases: Cases, documents: Mapping[str, Document], retrieved: Callable[[str], Iterable[str]]
) -> Cases:
    """Give each case the shared documents that it lists or that a system retrieved for it.

    What a case says of a document itself is kept; a document that it does not list has no grade.

    Args:
        cases: The cases.
        documents: The shared documents by id.
        retrieved: Gives the ids of what systems retrieved for a case.

    Example:
        >>> from medassay.cases import Case
        >>> shared = {"g1": Document(id="g1", text="Rest."), "g2": Document(id="g2", text="Drink.")}
        >>> cases = Cases.of([Case(case="1", documents=[{"id": "g1", "grade": 1}])])
        >>> filled = with_documents(cases, shared, lambda case: ["g2"])["1"]
        >>> [(one.id, one.text, one.grade) for one in filled.documents]
        [('g1', 'Rest.', 1.0), ('g2', 'Drink.', None)]
    """
    same: dict[_Said, Document] = {}
    shared = Shared()
    for document in documents.values():
        shared.add(document)
    records = (
        with_shared_names(
            case.model_copy(
                update={
                    "documents": _listed(
                        [
                            _with_words(document, documents.get(document.id), same, shared)
                            for document in case.documents
                        ],
                        documents,
                        retrieved(case.case),
                    )
                }
            )
        )
        for case in cases
    )
    return cases.with_records(gathered(records, shared))


def _listed(
    own: Sequence[Document], documents: Mapping[str, Document], retrieved: Iterable[str]
) -> tuple[Document, ...]:
    listed = {document.id for document in own}
    more = sorted(name for name in set(retrieved) - listed if name in documents)
    return (*own, *(documents[name] for name in more))


def _with_words(
    own: Document, words_of: Document | None, same: dict[_Said, Document], shared: Shared
) -> Document:
    """Add the shared words; cases that say the same of a document have one object in `same`."""
    if words_of is None:
        return own
    wording = (own.id, own.title, own.text, own.grade)
    if wording not in same:
        words = {
            "title": words_of.title if own.title is None else own.title,
            "text": words_of.text if own.text is None else own.text,
        }
        same[wording] = shared.add(own.model_copy(update=words))
    return same[wording]


class SameDocuments:
    """Puts documents into the cells of cases, in the place of what names them and their grade.

    Cases that share documents list each of them thousands of times. A document that a case tells
    more of, such as its text, is left as it is.

    Attributes:
        shared: The documents.

    Example:
        >>> same = SameDocuments()
        >>> one = same({"documents": [{"id": "g1", "grade": 2}]})
        >>> two = same({"documents": [{"id": "g1", "grade": 2}, {"id": "g2", "text": "Rest."}]})
        >>> two["documents"][0] is one["documents"][0], two["documents"][1]
        (True, {'id': 'g2', 'text': 'Rest.'})
    """

    def __init__(self) -> None:
        self.shared = Shared()
        self._made: dict[tuple[str, object], Document] = {}

    def __call__(self, cells: dict[str, object]) -> dict[str, object]:
        """Give the cells with documents in them.

        Raises:
            ValidationError: What a case says of one is wrong.
        """
        listed = cells.get("documents")
        if not isinstance(listed, list):
            return cells
        return {**cells, "documents": [self._document(entry) for entry in listed]}

    def _document(self, cell: object) -> object:
        if not isinstance(cell, dict) or not cell.keys() <= _SHORT:
            return cell
        name, grade = cell.get("id"), cell.get("grade")
        if not isinstance(name, str) or isinstance(grade, list | dict):
            return cell
        document = self._made.get((name, grade))
        if document is None:
            document = self.shared.add(Document.model_validate(cell))
            self._made[name, grade] = document
        return document
