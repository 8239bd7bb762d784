"""What an import of spreadsheets writes into a study, once all of it was read and checked."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from medassay.answers import Answer, Answers
from medassay.cases import Case, Cases, write_cases
from medassay.errors import InvalidInput, Problem
from medassay.exchange.proposal import ImportQuestion
from medassay.exchange.spreadsheet.account import Account
from medassay.exchange.spreadsheet.checked import sheet_of
from medassay.exchange.spreadsheet.collected import Collected
from medassay.exchange.spreadsheet.grown import Grown
from medassay.exchange.spreadsheet.plan import Plan
from medassay.exchange.spreadsheet.recipe import anonymous, keep_recipe, people_of
from medassay.exchange.spreadsheet.scores import add_given, assumed_ends
from medassay.judgements import Judgements, Preferences
from medassay.study.contents.private import Pseudonyms
from medassay.study.contents.ratings import read_raters
from medassay.study.files.names import ASKED, read_table, table_file
from medassay.study.folder import Study
from medassay.study.intake.answers import add_answers
from medassay.study.intake.judgements import ImportSummary, add_judgements, add_preferences
from medassay.study.new import new_study
from medassay.tables import (
    csv_bytes,
    file_bytes,
    is_there,
    json_bytes,
    jsonl_bytes,
    read_json,
    write_atomically,
)
from medassay.text import count_of, first_of

if TYPE_CHECKING:
    import polars as pl

_FEW: Final = 5
"""Systems, or ids of one system, that are named; more are counted."""


def unanswered(study: Study, collected: Collected, cases: Cases) -> list[str]:
    """Name the systems of the files that neither the files nor the study have all answers of."""
    ids = dict.fromkeys([*study.cases.ids, *(case.case for case in cases)])
    there = {(answer.system, answer.case) for answer in study.answers} | collected.rows
    systems = sorted({system for system, *_ in collected.answers})
    lacking = {system: [case for case in ids if (system, case) not in there] for system in systems}
    return lacking_words(lacking, len(ids))


def lacking_words(lacking: dict[str, list[str]], questions: int) -> list[str]:
    """Say of each system how many questions it has no answer to, and which.

    Example:
        >>> lacking_words({"A": ["q2"], "B": []}, 3)
        ['A: no answer to 1 of 3 questions (q2): counted as missing.']
    """
    told = {system: cases for system, cases in lacking.items() if cases}
    lines = [
        f"{system}: no answer to {len(cases):,} of {count_of(questions, 'question')} "
        f"({first_of([*cases], _FEW)}): counted as missing."
        for system, cases in list(told.items())[:_FEW]
    ]
    more = len(told) - len(lines)
    return [*lines, f"{count_of(more, 'more system')} lack answers."] if more else lines


ACCOUNTS: Final = "import.json"


def keep_account(into: Path, files: Sequence[Path], facts: Mapping[str, object]) -> list[str]:
    """Add an import's account to those of the study; the same files again change nothing.

    Files are known by what they hold, since their names may be people's.

    Args:
        into: The study's folder.
        files: The files that were imported.
        facts: The account, without names of people.

    Returns:
        The file, where it changed.

    Raises:
        InvalidInput: What is there is no such file.
    """
    path = into / ACCOUNTS
    held = read_json(path, ACCOUNTS) if is_there(path) else {"imports": []}
    before = held.get("imports") if isinstance(held, dict) else None
    if not isinstance(before, list):
        hint = "Remove it: the next import writes it again."
        raise InvalidInput(Problem(ACCOUNTS, "be a list of imports", type(held).__name__, hint))
    inside = [
        path
        for file in files
        for path in (sorted(filter(Path.is_file, file.rglob("*"))) if file.is_dir() else [file])
    ]
    hashes = [hashlib.sha256(file_bytes(path, path.name)).hexdigest() for path in inside]
    now = json.loads(json.dumps({"sha256": hashes, **facts}))
    if now in before:
        return []
    write_atomically(path, json_bytes({"imports": [*before, now]}))
    return [ACCOUNTS]


_PROTOCOL: Final = "ratings"
CASES: Final = "cases.jsonl"
"""The table of questions that an import writes."""
DOCUMENTS: Final = "documents.jsonl"
"""The table of retrieved texts that an import writes."""


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
        people: Who is who in a study that is new; of one that stood it has to be opened.
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
    people: Pseudonyms | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """What files hold, checked as a whole beside the study that stands.

    Attributes:
        plan: What the columns of each table are.
        known: The cases that the study has already, by id.
        collected: What the files hold.
        cases: Their cases.
        account: What became of every filled cell.
        asked: What somebody has to say of what was read: whether systems were asked some questions
            each, and whether raters called as models are some.
        grown: The cases of the study with what the files add to them.
        notes: What was odd.
        labels: The labels, checked; None where there are none.
    """

    plan: Plan
    known: dict[str, Case]
    collected: Collected
    cases: Cases
    account: Account
    asked: list[ImportQuestion]
    grown: Grown
    notes: Sequence[str]
    labels: "pl.DataFrame | None"

    @property
    def new(self) -> list[Case]:
        """Give the cases that the study does not have yet."""
        return [case for case in self.cases if case.case not in self.known]


def write_found(into: Path, files: Sequence[Path], found: Found) -> SpreadsheetImport:
    """Write the study, or what is new to it, and say what was written."""
    plan, collected = found.plan, found.collected
    # Of a new study nothing is read again that was just written: it is what was checked.
    new = not is_there(into / "study.toml") and plan.wishes.asked != "some"
    written = _write_questions(into, found)
    study = _begun(into, found) if new else Study.open_whole(into)
    if plan.wishes.asked == "some" or table_file(into, ASKED) is not None:
        pairs = _pairs_asked(study, collected)
        write_atomically(into / f"{ASKED}.csv", csv_bytes(("case", "system"), pairs))
        written.append(f"{ASKED}.csv")
        study = Study.open_whole(into)
    absent = [*unanswered(study, collected, found.cases), *_absent(study, collected)]
    theirs = Answers.of(_with_unheld(study, collected))
    answers = add_answers(study, theirs, "the files")
    study = replace(study, answers=theirs) if new else Study.open_whole(into)
    labels = []
    judgements, preferences = [study.judgements_on_file], [study.preferences_on_file]
    if collected.ratings:
        same = study.rubric.dimensions == tuple(plan.scales.dimensions)
        checked = found.labels if same else None
        sheet = sheet_of(collected.ratings)
        labels.append(add_judgements(study, sheet, grown=judgements, checked=checked))
    if collected.preferences:
        labels.append(add_preferences(study, sheet_of(collected.preferences), grown=preferences))
    scores = add_given(study, files[0], collected.scores.values(), collected.tool)
    kept, again = keep_recipe(into, plan.layouts, plan.wishes, plan.sheets)
    facts = _facts(plan, found.account)
    files_of_tables = dict.fromkeys(file for own in (*labels, *scores) for file in own.files)
    return SpreadsheetImport(
        cases=len(found.new),
        systems=len({key[0] for key in {*collected.answers, *collected.rated}}),
        answers=answers.added,
        raters=len({*collected.ratings.of("rater"), *collected.preferences.of("rater")}),
        judgements=sum(own.added for own in labels if own.kind == "judgements"),
        preferences=sum(own.added for own in labels if own.kind == "preferences"),
        scores=sum(own.added for own in scores),
        documents=len(collected.documents),
        files=[
            *written, *kept, *keep_account(into, files, facts), *answers.files, *files_of_tables,
        ],
        account=found.account,
        facts=facts,
        notes=[
            *found.notes, *absent, *_given_twice(collected, labels), *answers.notes, *again,
            *assumed_ends(collected.scores.values()),
            *(note for own in scores for note in own.notes),
        ],
        people=_people(study, judgements[-1], preferences[-1]) if new else None,
    )  # fmt: skip


def _people(study: Study, judgements: Judgements, preferences: Preferences) -> Pseudonyms:
    """Say who is who in a new study, as it will be said where it is opened."""
    raters = read_raters(study.path, judgements, preferences, [])
    named = study.config.privacy.raters == "named"
    return Pseudonyms.given(judgements, preferences, raters, (), named=named)


def _begun(into: Path, found: Found) -> Study:
    """Give the new study as it stands once its questions are written, without reading these."""
    with TemporaryDirectory() as folder:
        beside = Path(folder) / into.resolve().name
        new_study(beside, _PROTOCOL, empty=True, rubric=found.plan.scales.rubric)
        write_cases(beside / CASES, Cases.of(list(found.cases)[:1]))
        return replace(Study.open_whole(beside), path=into, cases=found.cases)


def _write_questions(into: Path, found: Found) -> list[str]:
    """Write the study's folder where there is none, its questions and its documents."""
    plan, known, new, grown = found.plan, found.known, found.new, found.grown
    rubric = plan.scales.rubric
    written = []
    if not is_there(into / "study.toml"):
        new_study(into, _PROTOCOL, empty=True, synthetic=plan.wishes.synthetic, rubric=rubric)
        written += ["study.toml", *(["rubric.toml"] if rubric else [])]
    if grown.added or (known and new):
        refuse_other_form(table_file(into, "cases") or into / CASES, CASES)
    if not known or grown.added or new:
        write_cases(into / CASES, Cases.of([*grown.cases, *new]) if known else found.cases)
        written.append(CASES)
    if found.collected.documents:
        rows = ({"id": name, "text": text} for text, name in found.collected.documents.items())
        before = (into / DOCUMENTS).read_bytes() if found.collected.documents_before else b""
        before += b"\n" if before and not before.endswith(b"\n") else b""
        write_atomically(into / DOCUMENTS, before + jsonl_bytes(rows))
        written.append(DOCUMENTS)
    return written


