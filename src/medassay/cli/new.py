"""medassay new."""

from pathlib import Path
from typing import Annotated

import typer

from medassay.cli.options import AsJson

__all__ = ["new"]


def new(
    path: Annotated[Path, typer.Argument(help="The folder to write; new or empty.")],
    *,
    protocol: Annotated[
        str,
        typer.Option(
            "--protocol",
            "-p",
            help="Such as ratings, or a .toml file of yours; a name that is none lists them all.",
        ),
    ] = "ratings",
    empty: Annotated[
        bool, typer.Option("--empty", help="Headers only, without the invented example.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Write a new study: a commented study.toml, and every file with its columns."""
    from medassay.cli.say import say_json
    from medassay.study import new_study

    written = new_study(path, protocol, empty=empty)
    if as_json:
        say_json({"study": str(path), "files": [str(file) for file in written]})
        return
    for file in written:
        typer.echo(f"wrote {file}")
    typer.echo(f"\nREADME.md in it explains every column. Next: medassay check {path}")
