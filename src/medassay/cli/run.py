"""medassay run."""

from pathlib import Path

from medassay.cli.options import AsJson, Metrics, Offline, Only, Seed, StudyFolder, Texts

__all__ = ["run"]


def run(
    study: StudyFolder,
    *,
    seed: Seed = None,
    texts: Texts = None,
    metrics: Metrics = None,
    only: Only = None,
    offline: Offline = False,
    as_json: AsJson = False,
) -> None:
    """Do everything in order: score, agreement, consensus, validity, report."""
    from medassay.cli.running import run_and_report, say_run

    done = run_and_report(
        Path(study), seed=seed, texts=texts, metrics=metrics, only=only, offline=offline
    )
    say_run(done, as_json=as_json)
