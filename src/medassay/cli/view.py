"""medassay view."""

from pathlib import Path
from typing import Annotated, Final

import typer

from medassay.cli.options import StudyFolder
from medassay.cli.verb import examples

_PORT: Final = 8001


@examples(
    "medassay view my-study",
    "medassay view my-study 7 clinic",
    "medassay view my-study --beside my-study-before",
    "medassay view my-study --beside my-study/results/1b0f3c9a2d4e",
)
def view(
    study: StudyFolder,
    case: Annotated[str, typer.Argument(help="Open this case.", metavar="[CASE]")] = "",
    system: Annotated[
        str, typer.Argument(help="Open the case at this system's answer.", metavar="[SYSTEM]")
    ] = "",
    *,
    beside: Annotated[
        Path | None,
        typer.Option(
            help="Compare with another study, or with an earlier run (its folder): changed words "
            "are marked.",
            metavar="STUDY|RUN",
        ),
    ] = None,
) -> None:
    """View a study in the browser: a table of answers, and those to a case side by side.

    Each answer is shown with its labels, its scores and the words that decided them. You can try a
    metric on one answer. Only this machine can open it, and it writes nothing. Scores are those of
    the last run.
    """
    from medassay.cli.output import progress
    from medassay.models import need_package
    from medassay.web import Served, serve
    from medassay.web.viewer import Key, Viewed, page_of, view_app

    for package in ("starlette", "uvicorn"):
        need_package(package, "medassay view")
    with progress("reading the study"):
        viewed, key = Viewed.open(study, beside), Key()
    to = page_of(viewed, case, system)
    app = view_app(viewed, key)

    def ready(listening: str) -> None:
        typer.echo(f"Open {key.address(listening, to)}")
        typer.echo("Stop it with Ctrl+C. Nothing of the study is changed.")

    serve(app, Served(port=_PORT), ready, else_any=True)
