"""A run on one page for a slide: question, design, n, the figure, two findings, the limit.

What enters: `Results`. What leaves: an `Abstract`, and its picture as PNG and PDF. Every sentence
is one of the report's.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Final

from medassay.analyses.results import Results
from medassay.exhibits.claim import Finding, ReaderQuestion
from medassay.exhibits.drawing import INK, SOFT, WIDE, journal
from medassay.exhibits.numbers import count_of
from medassay.exhibits.overview import Overview
from medassay.exhibits.sentences import stopped
from medassay.report.figures import figure_bytes
from medassay.report.figures.letters import drawable, write_drawably
from medassay.report.figures.overview import draw_overview, overview_height
from medassay.report.findings import findings
from medassay.report.names import Names
from medassay.report.objectives import INTENDED
from medassay.report.opening import opening_of
from medassay.report.opening.task import GROUP
from medassay.report.opening.words import sentences_of
from medassay.report.privacy import guarded
from medassay.report.prose import evaluated, followed, rated
from medassay.report.tables import SYNTHETIC
from medassay.report.whose import Whose

if TYPE_CHECKING:
    from matplotlib.figure import Figure, SubFigure

_FINDINGS: Final = 2
_LONG: Final = 40
"""Words of a sentence that a slide has no room for."""
_FOUND: Final = (
    ReaderQuestion.UNSAFE,
    ReaderQuestion.BETTER,
    ReaderQuestion.DESCRIBED,
    ReaderQuestion.CONFIDENT,
    ReaderQuestion.AGREEMENT,
    ReaderQuestion.METRICS,
)


@dataclass(frozen=True, slots=True)
class Abstract:
    """The parts of a structured abstract.

    Attributes:
        title: What was found.
        question: What the study is about, in its own words.
        design: Which protocol it follows.
        sample: Of how many systems, cases, answers and raters.
        findings: Two sentences beside the title's.
        limit: What the study cannot tell; empty where no sentence says it.
        facts: Who rated, when, by which version, what the intervals are.
        overview: The first screen's figure; None where there is nothing to show.
    """

    title: str
    question: str
    design: str
    sample: str
    findings: tuple[str, ...]
    limit: str
    facts: tuple[str, ...]
    overview: Overview | None

    @property
    def parts(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Give the sentences of each part with its heading; what says nothing is left out."""
        parts = (
            (_QUESTION if "?" in self.question else "Study", (self.question,)),
            ("Design", (self.design,)),
            ("Sample", (self.sample,)),
            ("Findings", self.findings),
            ("Limit", (self.limit,)),
        )
        return tuple((heading, said) for heading, said in parts if any(said))


def abstract_of(results: Results) -> Abstract:
    """Choose the sentences of an abstract from those of the report."""
    results = guarded(results)
    every = findings(results)
    opening = opening_of(results, every)
    overview, names = opening.overview, Names(results)
    limit, of = next(_limits(results, every, overview), ("", ""))
    # The title says the figure's finding already.
    told = {of, overview.finding if overview else ""}
    first: dict[ReaderQuestion, str] = {}
    for finding in every:
        text = sentences_of(finding.text, names)[0]
        if finding.answers in _FOUND and finding.id not in told and len(text.split()) <= _LONG:
            first.setdefault(finding.answers, text)
    whose = Whose(results)
    return Abstract(
        opening.title,
        _question(results, names),
        whose.text(followed(results)),
        whose.text(f"{evaluated(results)} {rated(results)}"),
        tuple(text for text in list(first.values())[:_FINDINGS] if text),
        limit,
        opening.facts,
        overview,
    )


def _question(results: Results, names: Names) -> str:
    study = results.study
    title = study.title if study.title.endswith(("?", "!")) else stopped(study.title)
    described = sentences_of(stopped(study.description), names)[0]
    return title if len(described.split()) > _LONG else f"{title} {described}".strip()


