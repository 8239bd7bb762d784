"""The list of verbs."""

from typing import Annotated

import typer

from medassay.__about__ import __version__
from medassay.cli import (
    agree,
    analyses,
    answer,
    campaign,
    check,
    compare,
    consensus,
    demo,
    export,
    import_,
    judge,
    metrics,
    new,
    plan,
    report,
    rubric,
    run,
    score,
    triage,
    validity,
)

__all__ = ["app"]

app = typer.Typer(
    name="medassay",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(*, asked: bool) -> None:
    if asked:
        typer.echo(f"medassay {__version__}")
        raise typer.Exit


@app.callback()
def medassay(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """The assay for health question-answering systems.

    It scores their answers, runs the expert review, and measures which of its own numbers the
    experts bear out.
    """


app.command()(demo.demo)
app.command()(new.new)
app.command("import", cls=import_.ImportCommand)(import_.import_)
app.command(cls=export.ExportCommand)(export.export)
app.command()(answer.answer)
app.command()(check.check)
app.command()(score.score)
app.command()(agree.agree)
app.command()(consensus.consensus)
app.command()(validity.validity)
app.command()(judge.judge)
app.command()(report.report)
app.command()(run.run)
app.command()(compare.compare)
app.command()(plan.plan)
app.command()(triage.triage)
app.add_typer(campaign.app, name="campaign")
app.add_typer(metrics.app, name="metrics")
app.add_typer(analyses.app, name="analyses")
app.add_typer(rubric.app, name="rubric")
