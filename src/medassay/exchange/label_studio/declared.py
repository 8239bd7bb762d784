"""Label Studio's exports and tasks."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from medassay.exchange.declaration import Format, Reads
from medassay.exchange.other_tools.declaring import Names
from medassay.exchange.other_tools.import_ratings import import_label_studio
from medassay.exchange.other_tools.task_writing import task_writes
from medassay.exchange.outcome import Outcome
from medassay.study import Study

__all__ = ["LABEL_STUDIO"]


def _take(study: Study, files: Sequence[Path], *, column: Names) -> Outcome:
    return Outcome.of_one(import_label_studio(study, files, column))


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
        "label-studio",
        "Label Studio: blinded tasks, and the labelling configuration of the rubric.",
    ),
)
