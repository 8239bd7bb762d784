"""Take spreadsheets into a study: shown first, then all of it or nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from medassay.answers import Answer, Answers
from medassay.cases import Case, Cases, read_documents, write_cases
from medassay.errors import InvalidInput, Problem
from medassay.exchange.proposal import Proposal, Question
from medassay.exchange.spreadsheet.account import Account, account_of, preview
from medassay.exchange.spreadsheet.collected import Collected
from medassay.exchange.spreadsheet.grown import grow
from medassay.exchange.spreadsheet.kept_account import keep_account
from medassay.exchange.spreadsheet.plan import Plan, explain, plan_of
from medassay.exchange.spreadsheet.recipe import anonymous, keep_recipe, people_of
from medassay.exchange.spreadsheet.rows import collect
from medassay.exchange.spreadsheet.scores import add_given
from medassay.exchange.spreadsheet.unanswered import unanswered
from medassay.exchange.spreadsheet.wishes import Wishes
from medassay.judgements import (
    library_dimensions,
)
from medassay.study.asked_and_answered import read_study_cases
from medassay.study.files import ASKED, read_table, table_file
from medassay.study.folder import Study
from medassay.study.intake.answers import add_answers
from medassay.study.intake.judgements import add_judgements, add_preferences
from medassay.study.kept_back import texts_of
from medassay.study.new import new_study
from medassay.study.sampled_design import sampled_design
from medassay.study.urls.placed import refuse_at_urls
from medassay.tables import csv_bytes, is_there, jsonl_bytes, write_atomically
from medassay.text import count_of

if TYPE_CHECKING:
    from medassay.exchange.outcome import Overview
from medassay.exchange.spreadsheet.checked import checked_labels, sheets_of

__all__ = [
    "SpreadsheetImport",
    "Wishes",
    "explain",
    "has_verdicts",
    "import_spreadsheet",
    "propose",
]

_PROTOCOL: Final = "ratings"
_CASES: Final = "cases.jsonl"
_DOCUMENTS: Final = "documents.jsonl"


@dataclass(frozen=True, slots=True)
class SpreadsheetImport:
    """What an import of spreadsheets did.

    Attributes:
        cases: Questions that are new to the study.
        systems: Systems with an answer in the files.
        answers: Answers that are new.
        raters: Who rated, in the files.
        judgements: Labels that are new.
        preferences: Choices between two answers that are new.
        scores: Scores of metrics that are new.
        documents: Texts retrieved.
        files: The study's files that were written.
        account: What became of every filled cell.
        facts: The same in counts, without names of people.
        notes: What was odd.
    """

    cases: int
    systems: int
    answers: int
    raters: int
    judgements: int
    preferences: int
    scores: int
    documents: int
    files: list[str]
    account: Account
    facts: Mapping[str, object]
    notes: list[str]


def has_verdicts(into: Path) -> bool:
    """Say whether a study has labels or scores, so that a run comes next, and no campaign."""
    study = Study.open_whole(into)
    rated = len(study.judgements_on_file) or len(study.preferences_on_file) or study.imported
    return bool(rated)


def propose(into: Path, files: Sequence[Path], wishes: Wishes) -> Proposal:
    """Say what would be read, in the words of the files and in ours, or what is still open.

    Raises:
        InvalidInput: Every problem of the files.
    """
    plan = plan_of(into, files, wishes)
    wishes = plan.wishes
    if plan.questions:
        return Proposal(
            _previews(plan),
            plan.questions,
            _previews(plan, 2) if texts_of(into) == "full" else (),
        )
    known = _known(into)
    collected = _collected(into, plan, wishes, known)
    checked_labels(collected.ratings, plan.scales.dimensions)
    _refuse_nothing(into, files, collected, wishes)
    sampled = _sampled(files, collected, wishes)
    grown = grow(known, collected.cases(), plan.layouts, plan.named)
    account = account_of(plan.layouts, collected)
    said = [*plan.notes, *_said(plan, collected, wishes), *grown.notes]
    notes = [f"note: {note}" for note in said]
    return Proposal([*account.lines(), *notes], sampled, rows=account.rows)


def _previews(plan: Plan, cells: int = 0) -> "list[str | Overview]":
    shown: list[str | Overview] = []
    for layout in plan.layouts:
        rows = count_of(len(layout.table.sheet), "row")
        shown += [f"{layout.table.name}: {rows}", preview(layout, cells)]
    return shown


def import_spreadsheet(into: Path, files: Sequence[Path], wishes: Wishes) -> SpreadsheetImport:
    """Take all of it, or nothing: everything is read and checked before anything is written.

    Args:
        into: The study's folder: a new one, or a study whose cases are these or not there yet.
        files: The files, which may hold several tables.
        wishes: What the user says beside them.

    Raises:
        InvalidInput: A column may be two things, or every problem of the files.
    """
    plan = plan_of(into, files, wishes)
    wishes = plan.wishes
    if plan.questions:
        raise InvalidInput([question.problem() for question in plan.questions])
    known = _known(into)
    collected = _collected(into, plan, wishes, known)
    for part in ("cases", "documents", "answers"):
        refuse_at_urls(into, part)
    cases = collected.cases()
    ratings = checked_labels(collected.ratings, plan.scales.dimensions)
    account = account_of(plan.layouts, collected)
    _refuse_nothing(into, files, collected, wishes)
    sampled = _sampled(files, collected, wishes)
    if sampled:
        raise InvalidInput([question.problem() for question in sampled])
    grown = grow(known, cases, plan.layouts, plan.named)
    fresh = not is_there(into / "study.toml")
    new = [case for case in cases if case.case not in known]
    if known and new:
        got = f'{count_of(len(new), "other")}, "{new[0].case}" first'
        hint = "Make a new study: give another --into."
        raise InvalidInput(Problem(_CASES, "hold every question of the files", got, hint))
    rubric = plan.scales.rubric
    if fresh:
        new_study(into, _PROTOCOL, empty=True, synthetic=wishes.synthetic, rubric=rubric)
    written = ["study.toml", *(["rubric.toml"] if rubric else [])] if fresh else []
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
    if wishes.asked == "some" or table_file(into, ASKED) is not None:
        pairs = _pairs_asked(into, collected)
        write_atomically(into / f"{ASKED}.csv", csv_bytes(("case", "system"), pairs))
        written.append(f"{ASKED}.csv")
    absent = [*unanswered(into, collected, cases), *_absent(into, collected)]
    added = add_answers(
        Study.open_whole(into), Answers.of(_with_unheld(into, collected)), "the files"
    )
    labels = [add_judgements(Study.open_whole(into), sheet) for sheet in ratings]
    labels += [
        add_preferences(Study.open_whole(into), sheet) for sheet in sheets_of(collected.preferences)
    ]
    scores = add_given(into, files[0], collected.scores.values())
    kept, again = keep_recipe(into, plan.layouts, wishes)
    facts = _facts(plan, account)
    written += [*kept, *keep_account(into, files, facts)]
    counts = _counts(collected)
    return SpreadsheetImport(
        cases=len(new),
        systems=counts["systems"],
        answers=added.added,
        raters=counts["raters"],
        judgements=sum(own.added for own in labels if own.kind == "judgements"),
        preferences=sum(own.added for own in labels if own.kind == "preferences"),
        scores=sum(own.added for own in scores),
        documents=len(collected.documents),
        files=[
            *written,
            *added.files,
            *dict.fromkeys(file for own in (*labels, *scores) for file in own.files),
        ],
        account=account,
        facts=facts,
        notes=[
            *plan.notes, *_said(plan, collected, wishes), *grown.notes, *absent, *added.notes,
            *again, *(note for own in scores for note in own.notes),
        ],
    )  # fmt: skip


def _facts(plan: Plan, account: Account) -> dict[str, object]:
    """Give the account in counts, without anybody's name."""
    people = [*people_of(plan.layouts, plan.wishes), *account.ratings]
    return account.facts(lambda name: anonymous(name, people))


