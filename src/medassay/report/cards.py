"""One card a rater: who they are, and what they do that the others do not."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from medassay.analyses.builtin.agreement import parts_in
from medassay.analyses.builtin.quality import qualities_in, quality_columns
from medassay.analyses.builtin.rater_effects import effects_in, stands_apart
from medassay.analyses.builtin.rater_flow import RaterCount, rater_flow
from medassay.analyses.results import Results
from medassay.exhibits.columns import estimate, missing, no_such
from medassay.exhibits.names import method_words
from medassay.exhibits.numbers import PROPORTION, Style, count_of
from medassay.exhibits.sentences import upper_first
from medassay.exhibits.table import Cell
from medassay.report.names import Names
from medassay.validity import RaterDiagnostic

_LINES: Final = {
    "severity": "Severity, points",
    "reversed": "Read backwards, r",
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
    flow = results.analyses.of(rater_flow)
    by_rater: dict[str, list[RaterDiagnostic]] = {}
    for effect in effects_in(results.analyses):
        by_rater.setdefault(effect.rater, []).append(effect)
    if flow is None or not by_rater:
        return []
    return [
        _card(results, count, by_rater.get(count.rater.rater, []))
        for count in flow.raters
        if count.rater.excluded or count.rater.rater in by_rater
    ]


def _card(results: Results, count: RaterCount, own: list[RaterDiagnostic]) -> Card:
    rater = count.rater
    names = Names(results)
    fitted = dict.fromkeys(effect.about for effect in own if effect.kind == _COMPETENCE)
    titles = {(kind, ""): title for kind, title in _LINES.items()}
    titles |= {(_COMPETENCE, name): f"{method_words(name)} competence" for name in fitted}
    plain = [effect for effect in own if (effect.kind, effect.about) in titles]
    dimensions = list(dict.fromkeys(effect.dimension for effect in plain))
    of = {
        (
            effect.kind,
            effect.about,
            effect.dimension,
        ): effect
        for effect in plain
    }
    meaning = {
        (effect.kind, effect.about): effect.meaning for effect in plain if effect.effect is not None
    }
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
        about=_about(count),
        excluded=rater.reason if rater.excluded else "",
        dimensions=tuple(names.of_dimension(dimension) for dimension in dimensions),
        lines=tuple(lines) if dimensions else (),
        notes=tuple(filter(None, (_halo(names, own), _favouring(own)))),
    )


def _about(count: RaterCount) -> str:
    rater = count.rater
    external = {True: "external", False: "of the team", None: ""}[rater.external]
    conflicts = rater.conflicts and f"conflicts of interest: {rater.conflicts}"
    shown = rater.shown and f"saw {rater.shown}"
    lines = [rater.kind, rater.expertise, external, conflicts, shown]
    lines.append(count_of(count.judgements, "judgement"))
    return ", ".join(filter(None, lines))


def _effect(effect: RaterDiagnostic | None) -> tuple[Cell, bool]:
    if effect is None:
        return no_such(4), False
    style = (
        PROPORTION if effect.kind in {"anchoring", "reversed", "speed", _COMPETENCE} else Style(2)
    )
    return estimate(effect.effect, effect.interval, effect.reason, style), stands_apart(effect)


def _labels(results: Results, rater: str, dimensions: list[str]) -> list[CardLine]:
    """Count the rater's labels; nothing where the analysis that counts them was left out."""
    n = {
        (quality.rater, quality.dimension): quality.n for quality in qualities_in(results.analyses)
    }
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
        rater_qualities = {
            d: column.values[d, rater] for d in dimensions if (d, rater) in column.values
        }
        cells = tuple(
            no_such()
            if dimension not in rater_qualities
            else missing("No answer tells.")
            if (value := rater_qualities[dimension].quality) is None
            else Cell(PROPORTION(value), (value,))
            for dimension in dimensions
        )
        if rater_qualities:
            title = _VOTES if column.method == "majority" else upper_first(column.of[column.method])
            lines.append(CardLine(title, tuple((cell, False) for cell in cells), column.meaning))
    return lines


def _repeats(results: Results, rater: str, dimensions: list[str]) -> list[CardLine]:
    own = [
        part.agreement
        for part in parts_in(results.analyses)
        if part.by == "self" and part.group == rater and part.agreement.mapping == "full"
    ]
    known = [agreement for agreement in own if agreement.coefficient == "mean_pairwise"]
    of = {agreement.dimension: agreement for agreement in known}
    if not of:
        return []
    cells = tuple(
        (estimate(of[d].value, of[d].interval, of[d].reason) if d in of else no_such(4), False)
        for d in dimensions
    )
    return [CardLine("Same label at repeat", cells, "Share of repeats with the same label.")]


def _halo(names: Names, own: list[RaterDiagnostic]) -> str:
    rater_diagnostics = [
        effect for effect in own if effect.kind == "halo" and effect.effect is not None
    ]
    if not rater_diagnostics:
        return ""
    largest = max(rater_diagnostics, key=lambda effect: abs(effect.effect or 0.0))
    pair = " with ".join(
        names.of_dimension(dimension) for dimension in largest.dimension.split(", ")
    )
    shown = estimate(largest.effect, largest.interval, "")
    of = f"largest of {len(rater_diagnostics)} pairs" if len(rater_diagnostics) > 1 else "one pair"
    return f"Halo, {of}: {shown.text} {shown.aside} ({pair})."


def _favouring(own: list[RaterDiagnostic]) -> str:
    looked = [effect for effect in own if effect.kind == "favouring" and effect.effect is not None]
    if not looked:
        return ""
    clear = [effect for effect in looked if stands_apart(effect)]
    return (
        f"Favours or disfavours {len(clear)} of {len(looked)} pairs of system and dimension clear "
        f"of 0; luck alone makes {round(0.05 * len(looked))} or more."
    )
