"""Take in the sheets that raters send back; nothing that is there already is changed or lost."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Final, Literal

from medassay.campaign.catalogues import shipped
from medassay.campaign.options import language_files
from medassay.campaign.plans import is_as_read, making, progress_now
from medassay.campaign.rating_sheet import ABOUT, CODE, ReturnedFile, SentRow, read_returned
from medassay.campaign.reading import (
    Filled,
    ReturnedRow,
    campaign_of,
    describe_few,
    read_given,
    said_of_own_columns,
)
from medassay.campaign.sheets import sent_to
from medassay.campaign.subjects import asked_parts, asked_rubric, hash_of_rubric, rows_by_item
from medassay.errors import InvalidInput, Problem
from medassay.judgements import Judgements, Preferences, Rubric
from medassay.judgements.campaign import (
    FOLDER,
    Assignment,
    CampaignPlan,
    Item,
    Progress,
    as_code,
    find_plans,
)
from medassay.study.folder import Study
from medassay.study.intake.judgements import write_table
from medassay.tables import csv_bytes, file_stem, folded, guarded_cell, write_atomically
from medassay.text import count_of

CHANGES: Final = "changes.csv"


@dataclass(frozen=True)
class LabelChange:
    """One label or comment of the study that a sheet does not repeat.

    Attributes:
        outcome: changed: a new row corrects the label; comment: the label stays and the words
            beside it are new; kept: the cell is empty, and the earlier label holds.
        rater: The rater.
        code: The code.
        dimension: The dimension.
        case: The case.
        systems: The system, or the two.
        phase: calibration, main or repeat.
        old: What the study held: a label, a reason, or words.
        new: What the sheet says; empty where it says nothing.
        file: The file.
        cell: The cell.
    """

    outcome: Literal["changed", "comment", "kept"]
    rater: str
    code: str
    dimension: str
    case: str
    systems: str
    phase: str
    old: str
    new: str
    file: str
    cell: str

    def __str__(self) -> str:
        """Say it in one line."""
        where = f"{self.file}, {self.cell}: {self.rater}, {self.code}, {self.dimension}"
        if self.outcome == "kept":
            return f'{where}: empty; "{self.old}" holds'
        return f'{where}: "{self.old}" -> "{self.new}"'


def _with_changes(study: Path, campaign: str, changes: Sequence[LabelChange]) -> tuple[str, bytes]:
    """Write changes behind those of earlier imports.

    Returns:
        The name of the campaign's file of changes, and what it now holds.
    """
    name = f"{FOLDER}/{campaign}/{CHANGES}"
    header = [field.name for field in fields(LabelChange)]
    rows = [[guarded_cell(cell) for cell in asdict(change).values()] for change in changes]
    content = csv_bytes(header, rows)
    path = study / name
    if not path.is_file():
        return name, content
    there = path.read_bytes()
    end = b"" if there.endswith(b"\n") else b"\n"
    return name, there + end + content.partition(b"\n")[2]


_Key = tuple[object, ...]
_Value = tuple[Filled, str | None]
"""What was said, and the words beside it."""


@dataclass
class NewRows:
    """What is to be appended, and how it stands to what is there.

    Attributes:
        judgements: Rows of judgements.
        preferences: Rows of preferences.
        corrected: How many of all rows correct an earlier one.
        known: Rows that the study had already.
        changes: Each label that is not what the study held.
    """

    judgements: list[dict[str, object]] = field(default_factory=list)
    preferences: list[dict[str, object]] = field(default_factory=list)
    corrected: int = 0
    known: int = 0
    changes: list[LabelChange] = field(default_factory=list)

    @property
    def added(self) -> int:
        """Count the rows that are new."""
        return len(self.judgements) + len(self.preferences)

    def laid_over(self, study: Study) -> tuple[Judgements, Preferences]:
        """Give the study's judgements and preferences with the new ones behind them."""
        judgements, preferences = study.judgements_on_file, study.preferences_on_file
        if self.judgements:
            new = Judgements.from_rows(self.judgements, study.rubric, "sheets")
            judgements = judgements.append(new)
        if self.preferences:
            preferences = preferences.append(Preferences.from_rows(self.preferences, "sheets"))
        return judgements, preferences


