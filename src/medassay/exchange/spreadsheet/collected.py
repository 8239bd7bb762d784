"""Cases, answers, labels and scores out of tables whose columns are known, each cell counted."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, islice, repeat
from typing import Any, overload

from medassay.answers import Answer
from medassay.cases import Case, Cases, Evidence, Reference
from medassay.errors import Problem
from medassay.exchange.spreadsheet.words import Metric

Key = tuple[str, str, int]


@dataclass(frozen=True, slots=True)
class FallbackNames:
    """What a user calls things that no column names.

    Attributes:
        system: The system of answers without one; called after the file if not given.
        rater: Who gave the ratings without a rater.
        kinds: Raters of whom somebody typed whether each is a person or a model.
        every: What all other raters are, where somebody typed it.
        models: Raters who were said to be models before, and who need not be there again.
    """

    system: str = ""
    rater: str = ""
    kinds: Mapping[str, str] = field(default_factory=dict)
    every: str = ""
    models: Collection[str] = ()

    def kind(self, rater: str) -> str:
        """Give what somebody said that a rater is, a person or a model; empty where nobody did."""
        return self.kinds.get(rater) or ("model" if rater in self.models else self.every)


@dataclass(frozen=True, slots=True)
class Rating:
    """One label, and where it stands."""

    file: str
    row: int
    column: str
    cells: Mapping[str, str]


class Ratings(Sequence[Rating]):
    """Labels or preferences in the order in which they stand, held as columns: there are many.

    Attributes:
        columns: What each says, by the column of a study's table; None where it says nothing.
    """

    def __init__(self) -> None:
        """Begin with none."""
        self.columns: dict[str, list[Any]] = {}
        self._files: list[str] = []
        self._rows: list[int] = []
        self._stands_in: list[str] = []

    def __len__(self) -> int:
        """Count them."""
        return len(self._files)

    @overload
    def __getitem__(self, place: int) -> Rating: ...
    @overload
    def __getitem__(self, place: slice) -> list[Rating]: ...
    def __getitem__(self, place: int | slice) -> Rating | list[Rating]:
        """Give one, or several."""
        if isinstance(place, slice):
            return [self[at] for at in range(*place.indices(len(self)))]
        cells = {name: held[place] or "" for name, held in self.columns.items()}
        return Rating(self._files[place], self._rows[place], self._stands_in[place], cells)

    def add(self, place: tuple[str, int, str], cells: Mapping[str, str]) -> None:
        """Add one that stands in this file, row and column."""
        file, row, column = place
        said = tuple(cell or None for cell in cells.values())
        self.add_row(file, row, [column], tuple(cells), [said])

    def add_all(
        self,
        places: Sequence[tuple[str, int, str]],
        names: Sequence[str],
        said: Sequence[tuple[str | None, ...]],
    ) -> None:
        """Add many, each with where it stands and with what it says by these names."""
        before = len(self)
        self.add_row("", 0, [""] * len(said), names, said)
        for held, told in zip(
            (self._files, self._rows, self._stands_in), zip(*places, strict=True), strict=True
        ):
            held[before:] = told  # type: ignore[index] # lists of one kind each

    def add_row(
        self,
        file: str,
        row: int,
        stand_in: Sequence[str],
        names: Sequence[str],
        said: Sequence[tuple[str | None, ...]],
    ) -> None:
        """Add those that stand in these columns of a row: what each says, by these names."""
        columns = self.columns
        for name in columns.keys() ^ set(names):  # seldom: most rows say the same things
            if name in columns:
                columns[name].extend([None] * len(said))
            else:
                columns[name] = [None] * len(self)
        for name, cells in zip(names, zip(*said, strict=True), strict=True):
            columns[name].extend(cells)
        self._files.extend([file] * len(said))
        self._rows.extend([row] * len(said))
        self._stands_in.extend(stand_in)

    def counted(self, start: int) -> Counter[tuple[str, str, str]]:
        """Count those from a place on by the column that they stand in, dimension and rater."""
        told = self._stands_in, self.of("dimension"), self.of("rater")
        return Counter(zip(*(islice(held, start, None) for held in told), strict=True))

    def of(self, name: str) -> list[Any]:
        """Give what all say in one column."""
        return self.columns.get(name, [])


@dataclass(frozen=True, slots=True)
class ImportedScore:
    """One score that came with the tables."""

    system: str
    case: str
    sample: int
    source: str
    value: float | None
    metric: Metric | None


@dataclass
class CaseBeingRead:
    """A case while its rows come in."""

    file: str
    row: int
    question: str = ""
    turns: tuple[Mapping[str, str], ...] = ()
    narrative: str = ""
    gold: str = ""
    references: list[str] = field(default_factory=list)
    evidence: list[str] = field(default_factory=list)
    tags: dict[str, str] = field(default_factory=dict)
    options: dict[str, str] = field(default_factory=dict)
    criteria: dict[str, float] = field(default_factory=dict)


@dataclass
class Collected:
    """What tables hold of a study.

    Attributes:
        asked: The cases while they grow, by id.
        answers: What each system answered to each case.
        places: Where each answer stands.
        rows: The systems and cases that a row is about, an empty cell for the answer or not.
        rows_of_one: The same of tables that have a row for each answer.
        documents: What systems retrieved that the study does not have yet, text to id.
        documents_before: What the study has, text to id.
        ratings: The labels.
        preferences: Which of two answers was preferred.
        scores: Scores that came with the tables.
        fates: What became of the cells of each table's columns: table and column to counts.
        notes: What became of cells that say nothing.
        problems: What is wrong.
        tool: The tool that wrote the tables; empty where nobody knows.
    """

    asked: dict[str, CaseBeingRead] = field(default_factory=dict)
    answers: dict[Key, Answer] = field(default_factory=dict)
    places: dict[Key, str] = field(default_factory=dict)
    rows: set[tuple[str, str]] = field(default_factory=set)
    rows_of_one: set[tuple[str, str]] = field(default_factory=set)
    documents: dict[str, str] = field(default_factory=dict)
    documents_before: Mapping[str, str] = field(default_factory=dict)
    ratings: Ratings = field(default_factory=Ratings)
    preferences: Ratings = field(default_factory=Ratings)
    scores: dict[tuple[str, Key], ImportedScore] = field(default_factory=dict)
    fates: dict[tuple[str, str], Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    notes: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    tool: str = ""
    _taken: set[str] = field(default_factory=set, repr=False)

    def document(self, text: str) -> str:
        """Give the id of a text that was retrieved; a new one gets the next that is free."""
        known = self.documents_before.get(text) or self.documents.get(text)
        if known is not None:
            return known
        if len(self._taken) != len(self.documents_before) + len(self.documents):
            self._taken = {*self.documents_before.values(), *self.documents.values()}
        ids = (f"passage-{number}" for number in count(len(self._taken) + 1))
        self.documents[text] = next(name for name in ids if name not in self._taken)
        self._taken.add(self.documents[text])
        return self.documents[text]

    @property
    def rated(self) -> set[Key]:
        """Give the answers that were rated, scored or compared, by system, case and sample."""
        rated, compared = self.ratings, self.preferences
        samples = rated.of("sample") or repeat(None)
        own = set(zip(rated.of("system"), rated.of("case"), samples, strict=False))
        keys = {(system, case, int(sample or 0)) for system, case, sample in own}
        keys |= {key for _, key in self.scores}
        for name in ("system_a", "system_b"):
            pairs = zip(compared.of(name), compared.of("case"), strict=True)
            keys |= {(system or "", case, 0) for system, case in pairs}
        return keys

    @property
    def told(self) -> set[tuple[str, str]]:
        """Give who was asked what, by system and case: a row without an answer was asked, too."""
        keys = {*self.answers, *self.rated}
        return self.rows_of_one | {(system, case) for system, case, _ in keys}

    def cases(self) -> Cases:
        """Give the cases."""
        return Cases.of(
            Case(
                case=name,
                question=asked.question or None,
                turns=asked.turns,
                narrative=asked.narrative or None,
                options=asked.options,
                gold=asked.gold or None,
                references=tuple(Reference(text=text) for text in asked.references),
                evidence=tuple(
                    Evidence(id=str(i), text=text) for i, text in enumerate(asked.evidence, 1)
                ),
                tags=asked.tags,
                criteria=tuple({"text": t, "points": n} for t, n in asked.criteria.items()),
            )
            for name, asked in self.asked.items()
        )
