"""medassay compare."""

from typing import TYPE_CHECKING, Annotated

import typer

from medassay.cli.options import AsJson, Offline

if TYPE_CHECKING:
    from medassay.study import VersionComparison

__all__ = ["compare"]

WORSE, UNDECIDED = 3, 4
_SHOWN = 5

Side = "A study's folder or a table of scores; one system of it as FOLDER:SYSTEM."


def compare(
    old: Annotated[str, typer.Argument(metavar="OLD", help=Side)],
    new: Annotated[str, typer.Argument(metavar="NEW", help=Side)],
    *,
    metric: Annotated[
        list[str] | None,
        typer.Option("--metric", "-m", help="Gate this metric; may be given several times."),
    ] = None,
    margin: Annotated[
        float, typer.Option(min=0, help="The largest acceptable loss, in the metric's unit.")
    ] = 0.02,
    require_not_worse: Annotated[
        bool, typer.Option("--require-not-worse", help="Undecided does not pass: exit code 4.")
    ] = False,
    offline: Offline = False,
    as_json: AsJson = False,
) -> None:
    """Gate a new version: worse (exit code 3), not worse within the margin, or undecided."""
    from medassay.cli.say import progress, say_json
    from medassay.study import compare_versions

    with progress() as tell:
        found = compare_versions(
            old, new, metrics=metric, margin=margin, offline=offline, progress=tell
        )
    verdicts = {one.verdict.value for one in found.results}
    code = 0
    if "worse" in verdicts:
        code = WORSE
    elif require_not_worse and "undecided" in verdicts:
        code = UNDECIDED
    if as_json:
        from dataclasses import asdict

        say_json({**asdict(found), "exit_code": code})
    else:
        _say(found)
    raise typer.Exit(code)


def _say(found: "VersionComparison") -> None:
    from medassay.cli.say import interval, number, say_table

    say_table(
        f"{found.new} against {found.old}, margin {found.margin:g}",
        ["metric", "verdict", "difference", "95 % interval", "detectable loss", "answers", "lost"],
        [
            [
                one.metric,
                one.verdict.value,
                number(one.difference),
                interval(one.interval),
                number(one.minimal_detectable_loss),
                str(one.n),
                str(one.lost),
            ]
            for one in found.results
        ],
    )
    for one in found.results:
        if one.why:
            typer.echo(f"{one.metric}: {one.why}.")
        worse = [flip for flip in one.flips if flip.change < 0]
        better = len(one.flips) - len(worse)
        noun = "answer" if len(worse) == 1 else "answers"
        typer.echo(f"{one.metric}: {len(worse)} {noun} lost, {better} gained.")
        for flip in worse[:_SHOWN]:
            typer.echo(f"  {flip.system}, {flip.case}: {flip.old:.3f} to {flip.new:.3f}")
    for warning in found.warnings:
        typer.echo(f"note: {warning}")
