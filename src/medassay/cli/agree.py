"""medassay agree."""

from typing import TYPE_CHECKING, Annotated

import typer

from medassay.cli.options import AsJson, Seed, StudyFolder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medassay.study.results import AgreementReport, AgreementResult

__all__ = ["agree"]

_HEADER = ["dimension", "labels", "coefficient", "value", "95 % interval", "answers", "raters"]
_OF = {
    "phase": ("with and without calibration items", "phases"),
    "pair": ("pairs of raters", "raters"),
    "system": ("systems", "system"),
    "self": ("raters with themselves, first against repeat", "rater"),
}


def agree(  # noqa: PLR0913 - each option answers a question of its own
    study: StudyFolder,
    *,
    pairs: Annotated[bool, typer.Option("--pairs", help="The same as --by pair.")] = False,
    by: Annotated[
        list[str] | None,
        typer.Option(help="Also by part: phase, pair, system, self; may be given several times."),
    ] = None,
    phase: Annotated[
        list[str] | None,
        typer.Option(help="Read this phase instead of main; may be given several times."),
    ] = None,
    dimension: Annotated[
        list[str] | None, typer.Option(help="Only this dimension; may be given several times.")
    ] = None,
    coefficient: Annotated[
        list[str] | None,
        typer.Option(help="This coefficient instead of the protocol's; several times, or all."),
    ] = None,
    words: Annotated[
        bool, typer.Option("--words", help="The words that publications have for the values.")
    ] = False,
    seed: Seed = None,
    as_json: AsJson = False,
) -> None:
    """Say how far the raters agree: every dimension, full and binary labels, with intervals."""
    from medassay.cli.say import say_json
    from medassay.study import PARTS, agreement_report, open_run

    run = open_run(study, seed=seed)
    chosen = list(dict.fromkeys([*(by or []), *(["pair"] if pairs else [])]))
    found = agreement_report(
        run.study,
        # Machines get everything; people what they ask for, and what no reader may miss.
        by=PARTS if as_json else chosen or ("phase", "self"),
        phases=phase or ("main",),
        dimensions=dimension,
        coefficients="all" if coefficient == ["all"] else coefficient,
    )
    if as_json:
        say_json(found.model_dump(mode="json"))
        return
    _say(run.study.config.title, found, words=words)


def _say(title: str, found: "AgreementReport", *, words: bool) -> None:
    from medassay.cli.say import say_table

    say_table(
        f"{title}: agreement",
        ["cases", *_HEADER],
        [[row.subset, *_cells(row)] for row in found.panel],
    )
    for by in dict.fromkeys(part.by for part in found.parts):
        heading, column = _OF[by]
        rows = [[part.group, *_cells(part.agreement)] for part in found.parts if part.by == by]
        say_table(f"{title}: {heading}", [column, *_HEADER], rows)
    if words:
        _say_words(found.panel)
    places: dict[str, dict[str, None]] = {}
    for row in found.panel:
        if row.note:
            places.setdefault(row.note, {})[f"{row.dimension} ({row.mapping})"] = None
    for note, where in places.items():
        typer.echo(f"note: {', '.join(where)}: {note}.")
    for one in found.notes:
        typer.echo(f"note: {one.dimension or 'all dimensions'}: {one.text}.")
    if found.flow.left_out:
        why = ", ".join(f"{count} {reason}" for reason, count in found.flow.excluded.items())
        typer.echo(f"note: {found.flow.left_out} judgements of excluded raters left out ({why}).")


def _say_words(panel: "Sequence[AgreementResult]") -> None:
    from medassay.cli.say import number, say_table

    say_table(
        "What publications call these values",
        ["dimension", "labels", "coefficient", "value", "word", "says"],
        [
            [row.dimension, row.mapping, row.coefficient, number(row.value), word, source]
            for row in panel
            for source, word in row.bands.items()
        ],
    )


def _cells(row: "AgreementResult") -> list[str]:
    from medassay.cli.say import interval, number

    return [
        row.dimension,
        row.mapping,
        row.coefficient,
        number(row.value) or row.reason,
        interval(row.interval),
        str(row.n_units),
        str(row.n_raters),
    ]
