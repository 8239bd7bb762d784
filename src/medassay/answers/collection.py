"""All answers of a study: each looked at once, against its case and what was asked."""

from array import array
from bisect import insort
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal, Self

import numpy as np
from numpy.typing import NDArray

from medassay.answers.choice import letter_meant
from medassay.answers.record import Answer
from medassay.api_checks import checked, frame_html, refuse_others
from medassay.cases import CASE_COLUMNS, Case, Cases, look_alikes, one_object
from medassay.errors import InvalidInput, Problem, nearest
from medassay.tables import (
    Framed,
    Gathering,
    Sheet,
    Wide,
    check_columns,
    frame_of_rows,
    parse_json_cells,
    read_record,
    refuse_wide,
    sheet_of_frame,
    with_points,
    without_nulls,
)
from medassay.text import Counted, count_of, first_of

if TYPE_CHECKING:
    import polars as pl

_NESTED: Final = {
    "turns": 'Write [{"role": "user", "text": "..."}, {"role": "assistant", "text": "..."}].',
    "statements": 'Write [{"text": "...", "citations": ["1"]}], or plain text in "text".',
    "retrieved": 'Write [{"document": "...", "score": 1.5}], the first one first.',
}
"""Columns that hold JSON, and what to try where they do not."""
_KNOWN: Final = tuple(Answer.model_fields)
_WORDS: Final = ("reasoning", "raw", "text", *_NESTED)
"""Columns whose blanks may mean something; around anything else they are slips."""
_DROP: Final = "Leave the column out of the frame."
_FEW: Final = 5
_SAME: Final = ("systems", "_places", "tally", "repeated")
"""What is found out of the records once, however many were asked for."""
_MOST_HINTS: Final = 50
"""Looking for the nearest of many ids takes long; after so many strangers a hint helps no more."""
_Key = tuple[str, str, int]
_What = Literal["letter", "citations", "choice"]


@dataclass(frozen=True, repr=False)
class CasesPerSystem:
    """Which cases each system was asked.

    An answer that was asked for and never came is missing: it counts as its metric says. One that
    was not asked for has no value, and is in no mean, no denominator and no bound.

    Attributes:
        of: System to the cases that it was asked; None where every system was asked every case.

    Example:
        >>> asked = CasesPerSystem.in_pairs([("A", "1"), ("B", "2")])
        >>> asked.holds("A", "1"), asked.holds("A", "2"), EVERY_CASE.holds("A", "2")
        (True, False, True)
    """

    of: Mapping[str, frozenset[str]] | None = None

    @classmethod
    def in_pairs(cls, pairs: Iterable[tuple[str, str]]) -> "CasesPerSystem":
        """Say that these systems were asked these cases, and nothing else."""
        cases: dict[str, set[str]] = {}
        for system, case in pairs:
            cases.setdefault(system, set()).add(case)
        return cls({system: frozenset(cases[system]) for system in sorted(cases)})

    @property
    def everything(self) -> bool:
        """Say whether every system was asked every case, without a list that says so."""
        return self.of is None

    def holds(self, system: str, case: str) -> bool:
        """Say whether a system was asked a case."""
        return self.of is None or case in self.of.get(system, ())

    def count(self, system: str, of: int) -> int:
        """Count the cases that a system was asked, of so many."""
        return of if self.of is None else len(self.of.get(system, ()))

    def left_out(self, system: str, of: int) -> int:
        """Count the cases that a system was not asked, of so many."""
        return of - self.count(system, of)

    def fewest(self, systems: Sequence[str], of: int) -> int:
        """Count the cases of the system that was asked the fewest."""
        return min((self.count(system, of) for system in systems), default=of)

    def pairs(self, systems: Sequence[str], cases: Sequence[str]) -> list[tuple[str, str]]:
        """List every system with every case that it was asked."""
        return [(system, case) for system in systems for case in cases if self.holds(system, case)]

    def systems(self, case: str, systems: Sequence[str]) -> tuple[str, ...]:
        """List the systems that were asked a case."""
        return tuple(system for system in systems if self.holds(system, case))

    def mask_of_some(
        self, systems: Sequence[str], cases: Sequence[str]
    ) -> NDArray[np.bool_] | None:
        """Mark what was asked; None where every system was asked every case."""
        return None if self.of is None else self.mask(systems, cases)

    def mask(self, systems: Sequence[str], cases: Sequence[str]) -> NDArray[np.bool_]:
        """Mark what was asked, systems down and cases across."""
        is_asked = np.ones((len(systems), len(cases)), dtype=np.bool_)
        if self.of is not None:
            for row, system in enumerate(systems):
                own = self.of.get(system, frozenset())
                is_asked[row] = [case in own for case in cases]
        return is_asked

    def called(self, cases: Mapping[str, str]) -> "CasesPerSystem":
        """Give the same under other names of the cases."""
        if self.of is None:
            return self
        return CasesPerSystem(
            {
                system: frozenset(cases.get(case, case) for case in own)
                for system, own in self.of.items()
            }
        )

    def describe(self, systems: Sequence[str], cases: Sequence[str]) -> list[str]:
        """Say of how many systems each case was asked, where not all were asked all.

        Example:
            >>> asked = CasesPerSystem.in_pairs([("A", "1"), ("B", "2"), ("B", "3")])
            >>> for line in asked.describe(["A", "B"], ["1", "2", "3"]):
            ...     print(line)
            Each case was asked of 1 of 2 systems, and each system was asked 1 to 2 of 3 cases.
            3 answers were not asked for. They are not missing: no mean and no count holds them.
        """
        if self.of is None or not systems or not cases:
            return []
        is_asked = self.mask(systems, cases)
        words = (
            f"Each case was asked of {_range(is_asked.sum(axis=0))} of "
            f"{count_of(len(systems), 'system')}, and each system was asked "
            f"{_range(is_asked.sum(axis=1))} of {count_of(len(cases), 'case')}."
        )
        left = int((~is_asked).sum())
        if left:
            many = "1 answer was" if left == 1 else f"{left:,} answers were"
            who = "It is not missing" if left == 1 else "They are not missing"
            what = "it" if left == 1 else "them"
            return [words, f"{many} not asked for. {who}: no mean and no count holds {what}."]
        return [words]

    def __repr__(self) -> str:
        """Say how much it holds: all pairs would fill pages."""
        return (
            "CasesPerSystem()"
            if self.of is None
            else f"CasesPerSystem({sum(map(len, self.of.values())):,} pairs)"
        )


