"""medassay validity."""

from typing import TYPE_CHECKING, Annotated

import typer

from medassay.cli.options import AsJson, StudyFolder
from medassay.cli.verb import examples

if TYPE_CHECKING:
    from medassay.report.tables import Table

__all__ = ["validity"]


@examples(
    "medassay validity my-study",
    "medassay validity my-study --full",
)
def validity(
    study: StudyFolder,
    *,
    full: Annotated[
        bool, typer.Option("--full", help="Every table, not the trust table alone.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Say which metrics may stand in for the raters, for what, and how sure that is."""
    from pydantic import TypeAdapter

    from medassay.analyses import refuse_to_infer, validity_report
    from medassay.analyses.results.records import Records
    from medassay.cli.output import print_json, print_report_table, progress
    from medassay.report.asked import tables_of_records
    from medassay.report.tables import SYNTHETIC
    from medassay.study import only_writer, open_run
    from medassay.study.raters_key import write_key

    run = open_run(study)
    write_key(study, run.pseudonyms)
    refuse_to_infer(run.study, "ranked and tested")
    with only_writer(study), progress() as tell:
        report = validity_report(run.study, run.metrics, tell)
    if as_json:
        print_json(TypeAdapter(Records).dump_python(report.records, mode="json"))
        return
    if report.names.synthetic:
        typer.echo(f"{SYNTHETIC}\n")
    typer.echo(f"{run.study.config.title}\n")
    tables = tables_of_records(report.records, report.names)
    if full:
        for table in tables:
            if not table.whole:
                print_report_table(table)
    else:
        for table in tables[:1]:
            _print_table(table)
        typer.echo("More columns and tables: --full. The rules: docs/validity.md.")


def _print_table(table: "Table") -> None:
    """Print a table of the report, a heading for each of its groups."""
    from medassay.cli.output import print_table

    header = [": ".join(filter(None, (c.group, c.title))) for c in table.columns]
    for name, about, rows in table.groups:
        lines = [[" ".join(filter(None, (c.text, c.aside))) for c in row.cells] for row in rows]
        print_table(f"{name}. {about}" if about else name, header, lines)
    typer.echo(table.caption if table.rows else table.empty)
