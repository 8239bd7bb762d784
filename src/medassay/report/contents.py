"""What a report holds, in its one order: page, files and documents number their tables by it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from medassay.analyses.results import Results
from medassay.analyses.sections import RATINGS_GIVEN, SECTIONS, section_of
from medassay.report import tables
from medassay.report.asked import asked_parts, refuse_shared_tables
from medassay.report.objectives import ITS_OWN, described_tables, objective_parts
from medassay.report.panel import panel_parts
from medassay.report.parts import PanelPart, laid_out
from medassay.report.pictures import FigureOnPage
from medassay.report.tables import Table
from medassay.report.uses import metric_uses
from medassay.report.whose import Whose

_MOST_ROWS: Final = 60
"""A longer table is read in its file; the page names it. A first screen's table is never cut."""


@dataclass(frozen=True, slots=True)
class Contents:
    """What stands on the page, in reading order.

    Attributes:
        first: The tables of the first screen.
        panel: The parts on the raters, or on each objective of a panel that only describes.
        asked: The parts that analyses declare, by their section; those above are not among them.
        sections: Section to its tables on the page.
        files: Section to its tables that are in files only.
        numbers: Table id to its number.
    """

    first: list[Table]
    panel: list[PanelPart]
    asked: dict[str, list[PanelPart]]
    sections: dict[str, list[Table]]
    files: dict[str, list[Table]]
    numbers: dict[str, int]

    @classmethod
    def of(cls, results: Results, figures: Mapping[str, FigureOnPage] | None = None) -> "Contents":
        """Lay out a run; without figures, its tables alone."""
        describes = results.study.descriptive
        whose = Whose(results)
        panel = objective_parts(results) if describes else panel_parts(results)
        if not (describes or results.study.counts.judgements):
            panel = [part for part in panel if _filled(part.tables)]
        asked = asked_parts(results, figures or {}, ITS_OWN if describes else ())
        if not results.study.counts.judgements:
            asked["ratings"] = [
                panel_part for panel_part in asked["ratings"] if panel_part.id != RATINGS_GIVEN.id
            ]
        if not describes:
            panel = laid_out(section_of("panel"), [*panel, *asked["panel"]])
            asked["panel"] = []
        panel = _of_whom(whose, panel)
        asked = {name: _of_whom(whose, parts) for name, parts in asked.items()}
        made = _sections(results, panel, asked)
        every = {name: whose.tables(group) for name, group in made.items()}
        first = [
            *([] if describes else whose.tables(_opening(results))),
            *(table for group in every.values() for table in group if table.stands == "first"),
        ]
        sections = {name: [t for t in group if _on_page(t)] for name, group in every.items()}
        files = {name: [t for t in group if _in_file(t)] for name, group in every.items()}
        return cls(
            first,
            [_cut(part) for part in panel if part.notes or _shows(part)],
            {name: [_cut(part) for part in parts if _shows(part)] for name, parts in asked.items()},
            sections,
            files,
            _numbers(first, sections),
        )

    @property
    def shown(self) -> list[Table]:
        """Give the tables of the page, in its order, with their numbers."""
        behind = (table for group in self.sections.values() for table in group)
        return [replace(table, number=self.numbers[table.id]) for table in (*self.first, *behind)]


def tables_of(results: Results, held: Contents | None = None) -> list[Table]:
    """Give every table that is written as a file, with its number.

    Those of the page come in its order with its numbers; tables that are in files only follow.

    Args:
        results: All of a run.
        held: The run laid out, where it is already.
    """
    every = described_tables(results) if results.study.descriptive else tables.all_tables(results)
    refuse_shared_tables(results, every)
    numbers = dict((held or Contents.of(results)).numbers)
    last = max(numbers.values(), default=0)
    others = [table.id for table in every if table.id not in numbers]
    numbers |= {name: at for at, name in enumerate(others, start=last + 1)}
    return sorted(
        (
            replace(
                table,
                number=numbers[table.id],
                stands="file" if numbers[table.id] > last else table.stands,
            )
            for table in every
        ),
        key=lambda table: table.number,
    )


def _on_page(table: Table) -> bool:
    return table.stands == "page" and len(table.rows) <= _MOST_ROWS


def _in_file(table: Table) -> bool:
    """Say whether it is read in its file; of a part of another table, that one's file has all."""
    return table.stands != "first" and not (_on_page(table) or table.whole) and bool(table.rows)


def _cut(part: PanelPart) -> PanelPart:
    return replace(part, tables=tuple(table for table in part.tables if _on_page(table)))


def _shows(part: PanelPart) -> bool:
    """Say whether anything is left to stand under its heading."""
    return bool(part.pictures or part.cards or any(map(_on_page, part.tables)))


def _opening(results: Results) -> list[Table]:
    """Give systems by dimensions and metrics by uses; a task that leads has a table of its own."""
    return [table for table in (tables.at_a_glance(results), metric_uses(results)) if table]


def _of_whom(whose: Whose, parts: list[PanelPart]) -> list[PanelPart]:
    """Say in what stands under each heading whose labels it rests on."""
    return [
        replace(
            part,
            title=whose.text(part.title),
            lead=whose.text(part.lead),
            notes=tuple(whose.text(whose.marked(note)) for note in part.notes),
            tables=tuple(whose.tables(part.tables)),
        )
        for part in parts
    ]


def _sections(
    results: Results,
    panel: list[PanelPart],
    asked: dict[str, list[PanelPart]],
) -> dict[str, list[Table]]:
    """Give each section's tables in reading order; those that analyses declare stand last in it."""
    methods = [
        tables.systems(results),
        tables.sources(results),
        *([tables.left_out(results)] if results.left_out else []),
        tables.unscored(results),
        tables.inputs(results),
    ]
    own = {"panel": [table for part in panel for table in part.tables]}
    of_section = {section.id: own.get(section.id, []) for section in SECTIONS}
    of_asked = {f"asked-{name}": [t for panel_part in parts for t in panel_part.tables]
                for name, parts in asked.items()}  # fmt: skip
    ordered = {
        name: of[name]
        for section in SECTIONS
        for of, name in ((of_section, section.id), (of_asked, f"asked-{section.id}"))
    }
    return {**ordered, "methods": methods}


def _filled(listed: "Iterable[Table]") -> list[Table]:
    """Leave out tables that hold nothing: where nobody rated, one line says so for all of them."""
    return [table for table in listed if table.rows]


def _numbers(first: list[Table], sections: dict[str, list[Table]]) -> dict[str, int]:
    """Number the tables of the page in reading order."""
    shown = [*first, *(table for group in sections.values() for table in group)]
    return {table.id: at for at, table in enumerate(shown, start=1)}
