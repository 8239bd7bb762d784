"""What a report holds, in its one order: page, files and documents number their tables by it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from medassay.analyses.results import Results, SourceResult
from medassay.analyses.sections import RATINGS_GIVEN, SECTIONS, section_of
from medassay.exhibits.names import slug
from medassay.report import tables
from medassay.report.asked import asked_parts
from medassay.report.findings import task
from medassay.report.names import Names
from medassay.report.objectives import ITS_OWN, described_tables, objective_parts
from medassay.report.panel import panel_parts
from medassay.report.parts import PanelPart, laid_out
from medassay.report.pictures import Shown
from medassay.report.tables import Table
from medassay.report.whose import Whose

__all__ = ["Contents", "tables_of"]

_MOST_PAIRS: Final = 66
"""Pairs of twelve systems: longer lists are shown for the leaderboard's own source only."""

_MOST_FIRST_PAIRS: Final = 1000
"""Pairs of 45 systems: of longer lists only the pairs with the first system are shown."""


@dataclass(frozen=True, slots=True)
class Contents:
    """What stands on the page, in reading order.

    Attributes:
        boards: Each source that ranks systems, with its leaderboard and its pairs.
        panel: The parts on the raters, or on each objective of a panel that only describes.
        asked: The parts that analyses declare, by their section; those above are not among them.
        sections: Section to its tables.
        numbers: Table id to its number.
    """

    boards: list[tuple[str, Table, Table]]
    panel: list[PanelPart]
    asked: dict[str, list[PanelPart]]
    sections: dict[str, list[Table]]
    numbers: dict[str, int]

    @classmethod
    def of(cls, results: Results, figures: Mapping[str, Shown] | None = None) -> "Contents":
        """Lay out a run; without figures, its tables alone."""
        describes = results.study.descriptive
        whose = Whose(results)
        boards = [
            (name, whose.table(board), whose.table(pairs))
            for name, board, pairs in ([] if describes else _boards(results))
        ]
        panel = objective_parts(results) if describes else panel_parts(results)
        if not (describes or results.study.counts.judgements):
            panel = [part for part in panel if _filled(part.tables)]
        asked = asked_parts(results, figures or {}, ITS_OWN if describes else ())
        if not results.study.counts.judgements:
            asked["ratings"] = [
                panel_part for panel_part in asked["ratings"] if panel_part.id != RATINGS_GIVEN.id
            ]
        if not describes:
            panel, asked["panel"] = _with_asked("panel", panel, asked), []
        panel = _of_whom(whose, panel)
        asked = {name: _of_whom(whose, parts) for name, parts in asked.items()}
        made = _sections(results, panel, asked)
        sections = {name: whose.tables(group) for name, group in made.items()}
        numbers = _numbers(boards, sections, task_first=task.leads(results))
        return cls(boards, panel, asked, sections, numbers)


def tables_of(results: Results) -> list[Table]:
    """Give every table that is written as a file, with its number.

    Those of the page come in its order with its numbers; tables that are in files only follow.
    """
    every = described_tables(results) if results.study.descriptive else tables.all_tables(results)
    numbers = Contents.of(results).numbers
    last = max(numbers.values(), default=0)
    others = [table.id for table in every if table.id not in numbers]
    numbers |= {name: at for at, name in enumerate(others, start=last + 1)}
    return sorted(
        (replace(table, number=numbers[table.id]) for table in every),
        key=lambda table: table.number,
    )


def _of_whom(whose: Whose, parts: list[PanelPart]) -> list[PanelPart]:
    """Say in what stands under each heading whose labels it rests on."""
    return [
        replace(
            part,
            title=whose.text(part.title),
            lead=whose.text(part.lead),
            notes=tuple(map(whose.text, part.notes)),
            tables=tuple(whose.tables(part.tables)),
        )
        for part in parts
    ]


def _with_asked(
    name: str, own: list[PanelPart], asked: "Mapping[str, list[PanelPart]]"
) -> list[PanelPart]:
    """Put what a section's analyses show under the headings that they share with the rest."""
    return laid_out(section_of(name), [*own, *asked[name]])