EVERY_CASE: Final = CasesPerSystem()
"""Every system was asked every case."""


class Places:
    """Where the answers of a system to a case stand.

    Attributes:
        first: System to case to the place of its answer, or of the first sample.
        several: System and case to all samples and their places, in order, where there are several.
    """

    def __init__(self, keys: Iterable[tuple[str, str, int]]) -> None:
        """Find the places of answers by system, case and sample, in the order of the answers."""
        self._samples: dict[int, int] = {}
        self._systems: list[str] = []
        self._cases: list[str] = []
        self.first: dict[str, dict[str, int]] = {}
        self.several: dict[tuple[str, str], list[tuple[int, int]]] = {}
        for place, (system, case, sample) in enumerate(keys):
            if sample:
                self._samples[place] = sample
            case = one_object(case)  # noqa: PLW2901 - the same name
            self._systems.append(one_object(system))
            self._cases.append(case)
            own = self.first.setdefault(system, {})
            earlier = own.setdefault(case, place)
            if earlier != place:
                first = (self._samples.get(earlier, 0), earlier)
                listed = self.several.setdefault((system, case), [first])
                insort(listed, (sample, place))
                own[case] = listed[0][1]

    def keys(self) -> Iterator[tuple[str, str, int]]:
        """Give system, case and sample of each answer, in the order of the answers."""
        for place, (system, case) in enumerate(zip(self._systems, self._cases, strict=True)):
            yield system, case, self._samples.get(place, 0)

    def of_pair(self, system: str, case: str) -> tuple[int, ...]:
        """List the places of a system's answers to a case, by sample."""
        if (system, case) in self.several:
            return tuple(place for _, place in self.several[system, case])
        place = self.first.get(system, {}).get(case)
        return () if place is None else (place,)


