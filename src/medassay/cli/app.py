"""The list of verbs."""

from typing import Annotated, Final

import typer

from medassay.__about__ import __version__
from medassay.cli import (
    agree,
    analyses,
    answer,
    campaign_correct,
    check,
    compare,
    consensus,
    demo,
    export,
    import_,
    judge,
    merge,
    metrics,
    monitor,
    new,
    plan,
    report,
    rubric,
    run,
    score,
    triage,
    validity,
    view,
)
from medassay.cli.verb import Verb, Verbs

app = typer.Typer(
    name="medassay",
    cls=Verbs,
    no_args_is_help=True,
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
    """Evaluate health chatbots and question-answering systems.

    It scores their answers, runs the expert review, and tests which automatic scores agree with
    experts.
    """


_FIRST: Final = "First steps"
_EXPERTS: Final = "Experts and their ratings"
_METRICS: Final = "Metrics, models and the gate"
_MORE: Final = "Reference and other tools"

app.command(cls=Verb, rich_help_panel=_FIRST)(demo.demo)
app.command(cls=Verb, rich_help_panel=_FIRST)(new.new)
app.command("import", cls=import_.ImportCommand, rich_help_panel=_FIRST)(import_.import_)
app.command(cls=Verb, rich_help_panel=_FIRST)(check.check)
app.command(cls=Verb, rich_help_panel=_FIRST)(run.run)
app.command(cls=Verb, rich_help_panel=_FIRST)(report.report)
app.command(cls=Verb, rich_help_panel=_FIRST)(view.view)
app.add_typer(rubric.app, name="rubric", rich_help_panel=_EXPERTS)
app.add_typer(campaign_correct.app, name="campaign", rich_help_panel=_EXPERTS)
app.command(cls=Verb, rich_help_panel=_EXPERTS)(agree.agree)
app.command(cls=Verb, rich_help_panel=_EXPERTS)(consensus.consensus)
app.command(cls=Verb, rich_help_panel=_EXPERTS)(triage.triage)
app.command(cls=Verb, rich_help_panel=_EXPERTS)(plan.plan)
app.command(cls=Verb, rich_help_panel=_METRICS)(score.score)
app.command(cls=Verb, rich_help_panel=_METRICS)(merge.merge)
app.command(cls=Verb, rich_help_panel=_METRICS)(validity.validity)
app.command(cls=Verb, rich_help_panel=_METRICS)(compare.compare)
app.command(cls=Verb, rich_help_panel=_METRICS)(monitor.monitor)
app.command(cls=Verb, rich_help_panel=_METRICS)(judge.judge)
app.command(cls=Verb, rich_help_panel=_METRICS)(answer.answer)
app.add_typer(metrics.app, name="metrics", rich_help_panel=_MORE)
app.add_typer(analyses.app, name="analyses", rich_help_panel=_MORE)
app.command(cls=export.ExportCommand, rich_help_panel=_MORE)(export.export)
