"""A run written out: the page, the JSON, the figures and the tables, and the forms of a paper."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final, Literal, get_args

from medassay.analyses.results import Results
from medassay.report.checklists import checklist_files
from medassay.report.clinical_json import clinical_files
from medassay.report.contents import Contents, tables_of
from medassay.report.figures import Picture, draw, figure_bytes
from medassay.report.forms import Document, Drawn, latex_files, markdown, workbook
from medassay.report.page import page
from medassay.report.pictures import Shown
from medassay.report.privacy import guarded
from medassay.report.store import report_json
from medassay.report.tables import SYNTHETIC, Table, table_csv, table_markdown
from medassay.report.whose import Whose
from medassay.study.processes import begun, usable_processes
from medassay.tables import write_atomically

__all__ = ["FORMS", "STANDARD", "Form", "render"]

Form = Literal["html", "json", "md", "csv", "latex", "xlsx", "tables", "checklists", "pdf", "png"]
FORMS: Final[tuple[Form, ...]] = get_args(Form)
_MM_PER_INCH: Final = 25.4
STANDARD: Final[tuple[Form, ...]] = ("html", "json", "md", "csv")
"""What every run's folder holds."""
_FIGURES: Final = "figures"
_MANY: Final = 10_000
"""From so many answers on a copy of the process costs little beside the work that it takes."""


def render(
    results: Results,
    into: Path,
    formats: Sequence[str] = ("svg",),
    forms: Sequence[Form] = STANDARD,
) -> list[Path]:
    """Write a run in the forms asked for; the same results give the same bytes.

    * `html`: report.html, and figures/.
    * `json`: report.json, and clinical/ where there are choices.
    * `md`: report.md with the answer, the first table and those that matter in short.
    * `csv`: tables/*.csv, unrounded.
    * `latex`: latex/main.tex with the paragraphs, latex/tables/*.tex and latex/figures/*.pdf.
    * `xlsx`: report.xlsx, one sheet a table.
    * `tables`: tables/*.md, every table as the page prints it.
    * `checklists`: checklists/, what reporting checklists ask for, filled from the run.
    * `pdf`, `png`: figures/ in that form too.

    Each file is written whole or not at all.

    Args:
        results: All of a run.
        into: The folder; it is made where there is none. Other files in it are left alone.
        formats: Forms of the figures that are written beside `html`: svg, pdf or png.
        forms: Forms of the report.

    Returns:
        The files, the page first where there is one.

    Raises:
        InvalidInput: The folder cannot be written.
    """
    made = _Made(guarded(results), tuple(formats))
    large = results.study.counts.answers >= _MANY and {"html", "json"}.issubset(forms)
    works = {_FIGURES: made.draw_all} if large else {}
    written: dict[Form, list[Path]] = {}
    with begun(works, usable_processes()) as result_of:
        # A copy of the process draws while this one lays out the JSON.
        for form in ("json", *FORMS) if large else FORMS:
            if form not in forms or form in written:
                continue
            if form == "html" and large:
                made.take_in(result_of(_FIGURES))
            files = made.form(form)
            for name, content in files.items():
                write_atomically(into / name, content)
            written[form] = [into / name for name in files]
    return list(dict.fromkeys(path for form in FORMS for path in written.get(form, ())))


@dataclass(frozen=True, slots=True)
class _Sketch:
    """A figure that was drawn: what stands beside it, and its bytes in each form."""

    title: str
    caption: str
    analysis: str
    files: Mapping[str, bytes]


@dataclass
class _Made:
    """What several forms share, made once."""

    results: Results
    formats: tuple[str, ...]
    _drawn: dict[str, Picture] | None = field(default=None)
    _held: Contents | None = field(default=None)
    _tables: list[Table] | None = field(default=None)
    _document: Document | None = field(default=None)
    _bytes: dict[tuple[str, str], bytes] = field(default_factory=dict)
    _sketches: dict[str, _Sketch] | None = field(default=None)

    def draw_all(self) -> dict[str, _Sketch]:
        """Draw what the page shows, in the forms asked for."""
        forms = dict.fromkeys((*self.formats, "svg"))
        files = self._figures("figures", tuple(forms))
        return {
            name: _Sketch(
                picture.title,
                picture.caption,
                picture.analysis,
                {form: files[f"figures/{name}.{form}"] for form in forms},
            )
            for name, picture in self.drawn.items()
        }

    def take_in(self, sketches: dict[str, _Sketch]) -> None:
        """Take in what was drawn elsewhere."""
        self._sketches = sketches

    def form(self, form: Form) -> dict[str, bytes]:
        made: dict[Form, Callable[[], dict[str, bytes]]] = {
            "html": self._html,
            "json": self._json,
            "md": self._md,
            "csv": self._csv,
            "latex": self._latex,
            "xlsx": self._xlsx,
            "tables": self._tables_md,
            "checklists": self._checklists,
            "pdf": partial(self._figures, "figures", ("pdf",)),
            "png": partial(self._figures, "figures", ("png",)),
        }
        return made[form]()

    @property
    def drawn(self) -> Mapping[str, Picture]:
        if self._drawn is None:
            whose = Whose(self.results)
            self._drawn = {n: whose.picture(picture) for n, picture in draw(self.results).items()}
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
        sketches = self.draw_all() if self._sketches is None else self._sketches
        shown = {
            name: Shown(sketch.title, sketch.caption, sketch.files["svg"].decode(), sketch.analysis)
            for name, sketch in sketches.items()
        }
        wanted = {
            f"figures/{name}.{form}": sketch.files[form]
            for name, sketch in sketches.items()
            for form in sketch.files
            if form in self.formats
        }
        self._held = Contents.of(self.results, shown)
        return {"report.html": page(self.results, shown, self._held), **wanted}

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
        files = latex_files(self.document, self._told("figures", "pdf"))
        return {
            **{f"latex/{name}": content for name, content in files.items()},
            **self._figures("latex/figures", ("pdf",)),
        }

    def _xlsx(self) -> dict[str, bytes]:
        return {"report.xlsx": workbook(self.document)}

    def _checklists(self) -> dict[str, bytes]:
        return checklist_files(self.document)

    def _figures(self, folder: str, formats: Sequence[str]) -> dict[str, bytes]:
        asked = [(name, form) for name in self.drawn for form in dict.fromkeys(formats)]
        for name, form in asked:
            if (name, form) not in self._bytes:
                picture = self.drawn[name]
                self._bytes[name, form] = figure_bytes(picture.figure, form, picture.title)
        return {f"{folder}/{name}.{form}": self._bytes[name, form] for name, form in asked}

    def _told(self, folder: str, form: str) -> list[Drawn]:
        return [
            Drawn(
                f"{folder}/{name}.{form}", picture.title, picture.caption,
                float(picture.figure.get_size_inches()[0]) * _MM_PER_INCH,
            )
            for name, picture in self.drawn.items()
        ]  # fmt: skip
