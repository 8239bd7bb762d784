"""One card a rater: who they are, and what they do that the others do not."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from medassay.analyses.builtin.quality import qualities_in
from medassay.analyses.builtin.quality.columns import quality_columns
from medassay.analyses.results import RaterResult, Results
from medassay.exhibits.cells import estimate, missing, no_such
from medassay.exhibits.names import method_words
from medassay.exhibits.numbers import PROPORTION, Style, count_of
from medassay.exhibits.sentences import upper_first
from medassay.report.names import Names
from medassay.report.tables import Cell, apart
from medassay.validity import RaterDiagnostic

__all__ = ["Card", "CardLine", "rater_cards"]

_LINES: Final = {
    "severity": "Severity, points",
    "central tendency": "Spread, of the others'",
    "anchoring": "Anchoring, r",
    "drift": "Drift, points in 100",
    "identical run": "Longest run",
    "speed": "Share too fast",
}
_COMPETENCE: Final = "competence"
_VOTES: Final = "With the leading label"


@dataclass(frozen=True, slots=True)
class CardLine:
    """One effect on each dimension.

    Attributes:
        title: What it is called.
        cells: One a dimension, each with whether the rater stands apart there.
        about: What the effect is, on demand.
    """

    title: str
    cells: tuple[tuple[Cell, bool], ...]
    about: str = ""


@dataclass(frozen=True, slots=True)
class Card:
    """One rater.

    Attributes:
        rater: The id.
        about: Kind, expertise and what else is known, in words.
        excluded: Why their judgements are left out; empty where they count.
        dimensions: Titles of the columns.
        lines: The rows.
        notes: What does not fit a row, such as halo over pairs of dimensions.
    """

    rater: str
    about: str
    excluded: str
    dimensions: tuple[str, ...]
    lines: tuple[CardLine, ...]
    notes: tuple[str, ...]


def rater_cards(results: Results) -> list[Card]:
    """Make a card for every rater, in the order of their ids."""
    flow = results.rater_flow
    if flow is None or not results.diagnostics:
        return []
    by_rater: dict[str, list[RaterDiagnostic]] = {}
    for one in results.diagnostics:
        by_rater.setdefault(one.rater, []).append(one)
    return [
        _card(results, rater, by_rater.get(rater.rater, []))
        for rater in flow.raters
        if rater.excluded or rater.rater in by_rater
    ]


def _card(results: Results, rater: RaterResult, own: list[RaterDiagnostic]) -> Card:
    names = Names(results)
    fitted = dict.fromkeys(one.about for one in own if one.kind == _COMPETENCE)
    titles = {(kind, ""): title for kind, title in _LINES.items()}
    titles |= {(_COMPETENCE, name): f"{method_words(name)} competence" for name in fitted}
    plain = [one for one in own if (one.kind, one.about) in titles]
    dimensions = list(dict.fromkeys(one.dimension for one in plain))
    of = {(one.kind, one.about, one.dimension): one for one in plain}
    meaning = {(one.kind, one.about): one.meaning for one in plain if one.effect is not None}
    lines = _labels(results, rater.rater, dimensions)
    lines += [
        CardLine(
            title,
            tuple(_effect(of.get((*which, dimension))) for dimension in dimensions),
            meaning[which],
        )
        for which, title in titles.items()
        if which in meaning
    ]
    lines += _quality(results, rater.rater, dimensions, fitted)
    lines += _repeats(results, rater.rater, dimensions)
    return Card(
        rater=rater.rater,
        about=_about(rater),
        excluded=rater.reason if rater.excluded else "",
        dimensions=tuple(names.of_dimension(one) for one in dimensions),
        lines=tuple(lines) if dimensions else (),
        notes=tuple(filter(None, (_halo(names, own), _favouring(own)))),
    )


def _about(rater: RaterResult) -> str:
    external = {True: "external", False: "of the team", None: ""}[rater.external]
    conflicts = rater.conflicts and f"conflicts of interest: {rater.conflicts}"
    shown = rater.shown and f"saw {rater.shown}"
    said = [rater.kind, rater.expertise, external, conflicts, shown]
    said.append(count_of(rater.judgements, "judgement"))
    return ", ".join(filter(None, said))


def _effect(one: RaterDiagnostic | None) -> tuple[Cell, bool]:
    if one is None:
        return no_such(4), False
    style = PROPORTION if one.kind in {"anchoring", "speed", _COMPETENCE} else Style(2)
    return estimate(one.effect, one.interval, one.reason, style), apart(one)


def _labels(results: Results, rater: str, dimensions: list[str]) -> list[CardLine]:
    """Count the rater's labels; nothing where the analysis that counts them was left out."""
    n = {(one.rater, one.dimension): one.n for one in qualities_in(results.analyses)}
    cells = tuple(
        (Cell(str(n[rater, dimension]), (n[rater, dimension],)), False)
        if (rater, dimension) in n
        else (no_such(), False)
        for dimension in dimensions
    )
    return [CardLine("Labels", cells)] if n else []


def _quality(
    results: Results, rater: str, dimensions: list[str], above: Collection[str]
) -> list[CardLine]:
    """Show what votes and models make of the rater; those above have an interval there."""
    lines = []
    for column in quality_columns(qualities_in(results.analyses)):
        if any(method in above for method in column.of):
            continue
        found = {d: column.values[d, rater] for d in dimensions if (d, rater) in column.values}
        cells = tuple(
            no_such()
            if dimension not in found
            else missing("No answer tells.")
            if (value := found[dimension].quality) is None
            else Cell(PROPORTION(value), (value,))
            for dimension in dimensions
        )
        if found:
            title = _VOTES if column.method == "majority" else upper_first(column.of[column.method])
            lines.append(CardLine(title, tuple((cell, False) for cell in cells), column.meaning))
    return lines


def _repeats(results: Results, rater: str, dimensions: list[str]) -> list[CardLine]:
    own = [
        part.agreement
        for part in results.agreement_parts
        if part.by == "self" and part.group == rater and part.agreement.mapping == "full"
    ]
    known = [one for one in own if one.coefficient == "mean_pairwise"]
    of = {one.dimension: one for one in known}
    if not of:
        return []
    cells = tuple(
        (estimate(of[d].value, of[d].interval, of[d].reason) if d in of else no_such(4), False)
        for d in dimensions
    )
    return [CardLine("Same label at repeat", cells, "Share of repeats with the same label.")]


def _halo(names: Names, own: list[RaterDiagnostic]) -> str:
    found = [one for one in own if one.kind == "halo" and one.effect is not None]
    if not found:
        return ""
    largest = max(found, key=lambda one: abs(one.effect or 0.0))
    pair = " with ".join(names.of_dimension(one) for one in largest.dimension.split(", "))
    shown = estimate(largest.effect, largest.interval, "")
    of = f"largest of {len(found)} pairs" if len(found) > 1 else "one pair"
    return f"Halo, {of}: {shown.text} {shown.aside} ({pair})."


def _favouring(own: list[RaterDiagnostic]) -> str:
    looked = [one for one in own if one.kind == "favouring" and one.effect is not None]
    if not looked:
        return ""
    clear = [one for one in looked if apart(one)]
    return (
        f"Favours or disfavours {len(clear)} of {len(looked)} pairs of system and dimension clear "
        f"of 0; luck alone makes {round(0.05 * len(looked))} or more."
    )
