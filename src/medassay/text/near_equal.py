"""Which of many texts are nearly the same."""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

NEAR: Final = 0.8
"""The least share of three-word runs in common, of all that either text has."""
MOST_PAIRS: Final = 1_000
"""So many are looked for: where all of many texts are alike, all pairs are too many to list."""
_RUN: Final = 3
_WORD: Final = re.compile(r"\w+")
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
    import numpy as np

    numbers: dict[str, int] = {"": 0}
    every = {name: _numbered(texts[name], numbers) for name in sorted(texts)}
    words = {name: own for name, own in every.items() if own.size}
    if not words:
        return []
    holds = _held(list(words.values()), len(numbers))
    # From the shortest on, each is held against those before it.
    order = np.argsort(np.diff(holds.indptr), kind="stable")
    names, holds = [list(words)[place] for place in order], holds[order]
    sizes = np.diff(holds.indptr)
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
            same = np.array_equal(words[one], words[other])
            found.append(NearEqual(first, second, float(shares[near][at]), same))
            if len(found) == most:
                return _nearest_first(found)
    return _nearest_first(found)


def _numbered(text: str, numbers: dict[str, int]) -> "NDArray[np.int32]":
    """Write a text as numbers of its words: thousands of guidelines are too many words to keep."""
    import numpy as np

    own = _WORD.findall(text.casefold())
    return np.array([numbers.setdefault(word, len(numbers)) for word in own], np.int32)


def _held(texts: "Sequence[NDArray[np.int32]]", known: int) -> "csr_array":
    """Lay out which text has which run of its words, of so many known ones; a row a text."""
    import numpy as np
    from scipy.sparse import csr_array

    # A text that is shorter than a run is one, up to its end.
    whole = [np.pad(own, (0, max(0, _RUN - own.size))) for own in texts]
    words = np.concatenate(whole)
    row = np.repeat(np.arange(len(whole)), [own.size for own in whole])
    first = np.flatnonzero(row[: 1 - _RUN] == row[_RUN - 1 :])
    run = words[first].astype(np.int64)
    for further in range(1, _RUN):
        run = np.unique(run * known + words[first + further], return_inverse=True)[1]
    runs = int(run.max()) + 1
    row, column = np.divmod(np.unique(row[first] * runs + run), runs)
    starts = np.cumsum([0, *np.bincount(row, minlength=len(whole))])
    return csr_array((np.ones(row.size, np.int32), column, starts), shape=(len(whole), runs))


def _nearest_first(found: list[NearEqual]) -> list[NearEqual]:
    return sorted(found, key=lambda pair: (-pair.share, pair.first, pair.second))
