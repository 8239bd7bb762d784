"""medassay monitor."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from medassay.cli.options import AsJson, Columns
from medassay.cli.verb import examples

if TYPE_CHECKING:
    from medassay.analyses.monitor import Monitored

DRIFTED = 3
_SHOWN = 5
_NEXT = 10  # answers of a day that experts should see


@examples(
    "medassay monitor 2026-03-01.jsonl --baseline my-study",
    "medassay monitor march.csv --baseline my-study --out ward-3 --column text=reply",
)
def monitor(
    log: Annotated[
        Path,
        typer.Argument(
            metavar="LOG", help="A log of one day or more, with a row for each question."
        ),
    ],
    *,
    baseline: Annotated[Path, typer.Option(metavar="STUDY", help="The study to compare with.")],
    out: Annotated[
        Path, typer.Option(help="The monitor's folder, for its page and what it keeps of each day.")
    ] = Path("monitor"),
    column: Columns = None,
    as_json: AsJson = False,
) -> None:
    """Compare live logs with a study: has anything drifted, and since when?

    Exit code 3 if a drift is first seen on a day of this log.
    """
    from medassay.analyses.monitor import DAYS, next_csv, watch_log
    from medassay.cli.output import print_json, progress
    from medassay.cli.typed import read_columns
    from medassay.report.monitor import monitor_page
    from medassay.study import only_user
    from medassay.tables import json_bytes, write_atomically

    with only_user(out, DAYS):
        with progress() as tell:
            monitored = watch_log(
                log, baseline, out, columns=read_columns(column), count=_NEXT, progress=tell
            )
        facts = monitored.model_dump(mode="json")
        write_atomically(out / "index.html", monitor_page(monitored))
        write_atomically(out / "monitor.json", json_bytes(facts))
        write_atomically(out / "next.csv", next_csv(monitored))
    if as_json:
        print_json(facts)
    else:
        _print(monitored, out)
    if monitored.news:
        raise typer.Exit(DRIFTED)


def _print(monitored: "Monitored", out: Path) -> None:
    from medassay.cli.output import print_table
    from medassay.report.monitor import between, drift_words, headline, shown

    typer.echo(headline(monitored))
    for course in monitored.drifted:
        typer.echo(f"  {drift_words(course)}")
    print_table(
        f"{monitored.system} beside {monitored.title}",
        ["watched", "baseline", "between", "log", "between", "last day", "drift"],
        [
            [
                course.title,
                shown(course, course.baseline),
                between(course, course.low, course.high),
                shown(course, course.mean),
                between(course, course.mean_low, course.mean_high),
                shown(course, course.days[-1].mean),
                f"since {course.since}" if course.drifted else "none",
            ]
            for course in monitored.courses
        ],
    )
    latest = [answer for answer in monitored.queue if answer.day == monitored.days[-1]]
    if latest:
        typer.echo(f"Experts should see next, of {monitored.days[-1]}:")
        for answer in latest[:_SHOWN]:
            typer.echo(f"  {answer.case}: {answer.why}")
    for note in monitored.notes:
        typer.echo(f"note: {note}")
    typer.echo(f"wrote {out / 'index.html'}, and {out / 'next.csv'} for experts")
