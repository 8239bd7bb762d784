"""A table while its columns are read: what is known, what is open, what is asked."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from medassay.exchange.proposal import ImportQuestion
from medassay.exchange.spreadsheet.columns import ReadColumn
from medassay.exchange.spreadsheet.headers import Header, joined, names_inside, without_name
from medassay.exchange.spreadsheet.keys import Keys
from medassay.exchange.spreadsheet.profile import Profile
from medassay.exchange.spreadsheet.read import Table
from medassay.exchange.spreadsheet.wishes import Wish
from medassay.exchange.spreadsheet.words import Role
from medassay.judgements import Dimension


@dataclass(frozen=True, slots=True)
class Beside:
    """What the tables beside one say.

    Attributes:
        systems: The systems that they name.
        rated: Whether they hold labels of answers, which must be somewhere.
        varying: Columns of texts that differ between sheets of one layout, question by question.
        cases: Headers of their ids to these ids.
        answered: Whether they hold answers.
        judged: Columns that say another thing of the same answer in another sheet of one layout.
    """

    systems: Sequence[str] = ()
    rated: bool = False
    varying: Collection[str] = ()
    cases: Mapping[str, Collection[str]] = field(default_factory=dict)
    answered: bool = False
    judged: Collection[str] = ()


@dataclass
class Reader:
    """A table while its columns are read."""

    table: Table
    wishes: Mapping[str, Wish]
    dimensions: Sequence[Dimension]
    known: dict[str, ReadColumn] = field(default_factory=dict)
    questions: list[ImportQuestion] = field(default_factory=list)
    profiles: dict[str, Profile] = field(default_factory=dict)
    headers: dict[str, Header] = field(default_factory=dict)
    beside: Beside = field(default_factory=Beside)
    called: Mapping[str, str] = field(default_factory=dict)
    """Columns to the raters whom they name by a word that a file of words has, too."""
    either: list[str] = field(default_factory=list)
    """Columns that may be a reference or answers, until more is known."""

    @property
    def open(self) -> list[str]:
        """Name the columns that nothing was made of yet."""
        return [name for name in self.table.sheet.columns if name not in self.known]

    def of_role(self, *roles: Role) -> list[ReadColumn]:
        """Give the columns that are one of these."""
        return [column for column in self.known.values() if column.role in roles]

    def take(self, name: str, role: Role, of: str = "", **more: object) -> None:
        """Say what a column is."""
        self.known[name] = ReadColumn(name, role, of, **more)  # type: ignore[arg-type] # Column's own

    def ask(
        self, words: str, answers: Mapping[str, Sequence[str]], examples: Sequence[str] = ()
    ) -> None:
        """Ask what a column is; examples of its cells are shown on a terminal alone."""
        self.questions.append(ImportQuestion(self.table.name, words, "column", answers, examples))

    @property
    def systems(self) -> list[str]:
        """Name the systems that columns of answers name, the longest name first."""
        own = dict.fromkeys(column.of for column in self.of_role("answer") if column.of)
        return sorted(own, key=len, reverse=True)

    @property
    def all_systems(self) -> list[str]:
        """Name the systems of this table and of those beside it, the longest name first."""
        column = next(iter(self.of_role("system")), None)
        named = self.table.often(column.name) if column else ()
        return sorted({*self.systems, *self.beside.systems, *named} - {""}, key=len, reverse=True)

    @property
    def header_systems(self) -> list[str]:
        """Name the systems that headers of labels may be of, the longest name first.

        Beside a column of systems one that a lone header names is a word of it.
        """
        systems = self.all_systems
        if not self.of_role("system"):
            return systems
        named = list(filter(self.naming, systems))
        return named if len(named) > 1 else []

    def naming(self, name: str) -> list[str]:
        """Give the columns in whose headers a name stands: every column asks, of every other."""
        found = [*self._by_names.get(joined(name), ()), *self._by_names.get("", ())]
        return [column for column in found if without_name(column, name) is not None]

    @cached_property
    def _by_names(self) -> Mapping[str, Sequence[str]]:
        """The columns by each name that their headers may hold; by none where any may be there."""
        by_names: dict[str, list[str]] = {}
        for column in self.table.sheet.columns:
            inside = names_inside(column)
            for name in {""} if inside is None else inside:
                by_names.setdefault(name, []).append(column)
        return by_names

    def keys(self) -> Keys:
        """Give what rows are about, as far as it is known."""
        return Keys.of(self.table, list(self.known.values()))
