"""Take answers into a study: files grow by lines, answers gain what they lack, cases are noted."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from medassay.answers import (
    EVERY_CASE,
    Answer,
    Answers,
    CasesPerSystem,
    Retrieved,
    answer_row,
    answers_from_sheet,
    write_answers,
)
from medassay.errors import InvalidInput, Problem
from medassay.study.contents.cases_and_answers import asked_bytes
from medassay.study.files.names import ANSWERS, ASKED, table_file
from medassay.study.files.placed import refuse_at_urls
from medassay.study.folder import Study
from medassay.study.intake.judgements import ImportSummary, read_tidy
from medassay.tables import file_stem, jsonl_bytes, read_sheet, write_all, write_atomically
from medassay.text import count_of, listed

_Key = tuple[str, str, int]
_HINT: Final = "Add the column there, or keep the answers as JSON lines."


def other_than(ours: Answer, theirs: Answer) -> list[str]:
    """Name what two records say of one answer and do not say alike; lacking it is no word on it.

    Example:
        >>> ours = Answer(system="a", case="1", choice="A", confidence=0.5)
        >>> other_than(ours, Answer(system="a", case="1", choice="B", reasoning="Rest."))
        ['choice']
    """
    # A record without `ended` says that the answer is whole, and no answer has both forms of parts.
    # Whether a record holds a text says nothing of the answer.
    taken = {
        "ended",
        *({"turns"} if ours.statements else ()),
        *({"statements"} if ours.turns else ()),
    }
    both = ((name, getattr(ours, name), getattr(theirs, name)) for name in Answer.model_fields)
    return [
        name
        for name, our, their in both
        if their is not None
        and name != "held"
        and our != their
        and (our is not None or name in taken)
        and not (name == "retrieved" and _with_scores(our, their))
    ]


def completed(ours: Answer, theirs: Answer) -> Answer:
    """Give our record with what only theirs says.

    Example:
        >>> ours = Answer(system="a", case="1", choice="A")
        >>> completed(ours, Answer(system="a", case="1", reasoning="Rest.")).reasoning
        'Rest.'
        >>> bare = Answer(system="a", case="1", held=False)
        >>> completed(bare, Answer(system="a", case="1", text="Rest.")).held
        True
    """
    said = {name: value for name, value in dict(ours).items() if value is not None}
    said["held"] = ours.held or (theirs.text, theirs.raw) != (None, None)
    if ours.retrieved and theirs.retrieved:
        said["retrieved"] = _with_scores(ours.retrieved, theirs.retrieved) or ours.retrieved
    return Answer.model_validate({**dict(theirs), **said})


def _with_scores(
    ours: Sequence[Retrieved], theirs: Sequence[Retrieved]
) -> tuple[Retrieved, ...] | None:
    """Give our ranking with the scores that only theirs has; None where they are two rankings.

    They are two where a document, its place or a score differs, and where the scores gained would
    rank the documents otherwise than they are listed.
    """
    if [one.document for one in ours] != [one.document for one in theirs]:
        return None
    pairs = list(zip(ours, theirs, strict=True))
    if any(None not in (o.score, t.score) and o.score != t.score for o, t in pairs):
        return None
    joined = tuple(t if o.score is None else o for o, t in pairs)
    scores = [(one.score, one.document) for one in joined if one.score is not None]
    # As soon as every document has a score, the scores rank them, and equal ones their ids.
    gained = joined != tuple(ours) and len(scores) == len(joined)
    return None if gained and scores != sorted(scores, reverse=True) else joined


def rewritten(folder: Path, fuller: Mapping[_Key, Mapping[str, object]]) -> dict[Path, bytes]:
    """Give the files that hold these answers, with what they gained; every other line is as it was.

    Args:
        folder: The study's answers.
        fuller: The cells that answers gain, by system, case and sample; `held` goes where None.

    Raises:
        InvalidInput: One of them stands in a table that is no JSON lines.
    """
    files: dict[Path, bytes] = {}
    left = dict(fuller)
    for path in sorted(folder.glob("*.jsonl")) if fuller else ():
        lines = _lines(path)
        changed = False
        for place, line in enumerate(lines):
            row = json.loads(line) if line.strip() else {}
            gained = left.pop(_key(path.stem, row), None) if row else None
            if gained is not None:
                cells = {**row, **gained}
                if cells.get("held") is None:
                    cells.pop("held", None)
                lines[place] = jsonl_bytes([cells]).decode().removesuffix("\n")
                changed = True
        if changed:
            files[path] = "\n".join(lines).encode()
    if left:
        system, case, _ = next(iter(left))
        must = f'be JSON lines where the answer of "{system}" to "{case}" gains something'
        raise InvalidInput(Problem(folder.name, must, "another form of table", _HINT))
    return files


def _lines(path: Path) -> list[str]:
    """Give the lines of a file; none where it is not in UTF-8."""
    try:
        return path.read_bytes().decode("utf-8-sig").split("\n")
    except UnicodeDecodeError:
        return []


def _key(stem: str, row: Mapping[str, object]) -> _Key:
    system = row.get("system")
    given = {"system": stem if system is None else system, "case": row.get("case"), "text": ""}
    return Answer.model_validate({**given, "sample": row.get("sample") or 0}).key


def asked_with(study: Study, theirs: Answers) -> CasesPerSystem:
    """Join what a study asked with what new answers say that they were asked.

    Where only one of the two says it, every system of the other was asked every case; answers that
    are there were asked for, whatever was said before.

    Example:
        >>> from types import SimpleNamespace
        >>> from medassay.cases import Case, Cases
        >>> cases = Cases.of([Case(case="1"), Case(case="2")])
        >>> study = SimpleNamespace(cases=cases, systems=("A",), asked=EVERY_CASE)
        >>> more = CasesPerSystem.in_pairs([("B", "2")])
        >>> asked_with(study, Answers.of([], more)).pairs("AB", "12")
        [('A', '1'), ('A', '2'), ('B', '2')]
    """
    if study.asked.everything and theirs.asked.everything:
        return EVERY_CASE
    new = _unheard_of(study, theirs)
    pairs = [*_said(study.asked, study.systems, study), *_said(theirs.asked, new, study)]
    return CasesPerSystem.in_pairs([*pairs, *((system, case) for system, case, _ in theirs.keys)])


def _unheard_of(study: Study, theirs: Answers) -> list[str]:
    """List the systems of new answers that neither the study nor its asked.csv names."""
    known = {*study.systems, *(study.asked.of or ())}
    return [system for system in theirs.systems if system not in known]


def _said(asked: CasesPerSystem, systems: Iterable[str], study: Study) -> list[tuple[str, str]]:
    named = list(asked.of) if asked.of is not None else [*systems]
    return asked.pairs(named, study.cases.ids)


def write_asked(study: Study, asked: CasesPerSystem) -> list[Path]:
    """Write asked.csv where it says something else than before, and name it.

    Raises:
        InvalidInput: The study says it in a file of another form, to which no row can be added.
    """
    if asked == study.asked:
        return []
    path = study.path / f"{ASKED}.csv"
    there = table_file(study.path, ASKED) or path
    if there != path:
        must = f"be {ASKED}.csv, so that rows can be added"
        raise InvalidInput(Problem(there.name, must, there.name, "Save it as CSV."))
    write_atomically(path, asked_bytes(asked))
    return [path]


def describe_grown(study: Study, theirs: Answers, asked: CasesPerSystem) -> list[str]:
    """Say which new systems count as asked every case, since nothing says what they were asked."""
    if asked.everything or not theirs.asked.everything:
        return []
    new = _unheard_of(study, theirs)
    if not new:
        return []
    many = f"all {count_of(len(study.cases), 'case')}"
    hint = "Take out the rows of cases that were not asked."
    return [f"{ASKED}.csv counts {listed(new)} as asked {many}. {hint}"]


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
