"""A finished run as an object of Python: its findings, tables and figures."""

from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final

from medassay.analyses.results import Results
from medassay.errors import InvalidInput, Problem, UnknownName
from medassay.exhibits.table import Table
from medassay.report import Finding, findings, read_results, tables_of

if TYPE_CHECKING:
    import polars as pl

__all__ = ["CompletedRun", "Drawing"]

REPORT: Final = "report.json"
_MOST: Final = 5


@dataclass(frozen=True, repr=False)
class Drawing:
    """A figure of a run, which a notebook shows.

    Attributes:
        name: Its id.
        svg: The figure.
    """

    name: str
    svg: str

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: Path | str) -> None:
        """Write the figure as an SVG file."""
        Path(path).write_text(self.svg, encoding="utf-8")

    def __repr__(self) -> str:
        """Say which figure it is."""
        return f"Drawing({self.name!r})"


@dataclass(frozen=True, repr=False)
class CompletedRun:
    """A run that is whole on disk.

    Attributes:
        folder: Its folder, as `medassay run` writes it.
    """

    folder: Path

    def __post_init__(self) -> None:
        """Refuse a folder that holds no run."""
        if not (self.folder / REPORT).is_file():
            must = f"be the folder of a run, with {REPORT} in it"
            hint = 'Runs lie in results/ of a study; medassay.open_study("FOLDER").run() makes one.'
            raise InvalidInput(Problem(str(self.folder), must, "none", hint))

    @property
    def name(self) -> str:
        """Give the run's name: a hash of its inputs and choices."""
        return self.results.run.name

    @property
    def page(self) -> Path:
        """Give the path of the report's page, for a browser."""
        return self.folder / "report.html"

    @cached_property
    def results(self) -> Results:
        """All numbers of the run, as report.json holds them."""
        return read_results(self.folder / REPORT)

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What was found, in sentences, the most important first."""
        return tuple(findings(self.results))

    @cached_property
    def _tables(self) -> dict[str, Table]:
        return {table.id: table for table in tables_of(self.results)}

    @property
    def tables(self) -> dict[str, str]:
        """List the tables of the report: id to title, in the order of the page."""
        return {name: table.title for name, table in self._tables.items()}

    def table(self, name: str) -> "pl.DataFrame":
        """Give a table with its unrounded values; `.to_pandas()` where pandas is installed.

        Args:
            name: Its id, one of `tables`.

        Raises:
            UnknownName: The report has no such table.
        """
        import polars as pl

        if name not in self._tables:
            raise UnknownName("table", name, tuple(self._tables))
        table = self._tables[name]
        group = [table.group_field] if table.group_field else []
        fields = [*group, *(field for column in table.columns for field in column.fields)]
        rows = [
            [*([row.group] if group else []), *(value for cell in row.cells for value in cell.raw)]
            for row in table.rows
        ]
        columns = {
            field: pl.Series(field, [row[at] for row in rows], strict=False)
            for at, field in enumerate(fields)
        }
        return pl.DataFrame(columns)

    @property
    def figures(self) -> tuple[str, ...]:
        """List the ids of the figures that were written."""
        return tuple(sorted(path.stem for path in (self.folder / "figures").glob("*.svg")))

    def figure(self, name: str) -> Drawing:
        """Give a figure, which a notebook shows.

        Raises:
            UnknownName: The run has no such figure.
        """
        if name not in self.figures:
            raise UnknownName("figure", name, self.figures)
        svg = (self.folder / "figures" / f"{name}.svg").read_text(encoding="utf-8")
        return Drawing(name, svg)

    def __repr__(self) -> str:
        """Say what was found, in a screen."""
        study = self.results.study
        more = len(self.findings) - _MOST
        return "\n".join(
            [
                study.title,
                *(f"{at}. {finding.text}" for at, finding in enumerate(self.findings[:_MOST], 1)),
                *([f"... and {more} more in .findings"] if more > 0 else []),
                f"{len(self._tables)} tables in .tables, {len(self.figures)} figures in .figures",
                f"page: {self.page}",
            ]
        )

    def _repr_html_(self) -> str:
        items = "".join(f"<li>{escape(finding.text)}</li>" for finding in self.findings)
        title = escape(self.results.study.title)
        return f"<h3>{title}</h3><ol>{items}</ol><p>{escape(str(self.page))}</p>"
