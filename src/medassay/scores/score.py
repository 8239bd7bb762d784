"""One score: a measured value or the reason why there is none, and the unit it is of."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from medassay.errors import InvalidInput, Problem

if TYPE_CHECKING:
    import polars as pl

DEFAULTS: Final[Mapping[str, object]] = MappingProxyType({"sample": 0, "about": ""})
"""What a table of whole first answers leaves out of the key."""


class Reason(StrEnum):
    """Why a score could not be had. A closed list; the detail says the rest in words."""

    NEVER_ANSWERED = "never_answered"
    """The system gave no answer to this case, and the metric has no value for that."""
    EMPTY_ANSWER = "empty_answer"
    """An answer was given and it is empty, and the metric is undefined there."""
    CASE_LACKS = "case_lacks"
    """The case does not have what the metric needs (a reference, evidence, a gold choice)."""
    ANSWER_LACKS = "answer_lacks"
    """The answer does not have what the metric needs (citations, retrieved documents, a choice)."""
    NOT_HELD = "not_held"
    """The study knows the answer by its id alone, and the metric needs what was written."""
    NOT_READ = "not_read"
    """The metric reads less than half of the letters that it should, such as another script."""
    BACKEND_MISSING = "backend_missing"
    """A model or package is not installed, or cannot be used."""
    UNDEFINED = "undefined"
    """The formula has no value here (a division by zero, a single rater, no variation)."""
    NOT_JUDGED = "not_judged"
    """No rater gave a label here."""
    NO_LABEL = "no_label"
    """Raters looked and gave a reason instead of a label (cannot judge, not applicable)."""
    TIE = "tie"
    """The raters are split and the method does not break ties."""
    NOT_IMPORTED = "not_imported"
    """An imported column of scores has an empty cell or no row here."""
    FAILED = "failed"
    """The computation raised an error; the detail holds its message."""

    @property
    def words(self) -> str:
        """Say the reason as a report does."""
        return _WORDS[self]


_WORDS = {
    Reason.NEVER_ANSWERED: "never answered",
    Reason.EMPTY_ANSWER: "empty answer",
    Reason.CASE_LACKS: "the case lacks what is needed",
    Reason.ANSWER_LACKS: "the answer lacks what is needed",
    Reason.NOT_HELD: "text not held",
    Reason.NOT_READ: "text that the metric cannot read",
    Reason.BACKEND_MISSING: "no usable model or package",
    Reason.UNDEFINED: "undefined here",
    Reason.NOT_JUDGED: "not judged",
    Reason.NO_LABEL: "judged, no label given",
    Reason.TIE: "raters tied",
    Reason.NOT_IMPORTED: "not in the imported file",
    Reason.FAILED: "failed",
}


@dataclass(frozen=True, slots=True)
class Score:
    """A measured value, with the numbers that pooled values need.

    Attributes:
        value: The value; finite.
        parts: Sufficient statistics in the order that the metric declares, so that pooled (micro)
            values can be had from sums and resampled without reading any text again.

    Example:
        >>> Score(0.5, parts=(1.0, 2.0, 2.0)).value
        0.5
    """

    value: float
    parts: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        """Refuse NaN and infinity: missing is a reason, never a number."""
        parts = self.parts
        if not math.isfinite(self.value) or (parts and not all(map(math.isfinite, parts))):
            raise InvalidInput(
                Problem("score", "be a finite number", str(self.value), "Use Unscored(reason).")
            )


@dataclass(frozen=True, slots=True)
class Unscored:
    """No value, and why.

    Example:
        >>> print(Unscored(Reason.CASE_LACKS, "no reference of kind human"))
        the case lacks what is needed: no reference of kind human
    """

    reason: Reason
    detail: str = ""

    def __str__(self) -> str:
        """Say it in words."""
        return f"{self.reason.words}: {self.detail}" if self.detail else self.reason.words


class Unit(NamedTuple):
    """What a label says something of.

    Attributes:
        system: Whose answer.
        case: To which case.
        sample: Which of the system's answers to that case, from 0.
        about: Empty for the answer as a whole; otherwise a part of it or of what it is held
            against, such as `criterion:c3` or `statement:2` (see `About`).

    Example:
        >>> Unit("A", "1"), Unit("A", "1", about="criterion:c3").pair
        (Unit(system='A', case='1', sample=0, about=''), ('A', '1'))
    """

    system: str
    case: str
    sample: int = 0
    about: str = ""

    @property
    def pair(self) -> tuple[str, str]:
        """Give the cell that it belongs to: system and case."""
        return self.system, self.case


UNIT: Final = Unit._fields
"""The columns of the key, in the order that rows are sorted by."""


def with_defaults(frame: "pl.DataFrame") -> "pl.DataFrame":
    """Add the columns of the key that a table of whole first answers leaves out.

    Example:
        >>> import polars as pl
        >>> with_defaults(pl.DataFrame({"system": ["A"], "case": ["1"]})).rows()
        [('A', '1', 0, '')]
    """
    import polars as pl

    types = {"sample": pl.Int64(), "about": pl.String()}
    return frame.with_columns(
        pl.lit(value, dtype=types[name]).alias(name)
        for name, value in DEFAULTS.items()
        if name not in frame.columns
    )


def without_defaults(frame: "pl.DataFrame") -> "pl.DataFrame":
    """Leave out the columns of the key that hold their default in every row.

    Example:
        >>> import polars as pl
        >>> frame = pl.DataFrame({"case": ["1"], "sample": [0], "about": ["span:3-9"]})
        >>> without_defaults(frame).columns
        ['case', 'about']
    """
    return frame.drop(
        name
        for name, value in DEFAULTS.items()
        if name in frame.columns and bool((frame[name] == value).all())
    )
