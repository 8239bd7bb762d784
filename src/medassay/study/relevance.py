"""What experts say of single documents: relevance.csv, one row an expert and document."""

from collections.abc import Collection
from pathlib import Path
from typing import Annotated, ClassVar, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict

from medassay.cases import Id
from medassay.errors import InvalidInput, Problem, nearest
from medassay.judgements import Raters
from medassay.study.files import RELEVANCE, read_table
from medassay.tables import read_record, wrong

__all__ = ["DocumentLabel", "read_relevance"]

_COLUMNS: Final = ("rater", "case", "document", "relevance")


def _as_label(value: object) -> object:
    if str(value) in {"0", "1"}:
        return int(str(value))
    raise wrong("be 0 or 1", f'"{value}"', "1 where the document bears on the query.")


class DocumentLabel(BaseModel):
    """One expert's label of one document.

    Attributes:
        rater: Who.
        case: The query that it was returned for.
        document: Which.
        relevance: 1 where it bears on the query.
    """

    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, extra="forbid")

    rater: Id
    case: Id
    document: Id
    relevance: Annotated[Literal[0, 1], BeforeValidator(_as_label)]


def read_relevance(
    folder: Path, cases: Collection[str] | None, raters: Raters | None = None
) -> tuple[DocumentLabel, ...]:
    """Read the labels; nothing where there is no such file.

    Args:
        folder: The study's folder.
        cases: The cases that rows may name; None where they could not be read.
        raters: Who may label, where the study says; None where that could not be read.

    Raises:
        InvalidInput: Every problem of the file.
    """
    sheet = read_table(folder, RELEVANCE)
    if sheet is None:
        return ()
    lacking = [name for name in _COLUMNS if name not in sheet.columns]
    if lacking:
        must, got = f"have the columns {', '.join(_COLUMNS)}", f"no {', '.join(lacking)}"
        raise InvalidInput(Problem(sheet.file, must, got, "", sheet.header))
    problems: list[Problem] = []
    document_labels: dict[tuple[str, str, str], DocumentLabel] = {}
    for row, cells in sheet.records():
        document_label = read_record(
            DocumentLabel, cells, file=sheet.file, row=row, problems=problems
        )
        if document_label is None:
            continue
        key = (document_label.case, document_label.document, document_label.rater)
        if key in document_labels:
            got = (
                f"{document_label.document} of {document_label.case} by "
                f"{document_label.rater} again"
            )
            problems.append(Problem(sheet.file, "label a document once", got, "", row, "document"))
        if cases is not None and document_label.case not in cases:
            hint = nearest(document_label.case, cases)
            must, got = "be a case of the study", f'"{document_label.case}"'
            problems.append(Problem(sheet.file, must, got, hint, row, "case"))
        document_labels[key] = document_label
    if raters is not None:
        kinds = {label.rater: raters.get(label.rater).kind for label in document_labels.values()}
        try:
            raters.refuse_third_party(sheet.file, kinds)
        except InvalidInput as error:
            problems += error.problems
    if problems:
        raise InvalidInput(problems)
    return tuple(document_labels[key] for key in sorted(document_labels))