def _pairs_asked(into: Path, collected: Collected) -> list[tuple[str, str]]:
    """List which systems each question went to, where it went to those that answered it.

    What the study says of its other systems stays; without a word of it they were asked all.
    """
    study = Study.open_whole(into)
    before = read_table(into, ASKED)
    pairs = {(case, system) for system in study.systems for case in study.cases.ids}
    if before is not None:
        columns = (map(str, before.columns[name]) for name in ("case", "system"))
        pairs = set(zip(*columns, strict=True))
    keys = {*collected.answers, *collected.rated}
    return sorted(pairs | {(case, system) for system, case, _ in keys})


def _sampled(files: Sequence[Path], collected: Collected, wishes: Wishes) -> list[Question]:
    """Ask whether systems were asked some questions each by design, where it looks so."""
    if wishes.asked in {"some", "all"}:
        return []
    if wishes.asked:
        raise InvalidInput(Problem("--asked", "be some or all", f'"{wishes.asked}"'))
    keys = {(system, case) for system, case, _ in {*collected.answers, *collected.rated}}
    systems = sorted({system for system, _ in keys})
    found = sampled_design(list(collected.asked), systems, keys)
    if found is None:
        return []
    ask = f"{found} Was that so by design?"
    ways = {"yes, each went to some systems only": ["some"], "no, answers are missing": ["all"]}
    return [Question(", ".join(file.name for file in files), ask, "asked", ways)]


