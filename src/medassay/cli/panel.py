"""What an import of a panel's files says."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from medassay.cli.say import say_json

if TYPE_CHECKING:
    from medassay.study import TakenPanel

__all__ = ["say_panel"]


def say_panel(taken: "TakenPanel", study: Path, *, as_json: bool) -> None:
    """Say what was taken, what was odd about the files, and what they cannot be."""
    if as_json:
        say_json(asdict(taken))
        return
    for note in taken.notes:
        typer.echo(f"note: {note}")
    for finding in taken.findings:
        typer.echo(f"note: {finding}")
    counts = [
        (taken.cases, "query", "queries"),
        (taken.answers, "answer", "answers"),
        (taken.judgements, "rating", "ratings"),
        (taken.experts, "expert", "experts"),
        (taken.documents, "document", "documents"),
    ]
    typer.echo(
        "Taken: " + ", ".join(f"{n} {one if n == 1 else many}" for n, one, many in counts) + "."
    )
    for file in taken.files:
        typer.echo(f"wrote {file}")
    typer.echo(f"Next: medassay run {study}")
