"""What declared analyses show: their tables, figures and sentences, wherever a report has them."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple
from weakref import ref

from medassay import exhibits
from medassay.analyses.declaration import Analysis, UndeclaredVerdict
from medassay.analyses.registry import analyses, is_ours, provided_by
from medassay.analyses.results import Results
from medassay.analyses.results.whole import Records
from medassay.analyses.sections import SECTIONS, Section, section_of
from medassay.errors import InvalidInput, Problem
from medassay.exhibits.claim import Finding
from medassay.exhibits.drawing import Picture
from medassay.exhibits.overview import Overview
from medassay.exhibits.table import Table
from medassay.report.budget import budget_line, levels_of, of_certificates, of_earlier
from medassay.report.names import Names
from medassay.report.parts import PanelPart, laid_out
from medassay.report.pictures import FigureOnPage

OURS: Final = "medassay's report"
_LEFT_OUT: Final = (
    "The analysis {} of {} gives a verdict and does not say how often it is wrong: its sentence is "
    "left out."
)


class PictureMaker(NamedTuple):
    """What draws figures.

    Attributes:
        owner: Whose they are, in words or as an analysis's id.
        make: Draws them.
        ours: Whether it is known to use numpy and matplotlib alone, so that a copy of the process
            may draw them.
    """

    owner: str
    make: Callable[[], Mapping[str, Picture]]
    ours: bool = False


def asked_parts(
    results: Results, figures: Mapping[str, FigureOnPage], but: Collection[str] = ()
) -> dict[str, list[PanelPart]]:
    """Lay out each section's analyses; one that shows nothing is left out.

    Analyses that name a part of the section stand under its heading together. One whose title is
    that of its section needs no heading of its own.

    Args:
        results: All of a run.
        figures: What was written of each figure, by its id.
        but: Ids of analyses that the page lays out elsewhere.
    """
    parts: dict[str, list[PanelPart]] = {section.id: [] for section in SECTIONS}
    for analysis, record in _answered(results, but):
        declared = analysis.declared
        shown = replace(
            _heading(analysis),
            notes=tuple(declared.notes(record, Names(results)) if declared.notes else ()),
            pictures=tuple(
                name
                for name, drawn in figures.items()
                if drawn.analysis == analysis.id and drawn.caption and declared.stands == "page"
            ),
            tables=tuple(_KEPT.tables(results, analysis, record)),
        )
        if shown.notes or shown.pictures or shown.tables:
            parts[declared.section].append(shown)
    return {section.id: laid_out(section, parts[section.id]) for section in SECTIONS}


def _heading(analysis: Analysis[Any]) -> PanelPart:
    declaration = analysis.declared
    section = section_of(declaration.section)
    shared = section.part(declaration.part)
    if shared is not None:
        return PanelPart(shared.id, shared.title, shared.lead)
    own = declaration.title != section.title
    title, lead = (declaration.title, declaration.question) if own else ("", "")
    return PanelPart(f"asked-{analysis.id}", title, lead)


def asked_tables(
    results: Results, section: Section | None = None, but: Collection[str] = ()
) -> list[Table]:
    """Give the tables of all analyses, or of one section's, in the order of the page.

    One of which another table has all the rows is on the page alone.
    """
    return [
        table
        for analysis, record in _answered(results, but)
        if section is None or analysis.declared.section == section.id
        for table in _KEPT.tables(results, analysis, record)
        if not table.whole
    ]


def tables_of_records(records: Records, names: exhibits.Names) -> list[Table]:
    """Give the tables of what analyses found outside of a run, in their order."""
    return [
        table
        for analysis in analyses()
        if (record := records.of(analysis)) is not None
        for table in _tables(analysis, record, names)
    ]


def asked_notes(results: Results, of: Collection[str]) -> Iterator[str]:
    """Say what no reader may miss of these analyses."""
    for analysis, record in _answered(results):
        if analysis.id in of and analysis.declared.notes:
            yield from analysis.declared.notes(record, Names(results))


def picture_makers(results: Results) -> list[PictureMaker]:
    """Give what draws the figures of each analysis that has some, with the analysis's id."""

    def maker(analysis: Any, record: Any) -> Callable[[], dict[str, Picture]]:  # noqa: ANN401 - of any record
        return lambda: {
            name: replace(picture, analysis=analysis.id)
            for name, picture in analysis.declared.pictures(record, Names(results)).items()
        }

    return [
        PictureMaker(analysis.id, maker(analysis, record), is_ours(analysis))
        for analysis, record in _answered(results)
        if analysis.declared.pictures
    ]


