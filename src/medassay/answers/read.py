"""Read answers from a folder with a file for each system, or from one tidy file."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from medassay.answers.chosen_letter import letter_meant
from medassay.answers.collection import Answers
from medassay.answers.record import Answer
from medassay.cases import Cases, look_alikes
from medassay.errors import InvalidInput, Problem, nearest
from medassay.surface import checked
from medassay.tables import (
    FORMS,
    Sheet,
    check_columns,
    gathered,
    parse_json_cells,
    read_good_lines,
    read_record,
    read_sheet,
    with_points,
    without_nulls,
)

__all__ = ["answers_from_sheet", "read_answers"]

_NESTED: Final = {
    "turns": 'Write [{"role": "user", "text": "..."}, {"role": "assistant", "text": "..."}].',
    "statements": 'Write [{"text": "...", "citations": ["1"]}], or plain text in "text".',
    "retrieved": 'Write [{"document": "...", "score": 1.5}], the first one first.',
}
"""Columns that hold JSON, and what to try where they do not."""
_KNOWN: Final = tuple(Answer.model_fields)
_WORDS: Final = ("reasoning", "raw", "text", *_NESTED)
"""Columns whose blanks may mean something; around anything else they are slips."""
_MOST_HINTS: Final = 50
"""Looking for the nearest of many ids takes long; after so many strangers a hint helps no more."""


@checked
def read_answers(path: Path | str, cases: Cases | None) -> Answers:
    """Read all answers and check them against the cases.

    The columns are the keys of `Answer`. In a folder, a file without a `system` column holds the
    answers of the system that it is named after. In CSV, statements and retrieved are JSON text,
    and an empty cell under `text` is an empty answer, unless the row has statements.

    Args:
        path: A folder of tables, or one table.
        cases: The cases that were asked; None where they are not known, and then no answer is held
            against them.

    Raises:
        InvalidInput: Every problem of every file, with row and column.
    """
    path = Path(path)
    problems: list[Problem] = []
    return _gather(_tables(path, problems), cases, path.name, problems)


def answers_from_sheet(sheet: Sheet, cases: Cases | None) -> Answers:
    """Check a sheet of answers that has a column `system` against the cases.

    Raises:
        InvalidInput: Every problem of the sheet, with row and column.
    """
    problems: list[Problem] = []
    return _gather([_table(sheet, None, problems)], cases, sheet.file, problems)


@dataclass(frozen=True, slots=True)
class _Table:
    """The answers of one file, each with its row."""

    file: str
    answers: Iterable[tuple[int, Answer]]
    notes: tuple[Problem, ...] = ()


def _gather(
    tables: Iterable[_Table], cases: Cases | None, name: str, problems: list[Problem]
) -> Answers:
    place: dict[tuple[str, str, int], tuple[str, int]] = {}
    hints: dict[str, str] = {}
    notes: list[Problem] = []
    read: dict[str, list[str]] = {}

    def checked_answers() -> Iterator[Answer]:
        for table in tables:
            notes.extend(table.notes)
            for row, answer in table.answers:
                problem = _check(answer, cases, place, hints)
                if problem is not None:
                    must, got, try_, column = problem
                    problems.append(Problem(table.file, must, got, try_, row=row, column=column))
                place.setdefault(answer.key, (table.file, row))
                yield _with_letter(answer, cases, read)

    records = gathered(checked_answers())
    if problems:
        raise InvalidInput(problems)
    alike = look_alikes(name, "system", {answer.system for answer in records})
    strange = () if cases is None else _warnings(records, cases, name)
    return Answers(records, (*notes, *_read_so(read, name), *alike, *strange))


def _tables(path: Path, problems: list[Problem]) -> Iterator[_Table]:
    """Give each file's answers; in a folder its name says the system. Go on after a broken file."""
    for file in _files(path):
        shown = f"{path.name}/{file.name}" if path.is_dir() else path.name
        system = file.stem if path.is_dir() else None
        good = read_good_lines(file, Answer, {} if system is None else {"system": system})
        if good:
            yield _Table(shown, good)
            continue
        try:
            yield _table(read_sheet(file, shown), system, problems)
        except InvalidInput as error:
            problems += [problem for problem in error.problems if problem not in problems]


