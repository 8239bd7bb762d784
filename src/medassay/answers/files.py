"""Answers in files: one for each system, or one tidy file of all."""

from collections.abc import Iterable
from pathlib import Path

from medassay.answers.collection import (
    Answers,
    LookedAt,
    answer_row,
    answers_of_any_form,
    looked_at,
)
from medassay.answers.record import Answer
from medassay.api_checks import checked
from medassay.cases import Cases
from medassay.errors import InvalidInput, Problem
from medassay.tables import (
    FORMS,
    Doubt,
    Gathering,
    good_lines,
    read_sheet,
    write_rows,
)


@checked
def read_answers(path: Path | str, cases: Cases | None) -> Answers:
    """Read all answers and check them against the cases.

    The columns are the keys of `Answer`. In a folder, a file without a `system` column holds the
    answers of the system that it is named after. In CSV, statements and retrieved are JSON text,
    and an empty cell under `text` is an empty answer, unless the row has statements or a choice.

    Args:
        path: A folder of tables, or one table.
        cases: The cases that were asked; None where they are not known, and then no answer is held
            against them.

    Raises:
        InvalidInput: Every problem of every file, with row and column.
    """
    path = Path(path)
    gathering, seen = Gathering[Answer](), LookedAt(cases)
    notes: list[Problem] = []
    for file in _files(path):
        shown = f"{path.name}/{file.name}" if path.is_dir() else path.name
        system = file.stem if path.is_dir() else None
        own = _good_lines(file, shown, system, LookedAt(cases, seen), gathering)
        if own is not None:
            seen.join(own)
            continue
        try:
            notes += answers_of_any_form(read_sheet(file, shown), system, seen, gathering)
        except InvalidInput as error:
            seen.problems += [problem for problem in error.problems if problem not in seen.problems]
    return looked_at(gathering, seen, path.name, notes)


def _good_lines(
    file: Path, shown: str, system: str | None, seen: LookedAt, gathering: Gathering[Answer]
) -> LookedAt | None:
    """Read a file of which nothing needs to be said; None, and nothing is kept, where it is not."""
    before = len(gathering)
    try:
        for row, answer in good_lines(file, Answer, {} if system is None else {"system": system}):
            gathering.add(seen.look(shown, row, answer))
    except Doubt:
        gathering.back_to(before)
    return seen if len(gathering) > before else None


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    files = sorted(f for f in path.iterdir() if f.suffix.lower() in FORMS and f.name[0] != ".")
    if not files:
        must = f"hold a file for each system, ending in one of {', '.join(FORMS)}"
        raise InvalidInput(Problem(path.name, must, "none"))
    return files


def write_answers(path: Path | str, answers: Iterable[Answer]) -> None:
    """Write answers to one file, or to a folder with a JSONL file for each system.

    Args:
        path: A file ending in .jsonl, .csv or .parquet, or a folder.
        answers: The answers; their order is kept.

    Raises:
        InvalidInput: A system's name cannot be a file's name, CSV cannot hold these answers, or a
            file cannot be written.
    """
    path, listed = Path(path), list(answers)
    if path.suffix.lower() in {".jsonl", ".csv", ".parquet"} and not path.is_dir():
        if path.suffix.lower() == ".csv":
            _check_for_csv(path, listed)
        write_rows(path, [answer_row(answer) for answer in listed])
        return
    by_system: dict[str, list[dict[str, object]]] = {}
    for answer in listed:
        row = answer_row(answer)
        by_system.setdefault(str(row.pop("system")), []).append(row)
    problems = [
        Problem(
            f"{path.name}/", "have systems that can name files", f'"{system}"', "Write one file."
        )
        for system in by_system
        if system.startswith(".") or any(sign in system for sign in '/\\:*?"<>|')
    ]
    if problems:
        raise InvalidInput(problems)
    for system, rows in by_system.items():
        write_rows(path / f"{system}.jsonl", rows)


def _check_for_csv(path: Path, answers: list[Answer]) -> None:
    """Refuse what an empty cell would turn into something else."""
    with_text = [
        a for a in answers if a.text is not None and a.statements is None and a.turns is None
    ]
    without = [a for a in answers if a.text is None and a.held]
    if with_text and without:
        got = f"{len(with_text)} with a text and {len(without)} without"
        raise InvalidInput(
            Problem(path.name, "hold answers with a text or without", got, "Write JSONL instead.")
        )
