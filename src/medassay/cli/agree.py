"""medassay agree."""

from medassay.cli.options import AsJson, Seed, StudyFolder

__all__ = ["agree"]


def agree(study: StudyFolder, *, seed: Seed = None, as_json: AsJson = False) -> None:
    """Say how far the raters agree: every dimension, full and binary labels, with intervals."""
    from medassay.cli.say import interval, number, say_json, say_table
    from medassay.study import agreement_results, open_run

    run = open_run(study, seed=seed)
    rows = agreement_results(run.study)
    if as_json:
        say_json([row.model_dump(mode="json") for row in rows])
        return
    say_table(
        f"{run.study.config.title}: agreement",
        [
            "dimension",
            "labels",
            "cases",
            "coefficient",
            "value",
            "95 % interval",
            "answers",
            "raters",
        ],
        [
            [
                row.dimension,
                row.mapping,
                row.subset,
                row.coefficient,
                number(row.value) or row.reason,
                interval(row.interval),
                str(row.n_units),
                str(row.n_raters),
            ]
            for row in rows
        ],
    )
