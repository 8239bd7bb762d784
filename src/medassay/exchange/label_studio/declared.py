"""Label Studio's exports and tasks."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from medassay.exchange.declaration import Format, Reads
from medassay.exchange.label_studio.read import read_label_studio
from medassay.exchange.label_studio.write import label_studio_files
from medassay.exchange.other_tools.declaring import Names
from medassay.exchange.other_tools.export_tasks import AnnotationTool
from medassay.exchange.other_tools.import_ratings import check_names, import_ratings
from medassay.exchange.other_tools.task_writing import task_writes
from medassay.exchange.outcome import Outcome
from medassay.study import Study

__all__ = ["LABEL_STUDIO", "LABEL_STUDIO_TOOL"]


def _take(study: Study, files: Sequence[Path], *, column: Names) -> Outcome:
    check_names(study, column)
    return Outcome.of_one(import_ratings(study, read_label_studio(files), column))


LABEL_STUDIO_TOOL: Final = AnnotationTool("label-studio", label_studio_files)
LABEL_STUDIO: Final = Format(
    id="label-studio",
    title="Label Studio",
    reads=Reads(
        about="Label Studio: annotations of tasks, as judgements.",
        files="Exports as JSON.",
        is_one=lambda seen: {"data", "annotations"} <= seen.first.keys(),
        take=_take,
    ),
    writes=task_writes(
        LABEL_STUDIO_TOOL,
        "Label Studio: blinded tasks, and the labelling configuration of the rubric.",
    ),
)
