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
    found: dict[tuple[str, str, str], DocumentLabel] = {}
    for row, cells in sheet.records():
        one = read_record(DocumentLabel, cells, file=sheet.file, row=row, problems=problems)
        if one is None:
            continue
        key = (one.case, one.document, one.rater)
        if key in found:
            got = f"{one.document} of {one.case} by {one.rater} again"
            problems.append(Problem(sheet.file, "label a document once", got, "", row, "document"))
        if cases is not None and one.case not in cases:
            hint = nearest(one.case, cases)
            must, got = "be a case of the study", f'"{one.case}"'
            problems.append(Problem(sheet.file, must, got, hint, row, "case"))
        found[key] = one
    if raters is not None:
        kinds = {one.rater: raters.get(one.rater).kind for one in found.values()}
        try:
            raters.refuse_strangers(sheet.file, kinds)
        except InvalidInput as error:
            problems += error.problems
    if problems:
        raise InvalidInput(problems)
    return tuple(found[key] for key in sorted(found))
