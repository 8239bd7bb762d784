"""What a column of a table can be, and what was made of each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from medassay.exchange.proposal import ImportQuestion
from medassay.exchange.spreadsheet.profile import Profile
from medassay.exchange.spreadsheet.read import Table
from medassay.exchange.spreadsheet.scale_words import Ends
from medassay.exchange.spreadsheet.words import Metric, Role, table_of_words

_ROLES: Final[Mapping[Role, Mapping[str, Any]]] = table_of_words("roles.toml")["roles"]
SAID: Final = {role: str(told["said"]) for role, told in _ROLES.items()}
ONCE: Final = frozenset(role for role, told in _ROLES.items() if told.get("once"))
"""What one table has in one column at most."""


def fits(role: Role, profile: Profile) -> bool:
    """Say whether cells look like those of a role: a header alone makes no answer of a number."""
    cells = _ROLES[role].get("cells", profile.kind).split()
    return profile.kind in cells or profile.kind == "empty"


@dataclass(frozen=True, slots=True)
class ReadColumn:
    """What one column is.

    Attributes:
        name: What its header says.
        role: What it is.
        of: The system whose answers it holds, the tag's or score's name, or what was rated.
        system: The system that was rated or scored, where the header names it.
        rater: Who rated, where the header names them.
        ends: The scale that the header or the row below it names.
        sense: Whether a yes is bad (`harm`) or good (`safe`), where the header asks so.
        metric: What is known of the metric.
        why: Why it is left out.
    """

    name: str
    role: Role
    of: str = ""
    system: str = ""
    rater: str = ""
    ends: Ends | None = None
    sense: str = ""
    metric: Metric | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Layout:
    """What the columns of one table are.

    Attributes:
        table: The table.
        columns: Every column, in its order.
        questions: What somebody has to decide first.
        profiles: What the cells of each look like.
        rater: Who gave the ratings that no column says of whom they are.
        system: Whose the answers are that no column says of whom they are.
    """

    table: Table
    columns: tuple[ReadColumn, ...]
    questions: tuple[ImportQuestion, ...] = ()
    profiles: Mapping[str, Profile] = field(default_factory=dict)
    rater: str = ""
    system: str = ""
    _of_roles: dict[tuple[Role, ...], list[ReadColumn]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def of_role(self, *roles: Role) -> list[ReadColumn]:
        """Give the columns that are one of these things. Every row asks: they are kept."""
        if roles not in self._of_roles:
            self._of_roles[roles] = [column for column in self.columns if column.role in roles]
        return self._of_roles[roles]

    def named(self, role: Role) -> str | None:
        """Give the one column that is this, or None."""
        own = self.of_role(role)
        return own[0].name if own else None

    @property
    def systems(self) -> set[str]:
        """Name the systems that headers and cells name."""
        named = self.named("system")
        cells = self.table.often(named) if named else ()
        return {*(column.of for column in self.of_role("answer")), *cells} - {""}

    @property
    def compared(self) -> tuple[str, ...]:
        """Name the systems between which a column of preferences chooses where no cell says so."""
        own = dict.fromkeys(column.of for column in self.of_role("answer") if column.of)
        named = dict.fromkeys(column.system for column in self.of_role("rating") if column.system)
        return tuple(own or named)

    @property
    def rated(self) -> Sequence[ReadColumn]:
        """Give the columns that hold labels."""
        return self.of_role("rating", "label")

    @property
    def tells(self) -> bool:
        """Say whether anything of a study is in it."""
        roles = {column.role for column in self.columns}
        keyed = bool(roles & {"question", "case", "turns"})
        beside: set[Role] = {"case", "answer", "reference", "contexts", "system", "score"}
        asked = bool({"question", "turns"} & roles) and bool(roles & beside)
        given = {"case", "answer"} <= roles or {"case", "choice", "system"} <= roles
        judged = keyed and bool(roles & {"rating", "label", "score", "winner"})
        return asked or given or judged or bool(self.questions and keyed)
