"""The page: one HTML file that needs nothing else."""

from functools import cache
from typing import TYPE_CHECKING

from medassay.analyses.results import Results
from medassay.analyses.sections import SECTIONS
from medassay.exhibits.colours import diverging, ink_on
from medassay.exhibits.finding import ReaderQuestion
from medassay.exhibits.numbers import count_of
from medassay.exhibits.sentences import stopped
from medassay.exhibits.verdict_row import REGISTER
from medassay.report.asked import asked_rates
from medassay.report.contents import Contents
from medassay.report.embed import cases_json, json_for_script, script_hash
from medassay.report.findings import Finding, findings
from medassay.report.long_texts import long_texts
from medassay.report.names import Names
from medassay.report.narrow import on_a_phone
from medassay.report.objectives import INTENDED
from medassay.report.panel import MANY_ROWS
from medassay.report.parts import PanelPart
from medassay.report.pictures import VARIABLES, FigureOnPage, inline
from medassay.report.privacy import guarded
from medassay.report.tables import SYNTHETIC, Dot, table_csv
from medassay.report.template_files import template_text, templates
from medassay.report.whose import Whose, raters_said
from medassay.report.worst import worst_answers
from medassay.tables import text_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jinja2 import Environment

__all__ = ["page"]

_SCRIPTS = ("tables.js", "details.js", "answer.js", "case.js", "cases.js")
_AXIS = 150.0
"""Width of a drawn axis in px, with _ROOM at either end for half a dot."""
_CELLS = {"open_cells": 60, "folded_cells": 400}
"""Cells of a table that a phone may list as cards; more would be screens of them before the rest.
"""
_ROOM = 5.0


def page(
    results: Results,
    figures: "Mapping[str, FigureOnPage] | None" = None,
    held: Contents | None = None,
) -> bytes:
    """Render the whole report as one self-contained HTML file.

    No request leaves it: style, scripts and data are inside, and its content security policy
    allows only the scripts that this function put there.

    Args:
        results: All of a run.
        figures: Figure id to what was written of it: shown, or handed out by the 'Save SVG' buttons
            of tables; none where not given.
        held: The run laid out with these figures, where it is already.

    Returns:
        The file's bytes; the same results and figures give the same bytes.
    """
    results = guarded(results)
    describes = results.study.descriptive
    held = held or Contents.of(results, figures)
    panel, sections = held.panel, held.sections
    every_finding = findings(results)
    further = [finding for finding in every_finding if finding.answers is ReaderQuestion.FURTHER]
    script = "\n".join(template_text(name) for name in _SCRIPTS)
    head_script = "document.documentElement.classList.add('js');"
    text = (
        _environment()
        .get_template("page.html.j2")
        .render(
            study=results.study,
            run=results.run,
            results=results,
            whose=Whose(results),
            about=_about(results),
            answered=_by_question(every_finding),
            further=further,
            first=held.first,
            worst=worst_answers(results),
            files=held.files,
            sections=sections,
            numbers=held.numbers,
            csv=json_for_script({t.id: table_csv(t).decode() for t in held.shown}),
            colours=json_for_script({name: colour for colour, name in VARIABLES.items()}),
            asked=held.asked,
            rates=asked_rates(results),
            register=REGISTER,
            order=SECTIONS,
            chapters=set() if describes else _chapters(panel),
            panel=panel,
            intended=INTENDED,
            many_rows=MANY_ROWS,
            figures=figures or {},
            cases=cases_json(results),
            style=template_text("style.css") + template_text("print.css"),
            script=script,
            head_script=head_script,
            hashes=[script_hash(head_script), script_hash(script)],
            synthetic=SYNTHETIC,
        )
    )
    return text_bytes(text)


def _by_question(every_finding: list[Finding]) -> list[tuple[ReaderQuestion, list[Finding]]]:
    """Put the findings that answer a question under it."""
    return [
        (question, own)
        for question in ReaderQuestion
        if question is not ReaderQuestion.FURTHER
        for own in [[finding for finding in every_finding if finding.answers is question]]
        if own
    ]


def _chapters(panel: list[PanelPart]) -> set[str]:
    """Name the sections with something beside their analyses; ratings say why they have not."""
    return {"leaders", "ratings"} | ({"panel"} if panel else set())


def _about(results: Results) -> str:
    """Say in one sentence what was evaluated."""
    counts = results.study.counts
    lines = [f"{count_of(counts.systems, 'system')} on {count_of(counts.cases, 'case')}"]
    judged = [
        count_of(number, noun)
        for number, noun in ((counts.judgements, "judgement"), (counts.preferences, "preference"))
        if number
    ]
    if counts.raters:
        lines.append(f"{raters_said(results)} with {' and '.join(judged) or 'no judgement'}")
    else:
        lines.append("no raters")
    when = f", {results.study.date}" if results.study.date else ""
    return f"{'; '.join(lines)}. Protocol: {results.study.protocol_title}{when}."


@cache
def _environment() -> "Environment":
    made = templates()
    made.filters["on_a_phone"] = on_a_phone
    made.globals |= _CELLS
    made.globals |= {"axis_width": _AXIS + 2 * _ROOM, "along": _along, "count_of": count_of}
    made.filters |= {"tied": _tied, "stopped": stopped}
    made.filters["inline"] = lambda shown, name: inline(name, shown)
    made.filters |= {"ground": diverging, "ink": ink_on, "kind": lambda mark: type(mark).__name__}
    made.globals |= {"names": Names, "long_texts": long_texts}
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
