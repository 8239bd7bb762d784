"""A heading on the page, and all that stands below it."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from medassay.analyses.sections import Section
from medassay.exhibits.table import Table
from medassay.report.cards import Card


@dataclass(frozen=True, slots=True)
class PanelPart:
    """One part of a section.

    Attributes:
        id: Its place on the page.
        title: The heading; empty where the section's own is enough.
        lead: A sentence on how to read it.
        notes: Sentences that no reader may miss.
        pictures: Ids of figures.
        tables: Tables, in order.
        cards: One a rater.
    """

    id: str
    title: str
    lead: str
    notes: tuple[str, ...] = ()
    pictures: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    cards: tuple[Card, ...] = ()


def laid_out(section: Section, parts: Iterable[PanelPart]) -> list[PanelPart]:
    """Put what stands under one heading together, in the order of the section's parts.

    Parts that the section does not name stand behind, as they come.

    Example:
        >>> from medassay.analyses.sections import SectionPart
        >>> parts = (SectionPart("low", "Low"), SectionPart("high", "High"))
        >>> tones = Section("tones", "Tones", "Tones", "From low to high", parts)
        >>> [(part.id, part.pictures) for part in laid_out(tones, [
        ...     PanelPart("own", "Own", ""), PanelPart("high", "High", "", pictures=("a",)),
        ...     PanelPart("low", "Low", ""), PanelPart("high", "High", "", pictures=("b",))])]
        [('low', ()), ('high', ('a', 'b')), ('own', ())]
    """
    joined: dict[str, PanelPart] = {}
    for panel_part in parts:
        first = joined.get(panel_part.id)
        joined[panel_part.id] = panel_part if first is None else _both(first, panel_part)
    order = [part.id for part in section.parts]
    named = [joined[name] for name in order if name in joined]
    return [*named, *(part for part in joined.values() if part.id not in order)]


def _both(panel_part: PanelPart, other: PanelPart) -> PanelPart:
    return replace(
        panel_part,
        notes=(*panel_part.notes, *other.notes),
        pictures=(*panel_part.pictures, *other.pictures),
        tables=(*panel_part.tables, *other.tables),
        cards=(*panel_part.cards, *other.cards),
    )
