"""Take a table into a study, tidy ones too: nothing that is there already is changed or lost."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from medassay.consensus import consensus_methods
from medassay.errors import InvalidInput, Problem, nearest
from medassay.judgements import SAID, Judgements, Preferences
from medassay.scores import Name, ScoreTable, scores_from_sheet
from medassay.study.contents.known_ids import read_checked
from medassay.study.contents.metric_scores import Imported, Meaning
from medassay.study.files.names import RATERS_KEY, SCORES, table_file, without_padding
from medassay.study.files.placed import refuse_at_urls
from medassay.study.folder import Study
from medassay.study.metric_choice import check_import
from medassay.study.opening.stand_ins import as_declared
from medassay.tables import (
    WORKBOOK,
    Sheet,
    csv_bytes,
    file_stem,
    json_bytes,
    read_sheet,
    write_atomically,
    write_rows,
)
from medassay.text import count_of

if TYPE_CHECKING:
    import polars as pl


def read_tidy(path: Path, columns: Mapping[str, str]) -> Sheet:
    r"""Read a table and give its columns our names.

    Args:
        path: A .csv, .jsonl or .parquet file, one row an observation.
        columns: Our name to theirs, such as `{"text": "model_answer"}`. Columns that are not named
            here keep their name.

    Raises:
        InvalidInput: The file cannot be read, or has no such column.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = Path(folder) / "theirs.csv"
        ...     _ = file.write_text("model,case,value\nA,1,0.5\n", encoding="utf-8")
        ...     sheet = read_tidy(file, {"system": "model"})
        >>> sheet.columns
        {'system': ['A'], 'case': ['1'], 'value': ['0.5']}
    """
    sheet = read_sheet(path)
    problems = []
    for ours, theirs in columns.items():
        if theirs not in sheet.columns:
            hint = nearest(theirs, sheet.columns) or f"It has: {', '.join(sheet.columns)}."
            problems.append(
                Problem(
                    sheet.file, f'have the column "{theirs}" for {ours}', "no such column", hint
                )
            )
        elif ours in sheet.columns and ours != theirs:
            must = f'have one column for {ours}, not "{ours}" and "{theirs}"'
            problems.append(Problem(sheet.file, must, "both", column=ours))
    named = list(columns.values())
    for theirs in sorted({column for column in named if named.count(column) > 1}):
        must = "have each of its columns named once"
        problems.append(Problem(sheet.file, must, f'"{theirs}" twice', column=theirs))
    if problems:
        raise InvalidInput(problems)
    our_name = {theirs: ours for ours, theirs in columns.items()}
    renamed = {our_name.get(name, name): cells for name, cells in sheet.columns.items()}
    return replace(sheet, columns=renamed, renamed=True)


_KEY: Final = (
    "rater", "system", "system_a", "system_b", "case", "sample", "about", "dimension", "phase",
)  # fmt: skip
_SCORE_COLUMNS: Final = ("system", "case", "sample", "source", "value", "reason", "detail")


@dataclass(frozen=True)
class ImportSummary:
    """What an import did.

    Attributes:
        kind: Which table.
        added: Rows that are new.
        known: Rows that the study had already, word for word.
        files: The study's files that were written.
        notes: What was odd about the table, and was read all the same.
    """

    kind: Literal["answers", "grades", "judgements", "preferences", "scores"]
    added: int
    known: int
    files: list[str]
    notes: list[str] = field(default_factory=list)


def import_judgements(study: Study, file: Path, columns: Mapping[str, str]) -> ImportSummary:
    """Append the judgements of a tidy table; a row that the study has already changes nothing.

    Raises:
        InvalidInput: Every problem of the table.
    """
    return add_judgements(study, without_padding(read_tidy(file, columns)))


def add_judgements(
    study: Study,
    sheet: Sheet,
    *,
    dry_run: bool = False,
    grown: list[Judgements] | None = None,
    checked: "pl.DataFrame | None" = None,
) -> ImportSummary:
    """Append rows of judgements; one that the study has already changes nothing.

    Args:
        study: The study.
        sheet: The rows.
        dry_run: Everything is checked and nothing written.
        grown: Gets the whole table, for who goes on with it.
        checked: The rows as `Judgements.checked` gave them by the study's rubric, where they were
            checked before.

    Raises:
        InvalidInput: Every problem of the rows.
    """

    def read(rows: Sheet) -> "pl.DataFrame":
        return Judgements.checked(rows, study.rubric) if checked is None else checked

    frame = read_checked(sheet, read, study.known)
    new, known, notes = _new_rows(study, study.judgements_on_file.frame, frame, sheet)
    both = study.judgements_on_file.append(Judgements(new, study.rubric))
    if grown is not None:
        grown.append(both)
    if dry_run:
        return ImportSummary("judgements", new.height, known, [], notes)
    return _write(study, both, new.height, known, notes)


def import_preferences(study: Study, file: Path, columns: Mapping[str, str]) -> ImportSummary:
    """Append the preferences of a tidy table; a row that the study has already changes nothing.

    Raises:
        InvalidInput: Every problem of the table.
    """
    return add_preferences(study, without_padding(read_tidy(file, columns)))


def add_preferences(
    study: Study, sheet: Sheet, *, grown: list[Preferences] | None = None
) -> ImportSummary:
    """Append rows of preferences, as `add_judgements` does rows of judgements.

    Raises:
        InvalidInput: Every problem of the rows.
    """
    frame = read_checked(sheet, Preferences.checked, study.known)
    new, known, notes = _new_rows(study, study.preferences_on_file.frame, frame, sheet)
    both = study.preferences_on_file.append(Preferences(new))
    if grown is not None:
        grown.append(both)
    return _write(study, both, new.height, known, notes)


def import_scores(
    study: Study, file: Path, columns: Mapping[str, str], name: str | None, meaning: Meaning
) -> ImportSummary:
    """Make anyone's table of scores a metric of the study.

    Args:
        study: The study.
        file: A table with the columns system, case, value and, for several metrics, source.
        columns: Our name to theirs.
        name: The metric's name, where the table has no column `source`.
        meaning: Which way is better, and what the numbers say.

    Raises:
        InvalidInput: Every problem of the table, or other scores of that name are there already.
    """
    return add_scores(study, without_padding(read_tidy(file, columns)), file, name, meaning)


def add_scores(
    study: Study,
    sheet: Sheet,
    file: Path,
    name: str | None,
    meaning: Meaning,
    *,
    dry_run: bool = False,
) -> ImportSummary:
    """Make a sheet of scores a metric of the study, or several: see `import_scores`.

    With `dry_run` everything is checked and nothing written.

    Raises:
        InvalidInput: Every problem of the sheet, or other scores of that name are there already.
    """
    study.require_whole()
    refuse_at_urls(study.path, SCORES)
    called = _called(sheet, file, name)
    table = read_checked(sheet, lambda rows: scores_from_sheet(rows, source=called), study.known)
    methods = {method.name for method in consensus_methods()}
    joint = [source for source in table.sources if Name.parse(source).base in methods]
    if joint:
        must, hint = "bring scores under a name of their own", "Give another --name."
        got = f'"{joint[0]}", the name of a consensus'
        raise InvalidInput(Problem(file.name, must, got, hint))
    meaning = as_declared(study.config, table.sources, meaning)
    clashing = [
        imported for imported in study.imported if set(imported.table.sources) & set(table.sources)
    ]
    if any(_same(imported, table, meaning) for imported in clashing):
        return ImportSummary("scores", 0, len(table), [], list(map(str, sheet.notes)))
    path = study.path / SCORES / f"{file_stem(called)}.csv"
    if clashing or path.exists():
        there = f"{SCORES}/{path.name}" if not clashing else clashing[0].file
        got = f'"{table.sources[0]}", and {there} is there with other scores or another meaning'
        hint = "Remove that file first, or give another --name."
        raise InvalidInput(Problem(file.name, "bring scores of a new name", got, hint))
    shown = f"{SCORES}/{path.name}"
    said_of = check_import(study, Imported(shown, table, meaning), file.name)
    outside = meaning.problems(table, file.name)
    if outside:
        raise InvalidInput(outside)
    if dry_run:
        return ImportSummary("scores", len(table), 0, [], [])
    unsaid = {name for name in ("harm", "title") if not getattr(meaning, name)}
    facts = meaning.model_dump(exclude_none=True, exclude=unsaid)
    meaning_file = path.with_suffix(".toml")
    # What the scores mean comes first: a table without it would read as "higher is better".
    write_atomically(
        meaning_file, "".join(f"{key} = {_toml(facts[key])}\n" for key in facts).encode()
    )
    columns = [name for name in _SCORE_COLUMNS if name != "sample" or table.frame[name].max()]
    write_atomically(path, csv_bytes(columns, table.frame.select(columns).rows()))
    written = [
        written_file.relative_to(study.path).as_posix() for written_file in (path, meaning_file)
    ]
    return ImportSummary("scores", len(table), 0, written, [*map(str, sheet.notes), *said_of])


def _called(sheet: Sheet, file: Path, name: str | None) -> str:
    """Give the name of scores whose table has no column `source`."""
    try:
        return str(Name.parse(name if name is not None else file.stem))
    except InvalidInput as error:
        if name is None and "source" in sheet.columns:
            return file.stem
        where, hint = ("--name", "") if name is not None else (file.name, "Give it a --name.")
        raise InvalidInput(
            Problem(where, f"be a metric's name: {problem.must}", problem.got, hint or problem.try_)
            for problem in error.problems
        ) from error


def _same(ours: Imported, theirs: ScoreTable, meaning: Meaning) -> bool:
    columns = list(_SCORE_COLUMNS)
    same = ours.table.frame.select(columns).equals(theirs.frame.select(columns))
    return same and ours.meaning.model_copy(update={"title": meaning.title}) == meaning


def _new_rows(
    study: Study, ours: "pl.DataFrame", theirs: "pl.DataFrame", sheet: Sheet
) -> tuple["pl.DataFrame", int, list[str]]:
    """Keep the rows that the study has not; one that occurs more often than there is new again.

    So a table that ends with a correction back to an earlier label brings that correction.

    Returns:
        The new rows, how many the study had already, and what was odd.
    """
    import polars as pl

    problems = list(_rater_problems(study, theirs, sheet))
    key = [name for name in _KEY if name in theirs.columns]
    once, places, notes = said_once(theirs, sheet, key)
    there = Counter(ours.rows())
    is_new = [] if there else [True] * once.height
    for row in once.rows() if there else ():
        is_new.append(there[row] == 0)
        there[row] -= not is_new[-1]
    new = once.filter(pl.Series(is_new, dtype=pl.Boolean)) if there else once
    rows = [sheet.rows[place] for place in compress(places, is_new)]
    try:
        _refuse_contradictions(new, rows, sheet.file, key)
    except InvalidInput as error:
        problems += error.problems
    if problems:
        raise InvalidInput(problems)
    return new, once.height - new.height, [*map(str, sheet.notes), *notes]


def _write(
    study: Study, table: Judgements | Preferences, added: int, known: int, notes: list[str]
) -> ImportSummary:
    stem: Literal["judgements", "preferences"] = (
        "judgements" if isinstance(table, Judgements) else "preferences"
    )
    if not added:
        return ImportSummary(stem, 0, known, [], notes)
    return ImportSummary(stem, added, known, [write_table(study, table)], notes)


def write_table(study: Study, table: Judgements | Preferences) -> str:
    """Write the table over the old one in the form that it has; one rename, nothing to clean up.

    Returns:
        The file's name.

    Raises:
        InvalidInput: The old one is of a form that is not written.
    """
    study.require_whole()
    stem = "judgements" if isinstance(table, Judgements) else "preferences"
    path = table_file(study.path, stem) or study.path / f"{stem}.csv"
    _refuse_forms_not_written(path)
    if path.suffix == ".csv":
        write_atomically(path, table.to_csv())
    else:
        write_rows(path, _plain_rows(table.frame))
    return path.name


def _refuse_forms_not_written(path: Path) -> None:
    """Refuse to write over a workbook, which may hold more than was read, or over a .tsv."""
    if not path.exists():
        return
    workbook = any(note.got == WORKBOOK for note in read_sheet(path).notes)
    if workbook or path.suffix not in {".csv", ".jsonl", ".parquet"}:
        must = "be CSV, JSONL or Parquet where rows are to be added"
        got = WORKBOOK if workbook else f'"{path.suffix}"'
        raise InvalidInput(Problem(path.name, must, got, "Save it as CSV first."))


def _plain_rows(frame: "pl.DataFrame") -> Sequence[dict[str, object]]:
    return [
        {
            name: value.isoformat() if name == "time" else value
            for name, value in row.items()
            if value is not None
        }
        for row in frame.iter_rows(named=True)
    ]


def _toml(value: object) -> str:
    """Write a word, number or sentence as TOML, which agrees with JSON on these."""
    return json_bytes(value).decode().strip()


def _rater_problems(study: Study, frame: "pl.DataFrame", sheet: Sheet) -> Iterator[Problem]:
    """Name raters whom the raters table lacks, of another kind than the study holds, pseudonyms.

    Args:
        study: The study.
        frame: The rows that come in, in the order of the sheet.
        sheet: Where they stood.
    """
    import polars as pl

    listed = {listed_rater.rater: str(listed_rater.kind) for listed_rater in study.raters}
    pseudonyms = set() if study.pseudonyms.named else set(study.pseudonyms.of.values())
    held = dict(listed)
    for table in (study.judgements_on_file, study.preferences_on_file):
        for rater, kind in table.frame.select("rater", "rater_kind").unique().iter_rows():
            held.setdefault(rater, kind)
    pairs = (
        frame.lazy().with_row_index("first").group_by("rater", "rater_kind", maintain_order=True)
    )
    told = pairs.agg(pl.col("first").first(), pl.len()).collect()
    for rater, kind, first, count in told.iter_rows():
        row = sheet.rows[first]
        more = f", in {count} rows" if count > 1 else ""
        if listed and rater not in listed:
            hint = nearest(rater, listed) or "Add a row for this rater to the raters table."
            must = "be a rater of the raters table"
            yield Problem(sheet.file, must, f'"{rater}"{more}', hint, row, "rater")
        elif rater in pseudonyms and rater not in held:
            hint = f"{RATERS_KEY} says whose it is."
            must = "be a rater's name as in the study's own files"
            yield Problem(sheet.file, must, f'"{rater}", a pseudonym{more}', hint, row, "rater")
        elif held.get(rater, kind) != kind:
            there = "the raters table" if rater in listed else "the study's judgements"
            must = f"be {held[rater]} for {rater}, as in {there}"
            hint = "Fill the column rater_kind." if "rater_kind" not in sheet.columns else ""
            yield Problem(sheet.file, must, f"{kind}{more}", hint, row, "rater_kind")


_MOST: Final = 20
_HINT: Final = (
    "Keep one of them. A correction needs its time in the column time, or comes in a later file."
)


def said_once(
    frame: "pl.DataFrame", sheet: Sheet, key: Sequence[str]
) -> tuple["pl.DataFrame", list[int], list[str]]:
    """Keep one of rows that repeat, word for word, what the file said last of the same answer.

    Args:
        frame: The rows, in the order of the sheet.
        sheet: Where they stood.
        key: What makes two rows be about the same thing.

    Returns:
        The rows that are kept, where in the sheet each stands, and a note for each other row.
    """
    import polars as pl

    if frame.select(key).n_unique() == frame.height:
        return frame, list(range(frame.height)), []
    places = [frame.columns.index(name) for name in key]
    last: dict[tuple[object, ...], tuple[int, tuple[object, ...]]] = {}
    rows_kept: list[int] = []
    twice: list[tuple[int, int]] = []
    for place, cells in enumerate(frame.rows()):
        about = tuple(cells[i] for i in places)
        earlier = last.get(about)
        if earlier is not None and earlier[1] == cells:
            twice.append((place, earlier[0]))
            continue
        last[about] = (place, cells)
        rows_kept.append(place)
    notes = [
        str(
            Problem(
                sheet.file, "stand once", f"the same as in row {sheet.rows[first]}",
                "It counts once.", sheet.rows[again],
            )
        )
        for again, first in twice[:_MOST]
    ]  # fmt: skip
    if twice[_MOST:]:
        more = f"{count_of(len(twice) - _MOST, 'row')} more, the same as an earlier one"
        notes.append(str(Problem(sheet.file, "say each thing once", more, "Each counts once.")))
    return frame[pl.Series(rows_kept, dtype=pl.UInt32)], rows_kept, notes


def _refuse_contradictions(
    frame: "pl.DataFrame", rows: Sequence[int], file: str, key: Sequence[str]
) -> None:
    """Refuse rows that say two things of one answer, where nothing tells which came later.

    Args:
        frame: The rows that are new, in the order of the file.
        rows: The row of each, as a spreadsheet numbers it.
        file: What messages call the file.
        key: What makes two rows be about the same thing; the position is added to it.

    Raises:
        InvalidInput: With every such row.
    """
    again = frame.select(*key, "position").is_duplicated()
    rows, frame = list(compress(rows, again)), frame.filter(again)
    first: dict[tuple[object, ...], tuple[int, dict[str, object]]] = {}
    times: dict[tuple[object, ...], set[object]] = {}
    problems = []
    columns = [name for name in SAID if name in frame.columns]
    for row, cells in zip(rows, frame.iter_rows(named=True), strict=True):
        about = tuple(cells[name] for name in (*key, "position"))
        at, there = first.setdefault(about, (row, cells))
        told_apart = cells["time"] is not None and cells["time"] not in times.get(about, set())
        times.setdefault(about, set()).add(cells["time"])
        now, before = ([values[name] for name in columns] for values in (cells, there))
        if at == row or now == before:
            continue
        if told_apart and None not in times[about]:
            continue
        must = f"say what row {at} says of the same answer"
        got = f"{_quoted(now)}, not {_quoted(before)}"
        by_column = zip(columns, now, before, strict=True)
        column = next(name for name, *both in by_column if both != [None, None])
        problems.append(Problem(file, must, got, _HINT, row, column))
    if problems:
        raise InvalidInput(problems)


def _quoted(values: Sequence[object]) -> str:
    words = (
        f"{value:g}" if isinstance(value, float) else str(value)
        for value in values
        if value is not None
    )
    return f'"{", ".join(words)}"'
