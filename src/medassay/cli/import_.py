"""medassay import."""

import sys
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from medassay.cli.format_command import FormatCommand, done
from medassay.cli.options import AsJson, IntoStudy
from medassay.cli.verb import examples

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from inspect import Parameter

    from medassay.exchange import Format, Outcome

_EXPLAIN = (
    "Write nothing: say of each column what it is read as and why. Into a pipe or a file as CSV, "
    "which --column takes back."
)
_NOWHERE = "no-study-yet"
"""Stands for the study's folder where none is named: nothing is read of it or written to it."""
_YES = "Read it as it is shown, and ask nothing: for scripts."
_Files = Annotated[list[Path], typer.Argument(metavar="FILE...", help="Files of one format.")]


@examples(
    "medassay import chatbots.xlsx --into my-study",
    "medassay import chatbots.xlsx --into my-study --column answer=Response --yes",
    "medassay import my_scores.csv --from scores --into my-study --name my_judge",
)
def import_(
    files: _Files,
    *,
    into: IntoStudy,
    from_: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="FORMAT",
            help="The format, if not recognised; -h then lists its options.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Import a spreadsheet, or the files of a shared task or of another tool."""
    raise NotImplementedError  # the format's own command runs in its place


class ImportCommand(FormatCommand):
    """Takes files of any format."""

    way = "--from"

    def command_of(self, file_format: "Format") -> Any:  # noqa: ANN401 - of typer's own click
        """Make the command that takes files of this format."""
        from medassay.cli.typed import argument, command, option, typed

        reads = file_format.reads
        if reads is None:
            raise NotImplementedError  # the registry gives this verb only what is read

        def take(into: Path | None, files: "Sequence[Path] | Path | None", **words: object) -> None:
            given = [files] if isinstance(files, Path) else files or []
            with _one_cause_once(as_json=bool(words["as_json"])):
                if words.pop("explain", False):
                    _explain(file_format, into, given, words)
                else:
                    _take(file_format, _needed(into), given, words)

        asks = [option("yes", bool, _YES, default=False)] if reads.propose is not None else []
        explains = reads.explain is not None
        asks += [option("explain", bool, _EXPLAIN, default=False)] if explains else []
        many = list[Path] | None if reads.none else list[Path]
        what = "The study's folder; a new one is made." if reads.makes_study else None
        return command(
            take,
            about=reads.about,
            parameters=[
                argument("files", Path if reads.alone else many, reads.files, left=reads.none),
                _into(what or "The study's folder.", left=explains),
                *typed(reads.take),
                *asks,
            ],
        )


def _into(what: str, *, left: bool) -> "Parameter":
    """Ask for the study's folder; it may be left out where an option writes nothing."""
    from medassay.cli.typed import option

    if left:
        return option("into", Path | None, what, metavar="STUDY", default=None)
    return option("into", Path, what, metavar="STUDY")


def _needed(into: Path | None) -> Path:
    from medassay.errors import InvalidInput, Problem

    if into is None:
        hint = "For example --into my-study: a new folder is made."
        raise InvalidInput(Problem("--into", "name the study's folder", "nothing", hint))
    return into


@contextmanager
def _one_cause_once(*, as_json: bool) -> "Iterator[None]":
    """Name one cause once, with a count and the first places; machines get every place."""
    from medassay.errors import InvalidInput
    from medassay.exchange.outcome import folded

    try:
        yield
    except InvalidInput as error:
        if as_json:
            raise
        raise InvalidInput(folded(error.problems)) from error


def _explain(
    file_format: "Format", into: Path | None, files: "Sequence[Path]", typed: dict[str, object]
) -> None:
    """Say why each column is read as it is: lines on a screen, else a table."""
    from dataclasses import asdict

    from medassay.cli.output import print_json
    from medassay.cli.typed import values
    from medassay.tables import csv_bytes
    from medassay.text import shell_line

    reads = file_format.reads
    if reads is None or reads.explain is None:
        raise NotImplementedError  # the option is only there where it can be done
    as_json = bool(typed.pop("as_json"))
    typed.pop("yes", None)
    study = into or Path(_NOWHERE)
    told = reads.explain(study, files, **values(reads.take, typed))
    if as_json:
        questions = [asdict(replace(question, examples=())) for question in told.questions]
        print_json({"columns": told.columns, "questions": questions}, into)
    elif sys.stdout.isatty():
        for column in told.columns:
            typer.echo(f"{column['column']}: {column['said']} ({column['why']})")
            cells = f"{column['cells']}: {column['filled']} filled, {column['distinct']} different"
            typer.echo(f"    {cells}")
            if column["second"]:
                pair = f"{column['second']}={column['column']}"
                typer.echo(f"    or else: {shell_line(['--column', pair])}")
        for question in told.questions:
            typer.echo(f"open: {question.problem()}")
    else:
        header = list(told.columns[0]) if told.columns else []
        rows = [list(column.values()) for column in told.columns]
        typer.echo(csv_bytes(header, rows).decode(), nl=False)


def _read(
    take: "Callable[..., Outcome]", study: object, files: "Sequence[Path]", **chosen: object
) -> "Outcome":
    """Read files, and show that it goes on; nothing is asked meanwhile."""
    from medassay.cli.output import progress
    from medassay.exhibits.numbers import count_of
    from medassay.tables import gc_paused

    with progress(f"reading {count_of(len(files), 'file')}"), gc_paused():
        return take(study, files, **chosen)


def _take(
    file_format: "Format", into: Path, files: "Sequence[Path]", typed: dict[str, object]
) -> None:
    from medassay.cli.agreed import agreed, answered
    from medassay.cli.output import print_outcome
    from medassay.cli.typed import values
    from medassay.errors import InvalidInput, Problem
    from medassay.exchange import Undecided
    from medassay.study import Study, only_writer
    from medassay.study.runs.raters_key import key_kept
    from medassay.tables import is_there, what_is_unread

    reads = file_format.reads
    if reads is None:
        raise NotImplementedError  # the registry gives this verb only what is read
    if not (reads.makes_study or is_there(into / "study.toml")):
        must, got = "go into a study that exists", f"no study.toml in {into}"
        hint = "If it is a table of your own, with questions or ratings, add: --from spreadsheet. "
        hint += f"Else make the study first: medassay new {into} --protocol ratings"
        shown = f"{', '.join(file.name for file in files)}, read as {file_format.title}'s"
        raise InvalidInput(Problem(shown, must, got, hint))
    as_json = bool(typed.pop("as_json"))
    yes = bool(typed.pop("yes", False))
    if reads.propose is not None:
        typed = agreed(file_format, into, files, typed, yes=yes, as_json=as_json)
    chosen = values(reads.take, typed)
    writing = only_writer(into, new=reads.makes_study)
    with writing, key_kept(into) as pseudonyms, what_is_unread() as unread:
        study = into if reads.makes_study else Study.open_whole(into)
        outcome = None
        while outcome is None:
            try:
                take = partial(_read, reads.take, study, files, **chosen)
                outcome = done(file_format, take, into, files, as_json=as_json)
            except Undecided as error:
                typed = answered(file_format, into, files, typed, error, as_json=as_json)
                chosen = values(reads.take, typed)
        pseudonyms.extend([outcome.people] if outcome.people else [])
    print_outcome(outcome.with_unread(unread), into, as_json=as_json)
