"""Cases, answers and ratings out of tables whose columns are known."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from typing import Final

from medassay.answers import Answer, Retrieved
from medassay.cases import Case, Cases, Evidence, Reference
from medassay.errors import InvalidInput, Problem
from medassay.exchange.spreadsheet.accepted import accepted, several_in
from medassay.exchange.spreadsheet.layout import Layout
from medassay.exchange.spreadsheet.rating_columns import label_of
from medassay.exchange.spreadsheet.read import cell_text
from medassay.judgements import Dimension
from medassay.text import count_of

__all__ = ["Collected", "Names", "Rating", "alike", "collect"]

_FEW: Final = 5
_MARKS: Final = frozenset({"na", "nan", "null", "none", "ka", "error", "fehler", "noanswer"})
_REPEAT: Final = "Write the question or its id into every row, or delete the row."

_ASK_TOO: Final = "Give the file with the questions too, in the same command."


@dataclass(frozen=True, slots=True)
class Names:
    """What a user calls things that no column names.

    Attributes:
        system: The system of answers without one; called after the file if not given.
        rater: Who gave the ratings without a rater.
    """

    system: str = ""
    rater: str = ""


@dataclass(frozen=True, slots=True)
class Rating:
    """One label, and where it stands."""

    file: str
    row: int
    column: str
    cells: Mapping[str, str]


@dataclass
class _Asked:
    """A case while its rows come in."""

    file: str
    row: int
    question: str = ""
    narrative: str = ""
    references: list[str] = field(default_factory=list)
    evidence: list[str] = field(default_factory=list)
    tags: dict[str, str] = field(default_factory=dict)


@dataclass
class Collected:
    """What tables hold of a study.

    Attributes:
        asked: The cases while they grow, by id.
        answers: What each system answered to each case.
        places: Where each answer stands.
        rows: The systems and cases that a row is about, an empty cell for the answer or not.
        documents: What systems retrieved that the study does not have yet, text to id.
        documents_before: What the study has, text to id.
        ratings: The labels.
        notes: What became of cells that say nothing.
        problems: What is wrong.
    """

    asked: dict[str, _Asked] = field(default_factory=dict)
    answers: dict[tuple[str, str], Answer] = field(default_factory=dict)
    places: dict[tuple[str, str], str] = field(default_factory=dict)
    rows: set[tuple[str, str]] = field(default_factory=set)
    documents: dict[str, str] = field(default_factory=dict)
    documents_before: Mapping[str, str] = field(default_factory=dict)
    ratings: list[Rating] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def cases(self) -> Cases:
        """Give the cases."""
        return Cases.of(
            Case(
                case=name,
                question=asked.question or None,
                narrative=asked.narrative or None,
                references=tuple(Reference(text=text) for text in asked.references),
                evidence=tuple(
                    Evidence(id=str(i), text=text) for i, text in enumerate(asked.evidence, 1)
                ),
                tags=asked.tags,
            )
            for name, asked in self.asked.items()
        )


def collect(
    layouts: Sequence[Layout],
    names: Names,
    dimensions: Sequence[Dimension],
    known: Mapping[str, str] | None = None,
    documents: Mapping[str, str] | None = None,
) -> Collected:
    """Gather what tables hold of a study.

    Args:
        layouts: The tables with what their columns are.
        names: What a user calls things that no column names.
        dimensions: What raters were asked.
        known: The cases that the study has, id to question.
        documents: The documents that the study has, text to id.

    Raises:
        InvalidInput: Every problem of every table, with file, row and column.
    """
    whole = Collected(documents_before=documents or {})
    questions = {_form(question): name for name, question in (known or {}).items()}
    by_id = {name: name for name in known or {}}
    # Tables that ask come first: the others name cases by id.
    for layout in sorted(layouts, key=lambda table: table.named("question") is None):
        _Reading(whole, layout, names, dimensions, questions, by_id).read()
    if whole.problems:
        raise InvalidInput(whole.problems)
    if any(layout.named("question") for layout in layouts):
        whole.notes += [
            f'{asked.file}, row {asked.row}: no question, and "{name}" was read without one. '
            "Fill the cell, or delete the row."
            for name, asked in whole.asked.items()
            if not asked.question and not (known or {}).get(name)
        ]
    whole.notes += [*_asked_twice(whole.asked), *_no_answers(whole)]
    return whole


def _asked_twice(asked: Mapping[str, _Asked]) -> Iterator[str]:
    """Name questions that stand under two ids: each would count for itself."""
    first: dict[str, str] = {}
    for name, case in asked.items():
        before = first.setdefault(_form(case.question), name)
        if case.question and before != name:
            yield (
                f'{case.file}, row {case.row}: the question of "{name}" is that of "{before}" in '
                f"row {asked[before].row}, and both count. If they are one, delete a row."
            )


def _no_answers(whole: Collected) -> Iterator[str]:
    """Name answers that look like the mark of a cell left empty: raters would see them."""
    marks = [(a, whole.places[key]) for key, a in whole.answers.items() if _is_mark(a.text or "")]
    for answer, place in marks[:_FEW]:
        yield (
            f'{place}: the answer of "{answer.system}" is "{answer.text}", and was read as one. '
            "If it gave none, empty the cell."
        )
    if marks[_FEW:]:
        yield f"and {len(marks) - _FEW} more such answers."


def _is_mark(text: str) -> bool:
    letters = "".join(sign for sign in text.casefold() if sign.isalnum())
    return not letters or letters in _MARKS


def alike(name: str, known: Iterable[str]) -> str:
    """Ask whether an id is meant that differs in signs, capitals or leading zeros alone.

    Example:
        >>> alike("tq-01", ["TQ1", "TQ12"]), alike("TQ3", ["TQ1"])
        ('Did you mean "TQ1"?', '')
    """
    bare = _bare(name)
    meant = next((other for other in known if bare and _bare(other) == bare), None)
    return "" if meant is None else f'Did you mean "{meant}"?'


def _bare(name: str) -> str:
    """Give what is left of an id without its signs, capitals and leading zeros."""
    return re.sub(r"(?<!\d)0+(?=\d)|[\W_]", "", name).casefold()


def _form(question: str) -> str:
    return " ".join(question.split()).casefold()


@dataclass
class _Reading:
    """One table while it is read."""

    whole: Collected
    layout: Layout
    names: Names
    dimensions: Sequence[Dimension]
    questions: dict[str, str]
    by_id: dict[str, str]
    unanswered: int = 0
    unlabelled: int = 0

    @cached_property
    def _several(self) -> frozenset[str]:
        """Name the columns of references whose cells hold several short answers."""
        return frozenset(several_in(self.layout))

    def read(self) -> None:
        sheet = self.layout.table.sheet
        for place, row in enumerate(sheet.rows):
            cells = {name: column[place] for name, column in sheet.columns.items()}
            if not any(cell_text(cell) for cell in cells.values()):
                continue
            case = self._case(row, cells)
            if case is not None:
                self._facts(case, cells)
                self._answers(case, row, cells)
                self._ratings(case, row, cells)
        self.whole.notes += [
            f"{sheet.file}: texts apart by | in {name} were each read as an accepted answer."
            for name in sorted(self._several)
        ]
        if self.unanswered:
            empty = count_of(self.unanswered, "empty cell")
            self.whole.notes.append(f"{sheet.file}: {empty} for answers, read as never given.")
        if self.unlabelled:
            empty = count_of(self.unlabelled, "empty cell")
            self.whole.notes.append(f"{sheet.file}: {empty} for ratings, read as not judged.")

    def _cell(self, cells: Mapping[str, object], role: str) -> str:
        name = next((column.name for column in self.layout.columns if column.role == role), None)
        return "" if name is None else cell_text(cells[name])

    def _problem(self, row: int, column: str | None, must: str, got: str, hint: str) -> None:
        file = self.layout.table.name
        self.whole.problems.append(Problem(file, must, got, hint, row, column))

    def _case(self, row: int, cells: Mapping[str, object]) -> str | None:
        """Say which case a row is about, and note a new one."""
        asks, has_ids = self.layout.named("question"), self.layout.named("case")
        name, question = self._cell(cells, "case"), self._cell(cells, "question")
        if not name and not question:
            self._problem(row, has_ids or asks, "say which question it is about", "none", _REPEAT)
            return None
        if has_ids and not name:
            hint = f'Fill it, or number the questions anew: --column "skip={has_ids}"'
            self._problem(row, has_ids, "have an id in every row", "none", hint)
            return None
        if not has_ids:
            form = _form(question)
            name = self.questions.setdefault(form, str(len(self.questions) + 1))
        elif not asks and name not in self.by_id:
            hint = alike(name, self.by_id) or _ASK_TOO
            self._problem(row, has_ids, "be the id of a question", f'"{name}"', hint)
            return None
        self.by_id.setdefault(name, name)
        asked = self.whole.asked.setdefault(name, _Asked(self.layout.table.name, row))
        if question and asked.question and _form(question) != _form(asked.question):
            hint = "Give each question an id of its own"
            hint += f', or let them be numbered anew: --column "skip={has_ids}"'
            got = f'another question than in row {asked.row} under the id "{name}"'
            self._problem(row, asks, "ask one question under each id", got, hint)
            return None
        asked.question = asked.question or question
        return name

    def _facts(self, case: str, cells: Mapping[str, object]) -> None:
        asked = self.whole.asked[case]
        asked.narrative = asked.narrative or self._cell(cells, "narrative")
        for column in self.layout.columns:
            if column.role in {"reference", "evidence"}:
                known = asked.references if column.role == "reference" else asked.evidence
                texts = _texts(cells[column.name])
                if column.name in self._several:
                    texts = [text for cell in texts for text in accepted(cell)]
                known += [text for text in texts if text not in known]
            elif column.role == "tag" and cell_text(cells[column.name]):
                asked.tags.setdefault(column.of, cell_text(cells[column.name]))

    def _answers(self, case: str, row: int, cells: Mapping[str, object]) -> None:
        named = self.layout.named("system")
        system = self._cell(cells, "system")
        for column in self.layout.of_role("answer"):
            text = cell_text(cells[column.name])
            if named and not column.of and not system:
                if text:
                    self._problem(row, named, "name the system", "none", "Fill the cell.")
                continue
            of = column.of or system or self.names.system or self.layout.table.stem
            self.whole.rows.add((of, case))
            if not text:
                self.unanswered += 1
                continue
            self._answer(of, case, text, row, column.name, cells)

    def _answer(
        self, system: str, case: str, text: str, row: int, column: str, cells: Mapping[str, object]
    ) -> None:
        retrieved = None
        if self.layout.named("contexts") is not None:
            texts = _texts(cells[str(self.layout.named("contexts"))])
            ids = [self._document(text) for text in dict.fromkeys(texts)]
            retrieved = tuple(Retrieved(document=document) for document in ids)
        answer = Answer(system=system, case=case, text=text, retrieved=retrieved)
        place = f"{self.layout.table.name}, row {row}"
        before = self.whole.answers.setdefault((system, case), answer)
        first = self.whole.places.setdefault((system, case), place)
        if before != answer:
            must = "hold one answer of each system to each question"
            got = f'another one of "{system}" to "{case}" than in {first}'
            hint = "Delete one of the two rows; or, where they are two questions, "
            hint += "give these ids of their own"
            hint += "." if self.layout.named("case") else ", such as a log's: --column case=THEIRS."
            self._problem(row, column, must, got, hint)

    def _document(self, text: str) -> str:
        new, before = self.whole.documents, self.whole.documents_before
        if text in before:
            return before[text]
        if text not in new:
            taken = {*before.values(), *new.values()}
            ids = (f"passage-{number}" for number in count(len(taken) + 1))
            new[text] = next(name for name in ids if name not in taken)
        return new[text]

    def _ratings(self, case: str, row: int, cells: Mapping[str, object]) -> None:
        known = {dimension.id: dimension for dimension in self.dimensions}
        for column in self.layout.of_role("rating"):
            rater = column.rater or self._cell(cells, "rater") or self.names.rater
            self._rating(case, row, column.name, cells, (rater, column.system, known[column.of]))
        label = self.layout.named("label")
        if label is not None and self.layout.named("dimension") is not None:
            asked = self._cell(cells, "dimension")
            by_word = {word.casefold(): d for d in self.dimensions for word in (d.id, d.title)}
            dimension = by_word.get(asked.casefold())
            if dimension is None:
                hint = f"Known: {', '.join(known)}; others with --rubric."
                column_name = self.layout.named("dimension")
                self._problem(row, column_name, "name a dimension", f'"{asked}"', hint)
                return
            rater = self._cell(cells, "rater") or self.names.rater
            self._rating(case, row, label, cells, (rater, "", dimension))

    def _rating(
        self,
        case: str,
        row: int,
        column: str,
        cells: Mapping[str, object],
        about: tuple[str, str, Dimension],
    ) -> None:
        rater, system, dimension = about
        label = label_of(cell_text(cells[column]), dimension)
        system = system or self._cell(cells, "system") or self._only_system()
        if not label:
            self.unlabelled += 1
            return
        if not rater:
            hint = "Name them: --rater NAME; or leave the column out: "
            hint += f'--column "skip={column}"'
            self._problem(row, column, "say who rated", "nobody", hint)
            return
        if not system:
            hint = f'Leave the column out: --column "skip={column}"'
            self._problem(row, column, "say which system was rated", "none", hint)
            return
        filled = {
            "rater": rater, "rater_kind": "person", "system": system, "case": case,
            "dimension": dimension.id, "label": label, "comment": self._cell(cells, "comment"),
        }  # fmt: skip
        self.whole.ratings.append(Rating(self.layout.table.name, row, column, filled))

    def _only_system(self) -> str:
        """Name the system of a table of one system's answers."""
        answers = self.layout.of_role("answer")
        if len(answers) != 1:
            return ""
        return answers[0].of or self.names.system or self.layout.table.stem


def _texts(cell: object) -> list[str]:
    """Give the texts of a cell: a list, a list written as JSON, or one text."""
    held = cell
    if isinstance(cell, str) and cell.lstrip().startswith("["):
        try:
            held = json.loads(cell)
        except json.JSONDecodeError:
            held = cell
    listed = held if isinstance(held, list | tuple) else [held]
    return [text for text in map(cell_text, listed) if text]
