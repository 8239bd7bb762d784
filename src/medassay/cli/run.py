"""medassay run."""

from pathlib import Path

from medassay.cli.options import (
    AsJson,
    Fetch,
    Fresh,
    Metrics,
    Offline,
    OnCluster,
    Only,
    Seed,
    ShardOf,
    StudyFolder,
    Texts,
)
from medassay.cli.verb import examples


@examples(
    "medassay run my-study",
    "medassay run my-study --metrics all --offline",
    "medassay run received-study --fresh",
    "medassay run my-study --shard 3/16",
    "medassay run my-study --fetch",
    "medassay run my-study --on ray://head-node:10001",
)
def run(  # noqa: PLR0913 - each option is one thing that is asked of the run
    study: StudyFolder,
    *,
    seed: Seed = None,
    texts: Texts = None,
    metrics: Metrics = None,
    only: Only = None,
    offline: Offline = False,
    fresh: Fresh = False,
    fetch: Fetch = False,
    shard: ShardOf = None,
    on: OnCluster = None,
    as_json: AsJson = False,
) -> None:
    """Run a study: scores, agreement, consensus, validity, report.

    Use --fresh on a study that somebody sent. It ignores kept scores and the finished run, computes
    everything again, and compares every file with the old one.

    --fetch reads what urls.toml names (s3://, gs://, az://, file://) and shares kept scores where
    it says; without it nothing is fetched. Look at that file before you fetch for a study that
    somebody sent.
    """
    from medassay.cli.output import progress
    from medassay.cli.running import fetch_first, print_run, print_shard
    from medassay.library import run_and_report
    from medassay.study import RunOptions, Shard, score_shard

    if fetch:
        fetch_first(study, offline=offline, fresh=fresh)
    if shard is not None:
        part = Shard.parse(shard)
        _refuse_beside_a_shard(fresh=fresh, on=on)
        asked = RunOptions(
            seed=seed,
            texts=texts,
            metrics=tuple(metrics) if metrics else None,
            only=tuple(only) if only else None,
            offline=offline,
        )
        with progress() as tell:
            record = score_shard(study, part, asked, tell, share=fetch)
        print_shard(record, study, as_json=as_json)
        return
    done = run_and_report(
        Path(study), seed=seed, texts=texts, metrics=metrics, only=only, offline=offline,
        fresh=fresh, share=fetch, on=on, progress=progress(),
    )  # fmt: skip
    print_run(done, as_json=as_json)


def _refuse_beside_a_shard(*, fresh: bool, on: str | None) -> None:
    from medassay.errors import InvalidInput, Problem

    problems = []
    if fresh:
        must = "be left out with --shard: shards share what is kept"
        hint = "Remove results/kept in the study first, then score the shards."
        problems.append(Problem("--fresh", must, "both", hint))
    if on is not None:
        must = "be left out with --shard: a cluster shares out the work itself"
        problems.append(Problem("--on", must, "both", "Give one of them."))
    if problems:
        raise InvalidInput(*problems)