def _limits(
    results: Results, every: Sequence[Finding], overview: Overview | None
) -> Iterator[tuple[str, str]]:
    """Give what a study cannot tell, the gravest first, each with the finding that says it."""
    names = Names(results)
    if results.study.descriptive:
        yield sentences_of(INTENDED, names)[0], ""
    found = [(finding, sentences_of(finding.text, names)[0]) for finding in every]
    yield from ((text, own.id) for own, text in found if own.answers is ReaderQuestion.WHOSE)
    yield from ((text, own.id) for own, text in found if own.id == "harm-unasked")
    yield from ((text, "") for text in (overview.cautions if overview else ()))
    yield from ((text, own.id) for own, text in found if own.id == "plan")
    yield from ((text, own.id) for own, text in found if own.answers is ReaderQuestion.MISSING)
    yield from ((text, own.id) for own, text in found if own.answers is ReaderQuestion.METRICS)
    yield from ((sentences_of(text, names)[0], "") for text in results.warnings)


_SHAPE: Final = 9 / 16
_PIXELS: Final = 1920
_MM_PER_INCH: Final = 25.4
_MM_PER_POINT: Final = 0.3528
_TITLE, _TEXT, _SMALL = 11.0, 7.0, 5.8
"""Points of the type on a page of 178 mm. A slide is twice as wide, so they are doubled there."""
_LETTER: Final = 0.58
"""Width of a letter, as a share of the type's size."""
_LINE: Final = 1.3
_BASE: Final = 0.75
"""Where letters stand in their line, from its top."""
_MARGIN, _GAP = 5.0, 5.0
_SCALES: Final = (1.0, 1.2, 1.4)
"""A figure with many rows is drawn for a larger page, and so is smaller on the slide."""
_KEY: Final = "systems that share a letter: order undecided"
_QUESTION: Final = "Question"
_COLUMNS: Final = ((_QUESTION, "Study", "Design"), ("Findings",), ("Sample", "Limit"))


def abstract_files(results: Results) -> dict[str, bytes]:
    """Draw the abstract as abstract.png, 1920 by 1080 pixels, and abstract.pdf.

    The same results give the same bytes. Of a figure with more rows than the page has room for the
    first are drawn, and those that the title names; how many more there are is said.
    """
    results = guarded(results)
    shown = abstract_of(drawable(results))
    with journal():
        page = _fitting(shown, synthetic=results.study.synthetic)
        figure = page.drawn()
        write_drawably(figure)
    dots = _PIXELS * _MM_PER_INCH / page.wide
    return {
        "abstract.png": figure_bytes(figure, "png", shown.title, dpi=dots),
        "abstract.pdf": figure_bytes(figure, "pdf", shown.title),
    }


def _fitting(shown: Abstract, *, synthetic: bool) -> "_Page":
    """Give the smallest page that holds all rows of the figure, else the largest there is."""
    pages = [_Page(shown, scale, synthetic=synthetic) for scale in _SCALES]
    return next((page for page in pages if page.holds(shown.overview)), pages[-1])


