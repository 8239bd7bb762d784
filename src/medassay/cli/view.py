"""medassay view."""

from typing import Final

import typer

from medassay.cli.options import StudyFolder
from medassay.cli.verb import examples

__all__ = ["view"]

_PORT: Final = 8001


@examples(
    "medassay view my-study",
)
def view(
    study: StudyFolder,
) -> None:
    """View a study in the browser: the answers to a case side by side.

    With each answer stand its labels, its scores and the words that decided them; a metric can be
    tried on one. It takes requests from this machine alone and writes nothing. Scores are those of
    the last run of these files.
    """
    from medassay.models import need_package
    from medassay.web import Served, serve
    from medassay.web.viewer import Key, Viewed, view_app

    for package in ("starlette", "uvicorn"):
        need_package(package, "medassay view")
    viewed, key = Viewed.open(study), Key()
    app = view_app(viewed, key)

    def ready(listening: str) -> None:
        typer.echo(f"Open {key.address(listening)}")
        typer.echo("Stop it with Ctrl+C. Nothing of the study is changed.")

    serve(app, Served(port=_PORT), ready, else_any=True)