def _facts(plan: Plan, account: Account) -> dict[str, object]:
    """Give the account in counts, without anybody's name."""
    people = [*people_of(plan.layouts, plan.wishes), *account.ratings]
    return account.facts(lambda name: anonymous(name, people))


def _given_twice(collected: Collected, taken: Sequence[ImportSummary]) -> list[str]:
    """Count the labels that a file holds word for word twice: each is kept once."""
    given = len(collected.ratings) + len(collected.preferences)
    twice = given - sum(own.added + own.known for own in taken)
    count = count_of(twice, "label")
    return [f"{count} stood twice, word for word, and each counts once."] if twice else []


def _pairs_asked(study: Study, collected: Collected) -> list[tuple[str, str]]:
    """List which systems each question went to, where it went to those that answered it.

    What the study says of its other systems stays; without a word of it they were asked all.
    """
    before = read_table(study.path, ASKED)
    pairs = {(case, system) for system in study.systems for case in study.cases.ids}
    if before is not None:
        columns = (map(str, before.columns[name]) for name in ("case", "system"))
        pairs = set(zip(*columns, strict=True))
    return sorted(pairs | {(case, system) for system, case in collected.told})


def _with_unheld(study: Study, collected: Collected) -> list[Answer]:
    """Give the answers, and those that were rated and whose text no file holds."""
    there = {answer.key for answer in study.answers} | set(collected.answers)
    return [
        *collected.answers.values(),
        *(
            Answer(system=system, case=case, sample=sample, held=False)
            for system, case, sample in sorted(collected.rated - there)
        ),
    ]


def _absent(study: Study, collected: Collected) -> list[str]:
    """Name the systems that the study has and the files have not, where these hold answers."""
    theirs = {system for system, *_ in collected.answers}
    absent = [system for system in study.systems if system not in theirs]
    if not theirs or not absent:
        return []
    listed = ", ".join(absent)
    note = f"The study has answers of {listed} too, and the files have none: they stay."
    return [f"{note} Where one is no system, remove its file from answers/."]


def refuse_other_form(path: Path, wanted: str) -> None:
    """Refuse to add to a table of another form than the one that is written.

    Raises:
        InvalidInput: It is of another.
    """
    if path.name != wanted:
        hint = f"Save it as {wanted}, and remove {path.name}."
        raise InvalidInput(Problem(str(path), f"be {wanted}, to be added to", path.name, hint))
