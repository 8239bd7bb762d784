"""What an import of a protocol's own files says."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from medassay.cli.say import say_json

if TYPE_CHECKING:
    from medassay.study import TakenPanel, TakenResults

__all__ = ["say_panel", "say_results"]


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
    _say_counts(counts, taken.files, study)


def say_results(taken: "TakenResults", study: Path, *, as_json: bool) -> None:
    """Say what was taken of results files, and what became of their columns."""
    if as_json:
        say_json(asdict(taken))
        return
    for note in taken.notes:
        typer.echo(f"note: {note}")
    counts = [
        (taken.cases, "question", "questions"),
        (taken.systems, "model", "models"),
        (taken.answers, "answer", "answers"),
        (taken.raters, "rater", "raters"),
        (taken.judgements, "judgement", "judgements"),
        (taken.documents, "text retrieved", "texts retrieved"),
    ]
    _say_counts(counts, taken.files, study)


def _say_counts(counts: list[tuple[int, str, str]], files: list[str], study: Path) -> None:
    typer.echo(
        "Taken: " + ", ".join(f"{n} {one if n == 1 else many}" for n, one, many in counts) + "."
    )
    for file in files:
        typer.echo(f"wrote {file}")
    typer.echo(f"Next: medassay run {study}")