def _add_new_rows(
    new_rows: NewRows,
    study: Study,
    plan: CampaignPlan,
    rows_given: Sequence[tuple[ReturnedRow, bool]],
) -> None:
    """Find what the study does not hold yet.

    Args:
        new_rows: Where it is added.
        study: The study.
        plan: The campaign.
        rows_given: The rows that came back, each with whether its file was imported before.
    """
    pairs = plan.settings.kind == "preferences"
    now, ever = _held(study, pairs=pairs)
    rows: dict[_Key, dict[str, object]] = {}
    parts = asked_parts(study, plan.settings.kind)
    second = parts[1].ids if parts[1:] else ()
    for row, was_here in rows_given:
        assignment = plan.by_code[row.code]
        # A second part is met when the whole first one is done.
        later = len(plan.of_rater(assignment.rater))
        for dimension, label in row.labels.items():
            key = _key(assignment, row.about, dimension)
            value = (_as_kept(label, assignment.item), row.comment or None)
            held = now.get(key)
            # A blank takes nothing away: the words that went with the same label stay.
            if held is not None and not row.comment and held[0] == value[0]:
                value = held
            there = (key, value) in ever if was_here else held == value
            new_rows.known += there
            if there or key in rows:
                continue
            new_rows.corrected += held is not None
            if held is not None:
                new_rows.changes.append(_change(row, assignment, dimension, held, value))
            rows[key] = {
                "rater": assignment.rater,
                "case": assignment.item.case,
                "dimension": dimension,
                "phase": assignment.phase,
                "position": assignment.position + (later if dimension in second else 0),
                "comment": row.comment or None,
                "display": assignment.display or None,
                **({} if pairs else {"about": row.about}),
                **_said(label, assignment.item, dimension, study.rubric),
            }
    (new_rows.preferences if pairs else new_rows.judgements).extend(rows.values())


def _describe_is_not_kept(
    new_rows: NewRows,
    study: Study,
    plan: CampaignPlan,
    rows_given: Sequence[tuple[ReturnedRow, bool]],
) -> list[str]:
    """Say which words have no label to go with; and list the labels that were taken out again."""
    now, _ = _held(study, pairs=plan.settings.kind == "preferences")
    new = [row for row, was_here in rows_given if not was_here]
    silent = [
        f"{row.file}, {row.address}"
        for row in new
        if row.comment
        and not row.labels
        and not any(_key(plan.by_code[row.code], row.about, name) in now for name in row.empty)
    ]
    for row in new:
        assignment = plan.by_code[row.code]
        for dimension in row.empty:
            held = now.get(_key(assignment, row.about, dimension))
            if held is not None:
                new_rows.changes.append(_change(row, assignment, dimension, held, None))
    if not silent:
        return []
    text = f"Words without a label cannot be kept in the study: {describe_few(silent)}."
    return [f"{text} They stay in the copy."]


def _words_of_raters(
    study: Study, plan: CampaignPlan, own: Iterable[ReturnedRow]
) -> dict[tuple[str, str, str], Filled]:
    """Give what each code's own rater says: in the sheets given, or else in the study."""
    now, _ = _held(study, pairs=plan.settings.kind == "preferences")
    codes = {_key(of_code, "", "")[2:]: of_code for of_code in plan.assignments}
    words: dict[tuple[str, str, str], Filled] = {}
    for (dimension, about, *rest), (held, _) in now.items():
        assignment = codes.get(tuple(rest))
        if assignment is not None and dimension in plan.settings.dimensions:
            words[assignment.code, str(about), str(dimension)] = _as_seen(held, assignment.item)
    for row in own:
        words |= {(row.code, row.about, name): label for name, label in row.labels.items()}
    return words


