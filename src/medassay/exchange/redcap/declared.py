"""REDCap's exports, and projects for it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Final

from medassay.exchange.declaration import Format, Option, Reads
from medassay.exchange.other_tools.import_ratings import import_redcap
from medassay.exchange.other_tools.task_writing import task_writes
from medassay.exchange.outcome import Outcome
from medassay.exchange.redcap.table import is_redcap
from medassay.study import Study

__all__ = ["REDCAP"]

_Names = Annotated[
    Mapping[str, str],
    Option(
        "A dimension of ours, or rater, system or case, is their field THEIRS.",
        ("--column", "-c"),
        "OURS=THEIRS",
    ),
]


def _take(
    study: Study,
    files: Sequence[Path],
    *,
    items: Annotated[
        Path | None,
        Option("A table of their records: id, system, case; not needed for our own exports."),
    ] = None,
    column: _Names,
) -> Outcome:
    return Outcome.of_one(import_redcap(study, files, column, items))


REDCAP: Final = Format(
    id="redcap",
    title="REDCap",
    reads=Reads(
        about="REDCap: what raters entered, as judgements.",
        files="Exports as CSV, raw or in labels; with them the data dictionary, if it is not ours.",
        is_one=lambda seen: is_redcap(seen.path),
        take=_take,
    ),
    writes=task_writes(
        "redcap",
        "REDCap: a data dictionary that asks the rubric, and blinded records to import.",
    ),
)
