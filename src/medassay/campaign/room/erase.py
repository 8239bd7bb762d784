"""Erase what is known of a rater, or call them otherwise, in every file and in the room."""

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final
from zipfile import ZipFile, is_zipfile

from medassay.campaign.create import DESIGN, SHEETS, write_files
from medassay.campaign.people import PEOPLE, people_bytes, people_kept
from medassay.campaign.reassign import REASSIGNED
from medassay.campaign.room.database import Database
from medassay.campaign.room.export import RECORDS, records_of
from medassay.campaign.room.invite import HEADER, INVITATIONS, invitations_kept
from medassay.campaign.room.logbook import log, moment, now
from medassay.campaign.room.open import place_of_room
from medassay.campaign.room.room import Room
from medassay.campaign.room.schema import tables
from medassay.campaign.room.sql import Sql, sql
from medassay.errors import InvalidInput, Problem, nearest
from medassay.judgements.campaign import (
    FOLDER,
    KEY,
    CampaignPlan,
    Secret,
    as_code,
    draw_codes,
    find_plans,
)
from medassay.study.files.lock import RESULTS
from medassay.study.files.names import RATERS_KEY, RATERS_NAMED, STUDY_FILE
from medassay.study.folder import Study
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


def _rename_in_room(connection: Sql, name: str, code: str) -> None:
    """Call a rater otherwise; what a rater or a reviewer wrote in words of their own stays.

    The hash of the design holds: it is of the plan, and not of what people are called.

    Args:
        connection: A connection that writes.
        name: What the rater was called.
        code: What the rater is called from now on.
    """
    t, s = tables(), sql()
    person = connection.execute(s.select(t.people).where(t.people.c.rater == name)).mappings().one()
    connection.execute(t.people.insert(), {**person, "rater": code})
    for table in t.metadata.sorted_tables:
        if "rater" in table.c and table is not t.people:
            connection.execute(table.update().where(table.c.rater == name).values(rater=code))
    connection.execute(t.people.delete().where(t.people.c.rater == name))
    design = t.facts.c.name == "design"
    frozen = json.loads(connection.execute(s.select(t.facts.c.value).where(design)).scalar_one())
    raters = frozen["settings"]["raters"]
    frozen["settings"]["raters"] = [code if rater == name else rater for rater in raters]
    connection.execute(t.facts.update().where(design).values(value=json.dumps(frozen)))
    for row in connection.execute(s.select(t.events)).mappings().all():
        told = {
            column: called_otherwise(row[column], {name: code})
            for column in ("who", "what", "old", "new", "why")
        }
        if any(told[column] != row[column] for column in told):
            connection.execute(t.events.update().where(t.events.c.id == row["id"]).values(**told))


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


def _rename_in_files(study: Path, name: str, code: str) -> Renamed:
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
        write(table, _renamed_table(table, name, code))
    if (study / STUDY_FILE).is_file():
        write(study / STUDY_FILE, _settings(study / STUDY_FILE, name, code))
    plans = find_plans(study)
    homes = sorted(path for path in (study / FOLDER).glob("*") if path.is_dir())
    for home in homes:
        # The key of a plan is written with it.
        for file in sorted(file for file in home.glob("*.csv") if file.name != KEY):
            write(file, _renamed_table(file, name, code))
        _remove_own(study, home, name, code, done)
        if home.name in plans:
            _rename_plan(home, plans[home.name], name, code, write)
    done.notes += _left(study, name)
    return done


def _refuse_what_keeps_a_name(study: Path, name: str) -> None:
    """Refuse a study with a table that names the rater and cannot be written again as it is.

    Raises:
        InvalidInput: A workbook, or a text of another encoding, names the rater; or a table cannot
            be read.
    """
    problems = []
    for table in _own_tables(study):
        if _names(table, name) and _renamed_table(table, name, "") == table.read_bytes():
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


def _renamed_table(path: Path, name: str, code: str) -> bytes:
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


_NO_NAME: Final = re.compile(r"rater-\d+|r\d+|erased-[A-Z]{4}-[A-Z]{4}")
"""What raters are called where nobody named them."""


@dataclass(frozen=True)
class Erased:
    """What was erased.

    Attributes:
        rows: For each table of the room how many rows are gone.
        files: The study's files that were written again, without that person's rows.
        removed: Files in which nothing was left.
        notes: What is left, and where.
        called: What the rater is called from now on, everywhere in the study.
    """

    rows: dict[str, int]
    files: list[str]
    removed: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    called: str = ""


