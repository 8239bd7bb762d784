"""What an import of a protocol's own files says."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from medassay.cli.say import say_json

if TYPE_CHECKING:
    from medassay.exchange import TakenPanel, TakenResults

__all__ = ["say_panel", "say_results"]

_Counts = Sequence[tuple[int, str, str]]


def say_panel(taken: "TakenPanel", study: Path, *, as_json: bool) -> None:
    """Say what was taken, what was odd about the files, and what they cannot be."""
    counts = (
        (taken.cases, "query", "queries"),
        (taken.answers, "answer", "answers"),
        (taken.judgements, "rating", "ratings"),
        (taken.experts, "expert", "experts"),
        (taken.documents, "document returned", "documents returned"),
        (taken.labels, "label of them", "labels of them"),
        (taken.texts, "text", "texts"),
    )
    _say(taken, [*taken.notes, *taken.findings], counts, study, as_json=as_json)


def say_results(taken: "TakenResults", study: Path, *, as_json: bool) -> None:
    """Say what was taken of results files, and what became of their columns."""
    counts = (
        (taken.cases, "question", "questions"),
        (taken.systems, "model", "models"),
        (taken.answers, "answer", "answers"),
        (taken.raters, "rater", "raters"),
        (taken.judgements, "judgement", "judgements"),
        (taken.documents, "text retrieved", "texts retrieved"),
    )
    _say(taken, taken.notes, counts, study, as_json=as_json)


def _say(
    taken: "TakenPanel | TakenResults",
    notes: Sequence[str],
    counts: _Counts,
    study: Path,
    *,
    as_json: bool,
) -> None:
    if as_json:
        say_json(asdict(taken), study)
        return
    for note in notes:
        typer.echo(f"note: {note}")
    said = (f"{n} {one if n == 1 else many}" for n, one, many in counts)
    typer.echo(f"Taken: {', '.join(said)}.")
    for file in taken.files:
        typer.echo(f"wrote {file}")
    typer.echo(f"Next: medassay run {study}")
