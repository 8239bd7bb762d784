"""Which of many texts are nearly the same."""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = ["MOST_PAIRS", "NearEqual", "near_equal"]

NEAR: Final = 0.8
"""The least share of three-word runs in common, of all that either text has."""
MOST_PAIRS: Final = 1_000
"""So many are looked for: where all of many texts are alike, all pairs are too many to list."""
_RUN: Final = 3
_BLOCK: Final = 512
"""Texts that are held against all others at once."""


class NearEqual(NamedTuple):
    """Two texts that are nearly the same.

    Attributes:
        first: The name of one.
        second: The name of the other.
        share: How many of their three-word runs are in both, of all that either has; 1 where the
            words are the same in the same order.
        same: Whether all words are the same, in the same order.
    """

    first: str
    second: str
    share: float
    same: bool


def near_equal(
    texts: Mapping[str, str], least: float = NEAR, most: int = MOST_PAIRS
) -> list[NearEqual]:
    """Find the pairs of texts that share most of their three-word runs.

    Jaccard's index of the sets of runs, exactly, for all pairs. Capital letters and punctuation do
    not count; numbers do. Texts of one or two words are compared as they are.

    Args:
        texts: Name to text; blanks are left out.
        least: The least share.
        most: The search ends with so many pairs, the shortest texts first.

    Example:
        >>> near_equal({"a": "Is my knee pain serious?", "b": "is my knee pain serious",
        ...             "c": "Can I take two tablets?"})
        [NearEqual(first='a', second='b', share=1.0, same=True)]
    """
    words = {name: re.findall(r"\w+", text.casefold()) for name, text in texts.items()}
    runs = {name: _runs(own) for name, own in words.items() if own}
    # From the shortest on, each is held against those before it.
    names = sorted(runs, key=lambda name: (len(runs[name]), name))
    sizes = np.array([len(runs[name]) for name in names])
    holds = _held([runs[name] for name in names])
    found: list[NearEqual] = []
    for start in range(0, len(names), _BLOCK):
        stop = min(start + _BLOCK, len(names))
        both = (holds[start:stop] @ holds[:stop].T).tocoo()
        later, earlier, common = both.row + start, both.col, both.data
        shares = common / (sizes[later] + sizes[earlier] - common)
        near = (earlier < later) & (shares >= least)
        for at in np.lexsort((earlier[near], later[near])):
            one, other = names[later[near][at]], names[earlier[near][at]]
            first, second = sorted((one, other))
            same = words[one] == words[other]
            found.append(NearEqual(first, second, float(shares[near][at]), same))
            if len(found) == most:
                return _nearest_first(found)
    return _nearest_first(found)


def _held(runs: Sequence[frozenset[tuple[str, ...]]]) -> "csr_array":
    """Lay out which text has which run, a row a text."""
    from scipy.sparse import csr_array

    places: dict[tuple[str, ...], int] = {}
    columns = [places.setdefault(run, len(places)) for own in runs for run in sorted(own)]
    starts = np.cumsum([0, *map(len, runs)])
    shape = (len(runs), max(1, len(places)))
    return csr_array((np.ones(len(columns), np.int32), columns, starts), shape=shape)


def _nearest_first(found: list[NearEqual]) -> list[NearEqual]:
    return sorted(found, key=lambda pair: (-pair.share, pair.first, pair.second))


def _runs(words: list[str]) -> frozenset[tuple[str, ...]]:
    if len(words) < _RUN:
        return frozenset([tuple(words)])
    return frozenset(tuple(words[at : at + _RUN]) for at in range(len(words) - _RUN + 1))