def _boards(results: Results) -> list[tuple[str, Table, Table]]:
    """Give each source that has standings its leaderboard and its pairs, the primary first."""
    ranked = {s.source for s in results.standings}
    chosen = [s for s in results.sources if s.name in ranked]
    chosen.sort(key=lambda source: source.name != results.primary)
    return [
        (
            source.name,
            tables.leaderboard(results, source, "leaderboard" if first else ""),
            _pairs(results, source, first=first),
        )
        for source in chosen
        for first in [source.name == results.primary]
    ]


def _pairs(results: Results, source: SourceResult, *, first: bool) -> Table:
    """List a source's pairs of systems; with many systems only the first source's are shown."""
    table_id = "comparisons" if first else f"comparisons-{slug(source.name)}"
    count = sum(comparison.source == source.name for comparison in results.comparisons)
    if count <= (_MOST_FIRST_PAIRS if first else _MOST_PAIRS):
        return tables.comparisons(results, [source], table_id)
    if first:
        leader = tables.ordered(results, source.name)[0].system
        pairs = tables.comparisons(results, [source], table_id, of=[leader])
        text = f"Of {count:,} pairs those with {Names(results).of_system(leader)} are shown; all"
        return replace(pairs, caption=f"{pairs.caption} {text} are in tables/comparisons.csv.")
    empty = f"{count} pairs: too many for this page. See tables/comparisons.csv beside it."
    return replace(tables.comparisons(results, [source], table_id, of=()), empty=empty)


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
    own: dict[str, list[Table]] = {"panel": [table for part in panel for table in part.tables]}
    opening: dict[str, list[Table]] = {"trust": [], "targets": [], "shared_task": []}
    if not results.study.descriptive:
        synthetic, rated = results.study.synthetic, bool(results.study.counts.judgements)
        validity = _validity(results)
        own |= {
            "validity": validity if rated else _filled(validity),
            "judges": tables.judges_of(results),
        }  # fmt: skip
        opening = {
            "trust": [tables.trust_summary(results.trust, synthetic=synthetic)]
            if results.trust
            else [],
            "targets": tables.target_tables(results),
            "shared_task": tables.shared_task(results),
        }
    of_section = {section.id: own.get(section.id, []) for section in SECTIONS}
    of_asked = {f"asked-{name}": [t for panel_part in parts for t in panel_part.tables]
                for name, parts in asked.items()}  # fmt: skip
    ordered = {
        name: of[name]
        for section in SECTIONS
        for of, name in ((of_section, section.id), (of_asked, f"asked-{section.id}"))
    }
    return {**opening, **ordered, "methods": methods}


def _validity(results: Results) -> list[Table]:
    synthetic = results.study.synthetic
    return [
        *([tables.trust(results.trust, synthetic=synthetic)] if results.trust else []),
        *tables.tau_maps(results),
        tables.correlations(results),
        *tables.behind_trust(results.validity, synthetic=synthetic),
        *tables.human_score_tables(results),
    ]


def _filled(found: "Iterable[Table]") -> list[Table]:
    """Leave out tables that hold nothing: where nobody rated, one line says so for all of them."""
    return [table for table in found if table.rows]


def _numbers(
    boards: list[tuple[str, Table, Table]],
    sections: dict[str, list[Table]],
    *,
    task_first: bool,
) -> dict[str, int]:
    """Number the tables in reading order; boards that take each other's place share theirs."""
    opening = [*sections["trust"], *sections["targets"]]
    opening += sections["shared_task"] if task_first else []
    before = {table.id: i for i, table in enumerate(opening, start=1)}
    start = len(before) + 1
    numbers = {table.id: i for board in boards for i, table in enumerate(board[1:], start=start)}
    first = max(numbers.values(), default=len(before)) + 1
    rest = (t.id for group in sections.values() for t in group if t.id not in before)
    return before | numbers | {name: i for i, name in enumerate(rest, start=first)}
