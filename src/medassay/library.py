"""Studies and their runs as objects of Python, for scripts and notebooks.

What enters: the folder of a study. What leaves: its tables as frames of polars or pandas, its
findings as sentences, its figures as SVG or of matplotlib, and the folder of a run as the command
line writes it.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from medassay.analyses import run_study
from medassay.analyses.results import Results
from medassay.api_checks import SeedNumber, checked, table_text
from medassay.errors import InvalidInput, Problem, UnknownName
from medassay.exhibits.drawing import Picture
from medassay.exhibits.table import Table
from medassay.report import (
    Finding,
    RunSummary,
    findings,
    read_results,
    read_summary,
    render,
    tables_of,
)
from medassay.report.figures import FORMATS, draw, draw_in, figure_bytes
from medassay.study import (
    Elsewhere,
    Run,
    RunLog,
    Study,
    allowed_of,
    check_against,
    find_completed_run,
    on_ray,
    only_writer,
    open_run,
    set_aside,
    shared_kept,
    write_lost_key,
)
from medassay.tables import Framed, gc_leaving_be
from medassay.text import count_of

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

REPORT: Final = "report.json"
_MOST: Final = 5
_Told = Callable[[str, int, int], None]
"""Told how far a run is: the step, what is done of it, and how much it is."""


@dataclass(frozen=True, repr=False)
class Drawing:
    """A figure of a run, which a notebook shows.

    Attributes:
        name: Its id.
        svg: The figure as the run wrote it.
        results: The run's numbers, of which it is drawn.
    """

    name: str
    svg: str
    results: Results

    def _repr_svg_(self) -> str:
        return self.svg

    @cached_property
    def figure(self) -> "Figure":
        """The same as a figure of matplotlib, drawn from the run's numbers.

        It is no figure of pyplot, and no setting of matplotlib changes.
        """
        return self._drawn().figure

    @property
    def axes(self) -> "list[Axes]":
        """List the axes of that figure."""
        return self.figure.axes

    def _drawn(self) -> Picture:
        return draw(self.results)[self.name]

    def save(self, path: Path | str) -> None:
        """Write the figure; the ending says as what: .svg, .pdf or .png.

        Raises:
            InvalidInput: The ending is another.
        """
        path = Path(path)
        form = path.suffix.lower().removeprefix(".")
        if form == "svg":
            path.write_text(self.svg, encoding="utf-8")
        elif form in FORMATS:
            picture = self._drawn()  # what is written has a size of its own, and `figure` stays
            path.write_bytes(figure_bytes(picture.figure, form, picture.title))
        else:
            must = f"end in one of {', '.join(f'.{known}' for known in FORMATS)}"
            raise InvalidInput(Problem(path.name, must, f'"{path.suffix}"'))

    def __repr__(self) -> str:
        """Say which figure it is."""
        return f"Drawing({self.name!r})"


@dataclass(frozen=True, repr=False)
class RunTable(Framed):
    """A table of a run: printed as the report prints it, its frames unrounded.

    Attributes:
        shown: The table as the report shows it.
    """

    shown: Table

    @property
    def title(self) -> str:
        """Give its title."""
        return self.shown.title

    @property
    def caption(self) -> str:
        """Say what it holds and how it is read."""
        return self.shown.caption

    @property
    def columns(self) -> tuple[str, ...]:
        """List the columns of its frame."""
        table = self.shown
        group = (table.group_field,) if table.group_field else ()
        return (*group, *(field for column in table.columns for field in column.fields))

    @cached_property
    def frame(self) -> "pl.DataFrame":
        """All rows as a frame of polars, numbers unrounded."""
        import polars as pl

        rows = [
            [
                *([row.group] if self.shown.group_field else []),
                *(value for cell in row.cells for value in cell.raw),
            ]
            for row in self.shown.rows
        ]
        cells = {
            field: pl.Series(field, [row[at] for row in rows], strict=False)
            for at, field in enumerate(self.columns)
        }
        return pl.DataFrame(cells)

    def __len__(self) -> int:
        """Count the rows."""
        return len(self.shown.rows)

    def __repr__(self) -> str:
        """Print the first rows with their intervals."""
        header, rows = self._printed()
        return table_text(f"{self.shown.id}: {self.title}", header, rows, ".frame")

    def _repr_html_(self) -> str:
        header, rows = self._printed()
        head = "".join(f"<th>{escape(title)}</th>" for title in header)
        body = "".join(
            f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows
        )
        return (
            f"<p>{escape(self.title)}</p><table><thead><tr>{head}</tr></thead>"
            f"<tbody>{body}</tbody></table>"
        )

    def _printed(self) -> tuple[list[str], list[list[str]]]:
        grouped = bool(self.shown.group_field)
        header = [
            *([self.shown.group_field] if grouped else []),
            *(
                " ".join(part for part in (column.group, column.title) if part)
                for column in self.shown.columns
            ),
        ]
        rows = [
            [
                *([row.group] if grouped else []),
                *(f"{cell.text} {cell.aside}".strip() for cell in row.cells),
            ]
            for row in self.shown.rows
        ]
        return header, rows


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

    def table(self, name: str) -> RunTable:
        """Give a table; `.to_polars()` and `.to_pandas()` give its unrounded values.

        Args:
            name: Its id, one of `tables`.

        Raises:
            UnknownName: The report has no such table.
        """
        if name not in self._tables:
            raise UnknownName("table", name, tuple(self._tables))
        return RunTable(self._tables[name])

    @property
    def figures(self) -> tuple[str, ...]:
        """List the ids of the figures that were written."""
        return tuple(sorted(path.stem for path in (self.folder / "figures").glob("*.svg")))

    def figure(self, name: str, ax: "Axes | None" = None) -> Drawing:
        """Give a figure, which a notebook shows.

        Args:
            name: Its id, one of `figures`.
            ax: Axes of matplotlib, such as those of `plt.subplots`, in whose place it is drawn too.
                A figure of several panels keeps them there.

        Raises:
            UnknownName: The run has no such figure.
            InvalidInput: The axes have no place in a grid.
        """
        if name not in self.figures:
            raise UnknownName("figure", name, self.figures)
        if ax is not None:
            draw_in(self.results, name, ax)
        svg = (self.folder / "figures" / f"{name}.svg").read_text(encoding="utf-8")
        return Drawing(name, svg, self.results)

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


@dataclass(frozen=True, repr=False)
class OpenedStudy:
    """A study's folder that was read and has nothing wrong.

    Attributes:
        path: The folder.
        study: All that it holds, checked: cases, answers, judgements, preferences, raters.
    """

    path: Path
    study: Study

    @checked
    def run(
        self,
        *,
        seed: SeedNumber | None = None,
        texts: Literal["full", "ids", "none"] | None = None,
        metrics: Sequence[str] | None = None,
        only: Sequence[str] | None = None,
        offline: bool = False,
        fresh: bool = False,
    ) -> CompletedRun:
        """Score, agree, join, compare and write the report; a run that is there is only read.

        It reads the folder as it is now and writes the same files as `medassay run`.

        Args:
            seed: Overrules study.toml's.
            texts: How much of the texts may leave the study; overrules study.toml's.
            metrics: Names of metrics to compute beside the study's own; `all` for every one that
                can score an answer here.
            only: Names of metrics to compute instead of the study's own.
            offline: Fetch no model, whatever study.toml allows.
            fresh: Believe nothing that is there.

        Raises:
            InvalidInput: Every problem of the study, or of the metrics' names.
        """
        done = run_and_report(
            self.path, seed=seed, texts=texts, metrics=metrics, only=only, offline=offline,
            fresh=fresh,
        )  # fmt: skip
        return CompletedRun(done.folder)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Say what a reader of the study should know before its numbers."""
        return tuple(map(str, self.study.warnings))

    def __repr__(self) -> str:
        """Say in a few lines what the study holds."""
        study = self.study
        rows = (
            (study.systems, "system"),
            (study.cases, "case"),
            (study.answers, "answer"),
            (study.judgements.frame, "judgement"),
            (study.preferences.frame, "preference"),
        )
        held = ", ".join(count_of(len(table), noun) for table, noun in rows if len(table))
        lines = [
            f"{study.config.title} ({study.config.protocol.name})",
            held or "nothing yet",
            f"dimensions: {', '.join(study.rubric.ids)}",
            *([f"{count_of(len(study.warnings), 'warning')}: .warnings"] if study.warnings else []),
        ]
        return "\n".join(lines)


