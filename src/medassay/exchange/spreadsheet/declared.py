"""Spreadsheets as people keep them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Final

from medassay.errors import InvalidInput, MedassayError, Problem
from medassay.exchange.declaration import Format, Glimpse, Option, Reads
from medassay.exchange.outcome import Outcome
from medassay.exchange.proposal import Explained, Proposal
from medassay.exchange.spreadsheet.column_file import is_column_file
from medassay.exchange.spreadsheet.importing import (
    Wishes,
    explain,
    has_verdicts,
    import_spreadsheet,
    propose,
)
from medassay.exchange.spreadsheet.raters import names_typed
from medassay.exchange.spreadsheet.read import read_tables
from medassay.exchange.spreadsheet.readings import read_columns
from medassay.exchange.spreadsheet.told import told_of
from medassay.exchange.spreadsheet.words import ROLES
from medassay.judgements import Rubric, choose_rubric, library_dimensions
from medassay.tables import gc_paused

_HEAD: Final = 2000
"""Rows that are looked at first; all of them where these do not tell."""


@gc_paused()
def holds_a_study(file: Path) -> bool:
    """Say whether a file's columns say that it holds questions, answers or ratings."""
    tables, _, _ = read_tables([file])
    dimensions = library_rubric().dimensions
    heads = [table.head(_HEAD) for table in tables]
    longer = [table for table, head in zip(tables, heads, strict=True) if head is not table]
    return any(read_columns(table, {}, dimensions).tells for table in [*heads, *longer])


def library_rubric() -> Rubric:
    """Give every dimension that comes with medassay."""
    return choose_rubric(",".join(library_dimensions())).rubric


_ENDINGS: Final = (".xlsx", ".xls", ".ods", ".csv", ".tsv", ".jsonl", ".json", ".parquet")
_Column = Annotated[
    list[str] | None,
    Option(
        f"Our OURS is their column THEIRS: {', '.join(r for r in ROLES if r != 'rating')}, "
        "rating.DIMENSION. May be given several times. Or a CSV, TOML or JSON file of columns and "
        "roles, such as --explain prints.",
        ("--column", "-c"),
        "OURS=THEIRS|FILE",
    ),
]
_System = Annotated[
    str | None, Option("Whose the answers are, where no column says so; the file's name else.")
]
_Rater = Annotated[
    list[str] | None,
    Option(
        "Who gave the ratings; or people, models, gpt-4=model. May be given several times.",
        ("--rater",),
        "NAME|people|models",
    ),
]
_Rubric = Annotated[
    str | None,
    Option("What raters are asked in a new study: accuracy,safety, a rubric or a .toml file."),
]
_Scale = Annotated[
    list[str] | None,
    Option(
        "Ratings of DIMENSION were given from LOW to HIGH; `,lower` or `,higher` behind it says "
        "which end is best.",
        ("--scale",),
        "DIMENSION=LOW-HIGH",
    ),
]
_Label = Annotated[
    list[str] | None,
    Option(
        "WORD means this label: safety.unsafe=ja.",
        ("--label",),
        "DIMENSION.LABEL=WORD",
    ),
]
_Asked = Annotated[
    str | None,
    Option(
        "`some` where each question went to some systems only, by design; `none` where nobody has "
        "answered yet; `all` else."
    ),
]
_Recipe = Annotated[
    str | None,
    Option(
        "A file of what was answered before, such as import.toml of another study.", metavar="FILE"
    ),
]
_Synthetic = Annotated[bool, Option("The data are made up: every page says so.")]


def _take(  # noqa: PLR0913 - each option is one thing that a table does not say
    into: Path,
    files: Sequence[Path],
    *,
    column: _Column = None,
    system: _System = None,
    rater: _Rater = None,
    rubric: _Rubric = None,
    scale: _Scale = None,
    label: _Label = None,
    asked: _Asked = None,
    recipe: _Recipe = None,
    synthetic: _Synthetic = False,
) -> Outcome:
    wishes = _wishes(
        column=column, system=system, rater=rater, rubric=rubric, scale=scale, label=label,
        asked=asked, recipe=recipe, synthetic=synthetic,
    )  # fmt: skip
    summary = import_spreadsheet(into, files, wishes)
    verdicts = bool(summary.raters or summary.scores) or has_verdicts(into)
    return told_of(summary, into, verdicts=verdicts)


def _wishes(**said: Any) -> Wishes:  # noqa: ANN401 - as `_take` has them
    """Give what was typed, nothing in place of None.

    Raises:
        InvalidInput: Two files of columns are named, or two raters.
    """
    columns = said["column"] or ()
    files = [word for word in columns if is_column_file(word)]
    if files[1:]:
        raise InvalidInput(Problem("--column", "name one file of columns", ", ".join(files)))
    return Wishes(
        columns=[word for word in columns if word not in files],
        names=names_typed(said["system"] or "", said["rater"] or ()),
        rubric=said["rubric"] or "",
        scales=said["scale"] or (),
        labels=said["label"] or (),
        asked=said["asked"] or "",
        column_file="".join(files),
        recipe=said["recipe"] or "",
        synthetic=bool(said["synthetic"]),
    )


def _propose(into: Path, files: Sequence[Path], **typed: Any) -> Proposal:  # noqa: ANN401 - as `_take` has them
    return propose(into, files, _wishes(**typed))


def _explain(into: Path, files: Sequence[Path], **typed: Any) -> Explained:  # noqa: ANN401 - as above
    return explain(into, files, _wishes(**typed))


def _is_one(seen: Glimpse) -> bool:
    if seen.path.is_dir() or seen.path.suffix.lower() not in _ENDINGS:
        return False
    try:
        return holds_a_study(seen.path)
    except (MedassayError, OSError):
        return False


SPREADSHEET: Final = Format(
    id="spreadsheet",
    title="A spreadsheet of questions, answers or ratings",
    reads=Reads(
        about="A spreadsheet of yours: questions, answers and ratings under any headers.",
        files="Excel workbooks, .csv, .jsonl, .json: a row an answer, or a column a system.",
        is_one=_is_one,
        take=_take,
        propose=_propose,
        explain=_explain,
        last=True,
    ),
)
