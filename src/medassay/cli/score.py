"""medassay score."""

from dataclasses import asdict

import typer

from medassay.cli.options import AsJson, Fresh, Metrics, Offline, Only, StudyFolder
from medassay.text import plural

__all__ = ["score"]


def score(
    study: StudyFolder,
    *,
    metrics: Metrics = None,
    only: Only = None,
    offline: Offline = False,
    fresh: Fresh = False,
    as_json: AsJson = False,
) -> None:
    """Score every answer; print each system's mean over all cases."""
    from medassay.analyses import count_shortened, mean_scores
    from medassay.cli.say import (
        ADJUSTED,
        number,
        progress,
        say_damaged,
        say_json,
        say_left_out,
        say_long_texts,
        say_table,
    )
    from medassay.study import left_out_now, only_writer, open_run, score_study

    run = open_run(study, metrics=metrics, only=only, offline=offline)
    with only_writer(study), progress() as tell:
        scored = score_study(run.study, run.metrics, tell, fresh=fresh)
    rows = mean_scores(run.study, scored)
    left_out = left_out_now(run.left_out, run.metrics)
    long = count_shortened(scored.table, scored.metrics)
    if as_json:
        say_json(
            {
                "computed": scored.computed,
                "reused": scored.reused,
                "damaged": [str(one) for one in scored.damaged],
                "means": rows,
                "left_out": [asdict(one) for one in left_out],
                "shortened": [one.model_dump() for one in long],
            }
        )
        return
    by_case = any(row["adjusted"] is not None for row in rows)
    say_table(
        run.study.config.title,
        [
            *("metric", "system", "mean"),
            *(["adjusted"] if by_case else []),
            *("scored", "not scored", "why not"),
        ],
        [
            [
                row["metric"],
                row["system"],
                number(row["mean"]),
                *([number(row["adjusted"])] if by_case else []),
                f"{row['scored']:,}",
                f"{row['unscored']:,}",
                row["why"],
            ]
            for row in rows
        ],
    )
    if by_case:
        typer.echo(f"{ADJUSTED}\n")
    say_left_out(left_out)
    say_long_texts(long)
    say_damaged(len(scored.damaged))
    computed = f"{scored.computed:,} {plural(scored.computed, 'score')}"
    typer.echo(f"{computed} computed, {scored.reused:,} kept from before.")