def _with_unheld(into: Path, collected: Collected) -> list[Answer]:
    """Give the answers, and those that were rated and whose text no file holds."""
    there = {answer.key for answer in Study.open_whole(into).answers} | set(collected.answers)
    return [
        *collected.answers.values(),
        *(
            Answer(system=system, case=case, sample=sample, held=False)
            for system, case, sample in sorted(collected.rated - there)
        ),
    ]


def _refuse_nothing(
    into: Path, files: Sequence[Path], collected: Collected, wishes: Wishes
) -> None:
    """Refuse files that name raters and hold no label, and questions alone that nobody asked for.

    Raises:
        InvalidInput: Nothing was answered or rated, in a new study, and nobody said so.
    """
    judged = [*collected.ratings, *collected.preferences]
    raters = any(role == "rater" for fates in collected.fates.values() for role in fates)
    if raters and not judged:
        must = "hold labels beside its raters"
        hint = "Say which column holds them: --column rating.accuracy=THEIRS."
        raise InvalidInput(Problem(files[0].name, must, "none", hint))
    something = judged or collected.answers or collected.scores or wishes.questions_only
    if not something and not is_there(into / "study.toml"):
        must = "hold answers or ratings beside the questions"
        got = f"{count_of(len(collected.asked), 'question')} alone"
        hint = "Say which column holds the answers: --column answer=THEIRS. Or, where nobody has "
        hint += "answered yet: --questions-only."
        raise InvalidInput(Problem(", ".join(file.name for file in files), must, got, hint))


def _known(into: Path) -> dict[str, Case]:
    """Give the cases of a study that stands already, by id."""
    path = table_file(into, "cases") if is_there(into / "study.toml") else None
    if path is None or not path.read_bytes().strip():
        return {}
    return {case.case: case for case in read_study_cases(into)}


def _collected(into: Path, plan: Plan, wishes: Wishes, known: Mapping[str, Case]) -> Collected:
    """Collect what the files hold.

    Raises:
        InvalidInput: Every problem of the files; or documents are to go into a table of another
            form than they are written in.
    """
    questions = {name: case.question or "" for name, case in known.items()}
    path = table_file(into, "documents")
    documents = [] if path is None else read_documents(path).values()
    before = {document.text or document.id: document.id for document in documents}
    collected = collect(plan.layouts, wishes.names, plan.scales.labels, questions, before)
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
    theirs = {system for system, *_ in collected.answers}
    absent = [system for system in Study.open_whole(into).systems if system not in theirs]
    if not theirs or not absent:
        return []
    listed = ", ".join(absent)
    note = f"The study has answers of {listed} too, and the files have none: they stay."
    return [f"{note} Where one is no system, remove its file from answers/."]


def _counts(collected: Collected) -> dict[str, int]:
    return {
        "questions": len(collected.asked),
        "systems": len({key[0] for key in {*collected.answers, *collected.rated}}),
        "answers": len(collected.answers),
        "references": sum(bool(asked.references) for asked in collected.asked.values()),
        "raters": len({r.cells["rater"] for r in (*collected.ratings, *collected.preferences)}),
        "ratings": len(collected.ratings),
        "preferences": len(collected.preferences),
        "scores": sum(given.value is not None for given in collected.scores.values()),
    }


def _said(plan: Plan, collected: Collected, wishes: Wishes) -> list[str]:
    notes = list(collected.notes)
    for layout in plan.layouts:
        plain = [column for column in layout.of_role("answer") if not column.of]
        named = layout.named("system") or wishes.names.system or layout.system
        if plain and not named:
            notes.append(
                f"{layout.table.name}: no column names a system; its answers are of "
                f'"{layout.table.stem}". Another name: --system NAME.'
            )
    used = dict.fromkeys(rating.cells["dimension"] for rating in collected.ratings)
    library = set(library_dimensions())
    for dimension in plan.scales.dimensions:
        if dimension.id in used and dimension.labels and not wishes.rubric.endswith(".toml"):
            first, last = dimension.labels[0], dimension.labels[-1]
            if not (dimension.id in library and first.description and last.description):
                continue
            notes.append(
                f"{dimension.title or dimension.id}: read as {first.label} = "
                f"{first.description.rstrip('.')} ... {last.label} = "
                f"{last.description.rstrip('.')}. If your raters were told otherwise, give "
                "their words: --rubric FILE.toml."
            )
    return notes
