"""medassay import potato, label-studio."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Final

import typer

from medassay.cli.options import AsJson, IntoStudy
from medassay.cli.taken import read_columns, say_taken

__all__ = ["COMMANDS"]

_Names = Annotated[
    list[str] | None,
    typer.Option(
        "--column",
        "-c",
        metavar="OURS=THEIRS",
        help="A dimension of ours, or system or case, is called THEIRS.",
    ),
]


def potato(
    files: Annotated[
        list[Path],
        typer.Argument(help="annotation_output, or annotations.jsonl, .csv or .tsv."),
    ],
    *,
    into: IntoStudy,
    items: Annotated[
        Path | None,
        typer.Option(help="The data file that annotators saw; not needed for our own exports."),
    ] = None,
    column: _Names = None,
    as_json: AsJson = False,
) -> None:
    """Potato: what annotators said, as judgements."""
    from medassay.study import Study, only_writer
    from medassay.study.other_tools import take_potato

    names = read_columns(column)
    with only_writer(into):
        taken = take_potato(Study.open(into), files, names, items)
    say_taken(taken, as_json=as_json)


def label_studio(
    files: Annotated[list[Path], typer.Argument(help="Exports as JSON.")],
    *,
    into: IntoStudy,
    column: _Names = None,
    as_json: AsJson = False,
) -> None:
    """Label Studio: annotations of tasks, as judgements."""
    from medassay.study import Study, only_writer
    from medassay.study.other_tools import take_label_studio

    names = read_columns(column)
    with only_writer(into):
        taken = take_label_studio(Study.open(into), files, names)
    say_taken(taken, as_json=as_json)


COMMANDS: Final[dict[str, Callable[..., None]]] = {
    "potato": potato,
    "label-studio": label_studio,
}
"""The commands of `medassay import` that read other tools' files."""
