"""medassay import."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from medassay.cli.format_command import FormatCommand, done
from medassay.cli.options import AsJson, IntoStudy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medassay.exchange import Format

__all__ = ["ImportCommand", "import_"]

_Files = Annotated[list[Path], typer.Argument(metavar="FILE...", help="Files of one format.")]


def import_(
    files: _Files,
    *,
    into: IntoStudy,
    from_: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="FORMAT",
            help="Their format; told by what the files hold if not given. With -h: its options.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Take a table of yours into a study, or the files of a shared task or of another tool."""
    raise NotImplementedError  # the format's own command runs in its place


class ImportCommand(FormatCommand):
    """Takes files of any format."""

    way = "--from"

    def command_of(self, one: "Format") -> Any:  # noqa: ANN401 - of typer's own click
        """Make the command that takes files of this format."""
        from medassay.cli.typed import argument, command, option, typed

        reads = one.reads
        if reads is None:
            raise NotImplementedError  # the registry gives this verb only what is read

        def take(into: Path, files: "Sequence[Path] | Path | None", **given: object) -> None:
            _take(one, into, [files] if isinstance(files, Path) else files or [], given)

        many = list[Path] | None if reads.none else list[Path]
        what = "The study's folder; a new one is made." if reads.makes_study else None
        return command(
            take,
            about=reads.about,
            parameters=[
                argument("files", Path if reads.alone else many, reads.files, left=reads.none),
                option("into", Path, what or "The study's folder.", metavar="STUDY"),
                *typed(reads.take),
            ],
        )


def _take(one: "Format", into: Path, files: "Sequence[Path]", given: dict[str, object]) -> None:
    from medassay.cli.say import say_outcome
    from medassay.cli.typed import values
    from medassay.study import Study, only_writer

    reads = one.reads
    if reads is None:
        raise NotImplementedError  # the registry gives this verb only what is read
    as_json = bool(given.pop("as_json"))
    chosen = values(reads.take, given)
    with only_writer(into, new=reads.makes_study):
        study = into if reads.makes_study else Study.open_whole(into)
        outcome = done(
            one, lambda: reads.take(study, files, **chosen), into, files, as_json=as_json
        )
    say_outcome(outcome, into, as_json=as_json)
