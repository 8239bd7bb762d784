"""The cases and answers of a table while its rows are read."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from medassay.answers import Answer, Retrieved
from medassay.errors import Problem
from medassay.exchange.spreadsheet.accepted import accepted, several_in
from medassay.exchange.spreadsheet.collected import CaseBeingRead, Collected, FallbackNames, Key
from medassay.exchange.spreadsheet.columns import SAID, Layout, ReadColumn
from medassay.exchange.spreadsheet.profile import listed_text, number_of, texts_of
from medassay.exchange.spreadsheet.scales import Labels
from medassay.exchange.spreadsheet.wishes import column_option
from medassay.exchange.spreadsheet.words import Role

_REPEAT: Final = "Write the question or its id into every row, or delete the row."
OF_NO_QUESTION: Final = "be the id of a question"
_ASK_TOO: Final = "Give the file with the questions too, in the same command."
Cells = Mapping[str, str]
"""A row's cells as text, by the names of the columns."""
_FACTS: Final[tuple[Role, ...]] = ("reference", "evidence", "tag", "narrative", "option", "gold")
_BESIDE: Final[tuple[Role, ...]] = ("choice", "reasoning", "confidence", "seconds", "cost")
_NAMES: Final[tuple[Role, ...]] = ("system", "sample", "rater", "dimension")
_OF_MEANS: Final = "left out: in a row of means"


