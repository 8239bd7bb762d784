"""medassay validity."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from medassay.cli.options import AsJson, Offline, Seed, StudyFolder

if TYPE_CHECKING:
    from medassay.analyses import ValidityReport
    from medassay.report.tables import Table

__all__ = ["validity"]


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
    seed: Seed = None,
    offline: Offline = False,
    as_json: AsJson = False,
) -> None:
    """Say which metrics may stand in for the raters, for what, and how sure that is."""
    from medassay.analyses import refuse_to_infer, validity_report
    from medassay.cli.raters_key import write_key
    from medassay.cli.say import progress, say_json
    from medassay.report import export_trust
    from medassay.study import only_writer, open_run

    run = open_run(study, seed=seed, offline=offline)
    write_key(study, run.pseudonyms)
    refuse_to_infer(run.study, "ranked and tested")
    with only_writer(study), progress() as tell:
        found = validity_report(run.study, run.metrics, tell)
    if export is not None:
        export_trust(found.trust, export, synthetic=run.study.config.synthetic)
    if as_json:
        say_json(found.model_dump(mode="json"))
        return
    _say(found, run.study.config.title, synthetic=run.study.config.synthetic, full=full)
    if export is not None:
        typer.echo(f"wrote {export}")


def _say(found: "ValidityReport", title: str, *, synthetic: bool, full: bool) -> None:
    from medassay.cli.say import say_report_table
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
    table = (trust if full else trust_summary)(found.trust, synthetic=synthetic)
    _say_table(table)
    if not full:
        typer.echo("More columns and tables: --full. The rules: docs/validity.md.")
        return
    _say_taus(found)
    for behind in behind_trust(found.detail, synthetic=synthetic):
        say_report_table(behind)
    titles = found.detail.titles if found.detail else {}
    if found.unjudged:
        say_report_table(unjudged(found.unjudged, titles, synthetic=synthetic))
    if found.unjudged_trust:
        say_report_table(unjudged_trust(found.unjudged_trust, titles, synthetic=synthetic))
    say_report_table(human_scores(found.human_scores, titles, synthetic=synthetic))
    if found.judged_shares:
        say_report_table(judged_shares(found.judged_shares, titles, synthetic=synthetic))
    if found.drawn_scores:
        say_report_table(drawn_scores(found.drawn_scores, titles, synthetic=synthetic))
    if found.harm_bounds:
        say_report_table(harm_bounds(found.harm_bounds, titles, synthetic=synthetic))


def _say_table(table: "Table") -> None:
    """Print a table of the report, a heading for each of its groups."""
    from medassay.cli.say import say_table

    header = [": ".join(filter(None, (c.group, c.title))) for c in table.columns]
    for name, about, rows in table.groups:
        told = [[" ".join(filter(None, (c.text, c.aside))) for c in row.cells] for row in rows]
        say_table(f"{name}. {about}" if about else name, header, told)
    typer.echo(table.caption if table.rows else table.empty)


def _say_taus(found: "ValidityReport") -> None:
    from medassay.cli.say import interval, number, say_table

    say_table(
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
            for row in found.correlations
        ],
    )
