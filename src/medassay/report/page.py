"""The page: one HTML file that needs nothing else."""

import json
import re
from base64 import b64encode
from dataclasses import asdict, replace
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from medassay.analyses.results import AnswerResult, Results
from medassay.analyses.sections import SECTIONS
from medassay.exhibits.claim import REGISTER, ReaderQuestion
from medassay.exhibits.drawing import diverging, ink_on
from medassay.exhibits.names import natural_order
from medassay.exhibits.numbers import count_of, listed
from medassay.exhibits.overview import Links
from medassay.exhibits.sentences import (
    BOUNDS,
    caption_and_note,
    caption_sentences,
    spoken,
    stopped,
)
from medassay.exhibits.table import Cell, Stack, Table
from medassay.report.asked import asked_rates
from medassay.report.contents import Contents
from medassay.report.findings import Finding, findings
from medassay.report.long_texts import long_texts
from medassay.report.names import Names
from medassay.report.objectives import INTENDED
from medassay.report.opening import opening_of
from medassay.report.panel import MANY_ROWS
from medassay.report.parts import PanelPart
from medassay.report.pictures import VARIABLES, FigureOnPage, inline
from medassay.report.privacy import guarded
from medassay.report.prose import VALIDITY, used_methods
from medassay.report.styles import answer_styles
from medassay.report.tables import SYNTHETIC, Dot, table_csv
from medassay.report.template_files import template_text, templates
from medassay.report.whose import Whose
from medassay.report.worst import worst_answers
from medassay.tables import text_bytes
from medassay.text import is_marked_up, markdown_tree, packed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jinja2 import Environment
    from markupsafe import Markup

    from medassay.analyses.results.whole import MethodNote

_PHONE: Final = 358.0
"""Pixels that a phone of 390 leaves between the margins."""
_LETTER: Final = 8.0
"""A letter or digit of a cell, taken wide: fonts differ, and a card too many does no harm."""
_SMALL: Final = 7.1
_HEAD_LETTER: Final = 7.8
_PADDING: Final = 16.0
_PADDING_BELOW: Final = 8.0
_FIRST_MOST: Final = 148.0
"""The first column breaks its words there."""
_WORDS_LEAST: Final = 176.0
"""What a cell of sentences needs to be read."""
_PART: Final = 28.0
"""A part of a bar, with room for its count."""


def on_a_phone(table: Table, most: int) -> str:
    """Say how a table stands on a screen of 390 px, as the class that the style sheet knows.

    Args:
        table: The table.
        most: Cells that may become lines of cards. Beyond it a table stays one, and is scrolled.

    Returns:
        Empty where its columns fit side by side, `under` where they do with intervals below their
        values, `cards` where each row becomes a card: the column's heading left, the cell right.

    Example:
        >>> from medassay.exhibits.table import Column, Row
        >>> def with_means(many):
        ...     heads = [Column(f"Mean {n}", (str(n),), numeric=True) for n in range(many)]
        ...     cells = [Cell("4.33", (4.33,), aside="[4.12, 4.49]")] * many
        ...     row = Row((Cell("AlphaChat", ("A",)), *cells))
        ...     return Table("t", "T", "Means.", (Column("System", ("system",)), *heads), (row,))
        >>> [on_a_phone(with_means(many), 60) for many in (1, 2, 5)]
        ['', 'under', 'cards']
    """
    for form, below in (("", False), ("under", True)):
        places = range(len(table.columns))
        if sum(_width(table, place, below=below) for place in places) <= _PHONE:
            return form
    return "cards" if len(table.rows) * (len(table.columns) - 1) <= most else ""


def _width(table: Table, place: int, *, below: bool) -> float:
    column = table.columns[place]
    breaks = not column.numeric
    head = max(map(len, column.title.split()), default=0) * _HEAD_LETTER
    cells = [_of_cell(row.cells[place], breaks=breaks, below=below) for row in table.rows]
    width = max([head, *cells])
    if column.wide:
        width = max(width, _WORDS_LEAST)
    if place == 0:
        width = min(width, _FIRST_MOST)
    return width + (_PADDING_BELOW if below else _PADDING)


