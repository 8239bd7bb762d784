"""Numbers in place of names, so that what is sorted by name stands as it stood."""

import re
from collections.abc import Iterable
from typing import Final

__all__ = ["case_numbers", "numbered", "numbers_of_cases"]

_FORMS: Final = ("case-", "private-case-")
_LOOKS_SO: Final = re.compile(r"case[\W_]*\d+", re.IGNORECASE)


def numbered(names: Iterable[str], what: str = "") -> dict[str, str]:
    """Give each name its place in the order of all names, padded so that it sorts there.

    Example:
        >>> numbered(["b", "a"]), numbered(["asthma", "burn"], "tag ")["burn"]
        ({'a': '1', 'b': '2'}, 'tag 2')
        >>> once = numbered(map(str, range(12)))
        >>> numbered(once.values()) == {number: number for number in once.values()}
        True
    """
    ordered = sorted(set(names))
    width = len(str(len(ordered)))
    return {name: f"{what}{place:0{width}}" for place, name in enumerate(ordered, start=1)}


def case_numbers(cases: Iterable[str]) -> dict[str, str]:
    """Give each case what it is called where its id stays in the study.

    No case is called what looks like another's id. Cases that have their numbers keep them.

    Example:
        >>> case_numbers(["stroke-12", "asthma-3"])["stroke-12"]
        'case-2'
        >>> called = case_numbers(["Case 2", "case-3"])
        >>> called, case_numbers(called.values()) == {name: name for name in called.values()}
        ({'Case 2': 'private-case-1', 'case-3': 'private-case-2'}, True)
    """
    ids = set(cases)
    every = [numbered(ids, form) for form in _FORMS]
    for numbers in every:
        if set(numbers.values()) == ids:
            return numbers
    return every[any(map(_LOOKS_SO.fullmatch, ids))]


def numbers_of_cases(count: int) -> frozenset[str]:
    """Give all that so many cases may be called where their ids stay in the study."""
    ids = list(map(str, range(count)))
    return frozenset(name for form in _FORMS for name in numbered(ids, form).values())