def _as_seen(held: Filled, item: Item) -> Filled:
    """Say a preference as the rater saw it: by the side that the system stood on."""
    if item.system_b and held.word in item.pair:
        return held._replace(word="A" if held.word == item.system else "B")
    return held


def _as_kept(filled: Filled, item: Item) -> Filled:
    """Say a preference by the system's name."""
    if item.system_b and filled.word in {"A", "B"}:
        return filled._replace(word=item.system if filled.word == "A" else item.system_b)
    return filled


def _change(
    row: ReturnedRow, assignment: Assignment, dimension: str, held: _Value, value: _Value | None
) -> LabelChange:
    old = str(_as_seen(held[0], assignment.item))
    new = "" if value is None else str(_as_seen(value[0], assignment.item))
    outcome: Literal["changed", "comment", "kept"] = "kept" if value is None else "changed"
    if value is not None and value[0] == held[0]:
        outcome, old, new = "comment", held[1] or "", value[1] or ""
    cell = row.empty[dimension] if value is None else row.addresses[dimension]
    return LabelChange(
        outcome=outcome,
        rater=assignment.rater,
        code=row.code,
        dimension=f"{dimension} {row.about}".strip(),
        case=assignment.item.case,
        systems=" / ".join(
            name for name in (assignment.item.system, assignment.item.system_b) if name
        ),
        phase=assignment.phase,
        old=old,
        new=new,
        file=row.file,
        cell=cell,
    )


def _key(assignment: Assignment, about: str, dimension: str) -> _Key:
    item = assignment.item
    return (
        dimension,
        about,
        item.case,
        *item.pair,
        item.sample,
        assignment.rater,
        assignment.phase,
    )


def _said(filled: Filled, item: Item, dimension: str, rubric: Rubric) -> dict[str, object]:
    if not item.system_b:
        columns = filled.columns(rubric.dimension(dimension))
        return {"system": item.system, "sample": item.sample, **columns}
    choice = None if filled.word is None else filled.word.lower()
    sides = {"system_a": item.system, "system_b": item.system_b}
    return {**sides, "choice": choice, "reason": filled.reason}


def _held(study: Study, *, pairs: bool) -> tuple[dict[_Key, _Value], set[tuple[_Key, _Value]]]:
    """Give what the study holds now by key, and all that it ever held."""
    if not pairs:
        table = study.judgements_on_file
        now = dict(_of_judgement(row) for row in table.current().iter_rows(named=True))
        return now, {_of_judgement(row) for row in table.frame.iter_rows(named=True)}
    preferences = study.preferences_on_file
    current = dict(_of_preference(row) for row in preferences.current().iter_rows(named=True))
    return current, {_of_preference(row) for row in preferences.frame.iter_rows(named=True)}


def _of_judgement(row: dict[str, object]) -> tuple[_Key, _Value]:
    names = ("dimension", "about", "case", "system", "sample", "rater", "phase")
    comment = row["comment"]
    return tuple(row[name] for name in names), (
        Filled.held(row),
        None if comment is None else str(comment),
    )


def _of_preference(row: dict[str, object]) -> tuple[_Key, _Value]:
    systems = {"a": str(row["system_a"]), "b": str(row["system_b"])}
    key = (row["dimension"], "", row["case"], *sorted(systems.values()), 0, row["rater"])
    choice, reason, comment = (
        None if row[name] is None else str(row[name]) for name in ("choice", "reason", "comment")
    )
    word = None if choice is None else systems.get(choice, choice)
    return (*key, row["phase"]), (Filled(word, reason), comment)


Words = Mapping[tuple[str, str, str], Filled]
"""What a code's own rater says: code, about and dimension to the label or the reason."""


