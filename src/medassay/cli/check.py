"""medassay check."""

from typing import TYPE_CHECKING

import typer

from medassay.cli.options import AsJson, StudyFolder

if TYPE_CHECKING:
    from medassay.study import Summary

__all__ = ["check"]


def check(study: StudyFolder, *, as_json: AsJson = False) -> None:
    """Report every problem of a study at once; then what it holds, and what each metric needs."""
    from medassay.cli.say import say_json
    from medassay.study import Study, summarise

    summary = summarise(Study.open(study))
    if as_json:
        say_json({"problems": [], **summary.as_dict()})
    else:
        _say(summary)


def _say(summary: "Summary") -> None:
    from medassay.cli.say import say_table

    typer.echo(f"{summary.title} (protocol {summary.protocol})")
    typer.echo(
        f"{summary.cases} cases, {len(summary.systems)} systems, {summary.answers} answers, "
        f"{summary.raters} raters, {summary.judgements} judgements"
        + (f" ({summary.corrected} corrected)" if summary.corrected else "")
        + f", {summary.preferences} preferences"
    )
    if summary.imported:
        typer.echo(f"imported scores: {', '.join(summary.imported)}")
    say_table(
        "Answers",
        ["system", "given", "empty", "never given"],
        [[s.system, str(s.given), str(s.empty), str(s.missing)] for s in summary.systems],
    )
    say_table(
        "Judgements",
        ["dimension", "judgements", "without a label", "raters"],
        [
            [d.dimension, str(d.judgements), str(d.without_label), str(d.raters)]
            for d in summary.dimensions
        ],
    )
    say_table(
        "What each metric needs",
        ["metric", "needs", "cases that have it", "answers that have it"],
        [
            [
                m.metric,
                ", ".join(m.needs),
                f"{m.cases_ready} of {summary.cases}",
                f"{m.answers_ready} of {summary.answers}",
            ]
            for m in summary.metrics
        ],
    )
    for warning in summary.warnings:
        typer.echo(f"note: {warning}")
    typer.echo("No problems.")