def erase(study: Study, room: Room, rater: str, fresh: Secret, *, labels: bool = False) -> Erased:
    """Erase a rater: addresses, links, sessions and passphrase; with `labels` all that they said.

    Their part ends. A rater whom the lead called by a name gets a code in its place, in every file
    and room of the study: so without `labels` what they said stays, and who that was is known no
    more. The trail says that it was done and when. Nothing of others is touched.

    Args:
        study: The study.
        room: The campaign's room.
        rater: The rater.
        fresh: What the code is drawn from.
        labels: Whether what they said, their guesses, signatures and reviews go too.

    Raises:
        InvalidInput: The room does not know this rater, a table that names the rater has a form
            that is not written here, or another campaign's room in which the rater is too cannot be
            written.
    """
    known = [person.name for person in room.access.people() if person.role == "rater"]
    if rater not in known:
        hint = nearest(rater, known)
        raise InvalidInput(Problem("RATER", "be a rater of the campaign", f'"{rater}"', hint))
    renamed = not _NO_NAME.fullmatch(rater)
    code = rater
    if renamed:
        _refuse_what_keeps_a_name(study.path, rater)
        code = f"erased-{draw_codes(1, fresh.draws('erased'))[0]}"
        _rename_elsewhere(study.path, room.design.settings.name, rater, code)
    counts = room.database.write(lambda connection: _wipe(connection, rater, code, labels=labels))
    room.database.forget_deleted()
    room.kept.forget(rater)
    room.kept.forget(code)
    frames = study.judgements_on_file.frame, study.preferences_on_file.frame
    held = sum(int((frame["rater"] == rater).sum()) for frame in frames)
    notes = [f"Backups made before still hold {rater}: erase them, or keep them as you promised."]
    campaign = room.design.settings.name
    written = write_files(study.path, campaign, _without_addresses(study.path, campaign, rater))
    removed = list[str]()
    if renamed:
        done = _rename_in_files(study.path, rater, code)
        written, removed, notes = [*written, *done.files], done.removed, [*notes, *done.notes]
    if labels:
        more, none_left = _records_left(study, room)
        written, removed = [*written, *more], [*removed, *none_left]
    notes += [
        f"study.toml names {code} under [[corrections]], on {one.dimension}: delete that table."
        for one in study.config.corrections
        if one.rater == rater
    ]
    if labels and held:
        notes.append(
            f"{held} rows of {code} were exported into the study before: take them out of its "
            "judgements or preferences, or exclude the rater in raters.csv."
        )
    there = [file for file in dict.fromkeys(written) if file not in removed]
    return Erased(counts, there, removed, notes, code)


def _wipe(connection: Sql, rater: str, code: str, *, labels: bool) -> dict[str, int]:
    """Take a rater out of the room; give for each table how many rows are gone."""
    t, time = tables(), moment(now())
    gone = [t.sessions, t.links]
    if labels:
        gone += [t.judgements, t.guesses, t.signatures, t.reviews, t.consents]
    judged = sql().select(t.judgements.c.code).where(t.judgements.c.rater == rater).distinct()
    codes = sorted(connection.execute(judged).scalars()) if labels else []
    counts = {
        table.name: int(connection.execute(table.delete().where(table.c.rater == rater)).rowcount)
        for table in gone
    }
    person = t.people.update().where(t.people.c.rater == rater)
    connection.execute(person.values(passphrase=None, ended=time))
    mine = t.assignments.c.rater == rater, t.assignments.c.ended.is_(None)
    connection.execute(t.assignments.update().where(*mine).values(ended=time))
    if labels:
        connection.execute(t.events.delete().where(t.events.c.who == rater))
    # The trail keeps of which answers something was erased, and nothing that was said.
    new = " ".join(("with labels:", *codes)) if labels else "without labels"
    log(connection, now, "lead", "erase", rater, new)
    if code != rater:
        _rename_in_room(connection, rater, code)
    return counts


def _records_left(study: Study, room: Room) -> tuple[list[str], list[str]]:
    """Export again what was exported before: the others' rows and the trail.

    Returns:
        The files that were written; and those in which nothing was left.
    """
    campaign = room.design.settings.name
    home, records = study.path / FOLDER / campaign, records_of(study, room)
    there = {file: made for file, made in records.items() if (home / file).is_file()}
    removed = [file for file in RECORDS if file not in records and (home / file).is_file()]
    for file in removed:
        (home / file).unlink()
    gone = [f"{FOLDER}/{campaign}/{file}" for file in removed]
    return write_files(study.path, campaign, there), gone


def _rename_elsewhere(study: Path, campaign: str, rater: str, code: str) -> None:
    """Call the rater otherwise in the rooms of the study's other campaigns."""
    for other, plan in find_plans(study).items():
        has_room = is_there(study / FOLDER / other / DESIGN)
        if other != campaign and has_room and rater in plan.settings.raters:
            with Database(place_of_room(study, other)) as database:
                database.write(lambda connection: _rename_in_room(connection, rater, code))
                database.forget_deleted()


def _without_addresses(study: Path, name: str, rater: str) -> dict[str, bytes]:
    """Give the people without a person's addresses, and the invitations without the person's."""
    files = {}
    if people := people_kept(study, name):
        rest = [replace(one, emails=()) if one.rater == rater else one for one in people]
        files[PEOPLE] = people_bytes(rest)
    if not (study / FOLDER / name / INVITATIONS).is_file():
        return files
    rows = [row for row in invitations_kept(study, name) if row[0] != guarded(rater)]
    return files | {INVITATIONS: csv_bytes(HEADER, rows)}
