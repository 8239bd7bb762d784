"""medassay agree."""

from typing import TYPE_CHECKING, Annotated

import typer

from medassay.cli.options import AsJson, StudyFolder
from medassay.cli.verb import examples

if TYPE_CHECKING:
    from medassay.agreement import Agreement, PassageAgreement
    from medassay.analyses import Agreed, RaterFlow

_INTERVAL = "95% CI"
_HEADER = [
    *("dimension", "labels", "coefficient", "estimate", _INTERVAL),
    *("answers", "cases", "raters"),
]
_MOST_GROUPS = 6
_OF = {
    "phase": ("with and without calibration items", "phases"),
    "pair": ("pairs of raters", "raters"),
    "system": ("systems", "system"),
    "self": ("raters with themselves, first against repeat", "rater"),
}


@examples(
    "medassay agree my-study",
    "medassay agree my-study --by pair --dimension safety",
    'medassay agree my-study --coefficient "krippendorff(level=ordinal)"',
)
def agree(
    study: StudyFolder,
    *,
    by: Annotated[
        list[str] | None,
        typer.Option(
            help="Also measure agreement by phase, pair, system, or self (a rater's "
            "repeated ratings). May be given several times."
        ),
    ] = None,
    phase: Annotated[
        list[str] | None,
        typer.Option(
            help="Use ratings of this phase instead of those that count. May be "
            "given several times."
        ),
    ] = None,
    dimension: Annotated[
        list[str] | None, typer.Option(help="Only this dimension. May be given several times.")
    ] = None,
    coefficient: Annotated[
        list[str] | None,
        typer.Option(
            help="Use this coefficient, not the protocol's; all gives every one. May "
            "be given several times."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Measure inter-rater agreement on every dimension, with intervals."""
    from pydantic import TypeAdapter

    from medassay.agreement import coefficient_plugin_problems
    from medassay.analyses import PARTS, Agreed, RaterFlow, agreement_report, as_told, flow_of
    from medassay.cli.output import print_json, print_pseudonyms, progress
    from medassay.study import open_run
    from medassay.study.runs.raters_key import write_key

    with progress("reading the study"):
        run = open_run(study)
    for problem in coefficient_plugin_problems() if coefficient == ["all"] else ():
        typer.echo(f"left out: {problem}", err=True)
    key = write_key(study, run.pseudonyms)
    with progress("measuring agreement"):
        agreed = agreement_report(
            run.study,
            # Machines get everything; people what they ask for, and what no reader may miss.
            by=PARTS if as_json else by or ("phase", "self"),
            phases=phase or None,
            dimensions=dimension,
            coefficients="all" if coefficient == ["all"] else coefficient,
        )
    agreed, flow = as_told(run.study, agreed), as_told(run.study, flow_of(run.study))
    if as_json:
        plain = TypeAdapter(Agreed).dump_python(agreed, mode="json")
        print_json(plain | {"flow": TypeAdapter(RaterFlow).dump_python(flow, mode="json")})
        return
    if run.study.config.rules.descriptive:
        typer.echo(f"{run.study.config.rules.name} describes only: no intervals.\n")
    _say(run.study.config.title, agreed, flow)
    if any(part.by in {"pair", "self"} for part in agreed.parts):
        print_pseudonyms(key)


def _headline_first(agreed: "Agreed") -> "list[Agreement]":
    """Put what heads each dimension, and what is said beside it, before its other rows."""
    heads = {
        (headline.dimension, "full", name): place
        for headline in agreed.headlines
        for place, name in enumerate((headline.coefficient, *headline.beside))
    }
    order = list(dict.fromkeys(row.dimension for row in agreed.panel))

    def place(row: "Agreement") -> tuple[int, int]:
        of = row.dimension, row.mapping, row.coefficient
        return order.index(row.dimension), heads.get(of, len(heads))

    return sorted(agreed.panel, key=place)


def _without_empty(header: list[str], rows: list[list[str]]) -> tuple[list[str], list[list[str]]]:
    """Leave out the column of intervals where no value has one."""
    place = header.index(_INTERVAL)
    if any(row[place] for row in rows):
        return header, rows
    return _but(header, place), [_but(row, place) for row in rows]


def _but(cells: list[str], place: int) -> list[str]:
    return [*cells[:place], *cells[place + 1 :]]


def _say(title: str, agreed: "Agreed", flow: "RaterFlow") -> None:
    from medassay.cli.output import print_table

    if not (agreed.panel or agreed.passages):
        typer.echo(f"{title}: no agreement, since no answer has been judged.")
    panel = _headline_first(agreed)
    for subset in dict.fromkeys(row.subset for row in panel):
        own = [_cells(row) for row in panel if row.subset == subset]
        print_table(f"{title}: agreement, {subset}", *_without_empty(_HEADER, own))
    for by in dict.fromkeys(part.by for part in agreed.parts):
        heading, column = _OF[by]
        rows = [[part.group, *_cells(part.agreement)] for part in agreed.parts if part.by == by]
        print_table(f"{title}: {heading}", *_without_empty([column, *_HEADER], rows))
    if agreed.passages:
        header = ["dimension", "passages", "F1 of characters", _INTERVAL, "answers", "cases"]
        rows = [_passage_cells(row) for row in agreed.passages]
        print_table(f"{title}: passages", *_without_empty(header, rows))
    _print_meanings(agreed)
    _print_reasons(agreed)
    for caution in agreed.cautions:
        typer.echo(f"note: {caution}")
    for note in agreed.notes:
        typer.echo(f"note: {note.dimension or 'all dimensions'}: {note.text}.")
    if flow.left_out:
        why = ", ".join(f"{count} {reason}" for reason, count in flow.excluded.items())
        typer.echo(f"note: {flow.left_out} judgements of excluded raters left out ({why}).")


def _print_reasons(agreed: "Agreed") -> None:
    """Say why values are missing and what a value does not say, each once with all its places."""
    of_parts: dict[tuple[str, str, str], list[str]] = {}
    for part in agreed.parts:
        agreement = part.agreement
        if agreement.value is None:
            key = f"{agreement.dimension} ({agreement.mapping})", agreement.title, agreement.reason
            of_parts.setdefault(key, []).append(part.group)
    several = len({row.subset for row in agreed.panel}) > 1
    places: dict[tuple[str, str], dict[str, None]] = {}
    for row in agreed.panel:
        place = f"{row.dimension} ({row.mapping}{f', {row.subset}' if several else ''})"
        if row.value is None:
            places.setdefault((place, f"no value: {row.reason}"), {})[row.title] = None
        for note in row.remarks:
            places.setdefault((place, note), {})[row.title] = None
    said: dict[tuple[str, str], dict[str, None]] = {}
    for (place, note), titles in places.items():
        said.setdefault((", ".join(titles), note), {})[place] = None
    for (titles_of, note), where in said.items():
        typer.echo(f"note: {', '.join(where)}: {titles_of}: {note}.")
    for (place, title, reason), groups in of_parts.items():
        typer.echo(f"note: {place}: {title}: no value for {_first(groups)}: {reason}.")


def _first(groups: list[str]) -> str:
    """Name the first few of many."""
    shown = list(dict.fromkeys(groups))
    rest = len(shown) - _MOST_GROUPS
    return ", ".join(shown[:_MOST_GROUPS]) + (f" and {rest} more" if rest > 0 else "")


def _print_meanings(agreed: "Agreed") -> None:
    """Say once what the ends of each coefficient mean; nothing of one that cannot occur."""
    from medassay.agreement.coefficient import NEVER

    shown = [*agreed.panel, *(part.agreement for part in agreed.parts)]
    meant = {row.title.split(" (")[0]: row for row in reversed(shown) if row.one}
    for title in sorted(meant):
        row = meant[title]
        ends = {"1": row.one, "0": row.zero, "below 0": row.below_zero}
        told = {end: words for end, words in ends.items() if words not in ("", NEVER)}
        text = "; ".join(f"{end}: {words}" for end, words in told.items())
        typer.echo(f"{title}. {text}.")
    if meant:
        typer.echo()


def _passage_cells(row: "PassageAgreement") -> list[str]:
    from medassay.cli.output import interval, number

    value = number(row.value) or "none"
    counts = [f"{row.n_answers:,}", f"{row.n_cases:,}"]
    return [row.dimension, row.kind or "any", value, interval(row.interval), *counts]


def _cells(row: "Agreement") -> list[str]:
    from medassay.cli.output import interval, number

    return [
        row.dimension,
        row.mapping,
        row.title,
        number(row.value) or "none",
        interval(row.interval),
        f"{row.n_units:,}",
        f"{row.n_cases:,}",
        f"{row.n_raters:,}",
    ]
