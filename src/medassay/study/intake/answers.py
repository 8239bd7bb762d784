"""Take answers into a study: files grow by lines or are new; answers gain what they lacked."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from medassay.answers import Answer, Answers, answer_row, answers_from_sheet, write_answers
from medassay.errors import InvalidInput, Problem
from medassay.study.files.names import ANSWERS
from medassay.study.files.placed import refuse_at_urls
from medassay.study.folder import Study
from medassay.study.intake.cases_per_system import asked_with, describe_grown, write_asked
from medassay.study.intake.completed import completed, other_than, rewritten
from medassay.study.intake.judgements import ImportSummary
from medassay.study.intake.tidy import read_tidy
from medassay.tables import file_stem, jsonl_bytes, read_sheet, write_all, write_atomically
from medassay.text import count_of

__all__ = ["add_answers", "import_answers", "new_answers"]


def import_answers(study: Study, file: Path, columns: Mapping[str, str]) -> ImportSummary:
    """Add the answers of a tidy table with the columns system, case, text.

    Raises:
        InvalidInput: A problem of the table, or another answer of the same system to the same case.
    """
    return add_answers(study, answers_from_sheet(read_tidy(file, columns), study.cases), file.name)


@dataclass(frozen=True, slots=True)
class NewAnswers:
    """What other records say that the study does not.

    Attributes:
        added: Answers that the study lacks, by system.
        fuller: The cells that answers of the study gain; None for what they no longer say.
        gained: The field, and how many answers gain it.
    """

    added: dict[str, list[Answer]] = field(default_factory=dict)
    fuller: dict[tuple[str, str, int], dict[str, object]] = field(default_factory=dict)
    gained: Counter[str] = field(default_factory=Counter)


def add_answers(study: Study, theirs: Answers, shown: str) -> ImportSummary:
    """Add answers; what the study has of one already stays, and it gains what it lacked.

    Where the study or the answers say which system was asked which case, asked.csv says it of both.

    Args:
        study: The study.
        theirs: Answers to its cases, and which were asked for (`Answers.asked`).
        shown: Where they come from, for messages.

    Raises:
        InvalidInput: The study says something else of the same system's answer to the same case.
    """
    study.require_whole()
    refuse_at_urls(study.path, ANSWERS)
    new = new_answers(study, theirs, shown)
    asked = asked_with(study, theirs)
    # First, so that whatever is killed in between is taken in by the same command again.
    written = write_asked(study, asked)
    written += [
        _add(study.path / ANSWERS, system, new.added[system]) for system in sorted(new.added)
    ]
    fuller = rewritten(study.path / ANSWERS, new.fuller)
    write_all(fuller)
    count = sum(map(len, new.added.values()))
    files = [path.relative_to(study.path).as_posix() for path in dict.fromkeys([*written, *fuller])]
    notes = [*map(str, theirs.warnings), *describe_grown(study, theirs, asked)]
    if new.fuller:
        what = ", ".join(f"{name} ({n:,})" for name, n in sorted(new.gained.items()))
        notes.append(f"{count_of(len(new.fuller), 'answer')} of the study gained: {what}.")
    return ImportSummary("answers", count, len(theirs) - count, files, notes)


def new_answers(study: Study, theirs: Answers, shown: str) -> NewAnswers:
    """Give what the study lacks, without writing it.

    Raises:
        InvalidInput: The study says something else of the same system's answer to the same case.
    """
    problems = []
    new = NewAnswers()
    for answer in theirs:
        ours = study.answers.get(*answer.key)
        if ours is None:
            new.added.setdefault(answer.system, []).append(answer)
            continue
        for name in other_than(ours, answer):
            must = "not replace an answer that the study has"
            got = f'another {name} in the answer of "{answer.system}" to "{answer.case}"'
            problems.append(Problem(shown, must, got, "Remove the old one first."))
        if not problems and (both := completed(ours, answer)) != ours:
            names = {n for n in Answer.model_fields if getattr(ours, n) != getattr(both, n)}
            row = answer_row(both)
            new.fuller[answer.key] = {n: row.get(n) for n in (*row, "held") if n in names}
            new.gained.update(_gained(ours, name) for name in names - {"held"})
    if problems:
        raise InvalidInput(problems)
    rewritten(study.path / ANSWERS, new.fuller)
    return new


def _gained(ours: Answer, name: str) -> str:
    """Name what an answer gains in a field: to documents that it has, scores alone are added."""
    return "scores of retrieved documents" if name == "retrieved" and ours.retrieved else name


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