@dataclass(slots=True)
class Rankings:
    """Answers with a ranking, and those of them that are odd.

    Attributes:
        count: Answers with one.
        cases: Their cases.
        unsorted: Not by falling score.
        blurred: With scores that single precision does not tell apart.
        partly: With some scores missing.
    """

    count: int = 0
    cases: set[str] = field(default_factory=set)
    unsorted: Counted = field(default_factory=Counted)
    blurred: Counted = field(default_factory=Counted)
    partly: Counted = field(default_factory=Counted)

    def look(self, answer: Answer) -> None:
        """Look at the next answer."""
        if not answer.retrieved:
            return
        self.count += 1
        self.cases.add(one_object(answer.case))
        scores = [retrieved.score for retrieved in answer.retrieved]
        known = [score for score in scores if score is not None]
        name = f"{answer.system}, {answer.case}"
        if len(known) < len(scores):
            if known:
                self.partly.add(name)
            return
        if known != sorted(known, reverse=True):
            self.unsorted.add(name)
        if len(set(array("f", known))) < len(set(known)):  # it rounds, and what is huge is infinite
            self.blurred.add(name)

    def join(self, later: "Rankings") -> None:
        """Count those of answers that come behind these."""
        self.count += later.count
        self.cases |= later.cases
        self.unsorted.join(later.unsorted)
        self.blurred.join(later.blurred)
        self.partly.join(later.partly)


@dataclass(slots=True)
class Tally:
    """How many answers each system gave, and how many of them are of a kind.

    Attributes:
        given: System to its answers.
        blank: To those whose text is empty.
        not_held: To those whose text the study does not have.
        citing: To those that cite.
        reasoning: To those with an account of how the system came to it.
        rankings: What is odd about the documents that they rank.
    """

    given: Counter[str] = field(default_factory=Counter)
    blank: Counter[str] = field(default_factory=Counter)
    not_held: Counter[str] = field(default_factory=Counter)
    citing: Counter[str] = field(default_factory=Counter)
    reasoning: Counter[str] = field(default_factory=Counter)
    rankings: Rankings = field(default_factory=Rankings)

    @classmethod
    def of(cls, answers: Iterable[Answer]) -> Self:
        """Count answers that are all there."""
        tally = cls()
        for answer in answers:
            tally.look(answer)
        return tally

    def look(self, answer: Answer) -> None:
        """Count the next answer."""
        system = answer.system
        self.given[system] += 1
        if answer.is_blank:
            self.blank[system] += 1
        if not answer.held:
            self.not_held[system] += 1
        if answer.citations:
            self.citing[system] += 1
        if answer.reasoning:
            self.reasoning[system] += 1
        self.rankings.look(answer)

    def join(self, later: "Tally") -> None:
        """Count those of other answers too."""
        self.given.update(later.given)
        self.blank.update(later.blank)
        self.not_held.update(later.not_held)
        self.citing.update(later.citing)
        self.reasoning.update(later.reasoning)
        self.rankings.join(later.rankings)


