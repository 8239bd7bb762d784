"""Options that several verbs share, so that they are called the same everywhere."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["AsJson", "Seed", "StudyFolder", "Texts", "TextsChoice"]


class TextsChoice(StrEnum):
    """How much text a report shows."""

    full = "full"
    ids = "ids"
    none = "none"


StudyFolder = Annotated[Path, typer.Argument(metavar="STUDY", help="The study's folder.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]
Seed = Annotated[
    int | None, typer.Option(min=0, help="Seed of every draw; study.toml's if not given.")
]
Texts = Annotated[
    TextsChoice | None,
    typer.Option(help="Show texts in full, only their ids, or none; study.toml's if not given."),
]