@dataclass
class AnswerRows:
    """The cases and answers of a table while its rows are read, each cell counted."""

    whole: Collected
    layout: Layout
    names: FallbackNames
    labels: Mapping[tuple[str, str], Labels]
    questions: dict[str, str]
    by_id: dict[str, str]
    strict: bool
    unanswered: int = 0
    unlabelled: int = 0
    last: str = ""
    filled_down: int = 0
    _fates: Counter[tuple[str, str]] = field(default_factory=Counter)
    _told: Counter[tuple[str, tuple[str, ...]]] = field(default_factory=Counter)
    _held: dict[str, object] = field(default_factory=dict)
    _read: dict[Key, tuple[object, ...]] = field(default_factory=dict)
    _beside: dict[str, Sequence[ReadColumn]] = field(default_factory=dict)

    @cached_property
    def _several(self) -> frozenset[str]:
        """Name the columns of references whose cells hold several short answers."""
        return frozenset(several_in(self.layout))

    @cached_property
    def _samples(self) -> Mapping[str, int]:
        """Number a system's answers to a question from 0, in the order of what the column says."""
        name = self.layout.named("sample")
        said = self.layout.table.often(name) if name else {}  # the mean of attempts is none
        numbers = {cell: number_of(cell) for cell in said}
        ordered = (
            sorted(said, key=lambda cell: numbers[cell] or 0.0)
            if all(number is not None for number in numbers.values())
            else list(said)
        )
        return {cell: place for place, cell in enumerate(ordered)}

    @cached_property
    def _one(self) -> Mapping[str, ReadColumn]:
        """The first column of each role."""
        first: dict[str, ReadColumn] = {}
        for column in self.layout.columns:
            first.setdefault(column.role, column)
        return first

    def _sums_up(self, row: int, cells: Cells) -> bool:
        """Say whether a row holds means or totals and asks nothing; its cells are left out."""
        first = self.layout.table.sums_up(cells)
        if not first or any(cells[name] not in {"", first} for name in self._of_no_sum):
            return False
        for name, cell in cells.items():
            if cell:
                self._count(name, _OF_MEANS)
        self.whole.notes.append(f'{self.layout.table.name}, row {row}: "{first}", left out.')
        return True

    @cached_property
    def _of_no_sum(self) -> Sequence[str]:
        """Name the columns of questions and ids, in which a row of means names no other."""
        named = (self._asks, self.layout.named("case"))
        return [name for name in named if name and name not in self.layout.table.counts]

    def _cell(self, cells: Cells, role: str) -> str:
        column = self._one.get(role)
        return "" if column is None else cells[column.name]

    def _raw(self, cells: Cells, column: str) -> object:
        """Give a cell as the file has it: a list, where the column holds lists."""
        return self._held.get(column, cells[column])

    def _count(self, column: str, fate: str) -> None:
        self._fates[column, fate] += 1

    def _counted(self) -> None:
        """Say what became of each cell, once all rows are read: many rows say the same again."""
        fates: Counter[tuple[str, str]] = Counter()
        for (_, told), times in self._told.items():
            for column, text in zip(self._facts_of_cases, told, strict=True):
                plural = "s" if column.role in {"reference", "evidence"} else ""
                fate = f"tag {column.of}" if column.role == "tag" else f"{column.role}{plural}"
                fates[column.name, fate] += times if text else 0
        names = [(column.name, str(column.role)) for column in self.layout.of_role(*_NAMES)]
        for name, fate in (*names, *self._unused):
            filled = sum(map(bool, self.layout.table.cells(name)))
            fates[name, fate] += filled - self._fates[name, _OF_MEANS]
        for (name, fate), count in (+fates + self._fates).items():
            self.whole.fates[self.layout.table.name, name][fate] += count

    @cached_property
    def _facts_of_cases(self) -> Sequence[ReadColumn]:
        return self.layout.of_role(*_FACTS)

    @cached_property
    def _asks(self) -> str | None:
        return self.layout.named("question") or self.layout.named("turns")

    def _problem(self, row: int, column: str | None, must: str, got: str, hint: str) -> None:
        file = self.layout.table.name
        self.whole.problems.append(Problem(file, must, got, hint, row, column))

    def _or_leave_out(
        self, row: int, column: str, must: str, got: str, hint: str = "Leave the column out"
    ) -> None:
        """Refuse a cell that is read again once its column is left out."""
        self._problem(row, column, must, got, f"{hint}: {column_option('skip', column)}")

    def _case(self, row: int, cells: Cells) -> str | None:
        """Say which case a row is about, and note a new one."""
        asks = self._asks
        has_ids = self.layout.named("case")
        name = self._cell(cells, "case")
        turns, question = self._asked_in(cells)
        if not name and not question and not turns and self.last and self.layout.named("system"):
            self.filled_down += 1
            return self.last
        if not name and not question and not turns:
            self._problem(row, has_ids or asks, "say which question it is about", "none", _REPEAT)
            return None
        if has_ids and not name:
            hint = "Fill it; or leave the ids out, so that questions get new ones: "
            hint += column_option("skip", has_ids)
            self._problem(row, has_ids, "have an id in every row", "none", hint)
            return None
        if not has_ids:
            words = form_of(question or str(turns))
            name = self.questions.setdefault(words, str(len(self.questions) + 1))
        elif not asks and name not in self.by_id and self.strict:
            hint = alike(name, self.by_id) or _ASK_TOO
            self._problem(row, has_ids, OF_NO_QUESTION, f'"{name}"', hint)
            return None
        new = name not in self.whole.asked
        self.by_id.setdefault(name, name)
        asked = self.whole.asked.setdefault(name, CaseBeingRead(self.layout.table.name, row))
        other = question != asked.question and bool(question and asked.question)
        if other and form_of(question) != form_of(asked.question):
            hint = "Give each question its own id; or leave the ids out, so that questions "
            hint += f"get new ones: {column_option('skip', has_ids or '')}"
            got = f'another question than in row {asked.row} under the id "{name}"'
            self._problem(row, asks, "ask one question under each id", got, hint)
            return None
        asked.question = asked.question or question
        asked.turns = asked.turns or turns
        for column, fate in ((has_ids, "ids"), (asks, "questions" if new else "questions again")):
            if column and cells[column]:
                self._count(column, fate)
        both = self.layout.named("question"), self.layout.named("turns")
        if all(both) and cells[str(both[1])]:
            self._count(str(both[1]), "conversations")
        return name

    def _asked_in(self, cells: Cells) -> tuple[tuple[Mapping[str, str], ...], str]:
        """Give the conversation and the question of a row."""
        question = self._cell(cells, "question")
        column = self._one.get("turns")
        held = self._raw(cells, column.name) if column else None
        if isinstance(held, str):
            held = listed_text(held) if held.lstrip().startswith("[") else None
        if not isinstance(held, list | tuple) or not held:
            return (), question
        turns = [
            {"role": _role(one), "text": _said(one)} for one in held if isinstance(one, Mapping)
        ]
        if len(turns) == 1 and turns[0]["role"] == "user" and not question:
            return (), turns[0]["text"]
        return tuple(turns), question

    def _key(self, case: str, cells: Cells) -> Key:
        system = self._cell(cells, "system") or self._only_system()
        return system, case, self._samples.get(self._cell(cells, "sample"), 0)

    def _facts(self, case: str, cells: Cells) -> tuple[str, tuple[str, ...]]:
        """Read what a row says of its question; give that."""
        told = case, tuple([cells[column.name] for column in self._facts_of_cases])
        self._told[told] += 1
        if self._told[told] > 1:
            return told
        asked = self.whole.asked[case]
        asked.narrative = asked.narrative or self._cell(cells, "narrative")
        asked.gold = asked.gold or self._cell(cells, "gold")
        for column, text in zip(self._facts_of_cases, told[1], strict=True):
            if text and column.role == "option":
                asked.options.setdefault(column.of, text)
            elif text and column.role == "tag":
                asked.tags.setdefault(column.of, text)
            elif text and column.role in {"reference", "evidence"}:
                known = asked.references if column.role == "reference" else asked.evidence
                texts = texts_of(self._raw(cells, column.name))
                if column.name in self._several:
                    texts = [piece for cell in texts for piece in accepted(cell)]
                known += [piece for piece in texts if piece not in known]
        return told

    def _answers(self, case: str, row: int, cells: Cells) -> None:
        named = self.layout.named("system")
        system = self._cell(cells, "system")
        columns = self.layout.of_role("answer")
        for column in columns:
            text = cells[column.name]
            if named and not column.of and not system:
                if text:
                    self._problem(row, named, "name the system", "none", "Fill the cell.")
                continue
            of = column.of or system or self._only_system()
            if column.system in {"system_a", "system_b"}:
                of = self._cell(cells, column.system)
            if not of:
                continue
            own = self._own_facts(row, cells, of)
            self.whole.rows.add((of, case))
            if not column.of:  # an empty cell of a column a system may be of one not asked
                self.whole.rows_of_one.add((of, case))
            if text:
                self._count(column.name, f"answers of {of}")
            if not text and "choice" not in own:
                self.unanswered += 1
                self._unanswered(cells)
                continue
            self._answer(of, case, text, row, column.name, cells, own)
        if not columns:
            self._choices(case, row, cells, system)

    def _choices(self, case: str, row: int, cells: Cells, system: str) -> None:
        """Read which options were chosen, where no column holds words."""
        alone = system or self._only_system()
        columns = self.layout.of_role("choice")
        for of in [column.system or alone for column in columns] or [alone]:
            own = self._own_facts(row, cells, of)
            if "choice" in own and (of != alone or system or not self.layout.named("system")):
                self.whole.rows.add((of, case))
                self._answer(of, case, "", row, columns[0].name, cells, own)

    def _unanswered(self, cells: Cells) -> None:
        """Say what became of facts of an answer that was never given."""
        for name in ("contexts", "documents"):
            of = self._one.get(name)
            if of is not None and cells[of.name]:
                self._count(of.name, "left out: of no answer")

    def _own_facts(self, row: int, cells: Cells, of: str) -> dict[str, Any]:
        """Read what a row says of a system's answer beside the text."""
        own: dict[str, Any] = {}
        for column in self._facts_of(of):
            role, text = column.role, cells[column.name]
            if not text:
                continue
            self._count(column.name, role)
            number = number_of(text.removesuffix("%").strip())
            if role in {"seconds", "cost"}:
                if number is None:
                    self._problem(row, column.name, "be a number", f'"{text}"', "")
                own[role] = number
            elif role == "confidence" and number is None:
                own["confidence_label"] = text
            elif role == "confidence":
                top = 100.0 if text.endswith("%") or self._percent else 1.0
                own[role] = round((number or 0.0) / top, 12)
            else:
                own[role] = text
        return own

    def _facts_of(self, of: str) -> Sequence[ReadColumn]:
        """Give the columns that say something of a system's answers beside the text."""
        if of not in self._beside:
            own = [c for c in self.layout.of_role(*_BESIDE) if c.system in {"", of}]
            first = {c.role: c for c in reversed(own)}
            self._beside[of] = [first[role] for role in _BESIDE if role in first]
        return self._beside[of]

    @cached_property
    def _percent(self) -> bool:
        """Say whether the confidence is in per cent: some of it is above 1, and none above 100."""
        column = self._one.get("confidence")
        numbers = self.layout.profiles[column.name].numbers if column else ()
        return bool(numbers) and 2 <= numbers[-1] <= 100  # noqa: PLR2004 - as a per cent

    def _answer(
        self, system: str, case: str, text: str, row: int, column: str,
        cells: Cells, own: Mapping[str, Any],
    ) -> None:  # fmt: skip
        retrieved = self._retrieved(cells)
        key = (system, case, self._samples.get(self._cell(cells, "sample"), 0))
        if self._read.get(key) == (text, retrieved, own):
            return  # a row for each rater repeats the answer
        self._read.setdefault(key, (text, retrieved, own))
        answer = Answer(
            system=system, case=case, sample=key[2], text=text or None, retrieved=retrieved, **own
        )
        place = f"{self.layout.table.name}, row {row}"
        before = self.whole.answers.setdefault(key, answer)
        first = self.whole.places.setdefault(key, place)
        if before != answer:
            must = "hold one answer of each system to each question"
            got = f'another one of "{system}" to "{case}" than in {first}'
            hint = "Where a column numbers repeated answers, name it: --column sample=THEIRS. Else "
            hint += "delete one of the two rows; or, where they are two questions, give these ids "
            hint += "of their own"
            hint += "." if self.layout.named("case") else ", such as a log's: --column case=THEIRS."
            self._problem(row, column, must, got, hint)

    def _retrieved(self, cells: Cells) -> tuple[Retrieved, ...] | None:
        """Give what was retrieved: texts, ids, or both side by side; None where no column says."""
        contexts, named = self._one.get("contexts"), self._one.get("documents")
        for column, fate in ((contexts, "texts retrieved"), (named, "documents retrieved")):
            if column is not None and cells[column.name]:
                self._count(column.name, fate)
        if contexts is None and named is None:
            return None
        texts = texts_of(self._raw(cells, contexts.name)) if contexts is not None else []
        listed = texts_of(self._raw(cells, named.name)) if named is not None else []
        for document, text in zip(listed, texts, strict=False):
            if text not in self.whole.documents_before:
                self.whole.documents.setdefault(text, document)
        ids = listed or [self.whole.document(text) for text in texts]
        return tuple(Retrieved(document=document) for document in dict.fromkeys(ids))

    @cached_property
    def _unused(self) -> Sequence[tuple[str, str]]:
        """The columns that are left out, and what is said of their cells."""
        return [
            (c.name, f"left out: {c.why or f'{SAID[c.role]}, which nothing here uses'}")
            for c in self.layout.of_role("skip", "about_rater", "time")
        ]

    def _only_system(self) -> str:
        """Name the system of a table of one system's answers."""
        answers = self.layout.of_role("answer")
        if len(answers) > 1:
            return ""
        named = answers[0].of if answers else ""
        return (
            named
            or self.names.system
            or self.layout.system
            or (self.layout.table.stem if answers or "choice" in self._one else "")
        )


def _role(message: Mapping[str, object]) -> str:
    role = str(message.get("role", "user")).casefold()
    return {"human": "user", "gpt": "assistant", "ai": "assistant", "bot": "assistant"}.get(
        role, role
    )


def _said(message: Mapping[str, object]) -> str:
    held = message.get("content", message.get("text", ""))
    if isinstance(held, list):
        return " ".join(str(one.get("text", "")) for one in held if isinstance(one, Mapping))
    return str(held)


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


def form_of(question: str) -> str:
    """Give a question without what does not tell it from another: blanks, capitals."""
    return " ".join(question.split()).casefold()