def _owner_of(rows: Sequence[ReturnedRow], plan: CampaignPlan, stem: str) -> str:
    """Give the rater whose codes most rows have; where two have as many, the file's name tells."""
    counts = Counter(plan.by_code[row.code].rater for row in rows)
    named = {rater: file_stem(rater).casefold() in stem.casefold() for rater in counts}
    return max(counts, key=lambda rater: (counts[rater], named[rater]))


def _own_rows(
    rows: Sequence[ReturnedRow], owner: str, plan: CampaignPlan, words: Words, notes: list[str]
) -> tuple[list[ReturnedRow], list[Problem]]:
    """Set apart the rows of other raters: what these say is theirs to send.

    Args:
        rows: The rows of one file.
        owner: Whose sheet it is.
        plan: The campaign.
        words: What each code's own rater says, in their own sheet or in the study.
        notes: Where it is added which rows were left alone.

    Returns:
        The owner's rows; and a problem for each label that the code's own rater did not give.
    """
    own: list[ReturnedRow] = []
    problems = []
    for row in rows:
        rater = plan.by_code[row.code].rater
        if rater == owner:
            own.append(row)
            continue
        other = [
            (name, label)
            for name, label in row.labels.items()
            if words.get((row.code, row.about, name)) != label
        ]
        must = f"hold rows of {owner} only"
        for name, label in other:
            there = str(words.get((row.code, row.about, name), ""))
            theirs = f'says "{there}"' if there else "says nothing yet"
            got = f'"{label}" in a row of {rater} ({row.code}), who {theirs}'
            hint = f"Empty the row here, and import the sheet of {rater}."
            problems.append(
                Problem(row.file, must, got, hint, column=name, cell=row.addresses[name])
            )
        if not other:
            what = "which says what they say" if row.labels else "which has no labels"
            got = f"a row of {rater} ({row.code}), {what}"
            left = "It was left alone."
            notes.append(str(Problem(row.file, must, got, left, cell=row.address)))
    return own, problems


_MOST: Final = 10


def _describe_differs(
    returned: ReturnedFile, owner: str, sent: Mapping[tuple[str, str], SentRow]
) -> list[str]:
    """Name each text that is not as it was sent, and the rows that were sent and are not there.

    Labels are kept whatever is said here: whether they are about the text that was sent is for
    whoever runs the campaign to find out.

    Args:
        returned: The file.
        owner: Whose sheet it is.
        sent: The rows that this rater was sent, by code and what they are about.
    """
    sent = {(code, about.casefold()): row for (code, about), row in sent.items()}
    edited: list[str] = []
    there = set()
    for table in returned.tables:
        headings = {folded(name).casefold(): name for name in table.columns}
        code_at = table.columns[headings[CODE.casefold()]]
        about_at = table.columns.get(headings.get(ABOUT.casefold(), ""))
        for row in table.rows():
            code = as_code(table.text(row, code_at))
            about = "" if about_at is None else folded(table.text(row, about_at)).casefold()
            key = (code or "", about)
            if key not in sent:
                continue
            there.add(key)
            for heading in sent[key].texts:
                place = table.columns.get(headings.get(heading.casefold(), ""))
                if place is None or sent[key].is_as_sent(heading, table.text(row, place)):
                    continue
                must = "hold the text of the study"
                hint = "It was changed here, or there since the export; the row's labels were read."
                at = table.address(row, place)
                problem = Problem(returned.file, must, "another", hint, None, heading, at)
                edited.append(str(problem))
    more = [
        f"{returned.file}: and {count_of(len(edited) - _MOST, 'text')} more, not as in the study."
    ]
    notes = edited[:_MOST] + (more if edited[_MOST:] else [])
    gone = [
        f"{code} ({sent[code, about].address} of what was sent)"
        for code, about in sent
        if (code, about) not in there
    ]
    if gone:
        must = f"hold all {len(sent)} rows that {owner} was sent"
        got = f"{len(sent) - len(gone)}, without {describe_few(gone)}"
        hint = "What the study has of them stays; ask for them if they were filled in."
        notes.append(str(Problem(returned.file, must, got, hint)))
    return notes


