"""What metrics read of many pairs of case and answer, hashed once for all of them."""

import hashlib
import json
from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final, TypeGuard, TypeVar

from medassay.metrics.needs import Need
from medassay.metrics.registry import Pair

__all__ = ["Contents"]

_Record = TypeVar("_Record")
_Words = tuple[str | None, ...]
_OF_WORDS: Final = frozenset({str, type(None)})
_ROWS: Final = b"\0"  # begins no JSON


class Contents:
    """The digests of what needs find in some pairs.

    A digest is made once for each function that reads, whichever metric asks for it, and once for
    each case, however many systems answered it.

    Example:
        >>> from medassay.answers import Answer
        >>> from medassay.cases import Case
        >>> pair = (Case(case="1"), Answer(system="S", case="1", text="Rest."))
        >>> text = Need(words="text", of_answer=lambda answer: answer.text)
        >>> [len(one) for one in Contents([pair]).digests([text])]
        [32]
    """

    def __init__(self, pairs: Sequence[Pair]) -> None:
        self._pairs = pairs
        self._found: dict[Hashable, list[bytes]] = {}

    @classmethod
    def of(cls, pairs: "Sequence[Pair] | Contents") -> "Contents":
        """Give the contents of pairs; contents stay themselves."""
        return pairs if isinstance(pairs, Contents) else cls(pairs)

    def digests(self, needs: Sequence[Need]) -> list[bytes]:
        """Give a digest a pair, of all that these needs find in it."""
        found = [self._of(need) for need in needs if need.of_case or need.of_answer]
        if not found:
            return [b""] * len(self._pairs)
        return [hashlib.sha256(b"".join(one)).digest() for one in zip(*found, strict=True)]

    def _of(self, need: Need) -> list[bytes]:
        if need.of_case is not None:
            return self._once(need.of_case, [case for case, _ in self._pairs])
        if need.of_answer is not None:
            return self._once(need.of_answer, [answer for _, answer in self._pairs])
        return []

    def _once(self, reads: Callable[[_Record], object], records: list[_Record]) -> list[bytes]:
        if reads not in self._found:
            made: dict[int, bytes] = {}
            for one in records:
                if id(one) not in made:
                    made[id(one)] = _digest(reads(one))
            self._found[reads] = [made[id(one)] for one in records]
        return self._found[reads]


def _digest(content: object) -> bytes:
    """Hash what a need finds; rows of words, such as documents, by the hashes of the rows."""
    if _are_rows_of_words(content):
        return hashlib.sha256(_ROWS + b"".join(map(_row_digest, content))).digest()
    return hashlib.sha256(json.dumps(content).encode()).digest()


def _are_rows_of_words(content: object) -> TypeGuard[tuple[_Words, ...]]:
    if not isinstance(content, tuple) or set(map(type, content)) != {tuple}:
        return False
    return _OF_WORDS.issuperset(map(type, chain.from_iterable(content)))


@lru_cache(maxsize=4096)
def _row_digest(row: _Words) -> bytes:
    """Hash a row once, however many cases share it."""
    return hashlib.sha256(json.dumps(row).encode()).digest()
