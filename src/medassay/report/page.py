"""The page: one HTML file that needs nothing else."""

from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from medassay.analyses.results import Results, SourceResult
from medassay.analyses.sections import RATINGS_GIVEN, SECTIONS, section_of
from medassay.exhibits.colours import diverging, ink_on
from medassay.exhibits.names import slug
from medassay.exhibits.numbers import count_of
from medassay.exhibits.sentences import stopped
from medassay.report import tables
from medassay.report.asked import asked_parts
from medassay.report.clinical import clinical_parts
from medassay.report.embed import cases_json, json_for_script, script_hash
from medassay.report.findings import findings, task
from medassay.report.names import Names
from medassay.report.objectives import INTENDED, ITS_OWN, objective_parts
from medassay.report.panel import MANY_ROWS, panel_parts
from medassay.report.parts import PanelPart, laid_out
from medassay.report.pictures import Shown, inline
from medassay.report.privacy import guarded
from medassay.report.tables import SYNTHETIC, Dot, Table, table_csv
from medassay.report.whose import Whose, raters_said

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from jinja2 import Environment

__all__ = ["page"]

_SCRIPTS = ("tables.js", "details.js", "answer.js", "case.js", "cases.js")
_AXIS = 150.0
"""Width of a drawn axis in px, with _ROOM at either end for half a dot."""
_ROOM = 5.0

_MOST_PAIRS: Final = 66
"""Pairs of twelve systems: longer lists are shown for the leaderboard's own source only."""

_MOST_FIRST_PAIRS: Final = 1000
"""Pairs of 45 systems: of longer lists only the pairs with the first system are shown."""


def page(results: Results, figures: "Mapping[str, Shown] | None" = None) -> bytes:
    """Render the whole report as one self-contained HTML file.

    No request leaves it: style, scripts and data are inside, and its content security policy
    allows only the scripts that this function put there.

    Args:
        results: All of a run.
        figures: Figure id to what was written of it: shown, or handed out by the 'Save SVG' buttons
            of tables; none where not given.

    Returns:
        The file's bytes; the same results and figures give the same bytes.
    """
    results = guarded(results)
    describes = results.study.descriptive
    whose = Whose(results)
    boards = [
        (name, whose.table(board), whose.table(pairs))
        for name, board, pairs in ([] if describes else _boards(results))
    ]
    clinical = [] if describes else clinical_parts(results, figures or {})
    panel = objective_parts(results) if describes else (panel_parts(results, figures or {}))
    if not (describes or results.study.counts.judgements):
        panel = [part for part in panel if _filled(part.tables)]
    asked = asked_parts(results, figures or {}, ITS_OWN if describes else ())
    if not results.study.counts.judgements:
        asked["ratings"] = [one for one in asked["ratings"] if one.id != RATINGS_GIVEN.id]
    if not describes:
        clinical, asked["clinical"] = _with_asked("clinical", clinical, asked), []
        panel, asked["panel"] = _with_asked("panel", panel, asked), []
    clinical, panel = _of_whom(whose, clinical), _of_whom(whose, panel)
    asked = {name: _of_whom(whose, parts) for name, parts in asked.items()}
    made = _sections(results, clinical, panel, asked)
    sections = {name: whose.tables(group) for name, group in made.items()}
    shown = [t for pair in boards for t in pair[1:]] + [t for ts in sections.values() for t in ts]
    script = "\n".join(_template(name) for name in _SCRIPTS)
    head_script = "document.documentElement.classList.add('js');"
    text = (
        _environment()
        .get_template("page.html.j2")
        .render(
            study=results.study,
            run=results.run,
            results=results,
            whose=whose,
            about=_about(results),
            findings=findings(results),
            boards=boards,
            primary=results.primary,
            sections=sections,
            numbers=_numbers(boards, sections, task_first=task.leads(results)),
            task_first=task.leads(results),
            csv=json_for_script({t.id: table_csv(t).decode() for t in shown}),
            svg=json_for_script({name: one.svg for name, one in (figures or {}).items()}),
            asked=asked,
            order=SECTIONS,
            chapters=set() if describes else _chapters(sections, clinical, panel),
            clinical=clinical,
            panel=panel,
            intended=INTENDED,
            many_rows=MANY_ROWS,
            figures=figures or {},
            cases=cases_json(results),
            style=_template("style.css") + _template("print.css"),
            script=script,
            head_script=head_script,
            hashes=[script_hash(head_script), script_hash(script)],
            synthetic=SYNTHETIC,
        )
    )
    return text.encode()


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
    count = sum(one.source == source.name for one in results.comparisons)
    if count <= (_MOST_FIRST_PAIRS if first else _MOST_PAIRS):
        return tables.comparisons(results, [source], table_id)
    if first:
        leader = tables.ordered(results, source.name)[0].system
        pairs = tables.comparisons(results, [source], table_id, of=[leader])
        said = f"Of {count:,} pairs those with {Names(results).of_system(leader)} are shown; all"
        return replace(pairs, caption=f"{pairs.caption} {said} are in tables/comparisons.csv.")
    empty = f"{count} pairs: too many for this page. See tables/comparisons.csv beside it."
    return replace(tables.comparisons(results, [source], table_id, of=()), empty=empty)