@dataclass(frozen=True, repr=False)
class Answers(Framed):
    """Answers, at most one for each system, case and sample.

    Attributes:
        records: The answers, in the order read: a tuple, or read from a file each time where they
            are very many.
        warnings: What a reader should know though nothing is wrong.
        asked: Which system was asked which case. An answer that was asked for and has no record was
            never given (`lacks`); one that was not asked for is not missing.

    Example:
        >>> answers = Answers.of([Answer(system="B", case="1", text=""),
        ...                       Answer(system="A", case="2", text="Rest.")])
        >>> answers.systems, answers.get("B", "1").text, answers.get("B", "2")
        (('A', 'B'), '', None)
    """

    records: Sequence[Answer]
    warnings: tuple[Problem, ...] = ()
    asked: CasesPerSystem = EVERY_CASE

    @classmethod
    def of(cls, records: Iterable[Answer], asked: CasesPerSystem = EVERY_CASE) -> "Answers":
        """Make the collection from records in memory.

        Args:
            records: The answers.
            asked: Which system was asked which case; every system every case if not given.

        Raises:
            InvalidInput: A system gives the same sample of a case twice, or answers a case that it
                was not asked.
        """
        listed = tuple(records)
        seen: set[tuple[str, str, int]] = set()
        refuse_others(listed, Answer, "answers")
        problems = []
        for number, record in enumerate(listed, start=1):
            if record.key in seen:
                got = f'a second answer of "{record.system}" to "{record.case}"'
                hint = "Number repeated answers in the column sample: 0, 1, 2."
                must = "hold one answer for a system, case and sample"
                problems.append(Problem("answers", must, got, hint, row=number))
            seen.add(record.key)
        if problems:
            raise InvalidInput(problems)
        return cls(listed).asking(asked, "asked")

    @classmethod
    @checked
    def from_frame(
        cls,
        frame: object,
        cases: Cases | None = None,
        *,
        across: Literal["system"] | None = None,
        shown_as: str = "answers",
    ) -> "Answers":
        """Check a frame of pandas or polars; messages count its rows from 1.

        A long frame has a row an answer, with the columns that `read_answers` reads. A wide one has
        a row a case: each column but `case` and `sample` is a system, and a cell is its answer. An
        empty cell there is an answer never given, and empty text an empty answer.

        Args:
            frame: A frame of pandas or polars, or a table that speaks Arrow. A named index of
                pandas is read as a column.
            cases: The cases that were asked; None where they are not known, and then no answer is
                held against them.
            across: `system` for a wide frame; None for a long one.
            shown_as: What messages call the frame.

        Raises:
            InvalidInput: With every problem of the frame, its row and its column.

        Example:
            >>> import polars as pl
            >>> frame = pl.DataFrame({"case": [1, 2], "A": ["Rest.", None], "B": ["", "Drink."]})
            >>> answers = Answers.from_frame(frame, across="system")
            >>> [(answer.system, answer.case, answer.text) for answer in answers]
            [('A', '1', 'Rest.'), ('B', '1', ''), ('B', '2', 'Drink.')]
        """
        sheet = sheet_of_frame(frame, shown_as, ("system", "case"))
        if across is None:
            if "system" not in sheet.columns:
                others = [name for name in sheet.columns if name not in {*_KNOWN, *CASE_COLUMNS}]
                refuse_wide(sheet, "system", others, "system")
            return answers_from_sheet(sheet, cases)
        problems = [
            Problem(shown_as, "be a system's answers", "what is asked", _DROP, None, name)
            for name in sheet.columns
            if (name in CASE_COLUMNS and name != "case") or name.startswith("tag.")
        ]
        if problems:
            raise InvalidInput(problems)
        wide = Wide.of(sheet, across, ("case", "sample"), lambda _: "text")
        with wide.said_of_cells():
            return answers_from_sheet(wide.long, cases)

    @property
    def frame(self) -> "pl.DataFrame":
        """All answers as a frame, a row each; what none has is no column, nested values are JSON.

        Example:
            >>> Answers.of([Answer(system="A", case="1", text="Rest.")]).frame.rows()
            [('A', '1', 'Rest.')]
        """
        return frame_of_rows([answer_row(answer) for answer in self.records], _KNOWN)

    def asking(self, asked: CasesPerSystem, shown: str) -> "Answers":
        """Give the same answers, where systems were asked these cases.

        Args:
            asked: Which system was asked which case.
            shown: Where that is said, for messages.

        Raises:
            InvalidInput: Answers to cases that their systems were not asked.

        Example:
            >>> rest = Answers.of([Answer(system="A", case="1", text="Rest.")])
            >>> asked = CasesPerSystem.in_pairs([("A", "1"), ("A", "2"), ("B", "2")])
            >>> some = rest.asking(asked, "asked")
            >>> some.lacks("A", "2"), some.lacks("B", "1")
            (True, False)
        """
        strange = [
            f"{system} to {case}"
            for system, own in self._places.first.items()
            for case in own
            if not asked.holds(system, case)
        ]
        if strange:
            must = "ask for every answer that was given"
            got = f"{count_of(len(strange), 'answer')} not asked for: {first_of(strange, _FEW)}"
            hint = "Add their rows (case, system), or take these answers out of the study."
            raise InvalidInput(Problem(shown, must, got, hint))
        same = replace(self, asked=asked)
        same.__dict__.update({name: self.__dict__[name] for name in _SAME if name in self.__dict__})
        return same

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """List the systems, sorted."""
        return tuple(sorted(self._places.first))

    @cached_property
    def _places(self) -> Places:
        return Places(record.key for record in self.records)

    @cached_property
    def tally(self) -> Tally:
        """Give what is counted of them."""
        return Tally.of(self.records)

    @property
    def keys(self) -> Iterator[tuple[str, str, int]]:
        """Give system, case and sample of each answer in the order read, and not the answer."""
        return self._places.keys()

    def get(self, system: str, case: str, sample: int | None = None) -> Answer | None:
        """Give the answer, or None if the system never gave one.

        Args:
            system: The system.
            case: The case.
            sample: Which of its answers; the first that there is, if not given.
        """
        own = self.samples(system, case)
        if sample is None:
            return own[0] if own else None
        return next((answer for answer in own if answer.sample == sample), None)

    def samples(self, system: str, case: str) -> tuple[Answer, ...]:
        """Give all answers of a system to a case, by sample.

        Example:
            >>> twice = [Answer(system="A", case="1", sample=n, text="") for n in (1, 0)]
            >>> [answer.sample for answer in Answers.of(twice).samples("A", "1")]
            [0, 1]
        """
        return tuple([self.records[place] for place in self.places(system, case)])

    def places(self, system: str, case: str) -> tuple[int, ...]:
        """Say where the answers of a system to a case stand among the records, by sample."""
        return self._places.of_pair(system, case)

    def gave(self, system: str, case: str) -> bool:
        """Say whether a system answered a case; no answer is read for it."""
        return case in self._places.first.get(system, ())

    def lacks(self, system: str, case: str) -> bool:
        """Say whether a system was asked a case and never answered it."""
        return not self.gave(system, case) and self.asked.holds(system, case)

    def lacking(self, systems: Iterable[str], cases: Iterable[str]) -> list[tuple[str, str]]:
        """List system and case of every answer that was asked for and never given."""
        listed = tuple(cases)
        return [(system, case) for system in systems for case in listed if self.lacks(system, case)]

    def answered(self, system: str) -> int:
        """Count the cases that a system answered."""
        return len(self._places.first.get(system, ()))

    @cached_property
    def repeated(self) -> bool:
        """Say whether a system answered a case more than once."""
        return bool(self._places.several)

    def __iter__(self) -> Iterator[Answer]:
        """Go through the answers in the order read."""
        return iter(self.records)

    def __repr__(self) -> str:
        """Say how many there are: all of them would fill pages."""
        return f"Answers({len(self):,})"

    def _repr_html_(self) -> str:
        return frame_html(repr(self), self.frame)

    def __len__(self) -> int:
        """Count the answers."""
        return len(self.records)


