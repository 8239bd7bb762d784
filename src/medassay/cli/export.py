"""medassay export."""

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from medassay.cli.format_command import FormatCommand, done
from medassay.cli.options import AsJson, Only, StudyFolder
from medassay.cli.verb import examples

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from medassay.exchange import Format


@examples(
    "medassay export my-study --to inspect --into logs",
    "medassay export my-study --to trec-run --system ours --into our-run.txt",
)
def export(
    study: StudyFolder,
    *,
    to: Annotated[
        str, typer.Option("--to", metavar="FORMAT", help="The format; with -h, list its options.")
    ],
    into: Annotated[
        Path | None, typer.Option(metavar="PATH", help="A new file or folder, as the format has.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Export a study to the files of a shared task or of another tool."""
    raise NotImplementedError  # the format's own command runs in its place


class ExportCommand(FormatCommand):
    """Writes files of any format."""

    way = "--to"

    def command_of(self, file_format: "Format") -> Any:  # noqa: ANN401 - of typer's own click
        """Make the command that writes files of this format."""
        from inspect import Parameter

        from medassay.cli.typed import argument, command, option, typed
        from medassay.exchange.declaration import asks, wants
        from medassay.study import Scored

        writes = file_format.writes
        if writes is None:
            raise NotImplementedError  # the registry gives this verb only what is written

        def give(study: Path, into: Path | None, **words: object) -> None:
            _give(file_format, study, into, words)

        into = list(asks(writes.give).values())[-1]
        default = Parameter.empty if into is Path else None
        only = Parameter("only", Parameter.KEYWORD_ONLY, annotation=Only, default=None)
        return command(
            give,
            about=writes.about,
            parameters=[
                argument("study", Path, "The study's folder.", metavar="STUDY"),
                option("into", into, writes.into, metavar=writes.metavar, default=default),
                *typed(writes.give),
                *([only] if wants(writes.give, Scored) else []),
            ],
        )


def _give(file_format: "Format", study: Path, into: Path | None, typed: dict[str, object]) -> None:
    from medassay.analyses.results import Results
    from medassay.cli.output import print_outcome
    from medassay.cli.typed import values
    from medassay.exchange.declaration import asks, wants
    from medassay.judgements.campaign import Secret
    from medassay.study import Scored, Study, only_writer

    writes = file_format.writes
    if writes is None:
        raise NotImplementedError  # the registry gives this verb only what is written
    give = writes.give
    as_json = bool(typed.pop("as_json"))
    only: Any = typed.pop("only", None)
    chosen = values(give, typed)
    opened: dict[object, Callable[[], object]] = {Study: lambda: Study.open_whole(study)}
    with ExitStack() as held:
        if wants(give, Scored):
            run_study, scored = _scored(study, only)
            opened |= {Study: lambda: run_study, Scored: lambda: scored}
        if wants(give, Results):
            results = _results(study)
            opened[Results] = lambda: results
        if wants(give, Secret):
            held.enter_context(only_writer(study))
            opened[Secret] = Secret.new
        asked = [opened[kind]() for kind in list(asks(give).values())[:-1]]
        outcome = done(file_format, lambda: give(*asked, into, **chosen), study, as_json=as_json)
    print_outcome(outcome, None, as_json=as_json)


def _scored(study: Path, only: "Sequence[str] | None") -> tuple[object, object]:
    from medassay.cli.output import progress
    from medassay.study import only_writer, open_run, score_study

    run = open_run(study, only=only)
    with only_writer(study), progress() as tell:
        run.pseudonyms.write_key(study, run.name)
        return run.study.by_name(), score_study(run.study, run.metrics, tell)


def _results(study: Path) -> object:
    from medassay.cli.output import progress
    from medassay.library import run_and_report
    from medassay.report import read_results

    done = run_and_report(study, progress=progress())
    return read_results(done.folder / "report.json")
