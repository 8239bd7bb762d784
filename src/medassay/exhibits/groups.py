"""Groups of systems whose order is undecided: their letters, and words where letters are many."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

__all__ = ["MANY", "alike", "alike_words", "in_letters", "letters_of", "ordered_letters"]

_LETTER: Final = re.compile(r"[A-Za-z]\d*")
MANY: Final = (
    "A group counts the systems above and below whose order with the system is undecided (in the "
    "file it is letters, which these share)"
)
_MOST_LETTERS: Final = 16
"""So many letters fit beside each other on a page; 28 systems have had eleven."""


def letters_of(letters: str) -> list[str]:
    """Part a system's letters; beyond the alphabet one has a number.

    Example:
        >>> letters_of("abZa1b12")
        ['a', 'b', 'Z', 'a1', 'b12']
    """
    return _LETTER.findall(letters)


def ordered_letters(every: Sequence[str]) -> list[str]:
    """List the letters of all systems once, in the order in which they are given out.

    Example:
        >>> ordered_letters(["Ba1", "ab", "a"])
        ['a', 'b', 'B', 'a1']
    """
    every_letter = {letter for letters in every for letter in letters_of(letters)}
    return sorted(every_letter, key=lambda own: (int(own[1:] or 0), own[0].isupper(), own[0]))


def alike(first: str, second: str) -> bool:
    """Say whether two systems share a letter, so that their order is undecided.

    Example:
        >>> alike("ab", "bc"), alike("a", "a1")
        (True, False)
    """
    return not set(letters_of(first)).isdisjoint(letters_of(second))


def in_letters(letters: Iterable[tuple[str, str]]) -> bool:
    """Say whether tables print letters: no column has more than fit beside each other.

    Args:
        letters: A column and the letters of one system in it, for every one of both.

    Example:
        >>> in_letters([("tone", "ab"), ("tone", "bc")])
        True
    """
    of_column: dict[str, list[str]] = {}
    for column, own in letters:
        of_column.setdefault(column, []).append(own)
    return all(len(ordered_letters(every)) <= _MOST_LETTERS for every in of_column.values())


def alike_words(letters: Mapping[str, str]) -> dict[str, str]:
    """Say in words of how many systems the order with each is undecided.

    Args:
        letters: System to its letters, best first; those without letters were not compared.

    Example:
        >>> alike_words({"A": "a", "B": "ab", "C": "b", "D": "c"})
        {'A': '1 below', 'B': '1 above, 1 below', 'C': '1 above', 'D': 'none'}
    """
    compared = [(system, set(letters_of(own))) for system, own in letters.items() if own]
    words = {}
    for place, (system, own) in enumerate(compared):
        above = sum(not own.isdisjoint(other) for _, other in compared[:place])
        below = sum(not own.isdisjoint(other) for _, other in compared[place + 1 :])
        parts = [f"{n} {where}" for n, where in ((above, "above"), (below, "below")) if n]
        words[system] = ", ".join(parts) or "none"
    return words
