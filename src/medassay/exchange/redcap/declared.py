"""REDCap's exports, and projects for it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Final

from medassay.campaign import parts_named
from medassay.exchange.declaration import Format, Option, Reads, Writes
from medassay.exchange.entrusted import SheetTexts
from medassay.exchange.other_tools.declaring import Hide, Ratings, told
from medassay.exchange.other_tools.export_tasks import TaskWishes, export_tasks
from medassay.exchange.other_tools.import_ratings import import_redcap
from medassay.exchange.outcome import Outcome
from medassay.exchange.redcap.table import is_redcap
from medassay.judgements.campaign import Secret
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


def _give(
    study: Study,
    fresh: Secret,
    into: Path,
    *,
    name: Annotated[str, Option("What the hand-out is called in the study.")] = "redcap",
    hide: Hide = None,
    ratings: Ratings = False,
    texts: SheetTexts = None,
) -> Outcome:
    wishes = TaskWishes("redcap", name, parts_named(hide or ""), ratings, texts)
    return told(export_tasks(study, into, wishes, fresh), ", each under a code")


REDCAP: Final = Format(
    id="redcap",
    title="REDCap",
    reads=Reads(
        about="REDCap: what raters entered, as judgements.",
        files="Exports as CSV, raw or in labels; with them the data dictionary, if it is not ours.",
        is_one=lambda seen: is_redcap(seen.path),
        take=_take,
    ),
    writes=Writes(
        about="REDCap: a data dictionary that asks the rubric, and blinded records to import.",
        into="A new folder for the files.",
        metavar="FOLDER",
        give=_give,
    ),
)
