"""medassay score."""

from dataclasses import asdict

import typer

from medassay.cli.options import AsJson, Fresh, Metrics, Offline, Only, StudyFolder
from medassay.cli.verb import examples
from medassay.text import plural


@examples(
    "medassay score my-study",
    "medassay score my-study --metrics all --offline",
)
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
    from medassay.cli.output import (
        ADJUSTED,
        number,
        print_damaged,
        print_json,
        print_left_out,
        print_long_texts,
        print_table,
        progress,
    )
    from medassay.study import left_out_now, only_writer, open_run, score_study

    run = open_run(study, metrics=metrics, only=only, offline=offline)
    with only_writer(study), progress() as tell:
        scored = score_study(run.study, run.metrics, tell, fresh=fresh)
    rows = mean_scores(run.study, scored)
    left_out = left_out_now(run.left_out, run.metrics)
    long = count_shortened(scored.table, scored.metrics)
    if as_json:
        print_json(
            {
                "computed": scored.computed,
                "reused": scored.reused,
                "damaged": [str(problem) for problem in scored.damaged],
                "means": [row._asdict() for row in rows],
                "left_out": [asdict(out) for out in left_out],
                "notes": list(scored.cautions),
                "shortened": [shortened.model_dump() for shortened in long],
            }
        )
        return
    by_case = any(row.adjusted is not None for row in rows)
    print_table(
        run.study.config.title,
        [
            *("metric", "system", "mean"),
            *(["adjusted"] if by_case else []),
            *("scored", "not scored", "why not"),
        ],
        [
            [
                row.metric,
                row.system,
                number(row.mean),
                *([number(row.adjusted)] if by_case else []),
                f"{row.scored:,}",
                f"{row.unscored:,}",
                row.why,
            ]
            for row in rows
        ],
    )
    if by_case:
        typer.echo(f"{ADJUSTED}\n")
    for caution in scored.cautions:
        typer.echo(f"note: {caution}")
    print_left_out(left_out)
    print_long_texts(long)
    print_damaged(len(scored.damaged))
    computed = f"{scored.computed:,} {plural(scored.computed, 'score')}"
    typer.echo(f"{computed} computed, {scored.reused:,} kept from before.")
