"""medassay new."""

from pathlib import Path
from typing import Annotated

import typer

from medassay.cli.options import AsJson
from medassay.cli.verb import examples


@examples(
    "medassay new my-study --protocol ratings",
    "medassay new my-study --rubric accuracy,completeness,safety",
)
def new(
    path: Annotated[Path, typer.Argument(help="The folder to write; new or empty.")],
    *,
    protocol: Annotated[
        str,
        typer.Option(
            "--protocol",
            "-p",
            help="Such as ratings, or your own .toml file. An unknown name lists them all.",
        ),
    ] = "ratings",
    rubric: Annotated[
        str | None,
        typer.Option(
            metavar="RUBRIC",
            help="What raters rate, such as accuracy,completeness,safety; or a rubric's name "
            "or .toml file. medassay rubric list shows all. If not given, the protocol "
            "decides.",
        ),
    ] = None,
    empty: Annotated[
        bool, typer.Option("--empty", help="Write headers only, without the invented example.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Create a study: a commented study.toml, and every file with its columns."""
    from medassay.cli.output import print_json
    from medassay.judgements import choose_rubric
    from medassay.study import new_study

    chosen = None if rubric is None else choose_rubric(rubric)
    written = new_study(path, protocol, empty=empty, rubric=chosen)
    if as_json:
        print_json({"study": str(path), "files": [str(file) for file in written]})
        return
    for file in written:
        typer.echo(f"wrote {file}")
    typer.echo(f"\nREADME.md in it explains every column. Next: medassay check {path}")
