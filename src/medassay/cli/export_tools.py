"""medassay export potato, label-studio, inspect, mt-metrics-eval."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from medassay.cli.options import AsJson, Metrics, Offline, Only, SheetTexts, StudyFolder

if TYPE_CHECKING:
    from medassay.exchange.other_tools import Given, TaskWishes
    from medassay.study import Scored, Study

__all__ = ["COMMANDS"]

_Into = Annotated[Path, typer.Option(metavar="FOLDER", help="A new folder for the files.")]
_Name = Annotated[str, typer.Option(help="What the hand-out is called in the study.")]
_Hide = Annotated[
    str | None, typer.Option(help="What stays out of the items, such as references,documents.")
]
_Ratings = Annotated[
    bool, typer.Option("--ratings", help="Write what raters have said already, too.")
]


def potato(
    study: StudyFolder,
    *,
    into: _Into,
    name: _Name = "potato",
    hide: _Hide = None,
    ratings: _Ratings = False,
    texts: SheetTexts = None,
    as_json: AsJson = False,
) -> None:
    """Potato: blinded items, and the configuration of a server that asks the rubric."""
    from medassay.campaign import parts_named
    from medassay.exchange.other_tools import TaskWishes

    wishes = TaskWishes("potato", name, parts_named(hide or ""), ratings, texts)
    _give(study, into, wishes, as_json=as_json)


def label_studio(
    study: StudyFolder,
    *,
    into: _Into,
    name: _Name = "label-studio",
    hide: _Hide = None,
    ratings: _Ratings = False,
    texts: SheetTexts = None,
    as_json: AsJson = False,
) -> None:
    """Label Studio: blinded tasks, and the labelling configuration of the rubric."""
    from medassay.campaign import parts_named
    from medassay.exchange.other_tools import TaskWishes

    wishes = TaskWishes("label-studio", name, parts_named(hide or ""), ratings, texts)
    _give(study, into, wishes, as_json=as_json)


def _give(study: Path, into: Path, wishes: "TaskWishes", *, as_json: bool) -> None:
    from medassay.exchange.other_tools import give_tasks
    from medassay.judgements.campaign import Secret
    from medassay.study import Study, only_writer

    with only_writer(study):
        given = give_tasks(Study.open_whole(study), into, wishes, Secret.new())
    _say_given(given, ", each under a code", as_json=as_json)


def inspect(
    study: StudyFolder,
    *,
    into: _Into,
    metrics: Metrics = None,
    only: Only = None,
    offline: Offline = False,
    as_json: AsJson = False,
) -> None:
    """Inspect: a log of each system, and files of ratings for precomputed_scores."""
    from medassay.exchange.other_tools import give_inspect

    given = give_inspect(*_scored(study, metrics, only, offline=offline), into)
    _say_given(given, as_json=as_json)


def mt_metrics_eval(
    study: StudyFolder,
    *,
    into: _Into,
    metrics: Metrics = None,
    only: Only = None,
    offline: Offline = False,
    as_json: AsJson = False,
) -> None:
    """mt-metrics-eval: a test set with every metric's and every rater's scores."""
    from medassay.exchange.other_tools import give_mt_metrics_eval

    given = give_mt_metrics_eval(*_scored(study, metrics, only, offline=offline), into)
    _say_given(given, as_json=as_json)


def _scored(
    study: Path, metrics: list[str] | None, only: list[str] | None, *, offline: bool
) -> "tuple[Study, Scored]":
    from medassay.cli.say import progress
    from medassay.study import only_writer, open_run, score_study

    run = open_run(study, metrics=metrics, only=only, offline=offline)
    with only_writer(study), progress() as tell:
        run.pseudonyms.write_key(study, run.name)
        return run.study.by_name(), score_study(run.study, run.metrics, tell)


def _say_given(given: "Given", how: str = "", *, as_json: bool) -> None:
    """Say what was written, and what the files do not hold."""
    from dataclasses import asdict

    from medassay.cli.say import say_json
    from medassay.exhibits.numbers import count_of

    if as_json:
        say_json(asdict(given))
        return
    held = ", ".join(count_of(count, noun) for noun, count in given.counts.items())
    typer.echo(f"{held}{how}.")
    for file in given.files:
        typer.echo(f"wrote {file}")
    for note in given.notes:
        typer.echo(f"note: {note}")


COMMANDS: Final[dict[str, Callable[..., None]]] = {
    "potato": potato,
    "label-studio": label_studio,
    "inspect": inspect,
    "mt-metrics-eval": mt_metrics_eval,
}
"""The commands of `medassay export` that write other tools' files."""
