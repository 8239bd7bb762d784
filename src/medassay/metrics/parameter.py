"""One knob of a metric, as data."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from medassay.errors import InvalidInput, Problem, nearest
from medassay.tables import finite

__all__ = ["Parameter"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A choice that changes the value of a metric, and so stands in its name.

    Attributes:
        name: The key in the canonical name.
        says: One sentence on what it does.
        kind: `choice` takes one of `values`; `integer` and `number` take numbers from `low` up;
            `text` takes anything that a canonical name can hold.
        values: The allowed values of a choice; words that a number may be replaced by.
        low: The smallest number allowed.
        default: The value where the name gives none; None if the name must give one.
        gone: Values that were taken once, and what to do in place of each, as a sentence.

    Example:
        >>> measure = Parameter(name="measure", says="Which of the three.", values=("f", "recall"),
        ...                     default="f")
        >>> measure.canonical("recall", metric="rouge1")
        'recall'
    """

    name: str
    says: str
    kind: Literal["choice", "integer", "number", "text"] = "choice"
    values: tuple[str, ...] = ()
    low: float = -math.inf
    default: str | None = None
    gone: Mapping[str, str] = field(default_factory=dict, hash=False)

    @property
    def allowed(self) -> str:
        """Say what may be given, as the end of "must be ..."."""
        if self.kind == "choice":
            return f"one of {', '.join(self.values)}"
        if self.kind == "text":
            return "text"
        word = "a whole number" if self.kind == "integer" else "a number"
        number = word if math.isinf(self.low) else f"{word} of {self.low:g} or more"
        return " or ".join([number, *self.values])

    def canonical(self, value: str, *, metric: str) -> str:
        """Check a value and write it in its one form, so that 0.50 and .5 are one name.

        Raises:
            InvalidInput: The value is not allowed; names the metric, the parameter and the nearest.
        """
        if value in self.gone:
            must = "be a value that this version knows"
            raise InvalidInput(
                Problem(metric, must, f'"{value}"', self.gone[value], None, self.name)
            )
        if self.kind == "text" or value in self.values:
            return value
        if self.kind != "choice":
            try:
                number: float = int(value) if self.kind == "integer" else float(value)
            except ValueError:
                number = math.nan
            if finite(number) is not None and number >= self.low:
                return str(number)
        must = f"be {self.allowed}"
        problem = Problem(metric, must, f'"{value}"', nearest(value, self.values), None, self.name)
        raise InvalidInput(problem)