def _sections(
    results: Results,
    clinical: list[PanelPart],
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
            "clinical": [table for part in clinical for table in part.tables],
            "preferences": [
                table(results, found)
                for found in results.preferences
                for table in (
                    tables.preference_standings, tables.strengths, tables.preference_pairs
                )
            ],
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
    of_asked = {f"asked-{name}": [t for one in parts for t in one.tables]
                for name, parts in asked.items()}  # fmt: skip
    ordered = {
        name: of[name]
        for section in SECTIONS
        for of, name in ((of_section, section.id), (of_asked, f"asked-{section.id}"))
    }
    return {**opening, **ordered, "methods": methods}


def _chapters(
    sections: dict[str, list[Table]], clinical: list[PanelPart], panel: list[PanelPart]
) -> set[str]:
    """Name the sections with something beside their analyses; ratings say why they have not."""
    own = {name for name in ("preferences", "validity", "judges") if sections[name]}
    own |= {name for name, parts in (("clinical", clinical), ("panel", panel)) if parts}
    return own | {"ratings"}


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


def _about(results: Results) -> str:
    """Say in one sentence what was evaluated."""
    counts = results.study.counts
    said = [f"{count_of(counts.systems, 'system')} on {count_of(counts.cases, 'case')}"]
    judged = [
        count_of(number, noun)
        for number, noun in ((counts.judgements, "judgement"), (counts.preferences, "preference"))
        if number
    ]
    if counts.raters:
        said.append(f"{raters_said(results)} with {' and '.join(judged) or 'no judgement'}")
    else:
        said.append("no raters")
    when = f", {results.study.date}" if results.study.date else ""
    return f"{'; '.join(said)}. Protocol: {results.study.protocol_title}{when}."


@cache
def _template(name: str) -> str:
    return (files("medassay.report") / "templates" / name).read_text(encoding="utf-8")


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    made = Environment(
        loader=FunctionLoader(_template),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.globals |= {"axis_width": _AXIS + 2 * _ROOM, "along": _along, "count_of": count_of}
    made.filters |= {"tied": _tied, "stopped": stopped}
    made.filters["inline"] = lambda shown, name: inline(name, shown)
    made.filters |= {"ground": diverging, "ink": ink_on, "kind": lambda mark: type(mark).__name__}
    made.globals["names"] = Names
    return made


def _tied(text: str) -> str:
    """Keep a sign with its number when the line breaks."""
    for loose in ("p = ", "p < ", " %", "n = "):
        text = text.replace(loose, loose.replace(" ", "\u00a0"))
    return text


def _along(dot: Dot, value: float) -> str:
    """Place a value on the drawn axis of its column, in px."""
    share = (value - dot.axis_low) / (dot.axis_high - dot.axis_low)
    return f"{_ROOM + _AXIS * min(1.0, max(0.0, share)):.1f}"
