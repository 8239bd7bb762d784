"""A run written out: the page, the JSON, the figures and the tables, and the forms of a paper."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final, Literal, get_args

from medassay.analyses.results import Results
from medassay.report.abstract import abstract_files, abstract_of
from medassay.report.checklists import checklist_files
from medassay.report.clinical_json import clinical_files
from medassay.report.contents import Contents, tables_of
from medassay.report.figures import FORMATS, WrittenFigure, write_figures
from medassay.report.forms import Document, Drawn, latex_files, markdown, workbook
from medassay.report.page import page
from medassay.report.pictures import FigureOnPage
from medassay.report.privacy import guarded
from medassay.report.store import report_json
from medassay.report.tables import SYNTHETIC, Table, table_csv, table_markdown
from medassay.report.word import WordFigure, word_document
from medassay.tables import write_all

Form = Literal[
    "html", "json", "md", "csv", "latex", "docx", "xlsx", "tables", "checklists", "abstract", "pdf",
    "png",
]  # fmt: skip
FORMS: Final[tuple[Form, ...]] = get_args(Form)
STANDARD: Final[tuple[Form, ...]] = ("html", "json", "md", "csv")
"""What every run's folder holds."""


def render(
    results: Results,
    into: Path,
    formats: Sequence[str] = ("svg",),
    forms: Sequence[Form] = STANDARD,
    figures: str = "figures",
) -> list[Path]:
    """Write a run in the forms asked for; the same results give the same bytes.

    * `html`: report.html, and figures/.
    * `json`: report.json, and clinical/ where there are choices.
    * `md`: report.md with the answer, the first table and those that matter in short.
    * `csv`: tables/*.csv, unrounded.
    * `latex`: latex/main.tex with the paragraphs, latex/tables/*.tex and latex/figures/*.pdf.
    * `docx`: report.docx, in the order of CHART.
    * `xlsx`: report.xlsx, one sheet a table.
    * `tables`: tables/*.md, every table as the page prints it.
    * `checklists`: checklists/, what reporting checklists ask for, filled from the run.
    * `abstract`: abstract.png and abstract.pdf, one page for a slide.
    * `pdf`, `png`: figures/ in that form too.

    Each file is written whole or not at all.

    Args:
        results: All of a run.
        into: The folder; it is made where there is none. Other files in it are left alone.
        formats: Forms of the figures that are written beside `html`: svg, pdf or png.
        forms: Forms of the report.
        figures: The folder in it that `pdf` and `png` go into; empty for none of their own.

    Returns:
        The files, the page first where there is one.

    Raises:
        InvalidInput: The folder cannot be written.
    """
    made = _Made(guarded(results), tuple(formats), _of_figures(formats, forms), figures)
    written: list[Path] = []
    for form in FORMS:
        if form in forms:
            # Written as it is made: of a large study each form is hundreds of megabytes.
            files = made.form(form)
            write_all({into / name: content for name, content in files.items()})
            written += [into / name for name in files]
    return list(dict.fromkeys(written))


@dataclass
class _Made:
    """What several forms share, made once."""

    results: Results
    formats: tuple[str, ...]
    drawn_as: tuple[str, ...]
    figures: str
    _drawn: dict[str, WrittenFigure] | None = field(default=None)
    _held: Contents | None = field(default=None)
    _tables: list[Table] | None = field(default=None)
    _document: Document | None = field(default=None)

    def form(self, form: Form) -> dict[str, bytes]:
        made: dict[Form, Callable[[], dict[str, bytes]]] = {
            "html": self._html,
            "json": self._json,
            "md": self._md,
            "csv": self._csv,
            "latex": self._latex,
            "docx": self._docx,
            "xlsx": self._xlsx,
            "tables": self._tables_md,
            "checklists": self._checklists,
            "abstract": partial(abstract_files, self.results),
            "pdf": partial(self._figures, self.figures, ("pdf",)),
            "png": partial(self._figures, self.figures, ("png",)),
        }
        return made[form]()

    @property
    def drawn(self) -> Mapping[str, WrittenFigure]:
        if self._drawn is None:
            self._drawn = write_figures(self.results, self.drawn_as)
        return self._drawn

    @property
    def tables(self) -> Sequence[Table]:
        if self._tables is None:
            self._tables = tables_of(self.results, self.held)
        return self._tables

    @property
    def held(self) -> Contents:
        if self._held is None:
            self._held = Contents.of(self.results)
        return self._held

    @property
    def document(self) -> Document:
        if self._document is None:
            self._document = Document.of(self.results, self.tables)
        return self._document

    def _html(self) -> dict[str, bytes]:
        shown = {
            name: FigureOnPage(
                figure.title, figure.caption, figure.files["svg"].decode(), figure.analysis
            )
            for name, figure in self.drawn.items()
        }
        self._held = Contents.of(self.results, shown)
        html = page(self.results, shown, self._held)
        return {"report.html": html, **self._figures("figures", self.formats)}

    def _json(self) -> dict[str, bytes]:
        return {"report.json": report_json(self.results), **clinical_files(self.results)}

    def _md(self) -> dict[str, bytes]:
        return {"report.md": markdown(self.document, self.held)}

    def _tables_md(self) -> dict[str, bytes]:
        return {f"tables/{t.id}.md": table_markdown(t) for t in self.tables}

    def _csv(self) -> dict[str, bytes]:
        files = {f"tables/{t.id}.csv": table_csv(t) for t in self.tables}
        if self.results.study.synthetic:
            files["tables/SYNTHETIC.txt"] = f"{SYNTHETIC}\n".encode()
        return files

    def _latex(self) -> dict[str, bytes]:
        figures = [
            Drawn(f"figures/{name}.pdf", figure.title, figure.caption, figure.width)
            for name, figure in self.drawn.items()
        ]
        files = latex_files(self.document, figures)
        return {
            **{f"latex/{name}": content for name, content in files.items()},
            **self._figures("latex/figures", ("pdf",)),
        }

    def _docx(self) -> dict[str, bytes]:
        told = {
            name: WordFigure(figure.title, figure.caption, figure.width, figure.files["png"])
            for name, figure in self.drawn.items()
        }
        shown = {
            name: FigureOnPage(figure.title, figure.caption, "", figure.analysis)
            for name, figure in self.drawn.items()
        }
        held = Contents.of(self.results, shown)
        made = word_document(self.document, held, abstract_of(self.results), told)
        return {"report.docx": made}

    def _xlsx(self) -> dict[str, bytes]:
        return {"report.xlsx": workbook(self.document)}

    def _checklists(self) -> dict[str, bytes]:
        return checklist_files(self.document)

    def _figures(self, folder: str, formats: Sequence[str]) -> dict[str, bytes]:
        return {
            f"{folder}/{name}.{form}".removeprefix("/"): figure.files[form]
            for name, figure in self.drawn.items()
            for form in dict.fromkeys(formats)
        }


def _of_figures(formats: Sequence[str], forms: Sequence[Form]) -> tuple[str, ...]:
    """Say in which forms figures are needed, so that each is drawn once."""
    needed = {
        *((*formats, "svg") if "html" in forms else ()),
        *(("pdf",) if {"latex", "pdf"} & {*forms} else ()),
        *(("png",) if {"docx", "png"} & {*forms} else ()),
    }
    return tuple(form for form in FORMATS if form in needed)
