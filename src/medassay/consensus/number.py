"""A parameter that is a number, and the one way to write it."""

import math
from dataclasses import dataclass

__all__ = ["Number"]


@dataclass(frozen=True, slots=True)
class Number:
    """A parameter that is a number.

    Attributes:
        default: Its canonical text; left out of names.
        least: The smallest value.
        most: The largest value; None for no bound.
        whole: Whether it counts something.
    """

    default: str
    least: float = 1
    most: float | None = None
    whole: bool = True

    @property
    def must(self) -> str:
        """Say what the value must be."""
        kind = "a whole number" if self.whole else "a number"
        if self.most is None:
            return f"{kind}, {self.least:g} or more"
        return f"{kind} from {self.least:g} to {self.most:g}"

    def canonical(self, text: str) -> str | None:
        """Give the one way to write this number, or None where it is not allowed.

        Example:
            >>> Number("0.5", 0.001, whole=False).canonical("0.50")
            '0.5'
        """
        try:
            value = float(text)
        except ValueError:
            return None
        top = math.inf if self.most is None else self.most
        if not self.least <= value <= top or math.isinf(value):
            return None
        if self.whole:
            return str(int(value)) if text.isdecimal() else None
        return f"{value:.12g}" if "e" not in f"{value:.12g}" else None
