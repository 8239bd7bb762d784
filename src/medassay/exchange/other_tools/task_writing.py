"""How tasks for another tool are asked for: the same words and options for each tool."""

from pathlib import Path
from typing import Annotated

from medassay.campaign import parts_named
from medassay.exchange.declaration import Option, Writes
from medassay.exchange.entrusted import SheetTexts
from medassay.exchange.other_tools.declaring import Hide, Ratings, told
from medassay.exchange.other_tools.export_tasks import AnnotationTool, TaskWishes, export_tasks
from medassay.exchange.outcome import Outcome
from medassay.judgements.campaign import Secret
from medassay.study import Study

__all__ = ["task_writes"]


def task_writes(tool: AnnotationTool, about: str) -> Writes:
    """Declare that a tool's tasks are written, each under a code.

    Args:
        tool: Whose files they are; the hand-out is called so unless told otherwise.
        about: What is written.
    """

    def give(
        study: Study,
        fresh: Secret,
        into: Path,
        *,
        name: Annotated[str, Option("What the hand-out is called in the study.")] = tool.id,
        hide: Hide = None,
        ratings: Ratings = False,
        texts: SheetTexts = None,
    ) -> Outcome:
        wishes = TaskWishes(tool, name, parts_named(hide or ""), ratings, texts)
        return told(export_tasks(study, into, wishes, fresh), ", each under a code")

    return Writes(about=about, into="A new folder for the files.", metavar="FOLDER", give=give)
