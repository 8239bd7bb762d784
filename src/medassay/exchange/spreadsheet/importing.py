"""Take spreadsheets into a study: shown first, then all of it or nothing."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from medassay.answers import Answers
from medassay.cases import Case, Cases, read_documents, write_cases
from medassay.errors import InvalidInput, Problem
from medassay.exchange.proposal import Proposal, Question
from medassay.exchange.spreadsheet.collected import Collected, Names, Rating, collect
from medassay.exchange.spreadsheet.grown import grow
from medassay.exchange.spreadsheet.layout import Layout, guess_layout
from medassay.exchange.spreadsheet.mapping import left_out, overview, read_as
from medassay.exchange.spreadsheet.read import Table, read_tables
from medassay.exchange.spreadsheet.recognised import library_rubric
from medassay.exchange.spreadsheet.unanswered import unanswered
from medassay.exchange.spreadsheet.wishes import Wish, read_wishes
from medassay.judgements import (
    Dimension,
    Judgements,
    Rubric,
    RubricFile,
    choose_rubric,
)
from medassay.study.asked_and_answered import read_study_cases
from medassay.study.files import table_file
from medassay.study.folder import Study
from medassay.study.intake.answers import add_answers
from medassay.study.intake.judgements import add_judgements
from medassay.study.new import new_study
from medassay.study.urls.placed import refuse_at_urls
from medassay.tables import Sheet, is_there, jsonl_bytes, write_atomically
from medassay.text import count_of

if TYPE_CHECKING:
    from medassay.exchange.outcome import Overview

__all__ = [
    "SpreadsheetImport",
    "Wishes",
    "has_verdicts",
    "import_spreadsheet",
    "propose",
]

_PROTOCOL: Final = "ratings"
_CASES: Final = "cases.jsonl"
_DOCUMENTS: Final = "documents.jsonl"


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a user says beside the files.

    Attributes:
        columns: Pairs OURS=THEIRS.
        names: What no column names.
        rubric: What raters are asked, in the words of `choose_rubric`; empty where nothing is said.
        synthetic: Whether the data are made up.
    """

    columns: Sequence[str] = ()
    names: Names = field(default_factory=Names)
    rubric: str = ""
    synthetic: bool = False


@dataclass(frozen=True, slots=True)
class SpreadsheetImport:
    """What an import of spreadsheets did.

    Attributes:
        cases: Questions that are new to the study.
        systems: Systems with an answer in the files.
        answers: Answers that are new.
        raters: Who rated, in the files.
        judgements: Labels that are new.
        documents: Texts retrieved.
        files: The study's files that were written.
        read: What each table's columns were read as, a line each.
        notes: What was odd.
    """

    cases: int
    systems: int
    answers: int
    raters: int
    judgements: int
    documents: int
    files: list[str]
    read: list[str]
    notes: list[str]


@dataclass(frozen=True, slots=True)
class _Plan:
    """What would be summary, before it is."""

    layouts: Sequence[Layout]
    rubric: RubricFile | None
    dimensions: Sequence[Dimension]
    notes: Sequence[str]
    named: Collection[str]

    @property
    def questions(self) -> list[Question]:
        return [question for layout in self.layouts for question in layout.questions]


def has_verdicts(into: Path) -> bool:
    """Say whether a study has labels or scores, so that a run comes next, and no campaign."""
    study = Study.open_whole(into)
    return bool(len(study.judgements_on_file) or study.imported)


def propose(into: Path, files: Sequence[Path], wishes: Wishes) -> Proposal:
    """Say what would be read, in the words of the files and in ours, or what is still open.

    Raises:
        InvalidInput: Every problem of the files.
    """
    plan = _plan(into, files, wishes)
    shown: list[str | Overview] = []
    for layout in plan.layouts:
        rows = count_of(len(layout.table.sheet), "row")
        shown += [f"{layout.table.name}: {rows}", overview(layout)]
    if plan.questions:
        return Proposal(shown, plan.questions)
    known = _known(into)
    collected = _collected(into, plan, wishes, known)
    _judgements(collected.ratings, Rubric(name="x", dimensions=tuple(plan.dimensions)))
    counts = _counts(collected)
    counted = [count_of(count, noun.removesuffix("s")) for noun, count in counts.items() if count]
    grown = grow(known, collected.cases(), plan.layouts, plan.named)
    shown.append(f"That is: {', '.join(counted)}.")
    said = [*plan.notes, *_said(plan, collected, wishes), *grown.notes]
    shown += [f"note: {note}" for note in said]
    shown += [left_out(layout) for layout in plan.layouts if layout.of_role("skip")]
    return Proposal(shown)


