"""Cases, answers, labels and scores out of tables whose columns are known, each cell counted."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import islice
from operator import itemgetter
from typing import Final

from medassay.errors import InvalidInput
from medassay.exchange.spreadsheet.answer_rows import AnswerRows, Cells, form_of
from medassay.exchange.spreadsheet.choices import chosen
from medassay.exchange.spreadsheet.collected import (
    CaseBeingRead,
    Collected,
    FallbackNames,
    ImportedScore,
    Key,
)
from medassay.exchange.spreadsheet.columns import Layout, ReadColumn
from medassay.exchange.spreadsheet.headers import metric_called
from medassay.exchange.spreadsheet.profile import is_blank, number_of
from medassay.exchange.spreadsheet.scale_words import read_ends
from medassay.exchange.spreadsheet.scales import Labels
from medassay.exchange.spreadsheet.words import LISTS, Metric, lexicon
from medassay.judgements import SAID
from medassay.text import count_of

_FEW: Final = 5
_RATED: Final = "say which system was rated"
_SCORED: Final = "say which system was scored"
OF_NOBODY: Final = frozenset({_RATED, _SCORED})
"""What is refused where nothing names the system whose answers were rated or scored."""
_OF_RATINGS: Final = frozenset({
    "rater", "dimension", "label", "rating", "comment", "winner", "skip", "about_rater", "time",
})  # fmt: skip
"""What may change from rater to rater, or becomes nothing."""
_LONGEST_MARK: Final = max(map(len, LISTS["marks"]))


def collect(
    layouts: Sequence[Layout],
    names: FallbackNames,
    labels: Mapping[tuple[str, str], Labels],
    known: Mapping[str, str] | None = None,
    documents: Mapping[str, str] | None = None,
) -> Collected:
    """Gather what tables hold of a study.

    Args:
        layouts: The tables with what their columns are.
        names: What a user calls things that no column names.
        labels: How labels are read, by dimension and sense.
        known: The cases that the study has, id to question.
        documents: The documents that the study has, text to id.

    Raises:
        InvalidInput: Every problem of every table, with file, row and column.
    """
    whole = Collected(documents_before=documents or {})
    questions = {form_of(question): name for name, question in (known or {}).items()}
    by_id = {name: name for name in known or {}}
    asked = bool(known) or any(layout.of_role("question", "turns", "answer") for layout in layouts)
    # Tables that ask come first: the others name cases by id.
    for layout in sorted(layouts, key=lambda table: not table.of_role("question", "turns")):
        Rows(whole, layout, names, labels, questions, by_id, strict=asked).read()
    if whole.problems:
        raise InvalidInput(whole.problems)
    if any(layout.named("question") for layout in layouts):
        whole.notes += [
            f'{asked.file}, row {asked.row}: no question, and "{name}" was read without one. '
            "Fill the cell, or delete the row."
            for name, asked in whole.asked.items()
            if not asked.question and not asked.turns and not (known or {}).get(name)
        ]
    whole.notes += [*_asked_twice(whole.asked), *_no_answers(whole)]
    return whole


def _asked_twice(asked: Mapping[str, CaseBeingRead]) -> Iterator[str]:
    """Name questions that stand under two ids: each would count for itself."""
    first: dict[str, str] = {}
    for name, case in asked.items():
        before = first.setdefault(form_of(case.question), name)
        if case.question and before != name:
            yield (
                f'{case.file}, row {case.row}: the question of "{name}" is that of "{before}" in '
                f"row {asked[before].row}, and both count. If they are one, delete a row."
            )


def _no_answers(whole: Collected) -> Iterator[str]:
    """Name answers that look like the mark of a cell left empty: raters would see them."""
    marks = [
        (a, whole.places[key])
        for key, a in whole.answers.items()
        if a.text is not None and _is_mark(a.text)
    ]
    for answer, place in marks[:_FEW]:
        yield (
            f'{place}: the answer of "{answer.system}" is "{answer.text}", and was read as one. '
            "If it gave none, empty the cell."
        )
    if marks[_FEW:]:
        yield f"and {len(marks) - _FEW} more such answers."


def _is_mark(text: str) -> bool:
    letters = "".join(islice(filter(str.isalnum, text.casefold()), _LONGEST_MARK + 1))
    return not letters or letters in LISTS["marks"]


@dataclass(slots=True)
class _Again:
    """What rows say alike beside their ratings: of which case, and what becomes of their cells."""

    case: str
    told: tuple[str, tuple[str, ...]]
    fates: Counter[tuple[str, str]] | None = None
    unanswered: int = 0
    times: int = 0


@dataclass(slots=True)
class _RowOfRatings:
    """Ratings of one row that say the same things."""

    stand_in: list[str]
    said: list[tuple[str | None, ...]]
    names: Sequence[str] = ()


@dataclass
class Rows(AnswerRows):
    """One table while it is read: its labels, scores and preferences, too."""

    _dimensions: dict[str, str] = field(default_factory=dict)
    _remarks: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    _remarked: set[str] = field(default_factory=set)
    _given: dict[tuple[str, Key, str], str] = field(default_factory=dict)
    _again: dict[object, "_Again"] = field(default_factory=dict)

    def read(self) -> None:
        """Read the rows below the header, each cell by its column's role."""
        sheet = self.layout.table.sheet
        names = list(sheet.columns)
        columns = [self.layout.table.cells(name) for name in names]
        profiles = self.layout.profiles
        listed = [name for name in names if profiles[name].kind in {"list", "messages"}]
        before = len(self.whole.ratings)
        for at, (row, *values) in enumerate(zip(sheet.rows, *columns, strict=True)):
            cells = dict(zip(names, values, strict=True))
            if not any(values):
                continue
            self._held = {name: sheet.columns[name][at] for name in listed}
            if self._sums_up(row, cells):
                continue
            case = self._beside_ratings(row, cells)
            if case is None:
                continue
            self.last = case
            self._ratings(case, row, cells)
            self._preferences(case, row, cells)
            self._comments(cells)
        self._count_again()
        titles = dict(labels.told[:2] for labels in self.labels.values())
        for (column, dimension, rater), often in self.whole.ratings.counted(before).items():
            self._fates[column, f"{titles[dimension]} by {rater}"] += often
        self._counted()
        self.whole.notes += [
            f"{sheet.file}: texts apart by | in {name} were each read as an accepted answer."
            for name in sorted(self._several)
        ]
        if self.unanswered:
            empty = count_of(self.unanswered, "empty cell")
            self.whole.notes.append(f"{sheet.file}: {empty} for answers, counted as missing.")
        if self.filled_down:
            rows = count_of(self.filled_down, "row")
            self.whole.notes.append(
                f"{sheet.file}: {rows} without a question, read as of the question above."
            )
        if self.unlabelled:
            empty = count_of(self.unlabelled, "empty cell")
            self.whole.notes.append(f"{sheet.file}: {empty} for ratings, read as not judged.")

    def _beside_ratings(self, row: int, cells: Cells) -> str | None:
        """Read what a row says beside its ratings, and give its case; None where it has none.

        A row for each rater says the same of an answer: from the third on nothing of it is new, and
        it is counted alone.
        """
        said = self._said_again(cells) if self._said_again else None
        again = self._again.get(said)
        if again is not None and again.fates:
            again.times += 1
            return again.case
        whole, before = self._fates, (len(self.whole.problems), self.filled_down)
        if again is not None:
            self._fates = again.fates = Counter()
            again.unanswered -= self.unanswered
        case = self._case(row, cells)
        if case is None:
            return None
        told = self._facts(case, cells)
        self._answers(case, row, cells)
        self._scores(self._key(case, cells), row, cells)
        if again is not None:
            whole.update(again.fates or ())
            self._fates = whole
            again.unanswered += self.unanswered
        elif said and before == (len(self.whole.problems), self.filled_down):
            self._again[said] = _Again(case, told)
        return case

    @cached_property
    def _said_again(self) -> Callable[[Cells], object] | None:
        """What gives the cells of a row that its rater did not fill; None where nobody rated."""
        names = [own.name for own in self.layout.columns if own.role not in _OF_RATINGS]
        return itemgetter(*names) if names and self.layout.named("rater") else None

    def _count_again(self) -> None:
        for again in self._again.values():
            self._told[again.told] += again.times
            self.unanswered += again.unanswered * again.times
            for told, count in (again.fates or {}).items() if again.times else ():
                self._fates[told] += count * again.times

    def _ratings(self, case: str, row: int, cells: Cells) -> None:
        own = self._cell(cells, "rater") or self._rater
        system = self._cell(cells, "system") or self._only_system()
        held = _RowOfRatings([], [])
        for column, labels in self._rated:
            about = column.rater or own, column.system or system, labels
            self._rating(case, row, column.name, cells, about, held)
        label, asked = self.layout.named("label"), self._cell(cells, "dimension")
        if label is not None and cells[label]:
            known = self._dimension(asked)
            senses = [labels for (name, _), labels in self.labels.items() if name == known]
            if not senses:
                column_name = self.layout.named("dimension")
                self._problem(
                    row, column_name, "name what was rated", f'"{asked}"', "Fill the cell."
                )
                return
            self._rating(case, row, label, cells, (own, system, senses[0]), held)
        self._add(row, held)

    def _add(self, row: int, held: "_RowOfRatings") -> None:
        if held.said:
            self.whole.ratings.add_row(self._file, row, held.stand_in, held.names, held.said)

    def _comments(self, cells: Cells) -> None:
        """Count the remarks of a row: what no rating and no choice took is left out, and said."""
        for comment in self.layout.of_role("comment"):
            if cells[comment.name]:
                kept = comment.name in self._remarked
                self._count(comment.name, "comments" if kept else "left out: of no rating")
        self._remarked.clear()

    @cached_property
    def _rated(self) -> Sequence[tuple[ReadColumn, Labels]]:
        """The columns of labels, with how each is read."""
        rated = self.layout.of_role("rating")
        return [(own, self.labels[self._dimension(own.of), own.sense]) for own in rated]

    def _dimension(self, name: str) -> str:
        if name not in self._dimensions:
            self._dimensions[name] = dimension_of(self.labels, name)
        return self._dimensions[name]

    @cached_property
    def _file(self) -> str:
        return self.layout.table.name

    @property
    def _rater(self) -> str:
        return self.layout.rater or self.names.rater

    def _rating(
        self, case: str, row: int, column: str, cells: Cells,
        about: tuple[str, str, Labels], held: "_RowOfRatings",
    ) -> None:  # fmt: skip
        rater, system, labels = about
        text = cells[column]
        label = labels.words.get(text)
        if not label and (label is not None or is_blank(text)):
            self.unlabelled += 1
            if text:
                self._count(column, "marks for none")
            return
        if not rater:
            hint = "Name them: --rater NAME; or leave the column out"
            self._or_leave_out(row, column, "say who rated", "nobody", hint)
            return
        if not system:
            self._or_leave_out(row, column, _RATED, "none")
            return
        dimension, _, said_in = labels.told
        names = self._names[said_in]
        if names is not held.names:
            self._add(row, held)
            held.names, held.stand_in, held.said = names, [], []
        said = (
            rater, self.names.kind(rater) or "person", system, case, dimension,
            text if label is None else label, self._comment(cells, rater, system) or None,
        )  # fmt: skip
        sample = self._samples.get(self._cell(cells, "sample"), 0)
        held.said.append((*said, str(sample)) if self._samples else said)
        held.stand_in.append(column)

    @cached_property
    def _names(self) -> Mapping[str, tuple[str, ...]]:
        """What a rating says, by the column that its label goes into."""
        more = ("sample",) if self._samples else ()
        about = ("rater", "rater_kind", "system", "case", "dimension")
        return {name: (*about, name, "comment", *more) for name in SAID}

    def _comment(self, cells: Cells, rater: str, system: str) -> str:
        """Give what a rater wrote beside a label: of whom and of whose answer the headers say."""
        if not self.layout.of_role("comment"):
            return ""
        names = self._remarks.get((rater, system))
        if names is None:
            names = self._remarks[rater, system] = [
                column.name
                for column in self.layout.of_role("comment")
                if column.system in {"", system} and column.rater in {"", rater}
            ]
        if names:
            self._remarked.update(names)
        return " ".join(filter(None, [cells[name] for name in names]))

    def _scores(self, key: Key, row: int, cells: Cells) -> None:
        for column in self.layout.of_role("score", "fact"):
            text = cells[column.name]
            given = self._given.get((column.name, key, text))
            if given is not None:  # a row for each rater repeats the score
                if given:
                    self._count(column.name, given)
                continue
            number = _score_of(text)
            if number is None and not is_blank(text):
                self._or_leave_out(row, column.name, "be a number", f'"{text}"')
                continue
            system = column.system or key[0]
            if not system:
                self._or_leave_out(row, column.name, _SCORED, "none")
                continue
            told = f"scores {column.of}" if number is not None else "no score"
            if text:
                self._count(column.name, told)
            metric = column.metric or metric_called(column.of)
            if column.role == "fact":
                metric = Metric(column.of, None, None, "none")
            source = _source(column.of)
            own = (system, key[1], key[2])
            before = self.whole.scores.get((source, own))
            if before is None:
                self.whole.scores[source, own] = ImportedScore(*own, source, number, metric)
                self._given[column.name, key, text] = told if text else ""
            elif (before.value, before.metric) != (number, metric):
                got = f'another one of "{system}" to "{key[1]}"'
                self._or_leave_out(row, column.name, "hold one score of each answer", got)

    def _preferences(self, case: str, row: int, cells: Cells) -> None:
        winners = self.layout.of_role("winner")
        if not winners:
            return
        pair = [self._cell(cells, role) for role in ("system_a", "system_b")]
        if not any(pair):
            pair = list(self.layout.compared)
        for role in ("system_a", "system_b"):
            if role in self._one and self._cell(cells, role):
                self._count(self._one[role].name, "systems compared")
        for column in winners:
            text = cells[column.name]
            if not text:
                continue
            rater = column.rater or self._cell(cells, "rater") or self._rater
            if not rater:
                self._problem(
                    row, column.name, "say who chose", "nobody", "Name them: --rater NAME."
                )
                continue
            choice = chosen(text, pair)
            if not choice:
                must = f"name the better of {' and '.join(pair) or 'two systems'}, or a tie"
                got = f'"{text}"'
                self._or_leave_out(row, column.name, must, got, "Or leave the column out")
                continue
            self._count(column.name, f"preferences of {rater}")
            filled = {
                "rater": rater, "rater_kind": self.names.kind(rater) or "person", "case": case,
                "system_a": pair[0], "system_b": pair[1], "choice": choice,
                "comment": self._comment(cells, rater, ""),
            }  # fmt: skip
            place = self.layout.table.name, row, column.name
            self.whole.preferences.add(place, filled)


def _score_of(text: str) -> float | None:
    """Give the number of a score; of a yes that is 1, of a no 0."""
    number, word = number_of(text), text.casefold()
    if number is None and word in lexicon().yes | lexicon().no:
        return float(word in lexicon().yes)
    return number


@cache
def _source(name: str) -> str:
    """Give the name under which the scores of a column are kept."""
    return re.sub(r"\W+", "_", name).strip("_") or "score"


def dimension_of(labels: Mapping[tuple[str, str], Labels], name: str) -> str:
    """Give the id of the dimension that a word of a table names."""
    from medassay.exchange.spreadsheet.scales import dimension_id, library_id

    ids = {known for known, _ in labels}
    by_title = {x.dimension.title.casefold(): x.dimension.id for x in labels.values()}
    bare = read_ends(name)[1].strip() or name
    titled = by_title.get(bare.casefold(), "")
    found = (bare, titled, library_id(bare), dimension_id(bare), dimension_id(name))
    return next((each for each in found if each in ids), "")
