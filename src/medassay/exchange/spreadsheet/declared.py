"""Spreadsheets as people keep them."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Final

from medassay.errors import MedassayError
from medassay.exchange.declaration import Format, Option, Reads
from medassay.exchange.glimpse import Glimpse
from medassay.exchange.outcome import Outcome
from medassay.exchange.proposal import Proposal
from medassay.exchange.spreadsheet.collected import Names
from medassay.exchange.spreadsheet.importing import (
    Wishes,
    has_verdicts,
    import_spreadsheet,
    propose,
)
from medassay.exchange.spreadsheet.recognised import holds_a_study
from medassay.text import count_of

__all__ = ["SPREADSHEET"]

_ENDINGS: Final = (".xlsx", ".xls", ".ods", ".csv", ".tsv", ".jsonl", ".json", ".parquet")
_Column = Annotated[
    list[str] | None,
    Option(
        "Our OURS is their column THEIRS: case, question, reference, system, answer, contexts, "
        "evidence, rater, comment, tag, skip, rating.DIMENSION. May be given several times.",
        ("--column", "-c"),
        "OURS=THEIRS",
    ),
]
_System = Annotated[
    str | None, Option("Whose the answers are, where no column says so; the file's name else.")
]
_Rater = Annotated[str | None, Option("Who gave the ratings, where no column says so.")]
_Rubric = Annotated[
    str | None,
    Option("What raters are asked in a new study: accuracy,safety, a rubric or a .toml file."),
]
_Synthetic = Annotated[bool, Option("The data are made up: every page says so.")]


def _take(
    into: Path,
    files: Sequence[Path],
    *,
    column: _Column = None,
    system: _System = None,
    rater: _Rater = None,
    rubric: _Rubric = None,
    synthetic: _Synthetic = False,
) -> Outcome:
    wishes = _wishes(column, system, rater, rubric, synthetic=synthetic)
    summary = import_spreadsheet(into, files, wishes)
    counts = (
        (summary.cases, "question", "questions"),
        (summary.systems, "system", "systems"),
        (summary.answers, "answer", "answers"),
        (summary.raters, "rater", "raters"),
        (summary.judgements, "rating", "ratings"),
        (summary.documents, "text retrieved", "texts retrieved"),
    )
    held = ", ".join(count_of(count, *words) for count, *words in counts if count)
    rated = summary.raters or has_verdicts(into)
    follows = f"run {into}" if rated else f"campaign create {into} --raters 3"
    lines = [
        *summary.read,
        *(f"note: {note}" for note in summary.notes),
        f"Imported: {held}." if held else "Everything was there already.",
        *(f"wrote {file}" for file in summary.files),
        f"Next: medassay {follows}",
    ]
    return Outcome(lines, asdict(summary))


def _propose(
    into: Path,
    files: Sequence[Path],
    *,
    column: _Column = None,
    system: _System = None,
    rater: _Rater = None,
    rubric: _Rubric = None,
    synthetic: _Synthetic = False,
) -> Proposal:
    return propose(into, files, _wishes(column, system, rater, rubric, synthetic=synthetic))


def _wishes(
    column: list[str] | None,
    system: str | None,
    rater: str | None,
    rubric: str | None,
    *,
    synthetic: bool,
) -> Wishes:
    return Wishes(column or (), Names(system or "", rater or ""), rubric or "", synthetic)


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
        last=True,
    ),
)
