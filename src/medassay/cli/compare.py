"""medassay compare."""

import math
from typing import TYPE_CHECKING, Annotated, Literal, get_args

import typer

from medassay.cli.options import AsJson, Fresh, Offline
from medassay.errors import InvalidInput, Problem

if TYPE_CHECKING:
    from medassay.analyses import VersionComparison
    from medassay.validity import GateResult

__all__ = ["compare"]

WORSE, UNDECIDED = 3, 4
_SHOWN = 5

Side = "A study's folder or a table of scores; one system of it as FOLDER:SYSTEM."
Better = Literal["higher", "lower"]


def compare(  # noqa: PLR0913 - each option is one fact about the gate
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
    bound: Annotated[
        Literal["t", "betting"],
        typer.Option(
            help="What bounds a loss: the spread of differences (t), or the score's range, which "
            "holds at every look and however rare and heavy losses are (betting)."
        ),
    ] = "t",
    require_not_worse: Annotated[
        bool, typer.Option("--require-not-worse", help="Undecided does not pass: exit code 4.")
    ] = False,
    direction: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[NAME=]higher|lower", help="Which way is better, where NAME is not medassay's."
        ),
    ] = None,
    low: Annotated[
        list[str] | None, typer.Option(metavar="[NAME=]NUMBER", help="NAME's least possible value.")
    ] = None,
    high: Annotated[
        list[str] | None, typer.Option(metavar="[NAME=]NUMBER", help="NAME's greatest one.")
    ] = None,
    offline: Offline = False,
    fresh: Fresh = False,
    as_json: AsJson = False,
) -> None:
    """Gate a new version: worse (exit code 3), not worse within the margin, or undecided."""
    from medassay.analyses import compare_versions
    from medassay.cli.say import progress, say_json
    from medassay.study import Said

    ends = (_numbers("--low", low), _numbers("--high", high))
    said = Said(_directions(direction), *ends)
    with progress() as tell:
        found = compare_versions(
            old, new, metrics=metric, margin=margin, said=said, offline=offline, fresh=fresh,
            progress=tell, bound=bound,
        )  # fmt: skip
    code = _exit_code(found.results, require_not_worse=require_not_worse)
    if as_json:
        from dataclasses import asdict

        say_json({**asdict(found), "exit_code": code})
    else:
        _say(found)
    raise typer.Exit(code)


def _exit_code(results: "tuple[GateResult, ...]", *, require_not_worse: bool) -> int:
    verdicts = {one.verdict.value for one in results}
    if "worse" in verdicts:
        return WORSE
    if any(one.blocked for one in results) or (require_not_worse and "undecided" in verdicts):
        return UNDECIDED
    return 0


def _pairs(option: str, given: list[str] | None) -> dict[str, str]:
    """Split NAME=VALUE at the last sign, since names have such signs too; a bare value is ""'s."""
    found: dict[str, str] = {}
    for pair in given or []:
        name, _, value = pair.rpartition("=")
        if name in found:
            raise InvalidInput(Problem(option, "be said once of each metric", f'"{pair}" again'))
        found[name] = value
    return found


def _directions(given: list[str] | None) -> dict[str, str]:
    found = _pairs("--direction", given)
    for value in found.values():
        if value not in get_args(Better):
            hint = "For example --direction error_rate=lower."
            raise InvalidInput(Problem("--direction", "be higher or lower", f'"{value}"', hint))
    return found


def _numbers(option: str, given: list[str] | None) -> dict[str, float]:
    found = {}
    for name, value in _pairs(option, given).items():
        try:
            found[name] = float(value)
        except ValueError:
            found[name] = math.nan
        if not math.isfinite(found[name]):
            raise InvalidInput(Problem(option, "be a number", f'"{value}"'))
    return found


def _say(found: "VersionComparison") -> None:
    from medassay.cli.say import interval, number, say_table

    say_table(
        f"{found.new} against {found.old}, margin {found.margin:g}",
        [
            "metric", "verdict", "difference", "95 % interval", "detectable loss", "answers",
            "of them worse", "of them better", "scores lost",
        ],
        [
            [
                one.metric,
                one.verdict.value,
                number(one.difference),
                interval(one.interval),
                number(one.minimal_detectable_loss),
                f"{one.n:,}",
                f"{sum(flip.change < 0 for flip in one.flips):,}",
                f"{sum(flip.change > 0 for flip in one.flips):,}",
                f"{one.lost:,}",
            ]
            for one in found.results
        ],
    )  # fmt: skip
    if found.identical:
        typer.echo("Nothing changed: the two are identical in everything that was compared.")
    for one in found.results:
        if one.why:
            blocked = " This does not pass." if one.blocked else ""
            typer.echo(f"{one.metric}: {one.why}.{blocked}")
    for one in found.results:
        worse = [flip for flip in one.flips if flip.change < 0]
        if worse:
            noun = "answer is" if len(worse) == 1 else "answers are"
            more = f", these {_SHOWN} most" if len(worse) > _SHOWN else ""
            typer.echo(f"{one.metric}: {len(worse):,} {noun} worse{more}:")
        for flip in worse[:_SHOWN]:
            typer.echo(f"  {flip.system}, {flip.case}: {flip.old:.3f} to {flip.new:.3f}")
    _say_choices(found)
    for warning in found.warnings:
        typer.echo(f"note: {warning}")


def _say_choices(found: "VersionComparison") -> None:
    """Count the answers that choose otherwise, and show the first that are wrong now."""
    if not found.choices:
        return
    kinds = [one.kind.value for one in found.choices]
    times = {kind: kinds.count(kind) for kind in dict.fromkeys(kinds)}
    said = ", ".join(f"{n:,} {kind}" for kind, n in times.items())
    noun = "answer chooses" if len(kinds) == 1 else "answers choose"
    typer.echo(f"{len(kinds):,} {noun} another option: {said}. --json lists them all.")
    for one in found.choices[:_SHOWN]:
        if one.kind.value == "broken":
            new = one.new or "none"
            typer.echo(f"  {one.system}, {one.case}: {one.old} to {new}, right is {one.gold}")
