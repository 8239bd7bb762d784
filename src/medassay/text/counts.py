"""A count and its noun, and a count with the first of what was counted."""

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Counted", "count_of", "first_of", "listed", "plural"]


def plural(count: int, one: str, many: str = "") -> str:
    """Choose the word's form.

    Example:
        >>> plural(1, "case"), plural(2, "case"), plural(2, "study", "studies")
        ('case', 'cases', 'studies')
    """
    return one if count == 1 else many or f"{one}s"


def count_of(count: int, one: str, many: str = "") -> str:
    """Print a count with its noun.

    Example:
        >>> count_of(1, "case"), count_of(7045, "system")
        ('1 case', '7,045 systems')
    """
    return f"{count:,} {plural(count, one, many)}"


def listed(items: Sequence[str]) -> str:
    """Join as in a sentence.

    Example:
        >>> listed(["A", "B", "C"])
        'A, B and C'
    """
    return f"{', '.join(items[:-1])} and {items[-1]}" if len(items) > 1 else "".join(items)


def first_of(items: Sequence[str], most: int) -> str:
    """List the first with commas, and count the rest.

    Example:
        >>> first_of(["A", "B", "C"], 2)
        'A, B and 1 more'
    """
    more = f" and {len(items) - most:,} more" if items[most:] else ""
    return f"{', '.join(items[:most])}{more}"


@dataclass(slots=True)
class Counted:
    """So many, and the first of them: what a warning says of very many.

    Attributes:
        count: How many.
        first: The first of them in words; empty where none is named.

    Example:
        >>> odd = Counted()
        >>> for case in ("7", "9"):
        ...     odd.add(case)
        >>> odd
        Counted(count=2, first='7')
    """

    count: int = 0
    first: str = ""

    def add(self, what: str) -> None:
        """Count one more."""
        self.count += 1
        self.first = self.first or what

    def join(self, later: "Counted") -> None:
        """Count those that came behind these."""
        self.count += later.count
        self.first = self.first or later.first
