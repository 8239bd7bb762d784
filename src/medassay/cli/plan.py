"""medassay plan."""

from pathlib import Path
from typing import Annotated

import typer

from medassay.cli.options import AsJson, StudyFolder
from medassay.cli.verb import examples


@examples(
    "medassay plan my-study",
    "medassay plan my-study --detect 0.1 --power 0.9",
)
def plan(  # noqa: PLR0913 - each option is one thing that is asked of the plan
    study: StudyFolder,
    *,
    detect: Annotated[
        float | None,
        typer.Option(
            help="The difference between two systems that you want to detect, in the "
            "unit of the scale."
        ),
    ] = None,
    width: Annotated[float | None, typer.Option(help="How wide the 95% CI of tau may be.")] = None,
    dimension: Annotated[
        list[str] | None, typer.Option(help="Only this dimension. May be given several times.")
    ] = None,
    metric: Annotated[
        list[str] | None,
        typer.Option("--metric", "-m", help="Only this metric. May be given several times."),
    ] = None,
    power: Annotated[
        float, typer.Option(help="The chance of detecting the difference (statistical power).")
    ] = 0.8,
    margin: Annotated[
        float,
        typer.Option(help="The largest loss that a gate may accept, in the metric's unit."),
    ] = 0.02,
    export: Annotated[
        Path | None,
        typer.Option(
            help="Write the table (.csv, .md), everything (.json) or the curve (.svg, .pdf, "
            ".png) to this file.",
            dir_okay=False,
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Plan how many cases, systems, raters and judgements a question needs."""
    from dataclasses import asdict

    from medassay.analyses import (
        PlanWishes,
        at_best_of,
        at_best_words,
        differences_at_best_of,
        differences_at_best_words,
        plan_reliability,
        plan_study,
        refuse_to_infer,
    )
    from medassay.analyses.builtin.d_study import d_study_table
    from medassay.analyses.builtin.plan import plan_tables
    from medassay.cli.output import print_json, print_report_table, progress
    from medassay.report import export_plan
    from medassay.report.tables import SYNTHETIC
    from medassay.study import only_writer, open_run
    from medassay.study.runs.raters_key import write_key

    run = open_run(study)
    write_key(study, run.pseudonyms)
    refuse_to_infer(run.study, "planned for a test")
    differences = differences_at_best_of(run.study, margin)
    wishes = PlanWishes(detect, width, dimension, metric, power)
    with only_writer(study), progress() as tell:
        plan_report = plan_study(run.study, run.metrics, wishes, tell)
    reliability = plan_reliability(run.study, wishes)
    best = at_best_of(run.study)
    if export is not None:
        export_plan(plan_report, export)
    if as_json:
        print_json(
            {
                **plan_report.model_dump(mode="json"),
                "reliability": [asdict(plan) for plan in reliability],
                "at_best": asdict(best) if best else None,
                "differences_at_best": asdict(differences) if differences else None,
            }
        )
        return
    if plan_report.synthetic:
        typer.echo(f"{SYNTHETIC}\n")
    typer.echo(f"{plan_report.title}\n")
    drawn = run.study.config.ranking.drawn
    for table in plan_tables(plan_report):
        print_report_table(table, drawn)
    if reliability:
        titles = {d.id: d.title or d.id for d in run.study.rubric.dimensions}
        print_report_table(d_study_table(reliability, titles.__getitem__), drawn)
    sentences = at_best_words(best) if best else []
    sentences += differences_at_best_words(differences) if differences else []
    for sentence in sentences:
        typer.echo(f"at best: {sentence}")
    for assume in plan_report.assumes:
        typer.echo(f"note: {assume}")
    if export is not None:
        typer.echo(f"wrote {export}")