@checked
def open_study(path: Path | str) -> OpenedStudy:
    """Open a study's folder and check all of it.

    Args:
        path: The folder that holds study.toml.

    Raises:
        InvalidInput: Every problem of every file at once.

    Example:
        >>> from importlib.resources import as_file, files
        >>> demo = files("medassay") / "data" / "studies" / "environmental-health"
        >>> with as_file(demo) as folder:
        ...     print(open_study(folder))
        A synthetic panel on pollutants and health (environmental-health)
        1 system, 14 cases, 14 answers, 420 judgements
        dimensions: factuality, interpretability, expert-confidence
    """
    folder = Path(path)
    return OpenedStudy(folder, Study.open(folder))


@dataclass(frozen=True)
class Done:
    """A run that is whole on disk.

    Attributes:
        summary: What it found.
        folder: Its folder.
        again: Whether it was there already and nothing needed doing.
        log: How it was made; None where nothing says so.
    """

    summary: RunSummary
    folder: Path
    again: bool
    log: RunLog | None = None

    @property
    def computed(self) -> int:
        """Count the scores that were computed now."""
        return 0 if self.again or self.log is None else self.log.computed

    @property
    def reused(self) -> int:
        """Count the answers whose score was kept from before, as far as any was asked for now."""
        return 0 if self.again or self.log is None else self.log.reused


