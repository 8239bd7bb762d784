"""Potato's annotations and tasks."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

from medassay.exchange.declaration import Format, Option, Reads
from medassay.exchange.glimpse import Glimpse
from medassay.exchange.other_tools.declaring import Names
from medassay.exchange.other_tools.export_tasks import AnnotationTool
from medassay.exchange.other_tools.import_ratings import check_names, import_ratings
from medassay.exchange.other_tools.task_writing import task_writes
from medassay.exchange.outcome import Outcome
from medassay.exchange.potato.read import read_potato
from medassay.exchange.potato.write import potato_files
from medassay.study import Study

__all__ = ["POTATO", "POTATO_TOOL"]


def _take(
    study: Study,
    files: Sequence[Path],
    *,
    items: Annotated[
        Path | None,
        Option("The data file that annotators saw; not needed for our own exports."),
    ] = None,
    column: Names,
) -> Outcome:
    check_names(study, column)
    return Outcome.of_one(import_ratings(study, read_potato(files, items), column))


def _is_one(seen: Glimpse) -> bool:
    if seen.path.is_dir():
        return seen.holds("user_state.json")
    return seen.has("instance_id", "user_id") or "instance_id_to_label_to_value" in seen.first


POTATO_TOOL: Final = AnnotationTool("potato", potato_files)
POTATO: Final = Format(
    id="potato",
    title="Potato",
    reads=Reads(
        about="Potato: what annotators said, as judgements.",
        files="annotation_output, or annotations.jsonl, .csv or .tsv.",
        is_one=_is_one,
        take=_take,
    ),
    writes=task_writes(
        POTATO_TOOL,
        "Potato: blinded items, and the configuration of a server that asks the rubric.",
    ),
)