def import_spreadsheet(into: Path, files: Sequence[Path], wishes: Wishes) -> SpreadsheetImport:
    """Take all of it, or nothing: everything is read and checked before anything is written.

    Args:
        into: The study's folder: a new one, or a study whose cases are these or not there yet.
        files: The files, which may hold several tables.
        wishes: What the user says beside them.

    Raises:
        InvalidInput: A column may be two things, or every problem of the files.
    """
    plan = _plan(into, files, wishes)
    if plan.questions:
        raise InvalidInput([question.problem() for question in plan.questions])
    known = _known(into)
    collected = _collected(into, plan, wishes, known)
    for part in ("cases", "documents", "answers"):
        refuse_at_urls(into, part)
    cases = collected.cases()
    ratings = _judgements(collected.ratings, Rubric(name="x", dimensions=tuple(plan.dimensions)))
    grown = grow(known, cases, plan.layouts, plan.named)
    fresh = not is_there(into / "study.toml")
    new = [case for case in cases if case.case not in known]
    if known and new:
        got = f'{count_of(len(new), "other")}, "{new[0].case}" first'
        hint = "Make a new study: give another --into."
        raise InvalidInput(Problem(_CASES, "hold every question of the files", got, hint))
    if fresh:
        new_study(into, _PROTOCOL, empty=True, synthetic=wishes.synthetic, rubric=plan.rubric)
    written = ["study.toml", *(["rubric.toml"] if plan.rubric else [])] if fresh else []
    if grown.added:
        _refuse_other_form(table_file(into, "cases") or into / _CASES, _CASES)
    if not known or grown.added:
        write_cases(into / _CASES, Cases.of(grown.cases) if known else cases)
        written.append(_CASES)
    if collected.documents:
        rows = ({"id": name, "text": text} for text, name in collected.documents.items())
        before = (into / _DOCUMENTS).read_bytes() if collected.documents_before else b""
        before += b"\n" if before and not before.endswith(b"\n") else b""
        write_atomically(into / _DOCUMENTS, before + jsonl_bytes(rows))
        written.append(_DOCUMENTS)
    absent = [*unanswered(into, collected, cases), *_absent(into, collected)]
    added = add_answers(Study.open_whole(into), Answers.of(collected.answers.values()), "the files")
    labels = [add_judgements(Study.open_whole(into), sheet) for sheet in ratings]
    counts = _counts(collected)
    return SpreadsheetImport(
        cases=len(new),
        systems=counts["systems"],
        answers=added.added,
        raters=counts["raters"],
        judgements=sum(added_labels.added for added_labels in labels),
        documents=len(collected.documents),
        files=[
            *written,
            *added.files,
            *dict.fromkeys(f for added_labels in labels for f in added_labels.files),
        ],
        read=[read_as(layout) for layout in plan.layouts],
        notes=[*plan.notes, *_said(plan, collected, wishes), *grown.notes, *absent, *added.notes],
    )


def _plan(into: Path, files: Sequence[Path], wishes: Wishes) -> _Plan:
    tables, notes, left_out = read_tables(files)
    theirs = [name for table in tables for name in table.sheet.columns]
    try:
        columns = read_wishes(wishes.columns, theirs)
    except InvalidInput as error:
        # The column that was named may stand in a sheet that could not be read.
        raise InvalidInput([*left_out, *error.problems]) from error
    rubric, asked = _asked(into, wishes.rubric)
    layouts = [guess_layout(table, _of(columns, table), asked.dimensions) for table in tables]
    telling = [layout for layout in layouts if layout.tells or layout.questions]
    silent = [layout.table for layout in layouts if layout not in telling]
    _refuse_silent(files, silent, [layout.table for layout in telling], left_out)
    notes = [*notes, *(f"left out: {problem}" for problem in left_out)]
    notes += [f"{table.name}: nothing was read of it." for table in silent]
    used = dict.fromkeys(c.of for layout in telling for c in layout.of_role("rating"))
    if rubric is None and used and not is_there(into / "study.toml"):
        rubric = choose_rubric(",".join(used))
    dimensions = rubric.rubric.dimensions if rubric else asked.dimensions
    return _Plan(telling, rubric, dimensions, notes, columns)


def _refuse_silent(
    files: Sequence[Path],
    silent: Sequence[Table],
    telling: Sequence[Table],
    unread: Sequence[Problem],
) -> None:
    """Refuse files of which nothing would be read; a sheet of a workbook may be beside the point.

    Raises:
        InvalidInput: Every such file, with the columns that it has.
    """
    if not telling:
        listed = ", ".join(name for table in silent for name in table.sheet.columns)
        hint = "Say which column is which, for example: --column question=THEIRS --column "
        hint += "answer=THEIRS. If it is another tool's file, name its format: --from, as medassay "
        hint += "import -h lists them."
        shown = ", ".join(file.name for file in files)
        must = "have a column of questions and one of answers"
        got = f"only {listed}" if listed else "no column at all"
        raise InvalidInput([*unread, Problem(shown, must, got, hint)])
    must = "hold questions with their ids, or answers or ratings with the ids of their questions"
    hint = "Say which column is which, for example: --column answer=THEIRS. Or leave the file out."
    lost = [
        Problem(file.name, must, f"only {', '.join(own[0].sheet.columns)}", hint)
        for file in files
        if (own := [table for table in silent if _is_of(table, file)])
        and not any(_is_of(table, file) for table in telling)
    ]
    if lost:
        raise InvalidInput(lost)


def _is_of(table: Table, file: Path) -> bool:
    return table.name == file.name or table.name.startswith(f"{file.name}, sheet ")


