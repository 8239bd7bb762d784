"""medassay compare."""

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, get_args

import typer

from medassay.cli.options import AsJson, Columns, Fresh
from medassay.cli.verb import RARE, examples
from medassay.errors import InvalidInput, MedassayError, Problem

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from medassay.analyses import ChangedAnswers, VersionComparison
    from medassay.validity import GateResult

WORSE, UNDECIDED = 3, 4
_SHOWN = 5

Side = "A study, STUDY:SYSTEM, or a table of scores."
Better = Literal["higher", "lower"]


@examples(
    "medassay compare old-study new-study",
    'medassay compare old-study new-study --metric "rouge1(ref=human)" --margin 0.02',
    "medassay compare main.csv branch.csv --require-not-worse --to markdown",
    "medassay compare old.jsonl new.jsonl --into versions",
    "medassay compare old-study new-study --into changed",
)
def compare(  # noqa: PLR0913 - each option is one fact about the gate
    old: Annotated[str, typer.Argument(metavar="OLD", help=Side)],
    new: Annotated[str, typer.Argument(metavar="NEW", help=Side)],
    *,
    metric: Annotated[
        list[str] | None,
        typer.Option("--metric", "-m", help="Compare this metric. May be given several times."),
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option(
            metavar="FIRST",
            rich_help_panel=RARE,
            help="Also compare with this first version, so that small losses from version to "
            "version add up.",
        ),
    ] = None,
    margin: Annotated[
        float, typer.Option(min=0, help="The largest acceptable loss, in the metric's unit.")
    ] = 0.02,
    bound: Annotated[
        Literal["t", "betting"] | None,
        typer.Option(
            rich_help_panel=RARE,
            help="How a loss is bounded. t: by the spread of the differences. betting: by the "
            "score's range, which holds however often you look and however rare large "
            "losses are. Default: t; for 'metric not worse' on harm, or where nearly all "
            "old scores are the best, betting.",
        ),
    ] = None,
    harm: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            rich_help_panel=RARE,
            help="Metric NAME measures harm. May be given several times.",
        ),
    ] = None,
    require_not_worse: Annotated[
        bool,
        typer.Option(
            "--require-not-worse", help="Fail with exit code 4 if the verdict is undecided."
        ),
    ] = False,
    direction: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[NAME=]higher|lower",
            rich_help_panel=RARE,
            help="Whether higher or lower is better, for a metric that medassay does not know.",
        ),
    ] = None,
    ranges: Annotated[
        list[str] | None,
        typer.Option(
            "--range",
            metavar="[NAME=]LOW..HIGH",
            rich_help_panel=RARE,
            help="The lowest and highest possible value of NAME; one end may be left out.",
        ),
    ] = None,
    into: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Write the studies of two logs, or answers to rate.",
        ),
    ] = None,
    column: Columns = None,
    fresh: Fresh = False,
    to: Annotated[
        Literal["text", "markdown"],
        typer.Option(help="Print text, or markdown for a pull request."),
    ] = "text",
    as_json: AsJson = False,
) -> None:
    """Compare a new version with an old one.

    The verdict is worse (exit code 3), metric not worse within the margin, or undecided.
    """
    from dataclasses import asdict

    from medassay.analyses import are_studies, compare_versions, draw_changed
    from medassay.cli.output import print_json, progress
    from medassay.study import MetricScaleOptions

    if as_json and to != "text":
        got = f"--to {to} and --json"
        raise InvalidInput(Problem("--to", "be asked for in one form", got, "Leave one out."))
    stated = MetricScaleOptions(_directions(direction), *_ends(ranges), frozenset(harm or ()))
    with progress() as tell, _no_verdict(to, (old, new, baseline or "")):
        draw = into if into is not None and are_studies(old, new) else None
        old, new = _studies(old, new, None if draw else into, column)
        comparison = compare_versions(
            old, new, baseline=baseline, metrics=metric, margin=margin, owner_words=stated,
            fresh=fresh, progress=tell, bound=bound,
        )  # fmt: skip
    code = _exit_code(comparison, require_not_worse=require_not_worse)
    drawn = draw_changed(comparison, draw) if draw else None
    if as_json:
        print_json(_facts(comparison, code) | ({} if drawn is None else {"drawn": asdict(drawn)}))
    elif to == "markdown":
        from medassay.report.versions import comparison_markdown, worst_texts

        typer.echo(comparison_markdown(comparison, worst_texts(comparison, old, new)))
    else:
        _print(comparison)
        if drawn is not None:
            _print_drawn(drawn)
    raise typer.Exit(code)


def _studies(old: str, new: str, into: Path | None, column: list[str] | None) -> tuple[str, str]:
    """Make studies of two logs where a folder is named for them; one cause is named once."""
    from medassay.exchange.outcome import folded
    from medassay.exchange.spreadsheet.two_versions import import_versions

    if into is None:
        if column:
            got, hint = "no --into", "For example --into versions."
            must = "be given with --into, for logs of which studies are made"
            raise InvalidInput(Problem("--column", must, got, hint))
        return old, new
    try:
        before, after = import_versions(Path(old), Path(new), into, column or ())
    except InvalidInput as error:
        raise InvalidInput(folded(error.problems)) from error
    return str(before), str(after)


