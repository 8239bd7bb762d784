"""medassay run."""

from pathlib import Path
from typing import Annotated

import typer

from medassay.cli.options import AsJson, Offline, Seed, StudyFolder, Texts

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
    offline: Offline = False,
    as_json: AsJson = False,
) -> None:
    """Do everything in order: score, agreement, consensus, validity, report."""
    from medassay.cli.running import run_and_report, say_run

    done = run_and_report(Path(study), seed=seed, texts=texts, metrics=metrics, offline=offline)
    say_run(done, as_json=as_json)
