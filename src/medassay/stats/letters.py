"""Compact letter display: who cannot be told apart from whom, in letters."""

from string import ascii_letters

import numpy as np
from numpy.typing import NDArray

__all__ = ["compact_letters"]


def compact_letters(different: NDArray[np.bool_]) -> list[str]:
    """Give letters so that two systems share one exactly when they are not found different.

    Every letter is a group in which no two are different, and every two that are not different are
    in some group: the property holds by construction. Groups are grown in the order given, so put
    the best system first. Few letters are tried for; the smallest number is not guaranteed (that
    is a clique cover, a hard problem).

    Args:
        different: Symmetric, shape (systems, systems); whether a test tells the two apart.

    Returns:
        For each system its letters, such as `ab`; after 52 letters come `a1`, `b1`, ...

    Source: Piepho (2004), An algorithm for a letter-based representation of all-pairwise
        comparisons, doi:10.1198/1061860043515 (the display; the construction here is greedy).

    Example:
        >>> compact_letters(np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], dtype=bool))
        ['a', 'ab', 'b']
    """
    alike = ~different
    n = len(different)
    open_pairs = np.triu(alike, k=0)  # the diagonal: a system unlike all others needs a letter too
    groups: list[NDArray[np.intp]] = []
    for i in range(n):
        for j in range(n - 1, i - 1, -1):
            if not open_pairs[i, j]:
                continue
            group = np.array(sorted({i, j}), dtype=np.intp)
            for k in range(n):
                if k not in group and alike[k, group].all():
                    group = np.append(group, k)
            open_pairs[np.ix_(group, group)] = False
            groups.append(np.sort(group))
    groups = _without_spare(groups, n)
    letters = [""] * n
    for number, group in enumerate(groups):
        again, place = divmod(number, len(ascii_letters))
        for system in group.tolist():
            letters[system] += ascii_letters[place] + (str(again) if again else "")
    return letters


def _without_spare(groups: list[NDArray[np.intp]], n: int) -> list[NDArray[np.intp]]:
    """Drop each group whose every pair is in another one too."""
    cover = np.zeros((n, n), dtype=np.int64)
    for group in groups:
        cover[np.ix_(group, group)] += 1
    needed = []
    for group in groups:
        if (cover[np.ix_(group, group)] > 1).all():
            cover[np.ix_(group, group)] -= 1
        else:
            needed.append(group)
    return needed