@contextmanager
def _no_verdict(to: str, versions: "Sequence[str]") -> "Iterator[None]":
    """Write a comment where nothing could be compared: else that of earlier answers stays.

    Why not is for the log as well; a comment quotes no cell of a study that keeps its texts.
    """
    from medassay.report.versions import no_verdict_markdown
    from medassay.study.files.names import keeps_words

    try:
        yield
    except MedassayError as error:
        if to == "markdown":
            problems = error.problems if isinstance(error, InvalidInput) else ()
            if keeps_words(versions):
                problems = tuple(problem.without_quotes() for problem in problems)
                said = list(map(str, problems)) or ["a name is not known; the log says which"]
            else:
                said = list(map(str, problems)) or [str(error)]
            typer.echo(no_verdict_markdown(said))
        raise


def _exit_code(comparison: "VersionComparison", *, require_not_worse: bool) -> int:
    if comparison.verdict == "worse":
        return WORSE
    if comparison.blocked or (require_not_worse and comparison.verdict == "undecided"):
        return UNDECIDED
    return 0


def _facts(comparison: "VersionComparison", code: int) -> dict[str, object]:
    from dataclasses import asdict

    from medassay.validity import false_alarms_of_100

    return {
        "verdict": comparison.verdict,
        **asdict(comparison),
        "tests": comparison.rows,
        "false_alarms_of_100": false_alarms_of_100(),
        "exit_code": code,
    }


def _pairs(option: str, words: list[str] | None) -> dict[str, str]:
    """Split NAME=VALUE at the last sign, since names have such signs too; a bare value is ""'s."""
    by_name: dict[str, str] = {}
    for pair in words or []:
        name, _, value = pair.rpartition("=")
        if name in by_name:
            raise InvalidInput(Problem(option, "be said once of each metric", f'"{pair}" again'))
        by_name[name] = value
    return by_name


def _directions(words: list[str] | None) -> dict[str, str]:
    by_name = _pairs("--direction", words)
    for value in by_name.values():
        if value not in get_args(Better):
            hint = "For example --direction error_rate=lower."
            raise InvalidInput(Problem("--direction", "be higher or lower", f'"{value}"', hint))
    return by_name


def _ends(words: list[str] | None) -> tuple[dict[str, float], dict[str, float]]:
    """Give the lower and the upper end of each range, as far as they are said."""
    from medassay.study import read_range

    both = {name: read_range(value, "--range") for name, value in _pairs("--range", words).items()}
    lows = {name: low for name, (low, _) in both.items() if low is not None}
    highs = {name: high for name, (_, high) in both.items() if high is not None}
    return lows, highs


def _print(comparison: "VersionComparison") -> None:
    from medassay.report.versions import (
        comparisons,
        false_alarm_words,
        harm_words,
        headline,
        missing_words,
        of_choices,
    )

    typer.echo(headline(comparison))
    for text in harm_words(comparison):
        typer.echo(text)
    for against, results in comparisons(comparison):
        _print_rows(f"{comparison.new} against {against}, margin {comparison.margin:g}", results)
        for text in missing_words(results):
            typer.echo(text)
        _print_flips(results)
    if comparison.choices:
        typer.echo(f"{of_choices(comparison)} --json lists them all.")
    for flip in comparison.choices[:_SHOWN]:
        if flip.kind.value == "broken":
            new = flip.new or "none"
            typer.echo(f"  {flip.system}, {flip.case}: {flip.old} to {new}, right is {flip.gold}")
    typer.echo(false_alarm_words(comparison))
    for warning in comparison.warnings:
        typer.echo(f"note: {warning}")


def _print_drawn(drawn: "ChangedAnswers") -> None:
    """Say what was drawn, and what people do with it."""
    from medassay.judgements.raters import FIRST_RATERS
    from medassay.text import shell_line

    if not drawn.drawn:
        typer.echo("Nothing was drawn: no answer changed both its text and its score.")
        return
    line = ["medassay", "campaign", "create", str(drawn.folder), "--raters", str(FIRST_RATERS)]
    typer.echo(
        f"Drew {drawn.drawn:,} of {drawn.changed:,} changed answers, each old and new, into "
        f"{drawn.folder}. Next: {shell_line(line)}"
    )
    if drawn.repeats:
        noun = "repeated answer was" if drawn.repeats == 1 else "repeated answers were"
        typer.echo(f"note: {drawn.repeats:,} {noun} left out: only first answers are drawn.")
    if drawn.left_out:
        names = ", ".join(drawn.left_out)
        typer.echo(f"note: Scores of {names} were imported and are not in it: import them there.")


def _print_rows(title: str, results: "Sequence[GateResult]") -> None:
    """Print a row for each system by each metric."""
    from medassay.cli.output import interval, number, print_table

    print_table(
        title,
        [
            "system", "metric", "verdict", "difference", "95% CI", "detectable loss",
            "answers", "got worse", "got better", "scores lost",
        ],
        [
            [
                row.system,
                result.metric,
                row.verdict.value,
                number(row.difference),
                interval(row.interval),
                number(row.minimal_detectable_loss),
                f"{row.n:,}",
                f"{sum(flip.change < 0 for flip in result.flips_of(row.system)):,}",
                f"{sum(flip.change > 0 for flip in result.flips_of(row.system)):,}",
                f"{row.lost:,}",
            ]
            for result in results
            for row in result.systems
        ],
    )  # fmt: skip


def _print_flips(results: "Sequence[GateResult]") -> None:
    """Print the answers that lost most, for people to read."""
    for result in results:
        worse = [flip for flip in result.flips if flip.change < 0]
        if worse:
            noun = "answer is" if len(worse) == 1 else "answers are"
            more = f", these {_SHOWN} most" if len(worse) > _SHOWN else ""
            typer.echo(f"{result.metric}: {len(worse):,} {noun} worse{more}:")
        for flip in worse[:_SHOWN]:
            typer.echo(f"  {flip.system}, {flip.case}: {flip.old:.3f} to {flip.new:.3f}")
