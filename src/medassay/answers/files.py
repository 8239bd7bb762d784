"""Answers in files: one for each system, or one tidy file of all."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from medassay.answers.collection import Answers, LookedAt, collected
from medassay.answers.record import Answer
from medassay.api_checks import checked
from medassay.cases import Cases, look_alikes
from medassay.errors import InvalidInput, Problem
from medassay.tables import (
    FORMS,
    Doubt,
    Gathering,
    Sheet,
    check_columns,
    good_lines,
    parse_json_cells,
    read_record,
    read_sheet,
    with_points,
    without_nulls,
    write_rows,
)

__all__ = ["answer_row", "answers_from_sheet", "read_answers", "write_answers"]

_NESTED: Final = {
    "turns": 'Write [{"role": "user", "text": "..."}, {"role": "assistant", "text": "..."}].',
    "statements": 'Write [{"text": "...", "citations": ["1"]}], or plain text in "text".',
    "retrieved": 'Write [{"document": "...", "score": 1.5}], the first one first.',
}
"""Columns that hold JSON, and what to try where they do not."""
_KNOWN: Final = tuple(Answer.model_fields)
_WORDS: Final = ("reasoning", "raw", "text", *_NESTED)
"""Columns whose blanks may mean something; around anything else they are slips."""


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
    gathering, found = Gathering[Answer](), LookedAt(cases)
    notes: list[Problem] = []
    for file in _files(path):
        shown = f"{path.name}/{file.name}" if path.is_dir() else path.name
        system = file.stem if path.is_dir() else None
        own = _good_lines(file, shown, system, LookedAt(cases, found), gathering)
        if own is not None:
            found.join(own)
            continue
        try:
            notes += _of_any_form(read_sheet(file, shown), system, found, gathering)
        except InvalidInput as error:
            found.problems += [one for one in error.problems if one not in found.problems]
    return _answers(gathering, found, path.name, notes)


def answers_from_sheet(sheet: Sheet, cases: Cases | None) -> Answers:
    """Check a sheet of answers that has a column `system` against the cases.

    Raises:
        InvalidInput: Every problem of the sheet, with row and column.
    """
    gathering, found = Gathering[Answer](), LookedAt(cases)
    notes = _of_any_form(sheet, None, found, gathering)
    return _answers(gathering, found, sheet.file, notes)


def _good_lines(
    file: Path, shown: str, system: str | None, found: LookedAt, gathering: Gathering[Answer]
) -> LookedAt | None:
    """Read a file of which nothing needs to be said; None, and nothing is kept, where it is not."""
    before = len(gathering)
    try:
        for row, answer in good_lines(file, Answer, {} if system is None else {"system": system}):
            gathering.add(found.look(shown, row, answer))
    except Doubt:
        gathering.back_to(before)
    return found if len(gathering) > before else None


def _of_any_form(
    handed_in: Sheet, system: str | None, found: LookedAt, gathering: Gathering[Answer]
) -> tuple[Problem, ...]:
    """Read a file of any form, with a word on all that is wrong with it."""
    sheet = _checked(handed_in, system, found.problems)
    for row, answer in _read_sheet(sheet, system, found.problems):
        gathering.add(found.look(sheet.file, row, answer))
    if system is None or len(sheet):
        return sheet.notes
    hint = f'"{system}" is not part of the study until it has given one.'
    return (*sheet.notes, Problem(sheet.file, "hold answers", "none", hint))


def _answers(
    gathering: Gathering[Answer], found: LookedAt, name: str, notes: Sequence[Problem]
) -> Answers:
    if found.problems:
        raise InvalidInput(found.problems)
    alike = look_alikes(name, "system", found.tally.given)
    warnings = (*notes, *found.read_so(name), *alike, *found.strange(name))
    return collected(gathering.all(), found, warnings)


def _checked(sheet: Sheet, system: str | None, problems: list[Problem]) -> Sheet:
    """Check that the sheet has the columns it needs."""
    required = ("case",) if system is not None else ("system", "case")
    checked = check_columns(sheet, _KNOWN, required, problems)
    if not sheet.empty_is_none:
        return checked
    return with_points(checked.trimmed([name for name in checked.columns if name not in _WORDS]))


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    files = sorted(f for f in path.iterdir() if f.suffix.lower() in FORMS and f.name[0] != ".")
    if not files:
        must = f"hold a file for each system, ending in one of {', '.join(FORMS)}"
        raise InvalidInput(Problem(path.name, must, "none"))
    return files


def _read_sheet(
    sheet: Sheet, system: str | None, problems: list[Problem]
) -> Iterator[tuple[int, Answer]]:
    for row, cells in sheet.records():
        cells_given = {name: without_nulls(cell) for name, cell in cells.items()}
        if system is not None and "system" not in sheet.columns:
            cells_given["system"] = system
        # An empty cell of CSV is None; under `text` it means that the answer is empty.
        if (
            sheet.empty_is_none
            and "text" in sheet.columns
            and not cells_given.keys() & {"statements", "turns"}
        ):
            cells_given.setdefault("text", "")
        cells_given = parse_json_cells(
            cells_given, _NESTED, file=sheet.file, row=row, problems=problems
        )
        answer = read_record(Answer, cells_given, file=sheet.file, row=row, problems=problems)
        if answer is not None:
            yield row, answer


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
            f"{path.name}/", "name systems so that a file can", f'"{system}"', "Write one file."
        )
        for system in by_system
        if system.startswith(".") or any(sign in system for sign in '/\\:*?"<>|')
    ]
    if problems:
        raise InvalidInput(problems)
    for system, rows in by_system.items():
        write_rows(path / f"{system}.jsonl", rows)


def answer_row(answer: Answer) -> dict[str, object]:
    """Give an answer as a row: what was not given and what follows from the rest is left out."""
    row = answer.model_dump(mode="json", exclude_none=True)
    if answer.statements is not None or answer.turns is not None:
        del row["text"]
    if answer.held:
        del row["held"]
    if not answer.sample:
        del row["sample"]
    return row


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