def _of(wishes: Mapping[str, Wish], table: Table) -> dict[str, Wish]:
    return {name: wish for name, wish in wishes.items() if name in table.sheet.columns}


def _asked(into: Path, wish: str) -> tuple[RubricFile | None, Rubric]:
    """Give the rubric that was asked for, and the dimensions by which ratings are known."""
    there = is_there(into / "study.toml")
    if there and wish:
        hint = "Leave --rubric out, or give another --into."
        got = f"{into}, a study with a rubric of its own"
        raise InvalidInput(Problem("--rubric", "be given for a new study", got, hint))
    if there:
        return None, Study.open(into).rubric
    if wish:
        chosen = choose_rubric(wish)
        return chosen, chosen.rubric
    return None, library_rubric()


def _known(into: Path) -> dict[str, Case]:
    """Give the cases of a study that stands already, by id."""
    path = table_file(into, "cases") if is_there(into / "study.toml") else None
    if path is None or not path.read_bytes().strip():
        return {}
    return {case.case: case for case in read_study_cases(into)}


def _collected(into: Path, plan: _Plan, wishes: Wishes, known: Mapping[str, Case]) -> Collected:
    """Collect what the files hold.

    Raises:
        InvalidInput: Every problem of the files; or documents are to go into a table of another
            form than they are written in.
    """
    questions = {name: case.question or "" for name, case in known.items()}
    path = table_file(into, "documents")
    documents = [] if path is None else read_documents(path).values()
    before = {document.text or document.id: document.id for document in documents}
    collected = collect(plan.layouts, wishes.names, plan.dimensions, questions, before)
    if collected.documents and path is not None:
        _refuse_other_form(path, _DOCUMENTS)
    return collected


def _refuse_other_form(path: Path, wanted: str) -> None:
    """Refuse to add to a table of another form than the one that is written.

    Raises:
        InvalidInput: It is of another.
    """
    if path.name != wanted:
        hint = f"Save it as {wanted}, and remove {path.name}."
        raise InvalidInput(Problem(str(path), f"be {wanted}, to be added to", path.name, hint))


def _absent(into: Path, collected: Collected) -> list[str]:
    """Name the systems that the study has and the files have not, where these hold answers."""
    theirs = {system for system, _ in collected.answers}
    absent = [system for system in Study.open_whole(into).systems if system not in theirs]
    if not theirs or not absent:
        return []
    listed = ", ".join(absent)
    note = f"The study has answers of {listed} too, and the files have none: they stay."
    return [f"{note} Where one is no system, remove its file from answers/."]


def _judgements(ratings: Sequence[Rating], rubric: Rubric) -> list[Sheet]:
    """Make a table of the ratings of each column; labels that are none are named by their cell.

    Raises:
        InvalidInput: Every label that the rubric does not have.
    """
    groups: dict[tuple[str, str], list[Rating]] = {}
    for rating in ratings:
        groups.setdefault((rating.file, rating.column), []).append(rating)
    sheets, problems = [], []
    for (file, column), rows in groups.items():
        columns: dict[str, list[object]] = {
            name: [rating.cells[name] or None for rating in rows] for name in rows[0].cells
        }
        sheet = Sheet(file, [rating.row for rating in rows], columns)
        sheets.append(sheet)
        try:
            Judgements.from_sheet(sheet, rubric)
        except InvalidInput as error:
            hint = f'Mend it, or leave the column out: --column "skip={column}"'
            problems += [
                replace(problem, column=column, try_=f"{problem.try_} {hint}.".strip())
                if problem.column == "label"
                else problem
                for problem in error.problems
            ]
    if problems:
        raise InvalidInput(problems)
    return sheets


def _counts(collected: Collected) -> dict[str, int]:
    return {
        "questions": len(collected.asked),
        "systems": len({system for system, _ in collected.answers}),
        "answers": len(collected.answers),
        "references": sum(bool(asked.references) for asked in collected.asked.values()),
        "raters": len({rating.cells["rater"] for rating in collected.ratings}),
        "ratings": len(collected.ratings),
    }


def _said(plan: _Plan, collected: Collected, wishes: Wishes) -> list[str]:
    notes = list(collected.notes)
    for layout in plan.layouts:
        plain = [column for column in layout.of_role("answer") if not column.of]
        if plain and layout.named("system") is None and not wishes.names.system:
            notes.append(
                f"{layout.table.name}: no column names a system; its answers are of "
                f'"{layout.table.stem}". Another name: --system NAME.'
            )
    used = dict.fromkeys(rating.cells["dimension"] for rating in collected.ratings)
    for dimension in plan.dimensions:
        if dimension.id in used and not wishes.rubric.endswith(".toml"):
            first, last = dimension.labels[0], dimension.labels[-1]
            notes.append(
                f"{dimension.title or dimension.id}: read as {first.label} = "
                f"{first.description.rstrip('.')} ... {last.label} = "
                f"{last.description.rstrip('.')}. If your raters were told otherwise, give "
                "their words: --rubric FILE.toml."
            )
    return notes
