"""medassay report."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from medassay.cli.options import AsJson, Offline, Seed, StudyFolder, Texts

__all__ = ["report"]


class Figures(StrEnum):
    """Sets of figures and tables that are written on request."""

    PAPER = "paper"


def report(
    study: StudyFolder,
    *,
    seed: Seed = None,
    texts: Texts = None,
    into: Annotated[
        Path | None, typer.Option(help="Write the report here too, beside the run's own folder.")
    ] = None,
    figures: Annotated[
        Figures | None,
        typer.Option(
            help="paper: Figures 1-3 and Tables 1-4 and S1 of the paper, into the run's folder."
        ),
    ] = None,
    offline: Offline = False,
    as_json: AsJson = False,
) -> None:
    """Write the report of a study's run: a page, tables, figures; run first what is stale."""
    from medassay.cli.running import run_and_report, say_paper, say_run
    from medassay.report import read_results, render, write_paper

    done = run_and_report(study, seed=seed, texts=texts, offline=offline)
    copied: list[Path] = []
    items = None
    if into is not None:
        copied = render(read_results(done.folder / "report.json"), into)
    if figures is not None:
        results = read_results(done.folder / "report.json")
        items = write_paper(results, done.folder / "paper")
        if into is not None:
            write_paper(results, into / "paper")
    say_run(done, as_json=as_json, copied=copied, paper=items)
    if items is not None and not as_json:
        say_paper(items, done.folder / "paper")