@dataclass(frozen=True, slots=True)
class _Page:
    """The page and its parts, in millimetres.

    Attributes:
        shown: What it says.
        scale: How much larger it is than 178 mm; its own type is as much larger.
        synthetic: Whether the data are made up.
    """

    shown: Abstract
    scale: float
    synthetic: bool

    @property
    def wide(self) -> float:
        return WIDE * self.scale

    @property
    def inside(self) -> float:
        return self.wide - 2 * _MARGIN * self.scale

    @property
    def title(self) -> list[str]:
        return self._wrapped(self.shown.title, self.inside, _TITLE)

    @property
    def foot(self) -> list[str]:
        lanes = self.shown.overview.lanes if self.shown.overview else ()
        key = (_KEY,) if any(lane.title == GROUP for lane in lanes) else ()
        return self._wrapped(" · ".join((*self.shown.facts, *key)), self.inside, _SMALL)

    @property
    def columns(self) -> list[list[tuple[str, list[str]]]]:
        """Put what was asked, what was found and what is left open side by side."""
        said = dict(self.shown.parts)
        room = (self.inside - 2 * _GAP * self.scale) / len(_COLUMNS)
        return [
            [
                # An empty line, of half the height, parts one sentence from the next.
                (
                    name,
                    "\n\n".join(
                        "\n".join(self._wrapped(text, room, _TEXT)) for text in said[name]
                    ).split("\n"),
                )
                for name in column
                if name in said
            ]
            for column in _COLUMNS
        ]

    @property
    def heights(self) -> tuple[float, float, float, float]:
        """Give those of title, figure, columns and foot; the figure has what is left."""
        longest = max(sum(_rows(lines) + 1.5 for _, lines in column) for column in self.columns)
        title = (_MARGIN + len(self.title) * _line(_TITLE)) * self.scale
        words = longest * _line(_TEXT) * self.scale
        foot = (_MARGIN + (len(self.foot) + self.synthetic) * _line(_SMALL)) * self.scale
        return title, self.wide * _SHAPE - title - words - foot, words, foot

    def holds(self, overview: Overview | None) -> bool:
        """Say whether the figure has room for these rows."""
        return overview is None or overview_height(overview, self.inside) <= self.heights[1]

    def drawn(self) -> "Figure":
        """Draw all of it."""
        from matplotlib.figure import Figure

        size = (self.wide / _MM_PER_INCH, self.wide * _SHAPE / _MM_PER_INCH)
        figure = Figure(figsize=size, layout="constrained")
        parts: Any = figure.subfigures(4, 1, height_ratios=self.heights)
        top, middle, below, bottom = parts
        self._write(top, 0, _MARGIN * self.scale, self.title, _TITLE, bold=True)
        sides = [_MARGIN * self.scale, self.inside, _MARGIN * self.scale]
        self._overview(middle.subfigures(1, 3, width_ratios=sides)[1])
        for at, column in enumerate(self.columns):
            down = 0.0
            for heading, lines in column:
                self._write(below, at, down, [heading], _TEXT, bold=True)
                down += _line(_TEXT) * self.scale
                self._write(below, at, down, lines, _TEXT)
                down += (_rows(lines) + 0.5) * _line(_TEXT) * self.scale
        down = 0.0
        if self.synthetic:
            self._write(bottom, 0, 0.0, [SYNTHETIC], _SMALL, bold=True)
            down = _line(_SMALL) * self.scale
        self._write(bottom, 0, down, self.foot, _SMALL, colour=SOFT)
        return figure

    def _overview(self, place: "SubFigure") -> None:
        """Draw the rows that there is room for, and say how many more there are."""
        fit = self.shown.overview
        if fit is None:
            return
        while len(fit.rows) > 1 and not self.holds(fit):
            unnamed = [at for at, row in enumerate(fit.rows) if row.title not in fit.title]
            last = unnamed[-1] if unnamed else len(fit.rows) - 1
            rows = (*fit.rows[:last], *fit.rows[last + 1 :])
            fit = replace(fit, rows=rows, more=fit.more + 1)
        draw_overview(place, fit, self.inside)
        if fit.more:
            text = f"{count_of(fit.more, 'more row')} in the tables."
            size = _SMALL * self.scale
            place.supxlabel(text, fontsize=size, color=SOFT, x=0.0, ha="left")

    def _wrapped(self, text: str, room: float, size: float) -> list[str]:
        return wrap(text, int(room / (_LETTER * size * self.scale * _MM_PER_POINT))) or [""]

    def _write(
        self,
        place: "SubFigure",
        column: int,
        down: float,
        lines: Sequence[str],
        size: float,
        *,
        bold: bool = False,
        colour: str = INK,
    ) -> None:
        """Write lines into a column, so many millimetres below the top of a part."""
        left = _MARGIN * self.scale + column * (self.inside + _GAP * self.scale) / len(_COLUMNS)
        high = place.bbox.height / place.figure.dpi * _MM_PER_INCH
        # Line by line on its base: letters above or below it would else move the next line.
        for at, line in enumerate(lines):
            base = down + (_rows(lines[:at]) + _BASE) * _line(size) * self.scale
            place.text(
                left / self.wide, 1 - base / high, line, fontsize=size * self.scale,
                color=colour, fontweight="bold" if bold else "normal", va="baseline", ha="left",
            )  # fmt: skip


def _rows(lines: Sequence[str]) -> float:
    return sum(1.0 if line else 0.5 for line in lines)


def _line(size: float) -> float:
    return size * _LINE * _MM_PER_POINT
