"""medassay import potato, label-studio, inspect, mt-metrics-eval."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Final, Literal

import typer

from medassay.cli.options import AsJson, IntoStudy
from medassay.cli.taken import read_columns, say_all_taken, say_taken

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
    from medassay.exchange.other_tools import take_potato
    from medassay.study import Study, only_writer

    names = read_columns(column)
    with only_writer(into):
        taken = take_potato(Study.open_whole(into), files, names, items)
    say_taken(taken, into, as_json=as_json)


def label_studio(
    files: Annotated[list[Path], typer.Argument(help="Exports as JSON.")],
    *,
    into: IntoStudy,
    column: _Names = None,
    as_json: AsJson = False,
) -> None:
    """Label Studio: annotations of tasks, as judgements."""
    from medassay.exchange.other_tools import take_label_studio
    from medassay.study import Study, only_writer

    names = read_columns(column)
    with only_writer(into):
        taken = take_label_studio(Study.open_whole(into), files, names)
    say_taken(taken, into, as_json=as_json)


def mt_metrics_eval(
    files: Annotated[
        list[Path], typer.Argument(help="Files that end in .seg.score, or a test set's folder.")
    ],
    *,
    into: IntoStudy,
    pair: Annotated[
        str | None, typer.Option(help="The language pair, where the folder has several.")
    ] = None,
    name: Annotated[
        str, typer.Option(help="What the table of scores is called in the study.")
    ] = "mt-metrics-eval",
    as_json: AsJson = False,
) -> None:
    """mt-metrics-eval: scores by segment; a segment is a case."""
    from medassay.exchange.other_tools import take_mt_metrics_eval
    from medassay.study import Study, only_writer

    with only_writer(into):
        taken = take_mt_metrics_eval(Study.open_whole(into), files, pair, name)
    say_all_taken(taken, into, as_json=as_json)


def inspect(
    files: Annotated[
        list[Path], typer.Argument(help="Logs (.eval, .json), or files of precomputed scores.")
    ],
    *,
    into: IntoStudy,
    system: Annotated[
        str | None, typer.Option(help="What the system is called; as the log's model if not given.")
    ] = None,
    rater: Annotated[
        str | None, typer.Option(help="Scores called after a dimension are labels of this rater.")
    ] = None,
    rater_kind: Annotated[
        Literal["model", "person"], typer.Option(help="What that rater is.")
    ] = "model",
    scorer: Annotated[
        str | None, typer.Option(help="What precomputed scores are; the file's name if not given.")
    ] = None,
    name: Annotated[str, typer.Option(help="What the table of scores is called.")] = "inspect",
    as_json: AsJson = False,
) -> None:
    """Inspect: answers, scores, and ratings whose raters are named."""
    from medassay.exchange.other_tools import LogWishes, take_inspect
    from medassay.study import Study, only_writer

    wishes = LogWishes(system, rater, rater_kind, scorer, name)
    with only_writer(into):
        taken = take_inspect(Study.open_whole(into), files, wishes)
    say_all_taken(taken, into, as_json=as_json)


COMMANDS: Final[dict[str, Callable[..., None]]] = {
    "potato": potato,
    "label-studio": label_studio,
    "inspect": inspect,
    "mt-metrics-eval": mt_metrics_eval,
}
"""The commands of `medassay import` that read other tools' files."""