def _first_room(table: Table) -> int:
    """Give the px that the first column may take on a phone, so that its words break seldom."""
    others = sum(_width(table, place, below=False) for place in range(1, len(table.columns)))
    longest = max((len(row.cells[0].text) for row in table.rows), default=0) * _LETTER
    return max(0, int(min(longest, _FIRST_MOST, _PHONE - others - _PADDING)))


def _of_cell(cell: Cell, *, breaks: bool, below: bool) -> float:
    if isinstance(cell.draw, Stack):
        return _PART * len(cell.draw.parts)
    if breaks:
        words = f"{cell.text} {cell.aside}".split()
        return max(map(len, words), default=0) * _LETTER
    text, aside = len(cell.text) * _LETTER, len(cell.aside) * _SMALL
    if below:
        return max(text, aside)
    return text + aside + (_SMALL if cell.aside else 0)


# What could end the script element or start a comment in it, and what old engines take for a line.
_ESCAPES = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}
_DIGITS = 6
_DOCUMENTS = 20
"""So many of an answer's retrieved documents are named; a run of TREC lists a thousand a case."""


def json_for_script(value: object) -> str:
    r"""Write JSON that can stand inside a script element, whatever the text says.

    Example:
        >>> json_for_script("</script>")
        '"\\u003c/script\\u003e"'
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.translate(_ESCAPES)


def script_hash(content: str) -> str:
    """Name a script in the content security policy, so that no other script can run."""
    return f"sha256-{b64encode(sha256(content.encode()).digest()).decode()}"


def cases_json(results: Results) -> str:
    """Pack every case: words that recur are written once and pointed at by position."""
    names = Names(results)
    reasons: dict[str, int] = {}
    order = {source.name: i for i, source in enumerate(results.sources)}
    systems = {s.id: i for i, s in enumerate(results.systems)}
    judged = dict.fromkeys(d.id for d in results.dimensions)
    judged |= dict.fromkeys(
        j.dimension for c in results.cases for a in c.answers for j in a.judgements
    )
    dimensions = {name: i for i, name in enumerate(judged)}
    cases = [
        {
            "id": case.case,
            "rank": case.in_ranking and not results.study.descriptive,
            "q": case.question,
            "n": case.narrative,
            "e": case.evidence,
            "r": case.references,
            "t": case.tags,
            "o": case.options,
            "g": case.gold,
            "d": case.relevant,
            "a": [_answer(a, order, systems, dimensions, reasons) for a in case.answers],
        }
        for case in sorted(results.cases, key=lambda entry: natural_order(entry.case))
    ]
    styles = answer_styles(results)
    # Of very many chains only some are read again; the others' steps are not marked.
    read = [
        any(mark.kind == "step" for mark in answer.marks)
        for case in results.cases
        for answer in case.answers
        if answer.reasoning
    ]
    return json_for_script(
        {
            "systems": [[s.id, names.of_system(s.id)] for s in results.systems],
            "sources": [
                [s.name, names.of_source(s.name), styles[s.name].decimals]
                + ([1] if s.kind == "consensus" else [])
                for s in results.sources
            ],
            "dimensions": [[name, names.of_dimension(name)] for name in dimensions],
            "labels": [
                next(([i.label for i in d.labels] for d in results.dimensions if d.id == name), [])
                for name in dimensions
            ],
            "texts": results.study.texts,
            "partly": any(read) and not all(read),
            "synthetic": results.study.synthetic,
            "reasons": list(reasons),
            "cases": cases,
        }
    )


def _answer(
    answer: AnswerResult,
    sources: dict[str, int],
    systems: dict[str, int],
    dimensions: dict[str, int],
    reasons: dict[str, int],
) -> list[object]:
    values: list[float | str | None] = [None] * len(sources)
    for score in answer.scores:
        place = sources.get(score.source)
        if place is None:
            continue
        if score.value is None:
            values[place] = f"r{reasons.setdefault(score.reason, len(reasons))}"
        else:
            # Six digits are more than the page prints; the files hold them all.
            values[place] = float(f"{score.value:.{_DIGITS}g}")
    judgements = [
        [
            dimensions[j.dimension],
            j.said if j.label is not None else None,
            "" if j.label is not None else j.reason,
            j.rater,
            j.comment,
        ]
        for j in answer.judgements
    ]
    return [
        systems.get(answer.system, answer.system),
        answer.status,
        answer.text,
        values,
        judgements,
        [
            [
                [sources[name] for name in statements.metrics if name in sources],
                [[s.text, s.verdict, s.evidence, s.sentence, s.why] for s in statements.statements],
            ]
            for statements in answer.statements
        ],
        answer.choice,
        answer.confidence,
        answer.reasoning,
        answer.retrieved[:_DOCUMENTS],
        [
            [
                mark.kind,
                mark.of,
                mark.says,
                [[place.part, place.start, place.end] for place in mark.places],
            ]
            for mark in answer.marks
        ],
        len(answer.retrieved[_DOCUMENTS:]),
        [_layout(answer.text), _layout(answer.reasoning)],
    ]


def _layout(text: str | None) -> list[object] | int:
    """Lay a text out as its Markdown means it; 0 where that is how it was written."""
    return packed(markdown_tree(text)) if text and is_marked_up(text) else 0


_STYLES = ("style.css", "overview.css", "print.css")
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
            opening=opening_of(results, every_finding),
            answered=_by_question(every_finding),
            further=further,
            first=held.first,
            worst=worst_answers(results),
            files=held.files,
            sections=sections,
            numbers=held.numbers,
            methods=_methods(results, held),
            warnings=_warnings(results, held),
            csv=json_for_script({t.id: table_csv(t).decode() for t in held.shown}),
            colours=json_for_script({name: colour for colour, name in VARIABLES.items()}),
            asked=held.asked,
            rates=asked_rates(results),
            register=REGISTER,
            order=SECTIONS,
            captions=Captions(),
            chapters=set() if describes else _chapters(panel),
            panel=panel,
            intended=INTENDED,
            many_rows=MANY_ROWS,
            figures=figures or {},
            cases=cases_json(results),
            style="".join(map(template_text, _STYLES)),
            script=script,
            head_script=head_script,
            hashes=[script_hash(head_script), script_hash(script)],
            synthetic=SYNTHETIC,
        )
    )
    return text_bytes(text)


class Captions:
    """Captions as the page prints them: what a chapter has said once, it does not say again."""

    def __init__(self) -> None:
        self._told: dict[str, str] = {}

    def chapter(self) -> str:
        """Begin a chapter, which can be read alone."""
        self._told.clear()
        return ""

    def once(self, caption: str, where: str) -> tuple[str, str]:
        """Give what stands above and below a table or a figure, less what was said before it.

        Args:
            caption: The whole caption.
            where: What later ones of the chapter call it.

        Example:
            >>> captions = Captions()
            >>> captions.once("Mean over cases. Systems share a letter.", "Table 1")
            ('Mean over cases. Systems share a letter.', '')
            >>> captions.once("Median over cases. Systems share a letter.", "Table 2")
            ('Median over cases. Also as for Table 1.', '')
        """
        own = caption_sentences(caption)
        before = dict.fromkeys(self._told[text] for text in own if text in self._told)
        left = [text for text in own if text not in self._told]
        self._told |= {text: where for text in left if text}
        rest = f"Also as for {listed(list(before))}." if before else ""
        return caption_and_note(" ".join(filter(None, [*left, rest])))


_SOURCE: Final = " Source: "


def _methods(results: Results, held: Contents) -> list[tuple[str, str, list[str]]]:
    """Give titles, text and signatures of what made a number here; what is alike is said once.

    Where no correlation is on the page, the paper's methods alone tell how they were made.
    """
    alike: dict[str, list[MethodNote]] = {}
    for note in used_methods(results):
        if note.title == VALIDITY and not held.sections.get("validity"):
            continue
        alike.setdefault(note.text, []).append(note)
    groups, before = [], ""
    for text, notes in alike.items():
        what, marked, source = text.partition(_SOURCE)
        told = f"{what}{_SOURCE}as above." if marked and source == before else stopped(text)
        before = source
        titles = ", ".join(dict.fromkeys(note.title for note in notes))
        groups.append((titles, told, [note.signature for note in notes if note.signature]))
    return groups


def _warnings(results: Results, held: Contents) -> list[str]:
    """Give the warnings, less those that stand with the part that they are about."""
    parts = (*held.panel, *(part for parts in held.asked.values() for part in parts))
    told = {note.partition(": ")[2] for part in parts for note in part.notes}
    return [text for text in results.warnings if text.partition(": ")[2] not in told - {""}]


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


@cache
def _environment() -> "Environment":
    made = templates()
    made.filters |= {"on_a_phone": on_a_phone, "first_room": _first_room}
    made.filters |= {"sought": _sought, "as_read": _as_read, "spoken": spoken}
    made.globals |= _CELLS
    made.globals |= {"axis_width": _AXIS + 2 * _ROOM, "along": _along, "count_of": count_of}
    made.filters |= {"tied": _tied, "typed": _typed, "stopped": stopped}
    made.filters["inline"] = lambda shown, name: inline(name, shown)
    made.filters |= {"ground": diverging, "ink": ink_on, "kind": lambda mark: type(mark).__name__}
    made.globals |= {"names": Names, "long_texts": long_texts}
    return made


def _as_read(table: Table) -> Table:
    """Print intervals of a table as those of sentences and of the first figure: 0.55 to 0.69."""

    def of_cell(cell: Cell) -> Cell:
        own = BOUNDS.fullmatch(cell.text)
        return replace(
            cell,
            text=f"{own[1]} to {own[2]}" if own else cell.text,
            aside=spoken(cell.aside),
            detail=spoken(cell.detail),
        )

    rows = [replace(row, cells=tuple(map(of_cell, row.cells))) for row in table.rows]
    return replace(table, rows=tuple(rows))


def _sought(links: Links) -> str:
    """Say which answers a mark leads to, as the page's script reads it."""
    return urlencode({name: value for name, value in asdict(links).items() if value})


def _tied(text: str) -> str:
    """Keep a sign with its number when the line breaks."""
    for loose in ("p = ", "p < ", " %", "n = "):
        text = text.replace(loose, loose.replace(" ", "\u00a0"))
    return text


_COMMAND: Final = re.compile(r"(?<=[:;] )medassay \w+.*?(?=[.;](?:\s|$)|\s\(|$)")


def _typed(text: str) -> "Markup":
    """Set the commands of a sentence apart from its words; no line breaks inside an option."""
    from markupsafe import Markup, escape

    def set_apart(command: re.Match[str]) -> str:
        words = command[0].split(" ")
        kept = (f"<span>{word}</span>" if word.startswith("--") else word for word in words)
        return f"<code>{' '.join(kept)}</code>"

    return Markup(_COMMAND.sub(set_apart, str(escape(_tied(text)))))  # noqa: S704 - escaped above


def _along(dot: Dot, value: float) -> str:
    """Place a value on the drawn axis of its column, in px."""
    share = (value - dot.axis_low) / (dot.axis_high - dot.axis_low)
    return f"{_ROOM + _AXIS * min(1.0, max(0.0, share)):.1f}"
