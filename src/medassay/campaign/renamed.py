"""A rater gets another name in every file of a study, as when it is erased who that was."""

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final
from zipfile import ZipFile, is_zipfile

from medassay.campaign.create import DESIGN, SHEETS
from medassay.campaign.reassign import REASSIGNED
from medassay.errors import InvalidInput, Problem
from medassay.judgements.campaign import FOLDER, KEY, CampaignPlan, as_code, find_plans
from medassay.study.files.links import RESULTS
from medassay.study.files.names import RATERS_KEY, RATERS_NAMED, STUDY_FILE
from medassay.tables import (
    FORMS,
    csv_bytes,
    file_stem,
    guarded,
    is_there,
    json_bytes,
    read_sheet,
    unguarded,
    write_atomically,
)
from medassay.text import called_otherwise

__all__ = ["Renamed", "refuse_what_keeps_a_name", "rename_in_files"]

_NAMED: Final = frozenset({"rater", "who", "expert"})
"""Columns that hold a rater's name and nothing else."""
_TOLD: Final = frozenset({"what", "old", "new", "why"})
"""Columns of a trail, in which a name may stand among other words."""
_TRAILS: Final = frozenset({"audit.csv", REASSIGNED})
_TABLES: Final = ("judgements", "preferences", "raters", "relevance", "asked")
_ORIGINAL: Final = "original"
"""The folder of the files as they were imported."""


@dataclass
class Renamed:
    """What became of a study's files.

    Attributes:
        files: The files that were written again.
        removed: Those that were for this rater alone, and are gone.
        notes: Where the name still is, and what to do.
    """

    files: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def rename_in_files(study: Path, name: str, code: str) -> Renamed:
    """Call a rater otherwise in every file of a study and of its campaigns.

    Args:
        study: The study's folder.
        name: What the rater was called.
        code: What the rater is called from now on.

    Raises:
        InvalidInput: A plan cannot be read, or a file cannot be written.
    """
    done = Renamed()

    def write(path: Path, content: bytes) -> None:
        if content != path.read_bytes():
            write_atomically(path, content, owner_only=not path.stat().st_mode & 0o077)
            done.files.append(path.relative_to(study).as_posix())

    for table in _own_tables(study):
        write(table, _without(table, name, code))
    if (study / STUDY_FILE).is_file():
        write(study / STUDY_FILE, _settings(study / STUDY_FILE, name, code))
    plans = find_plans(study)
    homes = sorted(path for path in (study / FOLDER).glob("*") if path.is_dir())
    for home in homes:
        # The key of a plan is written with it.
        for file in sorted(file for file in home.glob("*.csv") if file.name != KEY):
            write(file, _without(file, name, code))
        _remove_own(study, home, name, code, done)
        if home.name in plans:
            _rename_plan(home, plans[home.name], name, code, write)
    done.notes += _left(study, name)
    return done


def refuse_what_keeps_a_name(study: Path, name: str) -> None:
    """Refuse a study with a table that names the rater and cannot be written again as it is.

    Raises:
        InvalidInput: A workbook, or a text of another encoding, names the rater; or a table cannot
            be read.
    """
    problems = []
    for table in _own_tables(study):
        if _names(table, name) and _without(table, name, "") == table.read_bytes():
            must = f"be CSV in UTF-8, so that {name} can be renamed in it"
            got = "a workbook" if is_zipfile(table) else "a table of another form or encoding"
            hint = (
                f'Save it as {table.stem}.csv ("CSV UTF-8"), delete the file that still names '
                f"{name}, and run again. Nothing was erased."
            )
            problems.append(Problem(table.name, must, got, hint))
    if problems:
        raise InvalidInput(problems)


def _names(table: Path, name: str) -> bool:
    """Say whether a column of raters holds a name."""
    return any(
        isinstance(cell, str) and unguarded(cell).strip() == name
        for column, cells in read_sheet(table).columns.items()
        if column.strip().casefold() in _NAMED
        for cell in cells
    )


def _own_tables(study: Path) -> list[Path]:
    """List the study's own tables in which a rater may be named."""
    tables = [f"{stem}{form}" for stem in _TABLES for form in FORMS]
    return [
        study / name for name in (*tables, RATERS_KEY, RATERS_NAMED) if (study / name).is_file()
    ]


