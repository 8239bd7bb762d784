"""What a study's folder says was asked and answered, documents, and answers known by id alone."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar, Final

from pydantic import BaseModel, ConfigDict

from medassay.answers import EVERY_CASE, Answers, CasesPerSystem, read_answers
from medassay.cases import Cases, Id, read_cases, read_documents, with_documents
from medassay.errors import InvalidInput, Problem
from medassay.study.config.study_toml import StudyConfig
from medassay.study.contents.document_labels import DocumentLabel, labelled_documents
from medassay.study.contents.known_ids import KnownIds, unknown_ids, unknown_systems
from medassay.study.files.names import ANSWERS, ASKED, read_table, table_file, tables_of
from medassay.tables import check_columns, csv_bytes, read_record
from medassay.text import count_of

ADD_TEXTS: Final = "Add them with: medassay import answers.csv --into STUDY"


def describe_not_held(answers: Answers) -> list[str]:
    """Say how many texts the study does not have, and what needs them; nothing where it has all.

    Example:
        >>> from medassay.answers import Answer
        >>> bare = Answer(system="A", case="1", held=False)
        >>> print(describe_not_held(Answers.of([bare]))[0].partition(". ")[0])
        The text of 1 of 1 answer is not held
    """
    count = answers.tally.not_held.total()
    if not count:
        return []
    texts, are = ("text", "is") if count == 1 else ("texts", "are")
    of = f"{count:,} of {count_of(len(answers), 'answer')}"
    needs = "Metrics of text, judges and campaigns need the texts."
    return [f"The {texts} of {of} {are} not held. {needs} {ADD_TEXTS}"]


def refuse_none_held(answers: Answers, file: str, must: str) -> None:
    """Refuse a study of ratings alone where somebody is to read its answers.

    Args:
        answers: The study's answers.
        file: What is refused.
        must: What its answers must be there for, after "must".

    Raises:
        InvalidInput: The study has answers, and the text of none.
    """
    count = answers.tally.not_held.total()
    if count and count == len(answers):
        got = f"the ids of {count_of(count, 'answer')}: no text is held"
        raise InvalidInput(Problem(file, must, got, ADD_TEXTS))


def read_study_cases(folder: Path) -> Cases:
    """Read the cases, which every study has.

    Raises:
        InvalidInput: There are none, or something is wrong with them.
    """
    path = table_file(folder, "cases")
    if path is None:
        hint = "Add cases.jsonl, cases.csv or cases.parquet."
        raise InvalidInput(Problem("cases", "be a file of the study", "nothing there", hint))
    return read_cases(path)


def read_study_answers(folder: Path, cases: Cases | None, config: StudyConfig | None) -> Answers:
    """Read the answers of all systems, and which cases each was asked.

    There are none where the study has no such folder.

    Args:
        folder: The study's folder.
        cases: The cases that were asked; None where they could not be read.
        config: study.toml, which may name systems that have not answered yet; None where it could
            not be read.

    Raises:
        InvalidInput: Everything that is wrong with them.
    """
    tables = tables_of(folder, ANSWERS)
    answers = read_answers(tables[0].parent, cases) if tables else Answers(())
    return _with_asked(folder, answers, cases, config)


def with_shared_texts(
    folder: Path, cases: Cases | None, answers: Answers | None, labels: Sequence[DocumentLabel]
) -> Cases | None:
    """Give the cases the texts of documents.jsonl, where the study has one."""
    path = table_file(folder, "documents")
    if path is None:
        return cases
    shared = read_documents(path)
    if cases is None or answers is None:
        return cases
    named = labelled_documents(labels)

    def retrieved(case: str) -> Iterator[str]:
        yield from named.get(case, ())
        for system in answers.systems:
            for answer in answers.samples(system, case):
                yield from (one.document for one in answer.retrieved or ())

    return with_documents(cases, shared, retrieved)


_COLUMNS: Final = ("case", "system")


class _Row(BaseModel):
    """One system and a case that it was asked."""

    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    case: Id
    system: Id


def _read_asked(folder: Path, known: KnownIds) -> CasesPerSystem:
    """Read which system was asked which case; every system every case where there is no such file.

    Args:
        folder: The study's folder.
        known: The cases and systems that rows may name.

    Raises:
        InvalidInput: Every problem of the file.
    """
    sheet = read_table(folder, ASKED)
    if sheet is None:
        return EVERY_CASE
    problems: list[Problem] = []
    sheet = check_columns(sheet, _COLUMNS, _COLUMNS, problems)
    problems += unknown_ids(sheet, known)
    first: dict[tuple[str, str], int] = {}
    for row, cells in sheet.records():
        pair = read_record(_Row, cells, file=sheet.file, row=row, problems=problems)
        if pair is None:
            continue
        before = first.setdefault((pair.system, pair.case), row)
        if before != row:
            must = "name a case and a system together once"
            got = f'"{pair.case}" and "{pair.system}" again, as in row {before}'
            problems.append(Problem(sheet.file, must, got, "Take one of them out.", row))
    if not first and not problems:
        hint = "Remove the file where every system was asked every case."
        problems.append(Problem(sheet.file, "name a case and a system that was asked it", "no row",
                                hint))  # fmt: skip
    if problems:
        raise InvalidInput(problems)
    return CasesPerSystem.in_pairs(first)


def _with_asked(
    folder: Path, answers: Answers, cases: Cases | None, config: StudyConfig | None
) -> Answers:
    """Give the answers with what the study says of who was asked what.

    Args:
        folder: The study's folder.
        answers: The answers.
        cases: The cases that were asked; None where they could not be read.
        config: study.toml, which may name systems that have not answered yet; None where it could
            not be read.

    Raises:
        InvalidInput: Every problem of asked.csv, and answers to cases that it does not ask.
    """
    known = KnownIds.of(cases, answers)
    if known.systems and config is not None:
        known = replace(known, systems=tuple(sorted({*known.systems, *config.systems})))
    asked = _read_asked(folder, known)
    return answers if asked.everything else answers.asking(asked, f"{ASKED}.csv")


def asked_of_strangers(
    asked: CasesPerSystem, systems: Sequence[str], config: StudyConfig
) -> list[Problem]:
    """Name the systems of asked.csv that nothing of the study is of, and study.toml does not name.

    Where a study holds ratings alone, this is known once they were read.
    """
    known = tuple(sorted({*systems, *config.systems})) if systems else ()
    return unknown_systems(asked.of or (), known, f"{ASKED}.csv", "system")


def asked_bytes(asked: CasesPerSystem) -> bytes:
    """Write asked.csv, sorted; the same pairs give the same bytes."""
    rows = sorted((case, system) for system, own in (asked.of or {}).items() for case in own)
    return csv_bytes(_COLUMNS, rows)
