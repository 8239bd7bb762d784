"""Take a table into a study: nothing that is there already is changed or lost."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from medassay.answers import Answer, Answers, answers_from_sheet, write_answers
from medassay.errors import InvalidInput, Problem
from medassay.formats import read_tidy
from medassay.judgements import Judgements, Preferences
from medassay.scores import Name, scores_from_sheet
from medassay.study.folder import FORMS, Study
from medassay.study.imported import FOLDER, Meaning
from medassay.tables import csv_bytes, write_atomically

__all__ = ["Taken", "take_answers", "take_judgements", "take_preferences", "take_scores"]


@dataclass(frozen=True)
class Taken:
    """What an import did.

    Attributes:
        kind: Which table.
        added: Rows that are new.
        known: Rows that the study had already, word for word.
        files: The study's files that were written.
    """

    kind: Literal["answers", "judgements", "preferences", "scores"]
    added: int
    known: int
    files: list[str]


def take_answers(study: Study, file: Path, columns: Mapping[str, str]) -> Taken:
    """Add the answers of a tidy table with the columns system, case, text.

    Raises:
        InvalidInput: A problem of the table, or another answer of the same system to the same case.
    """
    theirs = answers_from_sheet(read_tidy(file, columns), study.cases)
    problems = []
    new: dict[str, list[Answer]] = {}
    for answer in theirs:
        ours = study.answers.get(answer.system, answer.case)
        if ours is None:
            new.setdefault(answer.system, []).append(answer)
        elif ours != answer:
            must = "not replace an answer that the study has"
            got = f'another answer of "{answer.system}" to "{answer.case}"'
            problems.append(Problem(file.name, must, got, "Remove the old one first."))
    if problems:
        raise InvalidInput(problems)
    files = []
    for system, added in sorted(new.items()):
        path = study.path / "answers" / f"{_file_stem(system)}.jsonl"
        before = [answer for answer in study.answers if answer.system == system]
        for form in FORMS:
            path.with_suffix(form).unlink(missing_ok=True) if form != ".jsonl" else None
        write_answers(path, Answers.of([*before, *added]))
        files.append(path.relative_to(study.path).as_posix())
    count = sum(map(len, new.values()))
    return Taken("answers", count, len(theirs) - count, files)


def take_judgements(study: Study, file: Path, columns: Mapping[str, str]) -> Taken:
    """Append the judgements of a tidy table; a row that the study has already changes nothing.

    Raises:
        InvalidInput: Every problem of the table.
    """
    theirs = Judgements.from_sheet(read_tidy(file, columns), study.rubric)
    new = theirs.frame.join(
        study.judgements.frame, on=theirs.frame.columns, how="anti", nulls_equal=True
    )
    both = study.judgements.append(Judgements(new, study.rubric))
    return _append(study, "judgements", both.to_csv(), new.height, len(theirs) - new.height)


def take_preferences(study: Study, file: Path, columns: Mapping[str, str]) -> Taken:
    """Append the preferences of a tidy table; a row that the study has already changes nothing.

    Raises:
        InvalidInput: Every problem of the table.
    """
    theirs = Preferences.from_sheet(read_tidy(file, columns))
    new = theirs.frame.join(
        study.preferences.frame, on=theirs.frame.columns, how="anti", nulls_equal=True
    )
    both = study.preferences.append(Preferences(new))
    return _append(study, "preferences", both.to_csv(), new.height, len(theirs) - new.height)


def take_scores(
    study: Study, file: Path, columns: Mapping[str, str], name: str | None, meaning: Meaning
) -> Taken:
    """Make anyone's table of scores a metric of the study.

    Args:
        study: The study.
        file: A table with the columns system, case, value and, for several metrics, source.
        columns: Our name to theirs.
        name: The metric's name, where the table has no column `source`.
        meaning: Which way is better, and what the numbers say.

    Raises:
        InvalidInput: Every problem of the table, or a metric of that name is there already.
    """
    if name is not None:
        Name.parse(name)
    table = scores_from_sheet(read_tidy(file, columns), source=name or file.stem)
    path = study.path / FOLDER / f"{_file_stem(name or file.stem)}.csv"
    header = ["system", "case", "source", "value", "reason", "detail"]
    content = csv_bytes(header, table.frame.select(header).rows())
    taken = {source: one for one in study.imported for source in one.table.sources}
    if path.exists() and path.read_bytes() == content:
        return Taken("scores", 0, len(table), [])
    clash = sorted(set(taken) & set(table.sources))
    if clash or path.exists():
        got = f'"{clash[0]}" in {taken[clash[0]].file}' if clash else f"{path.name}, with others"
        hint = "Remove that file first, or give another --name."
        raise InvalidInput(Problem(file.name, "bring scores of a new name", got, hint))
    write_atomically(path, content)
    facts = [
        f"{key} = {_toml(value)}" for key, value in meaning.model_dump(exclude_none=True).items()
    ]
    write_atomically(path.with_suffix(".toml"), ("\n".join(facts) + "\n").encode())
    written = [path, path.with_suffix(".toml")]
    return Taken("scores", len(table), 0, [p.relative_to(study.path).as_posix() for p in written])


def _append(
    study: Study, stem: Literal["judgements", "preferences"], content: bytes, added: int, known: int
) -> Taken:
    if not added:
        return Taken(stem, 0, known, [])
    write_atomically(study.path / f"{stem}.csv", content)
    for form in FORMS:
        if form != ".csv":
            (study.path / f"{stem}{form}").unlink(missing_ok=True)
    return Taken(stem, added, known, [f"{stem}.csv"])


def _file_stem(name: str) -> str:
    """Make a file's name of an id: characters that a file system may refuse become `-`."""
    return "".join(c if c.isalnum() or c in "._-" else "-" for c in name).lstrip(".") or "answers"


def _toml(value: object) -> str:
    import json

    return json.dumps(value, ensure_ascii=False)
