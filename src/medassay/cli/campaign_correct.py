"""medassay campaign correct: what a rater said of a scale that seems to be read backwards."""

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from medassay.cli.campaign_serve import app
from medassay.cli.options import AsJson, StudyFolder
from medassay.cli.verb import Verb, examples

if TYPE_CHECKING:
    from medassay.agreement import Agreement
    from medassay.analyses import Agreed

__all__ = ["app"]


@app.command(cls=Verb)
@examples(
    'medassay campaign correct my-study anna quality reversed "She took 1 for the best."',
    'medassay campaign correct my-study anna quality as-given "She meant every label."',
)
def correct(
    folder: StudyFolder,
    rater: Annotated[str, typer.Argument(metavar="RATER", help="Whose, by name or pseudonym.")],
    dimension: Annotated[str, typer.Argument(metavar="DIMENSION", help="On which scale.")],
    labels: Annotated[
        Literal["reversed", "as-given"],
        typer.Argument(metavar="HOW", help="reversed: read 1 as the best. as-given: meant so."),
    ],
    reason: Annotated[str, typer.Argument(metavar="REASON", help="What the rater told you.")],
    *,
    as_json: AsJson = False,
) -> None:
    """Reverse a scale that a rater read the other way round, after that rater confirmed it.

    study.toml keeps the correction with its reason, and the methods of every report tell it. The
    labels stay as they were given; every number reads them corrected. Delete the [[corrections]]
    in study.toml to undo it.
    """
    from dataclasses import replace

    from medassay.analyses import agreement_report
    from medassay.cli.output import interval, number, print_json, print_table
    from medassay.study import Study, only_writer
    from medassay.study.config.study_toml import CorrectionChoice
    from medassay.study.contents.ratings import with_correction, write_correction

    with only_writer(folder):
        study = Study.open_whole(folder)
        name = study.pseudonyms.person(folder, rater)
        correction = CorrectionChoice(rater=name, dimension=dimension, labels=labels, reason=reason)
        config = with_correction(study.config, study.rubric, study.judgements_on_file, correction)
        found = {
            when: agreement_report(of.private(), by=(), dimensions=[dimension])
            for when, of in {"before": study, "after": replace(study, config=config)}.items()
        }
        write_correction(folder, correction)
    told = {when: _told(agreed) for when, agreed in found.items()}
    _say_where_lower(told["before"], told["after"])
    if as_json:
        print_json(
            {when: {row.coefficient: row.value for row in rows} for when, rows in told.items()},
            folder,
        )
        return
    print_table(
        f"Agreement on {dimension}",
        ["labels", "coefficient", "estimate", "95% CI", "answers"],
        [
            [
                when,
                row.title,
                number(row.value) or "none",
                interval(row.interval),
                f"{row.n_units:,}",
            ]
            for when, rows in told.items()
            for row in rows
        ],
    )
    typer.echo(
        f"wrote study.toml: {name} on {dimension}, {labels}. The labels stay as they were given. "
        f"To undo it, delete its [[corrections]]. Next: medassay run {folder}"
    )


def _told(agreed: "Agreed") -> "list[Agreement]":
    """Give what heads agreement on all cases, and what stands beside it."""
    from medassay.agreement import ALL_CASES

    known = [row for row in agreed.panel if row.subset == ALL_CASES] or agreed.panel
    return [row for headline in agreed.headlines for row in headline.rows_of(known)]


def _say_where_lower(before: "list[Agreement]", after: "list[Agreement]") -> None:
    """Warn where raters agree less after a correction: the scale was hardly read backwards."""
    was, now = (rows[0].value if rows else None for rows in (before, after))
    if was is not None and now is not None and now < was:
        typer.echo(
            f"note: {after[0].title} falls from {was:.3f} to {now:.3f}: ask the rater again "
            "whether the scale was read the other way round.",
            err=True,
        )
