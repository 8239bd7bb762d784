"""The spreadsheets of the environmental-health protocol, as its groups keep them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Literal

from medassay.errors import InvalidInput, Problem
from medassay.tables import (
    WORKBOOK,
    Sheet,
    file_bytes,
    read_pages,
    read_sheet,
    sheet_of_page,
    with_points,
)

PanelTable = Literal[
    "scenarios", "queries", "relevance", "similarities", "ratings", "confidence", "answers",
    "experts",
]  # fmt: skip

_RATED: Final = ("factuality", "interpretability", "expert_confidence")
_NUMBERS: Final = ("similarity", "normalized_similarity_mean")
_CONFIDENCE: Final = ("system_confidence", "normalized_similarity_mean")
_WORKBOOKS_AND_CSV: Final = (".csv", ".tsv", ".xlsx")
_RUNNING_TEXT: Final = "query"
_TEXTS: Final = (".txt", ".md")

_Test = Callable[[frozenset[str]], bool]
_MARKS: Final[Mapping[PanelTable, tuple[str, _Test]]] = {
    "queries": (
        "query_instance_id, scenario_id, query",
        lambda has: {"query_instance_id", "query"} <= has,
    ),
    "scenarios": (
        "scenario_id, pollutant, outcome, query",
        lambda has: {"scenario_id", "query"} <= has,
    ),
    "relevance": (
        "scenario_id, document_rank, relevance",
        lambda has: {"document_rank", "relevance"} <= has,
    ),
    "similarities": (
        "scenario_id, document_rank, similarity",
        lambda has: {"document_rank", "similarity"} <= has,
    ),
    "ratings": (
        "scenario_id, expert_id, factuality, interpretability, expert_confidence",
        lambda has: "expert_id" in has and bool(has & set(_RATED)),
    ),
    "confidence": (
        "scenario_id, normalized_similarity_mean, system_confidence",
        lambda has: bool(has & set(_CONFIDENCE)),
    ),
    "answers": ("scenario_id, answer", lambda has: "answer" in has),
    "experts": ("expert_id, expertise", lambda has: {"expert_id", "expertise"} <= has),
}
"""Each table with the columns that it has, and what tells it apart."""


@dataclass(frozen=True)
class PanelFiles:
    """What a group's files hold, table by table.

    Attributes:
        tables: Each table's sheets, in the order of the files.
        documents: Texts of the corpus by the file's name without its ending.
        notes: What was odd about the files, and was read all the same.
    """

    tables: Mapping[PanelTable, Sequence[Sheet]] = field(default_factory=dict)
    documents: Mapping[str, str] = field(default_factory=dict)
    notes: Sequence[Problem] = ()

    def __getitem__(self, table: PanelTable) -> Sequence[Sheet]:
        """Give the sheets of one table; none where no file holds it."""
        return self.tables.get(table, ())


def read_environmental_health(paths: Sequence[Path]) -> PanelFiles:
    r"""Read a group's files; each says by its columns which table it is, whatever it is called.

    One file may be two tables: relevance and similarity of a ranking often stand side by side.
    Workbooks that end in .csv, blanks around headers and cells, a closing row of `...`, empty rows
    between scenarios and a query that a comma cut in two are read, and said in the notes.

    Args:
        paths: Tables (.csv, .tsv, .xlsx, .jsonl, .parquet) and texts of the corpus (.txt, .md);
            a folder stands for its files.

    Raises:
        InvalidInput: A file cannot be read, or is none of the protocol's tables; every one named.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = Path(folder) / "ranking.csv"
        ...     _ = file.write_text(
        ...         "scenario_id, document_rank, relevance\nS1, 1, 1\n...,...,...\n", "utf-8")
        ...     read = read_environmental_health([file])
        >>> read["relevance"][0].columns["relevance"], len(read.notes)
        (['1'], 4)
    """
    tables: dict[PanelTable, list[Sheet]] = {}
    documents: dict[str, str] = {}
    problems: list[Problem] = []
    notes: list[Problem] = []
    for path in _files(paths):
        try:
            if path.suffix.lower() in _TEXTS:
                documents |= _document(path, documents)
                continue
            sheet = with_points(_trimmed(_read(path)), _NUMBERS)
        except InvalidInput as error:
            problems += error.problems
            continue
        notes += sheet.notes
        kinds = _kinds(sheet)
        if not kinds:
            problems.append(_stranger(sheet))
        for kind in kinds:
            tables.setdefault(kind, []).append(sheet)
    if problems:
        raise InvalidInput(problems)
    return PanelFiles(tables, documents, tuple(notes))


def _files(paths: Sequence[Path]) -> list[Path]:
    """Put the files of a folder in its place; licences and the like are no texts of a corpus."""
    files: list[Path] = []
    for path in paths:
        if not path.is_dir():
            files.append(path)
            continue
        inside = sorted(file for file in path.iterdir() if file.name[0] != ".")
        tabular = {*_WORKBOOKS_AND_CSV, *_TEXTS, ".jsonl", ".parquet"}
        files += [file for file in inside if file.suffix.lower() in tabular and not _about(file)]
    return files


def _about(path: Path) -> bool:
    return path.stem.lower() in {"licence", "license", "readme", "source", "notice"}


def _document(path: Path, there: Mapping[str, str]) -> dict[str, str]:
    if path.stem in there:
        hint = "A document is called after its file: rename one."
        raise InvalidInput(Problem(path.name, "be named once", "two files", hint))
    try:
        text = file_bytes(path, path.name).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        got = f"another encoding, at byte {error.start}"
        raise InvalidInput(Problem(path.name, "be text in UTF-8", got)) from error
    return {path.stem: text}


def _read(path: Path) -> Sheet:
    """Read a table; where a query stands last, the cells that its commas made are joined again."""
    sheetlike = path.suffix.lower() in _WORKBOOKS_AND_CSV
    pages, _ = read_pages(file_bytes(path, path.name), path.name) if sheetlike else ([], ())
    grid = next((page.cells for page in pages if any(map(any, page.cells))), [])
    header_row = next((n for n, cells in enumerate(grid) if any(cells)), None)
    if header_row is None:
        return read_sheet(path)
    header = [name.strip() for name in grid[header_row]]
    while header and not header[-1]:
        header.pop()
    last = len(header) - 1
    cut = [
        n
        for n, cells in enumerate(grid)
        if n > header_row and len(header) and any(cells[last + 1 :])
    ]
    if not cut or header[-1] != _RUNNING_TEXT:
        return read_sheet(path)
    joined = [
        [*cells[:last], ",".join(filter(None, cells[last:]))] if n in cut else cells[: last + 1]
        for n, cells in enumerate(grid)
    ]
    page = next(page for page in pages if page.cells is grid)
    notes = []
    if not page.from_text:
        hint = f'Its sheet "{page.title}" was read.'
        notes.append(Problem(path.name, "be CSV, JSONL or Parquet", WORKBOOK, hint))
    notes += [
        Problem(path.name, "hold a query in one cell", "one that its commas cut in two",
                "The pieces were joined.", n + 1, _RUNNING_TEXT)
        for n in cut
    ]  # fmt: skip
    return sheet_of_page(replace(page, cells=joined), path.name, notes)


def _trimmed(sheet: Sheet) -> Sheet:
    """Drop blanks around cells, and rows of `...` wherever they stand, with a note."""
    trimmed = sheet.trimmed(list(sheet.columns))
    named: dict[str, list[object]] = {}
    for name, cells in trimmed.columns.items():
        ours = "_".join(name.lower().split())
        if ours in named:
            got = f'"{ours}" twice'
            raise InvalidInput(Problem(sheet.file, "name each column once", got, "", sheet.header))
        named[ours] = cells
    return replace(trimmed, columns=named)


def _kinds(sheet: Sheet) -> list[PanelTable]:
    """Say which tables a sheet is. A table of queries names scenarios too, and is not theirs."""
    has = frozenset(sheet.columns)
    kinds = [kind for kind, (_, matches) in _MARKS.items() if matches(has)]
    return [kind for kind in kinds if not (kind == "scenarios" and "queries" in kinds)]


def _stranger(sheet: Sheet) -> Problem:
    known = "; ".join(f"{kind} ({columns})" for kind, (columns, _) in _MARKS.items())
    got = f"the columns {', '.join(sheet.columns)}"
    return Problem(sheet.file, "be one of the protocol's tables", got, f"They are: {known}.")
