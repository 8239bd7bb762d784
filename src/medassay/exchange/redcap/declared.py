"""REDCap's exports, and projects for it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Final

from medassay.exchange.declaration import Format, Option, Reads
from medassay.exchange.other_tools.export_tasks import AnnotationTool
from medassay.exchange.other_tools.import_ratings import check_names, import_ratings
from medassay.exchange.other_tools.items import read_items
from medassay.exchange.other_tools.task_writing import task_writes
from medassay.exchange.outcome import Outcome
from medassay.exchange.redcap.fields import RATER
from medassay.exchange.redcap.read import read_redcap
from medassay.exchange.redcap.table import is_redcap
from medassay.exchange.redcap.wanted import Wanted
from medassay.exchange.redcap.write import (
    kept_dictionaries,
    kept_dictionary,
    redcap_files,
    redcap_notes,
)
from medassay.study import Study

__all__ = ["REDCAP", "REDCAP_TOOL"]

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
    check_names(study, column, (RATER,))
    about = {} if items is None else read_items(items)
    # Exports of a project that we wrote hold codes: what was asked there stands in the study.
    wanted = Wanted(study.rubric, column, kept_dictionaries(study.path), about)
    return Outcome.of_one(import_ratings(study, read_redcap(files, wanted), column))


REDCAP_TOOL: Final = AnnotationTool(
    "redcap", redcap_files, numbers=True, kept=kept_dictionary, notes=redcap_notes
)
REDCAP: Final = Format(
    id="redcap",
    title="REDCap",
    reads=Reads(
        about="REDCap: what raters entered, as judgements.",
        files="Exports as CSV, raw or in labels; with them the data dictionary, if it is not ours.",
        is_one=is_redcap,
        take=_take,
    ),
    writes=task_writes(
        REDCAP_TOOL,
        "REDCap: a data dictionary that asks the rubric, and blinded records to import.",
    ),
)