def refuse_shared_figures(owners: Iterable[tuple[str, str]]) -> None:
    """Refuse two figures of one id: one would lie in the other's file.

    Args:
        owners: The id of each, and whose it is.

    Raises:
        InvalidInput: With each id, and whose figures they are.
    """
    _refuse_shared(owners, "figure")


def refuse_shared_tables(results: Results, every: Iterable[Table]) -> None:
    """Refuse two tables of one id: one would lie in the other's file.

    Args:
        results: All of a run.
        every: All tables that are written as files, those of analyses among them.

    Raises:
        InvalidInput: With each id, and whose tables they are.
    """
    owners = [
        (table.id, analysis.id)
        for analysis, record in _answered(results)
        for table in _KEPT.tables(results, analysis, record)
        if not table.whole
    ]
    left = Counter(name for name, _ in owners)
    ours = Counter(table.id for table in every) - left
    _refuse_shared([*((name, OURS) for name in ours.elements()), *owners], "table")


def _refuse_shared(owners: Iterable[tuple[str, str]], what: str) -> None:
    whose: dict[str, list[str]] = {}
    for name, owner in owners:
        said = owner if owner == OURS else f'the analysis "{owner}"'
        whose.setdefault(name, []).append(said)
    problems = [
        Problem(
            f'the id "{name}"',
            f"name one {what}",
            " and ".join(["one of " + both[0], *both[1:]]),
            f"Give the {what} another id, such as one that begins with its analysis's.",
        )
        for name, both in whose.items()
        if len(both) > 1
    ]
    if problems:
        raise InvalidInput(problems)


def asked_rates(results: Results) -> str:
    """Say in one line how often a report like this is wrong; empty where it claims nothing."""
    names = Names(results)
    said = [finding for _, finding in asked_findings(results)]
    own = (*of_certificates(results), *of_earlier(results))
    said.append(Finding("opening", "", (), claims=own))
    return budget_line(levels_of(_answered(results), names), said, names)


def asked_findings(results: Results, but: Collection[str] = ()) -> Iterator[tuple[int, Finding]]:
    """Say what the analyses found, each sentence with its place among the findings."""
    names, answered = Names(results), list(_answered(results, but))
    levels = levels_of(answered, names)
    for analysis, record in answered:
        place = analysis.declared.finding_place
        claims = levels.get(analysis.id, ())
        try:
            findings = analysis.declared.findings(record, names, claims)
        except UndeclaredVerdict:
            if is_ours(analysis):
                raise
            findings = (
                Finding(analysis.id, _LEFT_OUT.format(analysis.id, provided_by(analysis)), ()),
            )
        yield from ((place, finding) for finding in findings)


def asked_names(results: Results, analysis: str) -> Names:
    """Give the names of a run with the levels at which an analysis's claims are tested."""
    names = Names(results)
    return names.tested(levels_of(list(_answered(results)), names).get(analysis, ()))


def asked_opening(results: Results) -> Overview | None:
    """Give the figure of the first analysis that declares one for the first screen, if any does."""
    for analysis, record in _answered(results):
        opens = analysis.declared.opens
        made: Overview | None = opens(record, asked_names(results, analysis.id)) if opens else None
        if made is not None:
            return made
    return None


def _answered(results: Results, but: Collection[str] = ()) -> Iterable[tuple[Any, Any]]:
    elsewhere = "compared" if results.study.descriptive else "described"
    answered = (
        (analysis, results.analyses.of(analysis))
        for analysis in analyses()
        if analysis.id not in but and analysis.declared.shown_in != elsewhere
    )
    return ((analysis, record) for analysis, record in answered if record is not None)


class _Kept:
    """The tables of one run, made once: page, files and their numbering ask for the same ones."""

    def __init__(self) -> None:
        self._last: tuple[Callable[[], Results | None], dict[str, tuple[Any, Any, list[Table]]]] = (
            lambda: None,
            {},
        )

    def tables(self, results: Results, analysis: Analysis[Any], record: Any) -> list[Table]:  # noqa: ANN401 - of any record
        """Give the tables of an analysis of a run; of the run asked before, nothing is kept."""
        run, made = self._last
        if run() is not results:
            made = {}
            self._last = ref(results), made
        declared, of, tables = made.get(analysis.id, (None, None, []))
        if declared is not analysis or of is not record:
            tables = _tables(analysis, record, Names(results))
            made[analysis.id] = analysis, record, tables
        return tables


_KEPT: Final = _Kept()


def _tables(analysis: Analysis[Any], record: Any, names: exhibits.Names) -> list[Table]:  # noqa: ANN401 - of any record
    declared = analysis.declared
    made = declared.tables(record, names) if declared.tables else ()
    return [
        replace(
            table,
            synthetic=names.synthetic,
            stands=declared.stands if table.stands == "page" else table.stands,
        )
        for table in made
    ]
