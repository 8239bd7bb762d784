"""Take answers into a study: files grow by lines or are new; none is rewritten or removed."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from medassay.answers import Answer, Answers, answer_row, answers_from_sheet, write_answers
from medassay.errors import InvalidInput, Problem
from medassay.study.files import ANSWERS
from medassay.study.folder import Study
from medassay.study.intake.judgements import ImportSummary
from medassay.study.intake.tidy import read_tidy
from medassay.study.urls.placed import refuse_at_urls
from medassay.tables import file_stem, jsonl_bytes, read_sheet, write_atomically

__all__ = ["add_answers", "import_answers", "new_answers"]


def import_answers(study: Study, file: Path, columns: Mapping[str, str]) -> ImportSummary:
    """Add the answers of a tidy table with the columns system, case, text.

    Raises:
        InvalidInput: A problem of the table, or another answer of the same system to the same case.
    """
    return add_answers(study, answers_from_sheet(read_tidy(file, columns), study.cases), file.name)


def add_answers(study: Study, theirs: Answers, shown: str) -> ImportSummary:
    """Add answers; one that the study has already changes nothing.

    Args:
        study: The study.
        theirs: Answers to its cases.
        shown: Where they come from, for messages.

    Raises:
        InvalidInput: The study has another answer of the same system to the same case.
    """
    study.require_whole()
    refuse_at_urls(study.path, ANSWERS)
    new = new_answers(study, theirs, shown)
    written = [_add(study.path / ANSWERS, system, new[system]) for system in sorted(new)]
    count = sum(map(len, new.values()))
    files = [path.relative_to(study.path).as_posix() for path in written]
    notes = list(map(str, theirs.warnings))
    return ImportSummary("answers", count, len(theirs) - count, files, notes)


def new_answers(study: Study, theirs: Answers, shown: str) -> dict[str, list[Answer]]:
    """Give the answers that the study lacks, by system, without writing them.

    Raises:
        InvalidInput: The study has another answer of the same system to the same case.
    """
    problems = []
    new: dict[str, list[Answer]] = {}
    for answer in theirs:
        ours = study.answers.get(*answer.key)
        if ours is None:
            new.setdefault(answer.system, []).append(answer)
        elif ours != answer:
            must = "not replace an answer that the study has"
            got = f'another answer of "{answer.system}" to "{answer.case}"'
            problems.append(Problem(shown, must, got, "Remove the old one first."))
    if problems:
        raise InvalidInput(problems)
    return new


def _add(folder: Path, system: str, answers: Sequence[Answer]) -> Path:
    """Write a new file of JSON lines, or add lines to the one that holds this system alone."""
    stem = file_stem(system)
    path, turn = folder / f"{stem}.jsonl", 1
    while path.exists():
        sheet = read_sheet(path)
        named_by_file = "system" not in sheet.columns
        # Lines are added in UTF-8: a file in another encoding is let be.
        if not sheet.notes and (not named_by_file or path.stem == system):
            return _append(path, answers, named_by_file=named_by_file)
        turn += 1
        path = folder / f"{stem}-{turn}.jsonl"
    write_answers(path, answers)
    return path


def _append(path: Path, answers: Sequence[Answer], *, named_by_file: bool) -> Path:
    left_out = {"system"} if named_by_file else set()
    rows = []
    for answer in answers:
        row = answer_row(answer)
        rows.append({name: value for name, value in row.items() if name not in left_out})
    before = path.read_bytes()
    if before and not before.endswith(b"\n"):
        before += b"\n"
    write_atomically(path, before + jsonl_bytes(rows))
    return path
