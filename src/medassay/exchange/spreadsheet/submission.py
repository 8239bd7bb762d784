"""Whether a table of answers is what a task of one's own asks for, before it is imported."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

from medassay.cases import Cases
from medassay.errors import Problem
from medassay.exchange.spreadsheet.answer_rows import alike
from medassay.exchange.spreadsheet.columns import Layout
from medassay.exchange.spreadsheet.read import cell_text, read_tables
from medassay.exchange.spreadsheet.readings import read_columns
from medassay.text import count_of

_FEW: Final = 10


@dataclass(frozen=True, slots=True)
class TableOfAnswers:
    """What a submission holds, and what is wrong with it.

    Attributes:
        file: The file.
        questions: Questions of the task.
        answers: Questions of it that each system answered, by the system's name.
        words: Words of each answer, from few to many.
        problems: What the team has to mend.
        notes: What was odd, and would be read all the same.
    """

    file: str
    questions: int
    answers: Mapping[str, int]
    words: Sequence[int]
    problems: Sequence[Problem]
    notes: Sequence[str]

    def lines(self) -> list[str]:
        """Say what it holds: of each system how many answers, and how long they are."""
        held = [
            f"{self.file}: {system} answers {count:,} of {count_of(self.questions, 'question')}"
            for system, count in self.answers.items()
        ]
        if self.words:
            middle = f"{median(self.words):,.0f}"
            held.append(
                f"Words an answer: {self.words[0]:,} to {self.words[-1]:,}, half of them at most "
                f"{middle}."
            )
        return held


def check_answers(file: Path, cases: Cases) -> TableOfAnswers:
    """Hold a table of answers against the questions of a task: `case`, `answer`, and a `system`.

    Raises:
        InvalidInput: The file cannot be read as a table.
    """
    tables, notes, left_out = read_tables([file])
    notes += [f"left out: {problem}" for problem in left_out]
    known = dict.fromkeys(cases.ids)
    reading = _Reading(known)
    for table in tables:
        layout = read_columns(table, {})
        ids, answers = layout.named("case"), layout.of_role("answer")
        if ids is None or len(answers) != 1:
            must = "have a column of ids called case, and one of answers called answer"
            got = ", ".join(table.sheet.columns)
            reading.problems.append(Problem(table.name, must, f"only {got}"))
        else:
            reading.read(layout, ids, answers[0].name)
    for system, seen in reading.first.items():
        lacking = [case for case in known if case not in seen]
        if lacking:
            more = f" and {len(lacking) - _FEW:,} more" if len(lacking) > _FEW else ""
            got = f"no row of {system} for {', '.join(lacking[:_FEW])}{more}"
            reading.problems.append(Problem(file.name, "answer every question", got))
    return TableOfAnswers(
        file.name,
        len(known),
        {system: reading.given.get(system, 0) for system in reading.first},
        sorted(reading.words),
        reading.problems,
        notes,
    )


class _Reading:
    """A table while it is read."""

    def __init__(self, known: Mapping[str, None]) -> None:
        self.known = known
        self.first: dict[str, dict[str, int]] = {}
        self.given: dict[str, int] = {}
        self.words: list[int] = []
        self.problems: list[Problem] = []

    def read(self, layout: Layout, ids: str, answers: str) -> None:
        sheet, named = layout.table.sheet, layout.named("system")
        for place, row in enumerate(sheet.rows):
            case, text = (cell_text(sheet.columns[name][place]) for name in (ids, answers))
            system = cell_text(sheet.columns[named][place]) if named else layout.table.stem
            if not case and not text:
                continue
            problem = self._wrong(case, text, system)
            if problem is not None:
                column, must, got, hint = problem
                column_name = {"case": ids, "answer": answers, "system": named}[column]
                self.problems.append(Problem(sheet.file, must, got, hint, row, column_name))
            if case in self.known and system:
                seen = self.first.setdefault(system, {})
                if case not in seen and text:
                    self.given[system] = self.given.get(system, 0) + 1
                    self.words.append(len(text.split()))
                seen.setdefault(case, row)

    def _wrong(self, case: str, text: str, system: str) -> tuple[str, str, str, str] | None:
        """Say what is wrong with a row: the column, what must be, what was got, what to try."""
        if case not in self.known:
            hint = alike(case, self.known)
            return "case", "be the id of a question", f'"{case}"' if case else "none", hint
        if not system:
            return "system", "name the system", "none", "Fill the cell."
        before = self.first.get(system, {}).get(case)
        if before is not None:
            got = f'"{case}" in row {before} too'
            return "case", "answer each question once", got, "Delete one of the two rows."
        if not text:
            return "answer", "hold an answer", "an empty cell", ""
        return None