RETURNED: Final = "returned"


@dataclass(frozen=True)
class CollectedFile:
    """A file that came back, read.

    Attributes:
        returned: The file.
        plan: The campaign that it belongs to.
        rows: What its rows say.
        owner: The rater whose sheet it is.
        copy: Where its copy is kept in the study.
        was_here: Whether it was imported before.
    """

    returned: ReturnedFile
    plan: CampaignPlan
    rows: Sequence[ReturnedRow]
    owner: str
    copy: str
    was_here: bool


def _read_file(
    study: Study,
    path: Path,
    plans: Mapping[str, CampaignPlan],
    name: str | None,
    notes: list[str],
    *,
    again: bool,
    left_out: list[Problem] | None,
) -> CollectedFile:
    """Read one file.

    Raises:
        InvalidInput: With every problem of the file.
    """
    catalogues = shipped()
    for campaign in plans:
        catalogues, _ = catalogues.with_files(language_files(study.path, campaign))
    returned = read_returned(path, catalogues)
    plan = campaign_of(returned, plans, name)
    parts = asked_parts(study, plan.settings.kind)
    returned = replace(returned, tables=[table.asked(parts) for table in returned.tables])
    asked = rows_by_item(study, plan.settings)
    rows = read_given(returned, plan, plans, parts, asked, notes, left_out)
    notes += said_of_own_columns(returned, parts)
    notes += map(str, returned.notes)
    digest = hashlib.sha256(returned.content).hexdigest()[:12]
    stem = file_stem(path.stem)
    copy = f"{FOLDER}/{plan.settings.name}/{RETURNED}/{digest}-{stem}{path.suffix.lower()}"
    was_here = (study.path / copy).is_file()
    if was_here:
        more = "; it is read once more" if again else ""
        notes.append(f"{returned.file} was imported before{more}.")
    owner = _owner_of(rows, plan, path.stem)
    return CollectedFile(returned, plan, rows, owner, copy, was_here and not again)


def _rows_of_owners(
    study: Study, plan: CampaignPlan, files: Sequence[CollectedFile], notes: list[str]
) -> tuple[list[tuple[ReturnedRow, bool]], list[Problem]]:
    """Give the rows that files hold of their own raters, each with whether its file came before.

    Returns:
        The rows; and the problems with rows of other raters.
    """
    own = [
        row
        for file in files
        if not file.was_here
        for row in file.rows
        if plan.by_code[row.code].rater == file.owner
    ]
    words = _words_of_raters(study, plan, own)
    notes += _too_early(study, plan, own, words)
    pairs: list[tuple[ReturnedRow, bool]] = []
    problems: list[Problem] = []
    for collected_file in files:
        rows, strange = _own_rows(collected_file.rows, collected_file.owner, plan, words, notes)
        pairs += [(row, collected_file.was_here) for row in rows]
        problems += [] if collected_file.was_here else strange
    return pairs, problems


def _too_early(
    study: Study, plan: CampaignPlan, own: Sequence[ReturnedRow], words: Words
) -> list[str]:
    """Name labels of the second part whose rater has not handed in the first."""
    parts = asked_parts(study, plan.settings.kind)
    if not parts[1:]:
        return []
    must = "come after the first part, which is judged without the system's confidence"
    hint = "The labels were read; whether they are used is for you to decide."
    notes = []
    begun = {(code, name) for code, _, name in words}
    for row in own:
        lacking = ", ".join(name for name in parts[0].ids if (row.code, name) not in begun)
        if lacking and set(row.labels) & set(parts[1].ids):
            got = f"no {lacking} for {row.code} yet"
            notes.append(str(Problem(row.file, must, got, hint, cell=row.address)))
    return notes


