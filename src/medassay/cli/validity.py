"""medassay validity."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from medassay.cli.options import AsJson
from medassay.cli.verb import examples

if TYPE_CHECKING:
    from medassay.report.tables import Table

_SEED: Final = 1
_SHOWN: Final = 20
"""Pairs of columns that are printed without --full."""


@examples(
    "medassay validity my-study",
    "medassay validity my-study --full",
    "medassay validity means.csv",
)
def validity(
    study: Annotated[
        Path,
        typer.Argument(
            metavar="STUDY",
            help="The study's folder; or a table with a column system and a column for each "
            "metric.",
        ),
    ],
    *,
    full: Annotated[
        bool, typer.Option("--full", help="Print every table, not only the trust table.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Test which automatic scores agree with the raters, and what each can be used for."""
    from pydantic import TypeAdapter

    from medassay.analyses import refuse_to_infer, validity_report
    from medassay.analyses.results.whole import Records
    from medassay.cli.output import print_json, print_report_table, progress
    from medassay.report.asked import tables_of_records
    from medassay.report.tables import SYNTHETIC
    from medassay.study import only_writer, open_run
    from medassay.study.contents.cases_and_answers import describe_not_held
    from medassay.study.runs.raters_key import write_key

    if study.is_file():
        _print_means(study, full=full, as_json=as_json)
        return
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
    for sentence in describe_not_held(run.study.answers):
        typer.echo(f"note: {sentence}\n")
    tables = tables_of_records(report.records, report.names)
    drawn = run.study.config.ranking.drawn
    if full:
        for table in tables:
            if not table.whole:
                print_report_table(table, drawn)
    else:
        for table in tables[:1]:
            _print_table(table, drawn)
        typer.echo("More columns and tables: --full. The rules: docs/validity.md.")


def _print_means(table: Path, *, full: bool, as_json: bool) -> None:
    """Say how far the columns of a table of means order its systems alike."""
    from dataclasses import asdict

    from medassay.cli.output import print_json, print_table
    from medassay.exhibits.numbers import PROPORTION, shown_p
    from medassay.tables import read_sheet
    from medassay.validity import order_of_means

    sheet = read_sheet(table)
    found = order_of_means(sheet, rng=_SEED)
    if as_json:
        notes = [str(note) for note in sheet.notes]
        print_json(asdict(found) | {"seed": _SEED, "notes": notes})
        return
    for note in sheet.notes:
        typer.echo(f"note: {note}", err=True)
    if found.left_out:
        typer.echo(f"note: {table.name}: no numbers in {', '.join(found.left_out)}.", err=True)
    shown = found.pairs if full else found.pairs[:_SHOWN]
    print_table(
        f"{len(found.columns)} columns of {len(found.systems)} systems: do they order them alike?",
        ["First", "Second", "tau", "p, Holm", "Systems"],
        [
            [
                pair.first,
                pair.second,
                "undefined: one value" if pair.tau is None else PROPORTION(pair.tau),
                "" if pair.p_adjusted is None else shown_p(pair.p_adjusted),
                str(pair.n_systems),
            ]
            for pair in shown
        ],
    )
    typer.echo(
        f"Kendall's tau-b; p by permutation, after Holm over all {len(found.pairs):,} pairs. "
        "It says how far two columns agree, not which is right."
    )
    if len(shown) < len(found.pairs):
        typer.echo(f"{len(found.pairs) - len(shown):,} more pairs: --full.")


def _print_table(table: "Table", drawn: str | None) -> None:
    """Print a table of the report, a heading for each of its groups."""
    from medassay.cli.output import print_table
    from medassay.exhibits.sentences import of_cases

    header = [": ".join(filter(None, (c.group, c.title))) for c in table.columns]
    for name, about, rows in table.groups:
        lines = [[" ".join(filter(None, (c.text, c.aside))) for c in row.cells] for row in rows]
        print_table(f"{name}. {about}" if about else name, header, lines)
    typer.echo(of_cases(table.caption if table.rows else table.empty, drawn=drawn))
