"""The panel's part of the page beside its analyses: consensus methods compared, a card a rater.

Who rated and how far they agree are analyses of the section `panel`, in `analyses/builtin`: the
table of agreement is made in `agreement.py`.
"""

from typing import Final

from medassay.analyses.results import Results
from medassay.analyses.sections import section_of
from medassay.report import tables
from medassay.report.cards import Card, rater_cards
from medassay.report.parts import PanelPart
from medassay.report.tables import Table

MANY_ROWS: Final = 12
"""A longer table opens on demand."""


def panel_parts(results: Results) -> list[PanelPart]:
    """Lay out what is known of the panel; parts without anything are left out."""
    parts = [
        _part("panel-consensus", tables=tuple(tables.panel_tables(results))),
        _part("panel-raters", cards=tuple(rater_cards(results))),
    ]
    return [part for part in parts if part.tables or part.cards]


def _part(
    name: str,
    *,
    tables: tuple[Table, ...] = (),
    cards: tuple[Card, ...] = (),
) -> PanelPart:
    part = section_of("panel").part(name)
    title, says = (part.title, part.lead) if part else ("", "")
    return PanelPart(name, title, says, tables=tables, cards=cards)