class LookedAt:
    """What was found of the answers that were looked at: to read very many anew takes long.

    Attributes:
        rows: System, case and sample of each answer in their order, with its file and row.
        problems: What is wrong.
        tally: What is counted of them.
        odd: What is odd by system: a letter read as an option's, citations or a choice that the
            case does not have.
        hints: Case that was not asked to the id that may be meant; of these answers, and of those
            before them.
    """

    def __init__(self, cases: Cases | None, before: "LookedAt | None" = None) -> None:
        """Begin with none.

        Args:
            cases: The cases that were asked; None where they are not known.
            before: What was found of answers before these.
        """
        self.rows: dict[_Key, tuple[str, int]] = {}
        self.problems: list[Problem] = []
        self.tally = Tally()
        self._cases = cases
        self.odd: dict[tuple[str, _What], Counted] = {}
        self.hints: dict[str, str] = {} if before is None else dict(before.hints)
        self._earlier: dict[_Key, tuple[str, int]] = {} if before is None else before.rows

    def look(self, file: str, row: int, answer: Answer) -> Answer:
        """Look at the next answer, and give it with the choice as its case writes the option."""
        known = self._cases is not None and answer.case in self._cases
        if self._cases is not None and not known:
            self._unknown(file, row, answer)
        elif (earlier := self._earlier.get(answer.key) or self.rows.get(answer.key)) is not None:
            first = f"{earlier[0]}, row {earlier[1]}"
            got = f'"{answer.system}" answering "{answer.case}" again, as in {first}'
            must = "hold one answer for a system, case and sample"
            hint = "Number repeated answers in the column sample: 0, 1, 2."
            self.problems.append(Problem(file, must, got, hint, row=row, column="case"))
        self.rows.setdefault(answer.key, (file, row))
        self.tally.look(answer)
        if self._cases is None or not known:
            return answer
        case = self._cases[answer.case]
        kept = self._with_letter(answer, case)
        self._hold_against(kept, case)
        return kept

    def join(self, later: "LookedAt") -> None:
        """Take in what was found of the answers behind these."""
        if self.rows:
            for key, place in later.rows.items():
                self.rows.setdefault(key, place)
        else:
            self.rows = later.rows
        self.hints = later.hints
        self.problems += later.problems
        self.tally.join(later.tally)
        for which, odd in later.odd.items():
            self.odd.setdefault(which, Counted()).join(odd)

    def read_so(self, file: str) -> list[Problem]:
        """Say how many choices were read as an option that is written otherwise."""
        hint = "Capitals, brackets and a full stop were looked past."
        must = "write each choice as its case writes the option"
        return [
            _told(file, must, system, odd, "choice", hint)
            for (system, what), odd in sorted(self.odd.items())
            if what == "letter"
        ]

    def strange(self, file: str) -> list[Problem]:
        """Count what systems named and the case does not have: their fault, so it is kept."""
        hint = "They are kept and count against the system."
        of_case = {"citations": "evidence", "choice": "options"}
        return [
            _told(file, f"name {of_case[what]} of its case", system, odd, what, hint)
            for (system, what), odd in sorted(self.odd.items())
            if what != "letter"
        ]

    def _found(self, answer: Answer, what: _What, first: str) -> None:
        self.odd.setdefault((answer.system, what), Counted()).add(first)

    def _unknown(self, file: str, row: int, answer: Answer) -> None:
        must, case = "be the id of a case that was asked", answer.case
        if self._cases is not None and case not in self.hints and len(self.hints) < _MOST_HINTS:
            self.hints[case] = nearest(case, self._cases.ids)
        hint = self.hints.get(case, "")
        self.problems.append(Problem(file, must, f'"{case}"', hint, row=row, column="case"))

    def _with_letter(self, answer: Answer, case: Case) -> Answer:
        if answer.choice is None:
            return answer
        letter = letter_meant(answer.choice, case.options)
        if letter is None or letter == answer.choice:
            return answer
        self._found(answer, "letter", f'{answer.case} first: "{answer.choice}" as {letter}')
        return answer.model_copy(update={"choice": letter})

    def _hold_against(self, answer: Answer, case: Case) -> None:
        if answer.citations:
            known = {e.id for e in case.evidence} | {d.id for d in case.documents}
            # `document#3` names a sentence of a document that the system itself returned.
            own = {retrieved.document for retrieved in answer.retrieved or ()}
            for cited in answer.citations:
                if cited not in known and cited.rpartition("#")[0] not in own:
                    self._found(answer, "citations", "")
        if answer.choice is not None and case.options and answer.choice not in case.options:
            self._found(answer, "choice", f'{answer.case} first: "{answer.choice}"')


