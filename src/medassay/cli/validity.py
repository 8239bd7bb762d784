"""medassay validity."""

from medassay.cli.options import AsJson, Offline, Seed, StudyFolder

__all__ = ["validity"]


def validity(
    study: StudyFolder, *, seed: Seed = None, offline: Offline = False, as_json: AsJson = False
) -> None:
    """Say which metrics rank the systems as the raters do, and how sure that is."""
    from medassay.cli.say import interval, number, progress, say_json, say_table
    from medassay.study import only_writer, open_run, validity_results

    run = open_run(study, seed=seed, offline=offline)
    with only_writer(study), progress() as tell:
        rows = validity_results(run.study, run.metrics, tell)
    if as_json:
        say_json([row.model_dump(mode="json") for row in rows])
        return
    say_table(
        f"{run.study.config.title}: Kendall's tau-b of system means",
        ["metric", "consensus", "tau", "p", "new cases", "new systems", "both", "systems", "cases"],
        [
            [
                row.metric,
                row.consensus,
                number(row.tau, 2) or row.reason,
                number(row.p),
                interval(row.over_cases, 2),
                interval(row.over_systems, 2),
                interval(row.over_both, 2),
                str(row.n_systems),
                str(row.n_cases),
            ]
            for row in rows
        ],
    )
