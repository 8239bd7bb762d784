"""medassay validity."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from medassay.cli.options import AsJson, StudyFolder
from medassay.cli.verb import examples

if TYPE_CHECKING:
    from medassay.analyses import ValidityReport
    from medassay.report.tables import Table

__all__ = ["validity"]


@examples(
    "medassay validity my-study",
    "medassay validity my-study --full --export figures.csv",
)
def validity(
    study: StudyFolder,
    *,
    full: Annotated[
        bool, typer.Option("--full", help="Every table, not the trust table alone.")
    ] = False,
    export: Annotated[
        Path | None,
        typer.Option(
            help="Write the trust table to this file: .csv, .md or .json.", dir_okay=False
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Say which metrics may stand in for the raters, for what, and how sure that is."""
    from medassay.analyses import refuse_to_infer, validity_report
    from medassay.cli.output import print_json, progress
    from medassay.report import export_trust
    from medassay.study import only_writer, open_run
    from medassay.study.raters_key import write_key

    run = open_run(study)
    write_key(study, run.pseudonyms)
    refuse_to_infer(run.study, "ranked and tested")
    with only_writer(study), progress() as tell:
        report = validity_report(run.study, run.metrics, tell)
    if export is not None:
        export_trust(report.trust, export, synthetic=run.study.config.synthetic)
    if as_json:
        print_json(report.model_dump(mode="json"))
        return
    _say(report, run.study.config.title, synthetic=run.study.config.synthetic, full=full)
    if export is not None:
        typer.echo(f"wrote {export}")


def _say(validity_report: "ValidityReport", title: str, *, synthetic: bool, full: bool) -> None:
    from medassay.cli.output import print_report_table
    from medassay.report.tables import (
        SYNTHETIC,
        behind_trust,
        drawn_scores,
        harm_bounds,
        human_scores,
        judged_shares,
        trust,
        trust_summary,
        unjudged,
        unjudged_trust,
    )

    if synthetic:
        typer.echo(f"{SYNTHETIC}\n")
    typer.echo(f"{title}\n")
    table = (trust if full else trust_summary)(validity_report.trust, synthetic=synthetic)
    _print_table(table)
    if not full:
        typer.echo("More columns and tables: --full. The rules: docs/validity.md.")
        return
    _print_taus(validity_report)
    for behind in behind_trust(validity_report.detail, synthetic=synthetic):
        print_report_table(behind)
    titles = validity_report.detail.titles if validity_report.detail else {}
    if validity_report.unjudged:
        print_report_table(unjudged(validity_report.unjudged, titles, synthetic=synthetic))
    if validity_report.unjudged_trust:
        print_report_table(
            unjudged_trust(validity_report.unjudged_trust, titles, synthetic=synthetic)
        )
    print_report_table(human_scores(validity_report.human_scores, titles, synthetic=synthetic))
    if validity_report.judged_shares:
        print_report_table(
            judged_shares(validity_report.judged_shares, titles, synthetic=synthetic)
        )
    if validity_report.drawn_scores:
        print_report_table(drawn_scores(validity_report.drawn_scores, titles, synthetic=synthetic))
    if validity_report.harm_bounds:
        print_report_table(harm_bounds(validity_report.harm_bounds, titles, synthetic=synthetic))


def _print_table(table: "Table") -> None:
    """Print a table of the report, a heading for each of its groups."""
    from medassay.cli.output import print_table

    header = [": ".join(filter(None, (c.group, c.title))) for c in table.columns]
    for name, about, rows in table.groups:
        lines = [[" ".join(filter(None, (c.text, c.aside))) for c in row.cells] for row in rows]
        print_table(f"{name}. {about}" if about else name, header, lines)
    typer.echo(table.caption if table.rows else table.empty)


def _print_taus(validity_report: "ValidityReport") -> None:
    from medassay.cli.output import interval, number, print_table

    print_table(
        "Kendall's tau-b of system means",
        ["metric", "consensus", "tau", "p", "new cases", "new systems", "both", "systems", "cases"],
        [
            [
                row.metric,
                row.consensus,
                number(row.tau, 2) or row.reason,
                number(row.p),
                interval(row.over_cases, 2),
                interval(row.over_systems, 2),
                interval(row.over_both, 2),
                f"{row.n_systems:,}",
                f"{row.n_cases:,}",
            ]
            for row in validity_report.correlations
        ],
    )
