"""medassay consensus."""

from medassay.cli.options import AsJson, StudyFolder

__all__ = ["consensus"]


def consensus(study: StudyFolder, *, as_json: AsJson = False) -> None:
    """Say what the raters jointly say of each answer, by every method of the study."""
    from medassay.cli.say import number, say_json, say_table
    from medassay.study import consensus_means, consensus_of, open_run

    run = open_run(study)
    table = consensus_of(run.study)
    if as_json:
        rows = table.frame.select("system", "case", "source", "value", "reason", "detail")
        say_json(rows.to_dicts())
        return
    say_table(
        f"{run.study.config.title}: consensus",
        ["consensus", "system", "mean", "answers", "without a value", "why"],
        [
            [
                row["metric"],
                row["system"],
                number(row["mean"]),
                str(row["scored"]),
                str(row["unscored"]),
                row["why"],
            ]
            for row in consensus_means(run.study, table)
        ],
    )