def _rename_plan(
    home: Path, plan: CampaignPlan, name: str, code: str, write: Callable[[Path, bytes], None]
) -> None:
    """Rename in the plan, its key and the frozen design."""

    def called(raters: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(code if rater == name else rater for rater in raters)

    settings = plan.settings.model_copy(update={"raters": called(plan.settings.raters)})
    rows = [replace(row, rater=called((row.rater,))[0]) for row in plan.assignments]
    now = replace(plan, settings=settings, assignments=tuple(rows), left=called(plan.left))
    for file, content in now.files().items():
        write(home / file, content)
    design = home / DESIGN
    if is_there(design):
        record = json.loads(design.read_bytes())
        frozen = record.get("design", {}).get("settings", {})
        if name in frozen.get("raters", ()):
            frozen["raters"] = called(tuple(frozen["raters"]))
            write(design, json_bytes(record))


def _remove_own(study: Path, home: Path, name: str, code: str, done: Renamed) -> None:
    """Remove a rater's blank sheets, and call what came back otherwise."""
    stem = file_stem(name)
    for file in sorted((home / SHEETS).glob("*")):
        if file.is_file() and file.stem == stem:
            file.unlink()
            done.removed.append(file.relative_to(study).as_posix())
    for file in sorted((home / "returned").glob("*")):
        digest, _, rest = file.stem.partition("-")
        told = called_otherwise(rest.replace("_", " "), {stem.replace("_", " "): code})
        if told != rest.replace("_", " "):
            # The digest at its head is what says that the file came before.
            now = file.rename(file.with_name(f"{digest}-{file_stem(told)}{file.suffix}"))
            done.files.append(now.relative_to(study).as_posix())


def _without(path: Path, name: str, code: str) -> bytes:
    """Give a table with the rater called otherwise; all else stays as it is."""
    content = path.read_bytes()
    if path.suffix == ".parquet":
        return _columns(content, name, code)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content
    if path.suffix == ".jsonl":
        return "".join(_line(line, name, code) for line in text.splitlines(keepends=True)).encode()
    for sign in ",;\t":
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=sign))
        header = [cell.strip().casefold() for cell in rows[0]] if rows else []
        if not _NAMED & {*header}:
            continue
        cells = [
            [
                _cell(cell, column, name, code, told=_tells(path, header, row))
                for cell, column in zip(row, header, strict=False)
            ]
            + row[len(header) :]
            for row in rows[1:]
        ]
        if cells == rows[1:]:
            return content
        return csv_bytes(rows[0], cells) if sign == "," else _delimited([rows[0], *cells], sign)
    return content


def _tells(path: Path, header: list[str], row: list[str]) -> frozenset[str]:
    """Give the columns of a row in which a name may stand among other words.

    Where a label was given, what stands there is a label: Yes is no rater called Yes.
    """
    if path.name not in _TRAILS:
        return frozenset({"file"})
    what = dict(zip(header, row, strict=False)).get("what", "").split()
    return frozenset() if what and as_code(what[0]) else _TOLD


def _cell(cell: str, column: str, name: str, code: str, *, told: frozenset[str]) -> str:
    said = unguarded(cell)
    if column in _NAMED:
        return code if said.strip() == name else cell
    now = called_otherwise(said, {name: code}) if column in told else said
    return cell if now == said else guarded(now)


def _delimited(rows: list[list[str]], sign: str) -> bytes:
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=sign, lineterminator="\n").writerows(rows)
    return out.getvalue().encode()


def _line(line: str, name: str, code: str) -> str:
    try:
        record = json.loads(line)
    except ValueError:
        return line
    held = record if isinstance(record, dict) else {}
    now = {
        key: code
        for key, cell in held.items()
        if key.casefold() in _NAMED and isinstance(cell, str) and cell.strip() == name
    }
    return f"{json.dumps(held | now, ensure_ascii=False)}\n" if now else line


def _columns(content: bytes, name: str, code: str) -> bytes:
    """Give a Parquet table with the rater called otherwise."""
    import polars as pl

    table = pl.read_parquet(io.BytesIO(content))
    named = [
        pl.col(column).cast(pl.String)
        for column, form in table.schema.items()
        if column.casefold() in _NAMED and form.base_type() in {pl.String, pl.Categorical, pl.Enum}
    ]
    now = table.with_columns(
        pl.when(column.str.strip_chars() == name).then(pl.lit(code)).otherwise(column).name.keep()
        for column in named
    )
    if now.equals(table.with_columns(named)):
        return content
    out = io.BytesIO()
    now.write_parquet(out)
    return out.getvalue()


def _settings(path: Path, name: str, code: str) -> bytes:
    """Give study.toml with the rater called otherwise in its corrections, their reasons too."""
    lines, inside = [], False
    for line in path.read_text(encoding="utf-8").splitlines(keepends=True):
        if line.lstrip().startswith("["):
            inside = re.sub(r"\s", "", line).startswith("[[corrections]]")
        told = inside and re.match(r"\s*(rater|reason)\s*=", line)
        key, sign, rest = line.partition("=")
        lines.append(f"{key}{sign}{called_otherwise(rest, {name: code})}" if told else line)
    return "".join(lines).encode()


def _left(study: Path, name: str) -> Iterator[str]:
    """Say where the name may still be, in what is not rewritten."""
    came = [path for path in sorted((study / _ORIGINAL).rglob("*")) if path.is_file()]
    if held := [path.relative_to(study).as_posix() for path in came if _holds(path, name)]:
        yield f"Imported files still hold {name}, as they came: {', '.join(held)}. Delete them."
    held = sorted(
        {
            path.relative_to(study).parts[1]
            for path in (study / RESULTS).rglob("*")
            if path.is_file() and name.encode() in path.read_bytes()
        }
    )
    if held:
        yield (
            f"Results that name {name}: {', '.join(held)}. Delete them in {RESULTS}/, and run "
            "again if you need them."
        )


def _holds(path: Path, name: str) -> bool:
    """Say whether a file holds a word, or is called by it; workbooks are packed."""
    parts = [path.read_bytes(), path.name.encode()]
    if is_zipfile(path):
        with ZipFile(path) as book:
            parts += map(book.read, book.namelist())
    word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    texts = (part.decode(form, "replace") for part in parts for form in ("utf-8", "utf-16"))
    return any(word.search(text) for text in texts)