@dataclass(frozen=True)
class CollectedSheets:
    """What an import of sheets did.

    Attributes:
        added: Judgements or preferences that are new.
        corrected: How many of those correct an earlier one.
        known: How many the study had already.
        files: The study's files that were written.
        progress: For each campaign how far its raters have come.
        changes: Each label or comment of the study that the sheets do not repeat.
        notes: What was odd and was read all the same, and what is missing.
        left_out: What is wrong with rows that were left out, where the good ones were asked for.
    """

    added: int
    corrected: int
    known: int
    files: list[str]
    progress: dict[str, list[Progress]]
    changes: list[LabelChange] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    left_out: list[Problem] = field(default_factory=list)


def collect_sheets(
    study: Study,
    paths: Sequence[Path],
    name: str | None = None,
    *,
    again: bool = False,
    dry_run: bool = False,
    good_rows: bool = False,
) -> CollectedSheets:
    """Read files that came back and append what is new; all of them or none.

    A label that differs from what the study holds becomes a new row that corrects it, and is
    listed; an empty cell takes nothing away. A file that was imported before changes nothing,
    whatever was imported since.

    Args:
        study: The study.
        paths: The files, in any order.
        name: The campaign; found by the codes if not given.
        again: Whether a file that was imported before is read as if it came now, to go back to it.
        dry_run: Whether to say what would be done, and to write nothing.
        good_rows: Whether rows in which a cell is wrong are left out and named, and the others
            taken. What is wrong with a whole file, with all of its rows, or between rows, is
            refused all the same.

    Raises:
        InvalidInput: Every problem of every file, each with the address of its cell.
    """
    study.require_whole()
    plans = _plans(study, name)
    notes: list[str] = []
    problems: list[Problem] = []
    files: list[CollectedFile] = []
    left_out: list[Problem] | None = [] if good_rows else None
    for path in paths:
        try:
            files.append(
                _read_file(study, path, plans, name, notes, again=again, left_out=left_out)
            )
        except InvalidInput as error:
            problems += error.problems
    new_rows = NewRows()
    changes: dict[str, list[LabelChange]] = {}
    for campaign in sorted({file.plan.settings.name for file in files}):
        plan = plans[campaign]
        mine = [file for file in files if file.plan is plan]
        pairs, others = _rows_of_owners(study, plan, mine, notes)
        # What was imported before was checked then, and a newer file may well differ from it.
        rows = [row for row, was_here in pairs if not was_here]
        problems += others + _contradictions(rows) + _changed(study, plan, rows)
        problems += _no_longer_raters(study, plan, rows)
        notes += _rubric_changed(study, plan)
        before = len(new_rows.changes)
        notes += _describe_is_not_kept(new_rows, study, plan, pairs)
        _add_new_rows(new_rows, study, plan, pairs)
        changes[campaign] = new_rows.changes[before:]
        for collected_file in mine:
            notes += _describe_differs(
                collected_file.returned,
                collected_file.owner,
                sent_to(
                    study,
                    plan,
                    collected_file.owner,
                    {row.code for row in collected_file.rows},
                    collected_file.returned.tables[0].texts,
                ),
            )
    if problems:
        raise InvalidInput(problems)
    notes += _older(new_rows.changes)
    judgements, preferences = new_rows.laid_over(study)
    written = [] if dry_run else _write(study, new_rows, changes, files)
    progress = {
        campaign: progress_now(study, plans[campaign], judgements, preferences)
        for campaign in changes
    }
    return CollectedSheets(
        new_rows.added,
        new_rows.corrected,
        new_rows.known,
        written,
        progress,
        new_rows.changes,
        notes,
        left_out or [],
    )


def _write(
    study: Study,
    new_rows: NewRows,
    changes: Mapping[str, Sequence[LabelChange]],
    files: Sequence[CollectedFile],
) -> list[str]:
    judgements, preferences = new_rows.laid_over(study)
    listed = [_with_changes(study.path, name, some) for name, some in changes.items() if some]
    for file, content in listed:
        write_atomically(study.path / file, content)
    written = [write_table(study, judgements)] if new_rows.judgements else []
    written += [write_table(study, preferences)] if new_rows.preferences else []
    written += [file for file, _ in listed]
    # The copies come last: a file that is there has been taken in whole.
    for collected_file in files:
        if not (study.path / collected_file.copy).is_file():
            write_atomically(study.path / collected_file.copy, collected_file.returned.content)
            written.append(collected_file.copy)
    return written