def run_and_report(  # noqa: PLR0913 - each is one thing that is asked of the run
    path: Path,
    *,
    seed: int | None = None,
    texts: Literal["full", "ids", "none"] | None = None,
    metrics: Sequence[str] | None = None,
    only: Sequence[str] | None = None,
    offline: bool = False,
    fresh: bool = False,
    share: bool = False,
    on: str | None = None,
    against: Path | None = None,
    progress: AbstractContextManager[_Told] | None = None,
) -> Done:
    """Run a study and write its report; if the same run is whole on disk, only read it.

    Args:
        path: The study's folder.
        seed: Overrules study.toml's.
        texts: Overrules study.toml's.
        metrics: Names of metrics to compute beside the study's own; `all` for every one that can
            score an answer here.
        only: Names of metrics to compute instead of the study's own.
        offline: Fetch no model, whatever study.toml allows.
        fresh: Believe nothing that is there, and compare what is written with it.
        share: Take in scores that are kept at the URL `kept` of urls.toml, and add this run's.
        on: Score metrics that run on a model on a cluster: `ray`, one started on this machine, or
            `ray://HOST:PORT`. The report has the same bytes.
        against: An earlier run whose measures stand beside this one's: its report.json or folder.
        progress: Shows how far the run is, while it lasts.

    Raises:
        InvalidInput: Every problem of the study, of the metrics' names, or of the cluster.
    """
    whole = None
    if not fresh:
        whole = find_completed_run(
            path, seed=seed, texts=texts, metrics=metrics, only=only, offline=offline,
            against=against,
        )  # fmt: skip
    if whole is not None:
        write_lost_key(path, whole.name)
        return _there(whole)
    run = open_run(
        path, seed=seed, texts=texts, metrics=metrics, only=only, offline=offline, against=against
    )
    if run.whole and not fresh:
        return _there(run.folder)
    with only_writer(path), gc_leaving_be(), progress or nullcontext(_tell_nobody) as tell:
        if fresh:
            set_aside(run.folder)
        elif run.is_done():
            return _there(run.folder)
        with _cluster(run, on, offline=offline) as elsewhere:
            kept = shared_kept(run, offline=offline, fresh=fresh, progress=tell) if share else None
            with kept or nullcontext():
                results, scored = run_study(run, tell, fresh=fresh, elsewhere=elsewhere)
        tell("report", 0, 1)
        render(results, run.folder)
        run.finish()
        log = RunLog.of(run.name, scored, check_against(run.folder) if fresh else None)
        log.write(run.folder)
        tell("report", 1, 1)
    return Done(RunSummary.of(results), run.folder, again=False, log=log)


def _cluster(
    run: Run, on: str | None, *, offline: bool
) -> AbstractContextManager[Elsewhere | None]:
    if on is None:
        return nullcontext()
    return on_ray(on, allowed_of(run.study.config.privacy, offline=offline))


def _tell_nobody(_step: str, _done: int, _total: int) -> None:
    """Where nobody looks on."""


def _there(folder: Path) -> Done:
    return Done(read_summary(folder / "report.json"), folder, again=True, log=RunLog.read(folder))
