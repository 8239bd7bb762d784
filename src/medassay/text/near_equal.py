"""Which of many texts are nearly the same."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from math import ceil
from typing import Final, NamedTuple

__all__ = ["NearEqual", "near_equal"]

NEAR: Final = 0.8
"""The least share of three-word runs in common, of all that either text has."""
_RUN: Final = 3


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


def near_equal(texts: Mapping[str, str], least: float = NEAR) -> list[NearEqual]:
    """Find every pair of texts that share most of their three-word runs.

    Jaccard's index of the sets of runs, exactly: only texts that share one of their rarest runs are
    compared, since others cannot reach `least` (prefix filter). Capital letters and punctuation do
    not count; numbers do. Texts of one or two words are compared as they are.

    Args:
        texts: Name to text; blanks are left out.
        least: The least share.

    Source: Chaudhuri, Ganti & Kaushik (2006), A primitive operator for similarity joins,
        doi:10.1109/ICDE.2006.9.

    Example:
        >>> near_equal({"a": "Is my knee pain serious?", "b": "is my knee pain serious",
        ...             "c": "Can I take two tablets?"})
        [NearEqual(first='a', second='b', share=1.0, same=True)]
    """
    words = {name: re.findall(r"\w+", text.casefold()) for name, text in texts.items()}
    runs = {name: _runs(own) for name, own in words.items() if own}
    common = Counter(run for own in runs.values() for run in own)
    found = []
    holders: dict[tuple[str, ...], list[str]] = defaultdict(list)
    # From the shortest on, each is held against those before it.
    for name in sorted(runs, key=lambda name: (len(runs[name]), name)):
        own = runs[name]
        rarest = sorted(own, key=lambda run: (common[run], run))
        prefix = rarest[: len(own) - ceil(least * len(own)) + 1]
        for other in sorted({one for run in prefix for one in holders[run]}):
            theirs = runs[other]
            if len(theirs) < least * len(own):
                continue
            both = len(own & theirs)
            share = both / (len(own) + len(theirs) - both)
            if share >= least:
                first, second = sorted((name, other))
                same = words[name] == words[other]
                found.append(NearEqual(first, second, share, same))
        for run in prefix:
            holders[run].append(name)
    return sorted(found, key=lambda pair: (-pair.share, pair.first, pair.second))


def _runs(words: list[str]) -> frozenset[tuple[str, ...]]:
    if len(words) < _RUN:
        return frozenset([tuple(words)])
    return frozenset(tuple(words[at : at + _RUN]) for at in range(len(words) - _RUN + 1))