def _older(changes: Sequence[LabelChange]) -> list[str]:
    """Warn of sheets that look older than what the study holds: they differ, and lack labels."""
    notes = []
    for file in dict.fromkeys(change.file for change in changes):
        outcomes = [change.outcome for change in changes if change.file == file]
        differ, lack = outcomes.count("changed"), outcomes.count("kept")
        if differ and lack:
            must = "be the newest sheet of its rater"
            got = f"labels that differ ({differ}), and empty cells where the study has one ({lack})"
            hint = "Was it saved earlier? To go back: import the newest once more, with --again."
            notes.append(str(Problem(file, must, got, hint)))
    return notes


def _no_longer_raters(
    study: Study, plan: CampaignPlan, rows: Sequence[ReturnedRow]
) -> list[Problem]:
    """Name raters who have left the raters table since the export."""
    if not len(study.raters):
        return []
    people = {person.rater for person in study.raters if person.kind == "person"}
    files = {plan.by_code[row.code].rater: row.file for row in rows if row.labels}
    must = "be of a person in the raters table"
    hint = "Put the row of this rater back; status excluded leaves them out of all numbers."
    return [
        Problem(file, must, f'"{rater}"', hint)
        for rater, file in files.items()
        if rater not in people
    ]


def _plans(study: Study, name: str | None) -> dict[str, CampaignPlan]:
    plans = find_plans(study.path)
    if plans and (name is None or name in plans):
        return plans
    must = "be a campaign of the study"
    got = "no campaign" if name is None else f'"{name}"'
    known = f"Known: {', '.join(plans)}." if plans else making(study.path)
    raise InvalidInput(Problem("--name" if name else str(study.path), must, got, known))


def _contradictions(rows: Sequence[ReturnedRow]) -> list[Problem]:
    """Name labels that differ though they stand for the same thing."""
    first: dict[tuple[str, str, str], ReturnedRow] = {}
    problems = []
    for row in rows:
        for dimension, label in row.labels.items():
            earlier = first.setdefault((row.code, row.about, dimension), row)
            if earlier.labels[dimension] == label:
                continue
            there = earlier.addresses[dimension]
            where = there if earlier.file == row.file else f"{earlier.file}, {there}"
            must = f"say what the code {row.code} says elsewhere"
            got = f'"{label}", and {where} says "{earlier.labels[dimension]}"'
            hint = "Keep one of them. Of two files import the earlier first, on its own."
            at = row.addresses[dimension]
            problems.append(Problem(row.file, must, got, hint, column=dimension, cell=at))
    return problems


def _changed(study: Study, plan: CampaignPlan, rows: Sequence[ReturnedRow]) -> list[Problem]:
    """Name answers that are no longer what the rater read."""
    problems = []
    for row in rows:
        assignment = plan.by_code[row.code]
        if not row.labels:
            continue
        if is_as_read(study, plan, assignment):
            continue
        item = assignment.item
        must = "be about an answer that has not changed since the rater read it"
        got = f"{' and '.join(item.pair)}, {item.case}, which has changed since the export"
        hint = "Put the answer back, or ask for it again in a new campaign."
        problems.append(Problem(row.file, must, got, hint, cell=row.address))
    return problems


def _rubric_changed(study: Study, plan: CampaignPlan) -> list[str]:
    now = hash_of_rubric(asked_rubric(study, plan.settings.kind))
    if now == plan.rubric:
        return []
    text = f"The rubric has changed since {plan.settings.name} was exported"
    return [f"{text}; labels were read with the current rubric."]
