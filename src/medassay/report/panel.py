"""The panel's part of the page: who rated, how far they agree, what they jointly say."""

from collections.abc import Mapping
from typing import Final

from medassay.analyses.results import Results
from medassay.analyses.sections import section_of
from medassay.exhibits.numbers import listed
from medassay.exhibits.sentences import as_sentence
from medassay.report import tables
from medassay.report.cards import Card, rater_cards
from medassay.report.parts import PanelPart
from medassay.report.pictures import Shown
from medassay.report.tables import Table

__all__ = ["MANY_ROWS", "panel_parts"]

MANY_ROWS: Final = 24
"""A longer table opens on demand."""


def panel_parts(results: Results, figures: Mapping[str, Shown]) -> list[PanelPart]:
    """Lay out what is known of the panel; parts without anything are left out."""
    known = {table.id: table for table in tables.panel_tables(results)}

    def have(*ids: str) -> tuple[Table, ...]:
        return tuple(known[one] for one in ids if one in known)

    agreed = [tables.main_agreement(results)]
    agreed += [tables.agreement(results)] if results.agreement else []
    parts = [
        *_paper(results),
        _part(
            "panel-agreement",
            notes=_notes(results),
            pictures=("agreement",),
            tables=(
                *agreed,
                *have(*(name for name in known if name.startswith("agreement-by-"))),
                *have("agreement-bands"),
            ),
        ),
        _part(
            "panel-consensus",
            notes=_of_fits(results),
            tables=have("joined-means"),
        ),
        _part(
            "panel-raters",
            cards=tuple(rater_cards(results)),
        ),
    ]
    return [
        part
        for part in parts
        if part.tables or part.notes or part.cards or any(name in figures for name in part.pictures)
    ]


def _paper(results: Results) -> list[PanelPart]:
    """Lay out what the protocol's source wants told in a paper."""
    if results.paper is None:
        return []
    means, correlations, pitfalls, checklist = tables.paper_tables(results)
    text = f"Words for κ are those of: {results.paper.bands}. {results.paper.bands_rule}"
    return [
        _part("panel-paper", lead=text, tables=(means, correlations)),
        _part("panel-template", tables=(pitfalls, checklist)),
    ]


def _part(
    name: str,
    *,
    lead: str = "",
    notes: tuple[str, ...] = (),
    pictures: tuple[str, ...] = (),
    tables: tuple[Table, ...] = (),
    cards: tuple[Card, ...] = (),
) -> PanelPart:
    part = section_of("panel").part(name)
    title, says = (part.title, part.lead) if part else ("", "")
    return PanelPart(name, title, lead or says, notes, pictures, tables, cards)


def _of_fits(results: Results) -> tuple[str, ...]:
    """Say which fits say less than they seem to."""
    names = {dimension.id: dimension.title for dimension in results.dimensions}
    places: dict[str, list[str]] = {}
    for consensus_note in results.consensus_notes:
        where = (
            f"{names.get(consensus_note.dimension, consensus_note.dimension)}, "
            f"{consensus_note.title}"
        )
        places.setdefault(consensus_note.text, []).append(where)
    return tuple(as_sentence(f"{listed(where)}: {text}") for text, where in places.items())


def _notes(results: Results) -> tuple[str, ...]:
    """Say what the design does to the coefficients, and where agreement is high and kappa low."""
    names = {dimension.id: dimension.title for dimension in results.dimensions}
    lines = [
        as_sentence(f"{names.get(n.dimension, n.dimension)}: {n.text}" if n.dimension else n.text)
        for n in results.agreement_notes
    ]
    first = results.agreement[0].subset if results.agreement else ""
    # A weighted coefficient sees another agreement than a plain one: each note names its own.
    flagged: dict[tuple[str, str], dict[str, None]] = {}
    for agreement in results.agreement:
        where = f"{names.get(agreement.dimension, agreement.dimension)}, {agreement.mapping} labels"
        for note in agreement.notes:
            if agreement.subset == first and note.startswith("raters agree on"):
                flagged.setdefault((where, note), {})[agreement.title] = None
    places: dict[tuple[str, str], list[str]] = {}
    for (where, note), titles in flagged.items():
        places.setdefault((listed(list(titles)), note), []).append(where)
    lines += [
        as_sentence(f"{listed(where)}: {titles}: {note}")
        for (titles, note), where in places.items()
    ]
    return tuple(lines)