def _table(handed_in: Sheet, system: str | None, problems: list[Problem]) -> _Table:
    sheet = _checked(handed_in, system, problems)
    notes = sheet.notes
    if system is not None and not len(sheet):
        hint = f'"{system}" is not part of the study until it has given one.'
        notes = (*notes, Problem(sheet.file, "hold answers", "none", hint))
    return _Table(sheet.file, _read_sheet(sheet, system, problems), notes)


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


def _check(
    answer: Answer,
    cases: Cases | None,
    place: Mapping[tuple[str, str, int], tuple[str, int]],
    hints: dict[str, str],
) -> tuple[str, str, str, str] | None:
    if cases is not None and answer.case not in cases:
        must = "be the id of a case that was asked"
        if answer.case not in hints and len(hints) < _MOST_HINTS:
            hints[answer.case] = nearest(answer.case, cases.ids)
        return must, f'"{answer.case}"', hints.get(answer.case, ""), "case"
    earlier = place.get(answer.key)
    if earlier is not None:
        file, row = earlier
        got = f'"{answer.system}" answering "{answer.case}" again, as in {file}, row {row}'
        hint = "Number repeated answers in the column sample: 0, 1, 2."
        return "hold one answer for a system, case and sample", got, hint, "case"
    return None


def _with_letter(answer: Answer, cases: Cases | None, read: dict[str, list[str]]) -> Answer:
    """Write the choice as its case writes the option, and keep what was read so."""
    if answer.choice is None or cases is None or answer.case not in cases:
        return answer
    letter = letter_meant(answer.choice, cases[answer.case].options)
    if letter is None or letter == answer.choice:
        return answer
    read.setdefault(answer.system, []).append(f'{answer.case} first: "{answer.choice}" as {letter}')
    return answer.model_copy(update={"choice": letter})


def _read_so(read: Mapping[str, list[str]], file: str) -> list[Problem]:
    """Say how many choices were read as an option that is written otherwise."""
    return [
        Problem(
            file,
            "write each choice as its case writes the option",
            f'{len(of_system)} of "{system}" that do not, {of_system[0]}',
            "Capitals, brackets and a full stop were looked past.",
            None,
            "choice",
            counted=f'{len(of_system)} of "{system}" that do not',
        )
        for system, of_system in sorted(read.items())
    ]


def _warnings(records: Iterable[Answer], cases: Cases, file: str) -> tuple[Problem, ...]:
    """Count what systems named and the case does not have: their fault, so it is kept."""
    cited: Counter[str] = Counter()
    chosen: Counter[str] = Counter()
    first: dict[str, str] = {}
    for answer in records:
        case = cases[answer.case]
        known = {e.id for e in case.evidence} | {d.id for d in case.documents}
        # `document#3` names a sentence of a document that the system itself returned.
        own = {retrieved.document for retrieved in answer.retrieved or ()}
        cited[answer.system] += sum(
            c not in known and c.rpartition("#")[0] not in own for c in answer.citations
        )
        if answer.choice is not None and case.options and answer.choice not in case.options:
            chosen[answer.system] += 1
            first.setdefault(answer.system, f', {answer.case} first: "{answer.choice}"')
    note = "They are kept and count against the system."
    counted = [
        (system, column, count, what)
        for counts, column, what in (
            (cited, "citations", "evidence"),
            (chosen, "choice", "options"),
        )
        for system, count in counts.items()
        if count
    ]
    return tuple(
        Problem(
            file,
            f"name {what} of its case",
            f'{n} of "{system}" that do not{first.get(system, "") if col == "choice" else ""}',
            note,
            None,
            col,
            counted=f'{n} of "{system}" that do not',
        )
        for system, col, n, what in sorted(counted)
    )
