"""What the imports of tables share: their columns' names, and what they say when done."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from medassay.errors import InvalidInput, Problem
from medassay.text import count_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medassay.study import Taken

__all__ = ["read_columns", "say_all_taken", "say_taken"]

_MOST_FILES = 12


def read_columns(given: list[str] | None) -> dict[str, str]:
    """Read pairs of OURS=THEIRS.

    Raises:
        InvalidInput: A word is no such pair, or one of ours stands twice.
    """
    columns = {}
    for pair in given or []:
        ours, equals, theirs = pair.partition("=")
        if not (ours and equals and theirs):
            hint = "For example --column text=model_answer."
            raise InvalidInput(Problem("--column", "have the form OURS=THEIRS", f'"{pair}"', hint))
        if ours in columns:
            must = "name each of our columns once"
            raise InvalidInput(Problem("--column", must, f'"{ours}" twice'))
        columns[ours] = theirs
    return columns


def say_taken(taken: "Taken", study: Path, *, as_json: bool) -> None:
    """Say what was added, what was known, what was written, and what was odd."""
    from medassay.cli.say import say_json

    if as_json:
        say_json(asdict(taken), study)
        return
    _say(taken)


def say_all_taken(taken: "Sequence[Taken]", study: Path, *, as_json: bool) -> None:
    """Say it of an import that fills several tables."""
    from medassay.cli.say import say_json

    if as_json:
        say_json([asdict(one) for one in taken], study)
        return
    for one in taken:
        _say(one)


def _say(taken: "Taken") -> None:
    were = "was" if taken.known == 1 else "were"
    known = f", {taken.known} {were} there already" if taken.known else ""
    typer.echo(f"{count_of(taken.added, taken.kind.removesuffix('s'))} added{known}.")
    few = taken.files[:_MOST_FILES] if len(taken.files) > _MOST_FILES + 1 else taken.files
    for file in few:
        typer.echo(f"wrote {file}")
    if len(few) < len(taken.files):
        typer.echo(f"wrote {len(taken.files) - len(few)} more files beside them")
    for note in taken.notes:
        typer.echo(f"note: {note}")
