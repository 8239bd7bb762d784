"""medassay report."""

from pathlib import Path
from typing import Annotated

import typer

from medassay.cli.options import AsJson, Offline, Seed, StudyFolder, Texts

__all__ = ["report"]


def report(
    study: StudyFolder,
    *,
    seed: Seed = None,
    texts: Texts = None,
    into: Annotated[
        Path | None, typer.Option(help="Write the report here too, beside the run's own folder.")
    ] = None,
    offline: Offline = False,
    as_json: AsJson = False,
) -> None:
    """Write the report of a study's run: a page, tables, figures; run first what is stale."""
    from medassay.cli.running import run_and_report, say_run
    from medassay.report import read_results, render

    done = run_and_report(study, seed=seed, texts=texts, offline=offline)
    copied: list[Path] = []
    if into is not None:
        copied = render(read_results(done.folder / "report.json"), into)
    say_run(done, as_json=as_json, copied=copied)
