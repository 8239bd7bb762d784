"""medassay run."""

from pathlib import Path
from typing import Annotated

import typer

from medassay.cli.options import AsJson, Seed, StudyFolder, Texts

__all__ = ["run"]


def run(
    study: StudyFolder,
    *,
    seed: Seed = None,
    texts: Texts = None,
    metrics: Annotated[
        list[str] | None,
        typer.Option("--metrics", "-m", help="Compute these metrics; may be given several times."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Do everything in order: score, agreement, consensus, validity, report."""
    from medassay.cli.running import run_and_report, say_run

    say_run(run_and_report(Path(study), seed=seed, texts=texts, metrics=metrics), as_json=as_json)