def collected(records: Sequence[Answer], seen: LookedAt, warnings: tuple[Problem, ...]) -> Answers:
    """Make the collection from records that were looked at as they came."""
    made = Answers(records, warnings)
    made.__dict__.update(_places=Places(seen.rows), tally=seen.tally)
    return made


def answers_from_sheet(sheet: Sheet, cases: Cases | None) -> Answers:
    """Check a sheet of answers that has a column `system` against the cases.

    Raises:
        InvalidInput: Every problem of the sheet, with row and column.
    """
    gathering, seen = Gathering[Answer](), LookedAt(cases)
    notes = answers_of_any_form(sheet, None, seen, gathering)
    return looked_at(gathering, seen, sheet.file, notes)


def answers_of_any_form(
    handed_in: Sheet, system: str | None, seen: LookedAt, gathering: Gathering[Answer]
) -> tuple[Problem, ...]:
    """Read a file of any form, with a word on all that is wrong with it."""
    sheet = _checked(handed_in, system, seen.problems)
    for row, answer in _read_sheet(sheet, system, seen.problems):
        gathering.add(seen.look(sheet.file, row, answer))
    if system is None or len(sheet):
        return sheet.notes
    hint = f'"{system}" is not part of the study until it has given one.'
    return (*sheet.notes, Problem(sheet.file, "hold answers", "none", hint))


def looked_at(
    gathering: Gathering[Answer], seen: LookedAt, name: str, notes: Sequence[Problem]
) -> Answers:
    """Make the collection of answers that were looked at, with what a reader should know.

    Raises:
        InvalidInput: Every problem that was found.
    """
    if seen.problems:
        raise InvalidInput(seen.problems)
    alike = look_alikes(name, "system", seen.tally.given)
    warnings = (*notes, *seen.read_so(name), *alike, *seen.strange(name))
    return collected(gathering.all(), seen, warnings)


def _checked(sheet: Sheet, system: str | None, problems: list[Problem]) -> Sheet:
    """Check that the sheet has the columns it needs."""
    required = ("case",) if system is not None else ("system", "case")
    checked = check_columns(sheet, _KNOWN, required, problems)
    if not sheet.empty_is_none:
        return checked
    return with_points(checked.trimmed([name for name in checked.columns if name not in _WORDS]))


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


def _range(counts: NDArray[np.int_]) -> str:
    least, most = int(counts.min()), int(counts.max())
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"


def _told(file: str, must: str, system: str, odd: Counted, column: str, hint: str) -> Problem:
    counted = f'{odd.count} of "{system}" that do not'
    got = f"{counted}, {odd.first}" if odd.first else counted
    return Problem(file, must, got, hint, None, column, counted=counted)
