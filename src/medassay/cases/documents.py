"""Documents that many cases share: their titles and texts stand once, in a file of their own."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from medassay.cases.collection import Cases
from medassay.cases.record import Document
from medassay.errors import InvalidInput, Problem
from medassay.tables import (
    Shared,
    check_columns,
    gathered,
    read_record,
    read_sheet,
    with_shared_names,
)

__all__ = ["read_documents", "with_documents"]

_KNOWN: Final = ("id", "title", "text")
_Said = tuple[str, str | None, str | None, float | None]


def read_documents(path: Path | str) -> dict[str, Document]:
    """Read a file of documents: `id`, `title` and `text`.

    Grades are no part of it: how relevant a document is depends on the case.

    Raises:
        InvalidInput: Every problem of the file, with row and column.
    """
    path = Path(path)
    problems: list[Problem] = []
    sheet = check_columns(read_sheet(path), _KNOWN, ("id",), problems)
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
