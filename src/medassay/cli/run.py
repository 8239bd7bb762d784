"""medassay run."""

from pathlib import Path

from medassay.cli.options import AsJson, Fresh, Metrics, Offline, Only, Seed, StudyFolder, Texts
from medassay.cli.verb import examples

__all__ = ["run"]


@examples(
    "medassay run my-study",
    "medassay run my-study --metrics all --offline",
    "medassay run received-study --fresh",
)
def run(
    study: StudyFolder,
    *,
    seed: Seed = None,
    texts: Texts = None,
    metrics: Metrics = None,
    only: Only = None,
    offline: Offline = False,
    fresh: Fresh = False,
    as_json: AsJson = False,
) -> None:
    """Do everything in order: score, agreement, consensus, validity, report.

    --fresh is the check of a study that somebody sent: neither its kept scores nor its finished run
    are believed, all is computed anew, and every file is compared with the one that was there.
    """
    from medassay.cli.output import progress
    from medassay.cli.running import print_run
    from medassay.library import run_and_report

    done = run_and_report(
        Path(study), seed=seed, texts=texts, metrics=metrics, only=only, offline=offline,
        fresh=fresh, progress=progress(),
    )  # fmt: skip
    print_run(done, as_json=as_json)
