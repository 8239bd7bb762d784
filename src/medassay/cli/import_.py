"""medassay import."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from medassay.cli.format_command import FormatCommand, done
from medassay.cli.options import AsJson, IntoStudy
from medassay.cli.verb import examples

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medassay.exchange import Format

__all__ = ["ImportCommand", "import_"]

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
            help="Their format; told by what the files hold if not given. With -h: its options.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Import a spreadsheet of yours, or the files of a shared task or of another tool."""
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

        def take(into: Path, files: "Sequence[Path] | Path | None", **words: object) -> None:
            _take(file_format, into, [files] if isinstance(files, Path) else files or [], words)

        asks = [option("yes", bool, _YES, default=False)] if reads.propose is not None else []
        many = list[Path] | None if reads.none else list[Path]
        what = "The study's folder; a new one is made." if reads.makes_study else None
        return command(
            take,
            about=reads.about,
            parameters=[
                argument("files", Path if reads.alone else many, reads.files, left=reads.none),
                option("into", Path, what or "The study's folder.", metavar="STUDY"),
                *typed(reads.take),
                *asks,
            ],
        )


def _take(
    file_format: "Format", into: Path, files: "Sequence[Path]", typed: dict[str, object]
) -> None:
    from medassay.cli.agreed import agreed
    from medassay.cli.output import print_outcome
    from medassay.cli.typed import values
    from medassay.study import Study, only_writer
    from medassay.study.raters_key import key_kept

    reads = file_format.reads
    if reads is None:
        raise NotImplementedError  # the registry gives this verb only what is read
    as_json = bool(typed.pop("as_json"))
    yes = bool(typed.pop("yes", False))
    if reads.propose is not None:
        typed = agreed(file_format, into, files, typed, yes=yes, as_json=as_json)
    chosen = values(reads.take, typed)
    with only_writer(into, new=reads.makes_study), key_kept(into):
        study = into if reads.makes_study else Study.open_whole(into)
        outcome = done(
            file_format, lambda: reads.take(study, files, **chosen), into, files, as_json=as_json
        )
    print_outcome(outcome, into, as_json=as_json)
