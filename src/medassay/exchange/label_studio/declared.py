"""Label Studio's exports and tasks."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

from medassay.campaign import parts_named
from medassay.exchange.declaration import Format, Option, Reads, Writes
from medassay.exchange.entrusted import SheetTexts
from medassay.exchange.other_tools.declaring import Hide, Names, Ratings, told
from medassay.exchange.other_tools.export_tasks import TaskWishes, export_tasks
from medassay.exchange.other_tools.import_ratings import import_label_studio
from medassay.exchange.outcome import Outcome
from medassay.judgements.campaign import Secret
from medassay.study import Study

__all__ = ["LABEL_STUDIO"]


def _take(study: Study, files: Sequence[Path], *, column: Names) -> Outcome:
    return Outcome.of_one(import_label_studio(study, files, column))


def _give(
    study: Study,
    fresh: Secret,
    into: Path,
    *,
    name: Annotated[str, Option("What the hand-out is called in the study.")] = "label-studio",
    hide: Hide = None,
    ratings: Ratings = False,
    texts: SheetTexts = None,
) -> Outcome:
    wishes = TaskWishes("label-studio", name, parts_named(hide or ""), ratings, texts)
    return told(export_tasks(study, into, wishes, fresh), ", each under a code")


LABEL_STUDIO: Final = Format(
    id="label-studio",
    title="Label Studio",
    reads=Reads(
        about="Label Studio: annotations of tasks, as judgements.",
        files="Exports as JSON.",
        is_one=lambda seen: {"data", "annotations"} <= seen.first.keys(),
        take=_take,
    ),
    writes=Writes(
        about="Label Studio: blinded tasks, and the labelling configuration of the rubric.",
        into="A new folder for the files.",
        metavar="FOLDER",
        give=_give,
    ),
)
