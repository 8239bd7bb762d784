"""What metrics read of many pairs of case and answer, hashed once for all of them."""

import hashlib
import json
import marshal
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np

from medassay.metrics.batch import Batch
from medassay.metrics.needs import Need
from medassay.metrics.registry import Pair

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Contents"]

_Record = TypeVar("_Record")
_SIZE: Final = hashlib.sha256().digest_size
_PLAIN: Final = 2  # the last version of marshal that writes equal values as equal bytes
_ROWS, _JSON = b"\0", b"\1"  # neither begins what marshal writes


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
        # End to end, one string a function: as many objects would take three times the memory.
        self._found: dict[Hashable, bytes] = {}
        self._lacking: dict[Hashable, NDArray[np.bool_]] = {}
        self._joined: dict[tuple[Hashable, ...], list[bytes]] = {}

    @classmethod
    def of(cls, pairs: "Sequence[Pair] | Contents") -> "Contents":
        """Give the contents of pairs; contents stay themselves."""
        return pairs if isinstance(pairs, Contents) else cls(pairs)

    def __len__(self) -> int:
        """Count the pairs."""
        return len(self._pairs)

    def digests(self, needs: Sequence[Need]) -> list[bytes]:
        """Give a digest a pair, of all that these needs find in it; made once, to be read only."""
        self._look(needs)
        reads = tuple(map(_reads, needs))
        if reads not in self._joined:
            parts = [self._found[name] for name in reads]
            self._joined[reads] = [
                hashlib.sha256(b"".join([part[at : at + _SIZE] for part in parts])).digest()
                for at in range(0, _SIZE * len(self), _SIZE)
            ]
        return self._joined[reads]

    def batch(self, places: Sequence[int], needs: Sequence[Need]) -> Batch:
        """Give the pairs at some places, with what is known already of what they lack."""
        self._look(needs)
        lacking = {
            need: np.flatnonzero(self._lacking[_reads(need)][places]).tolist() for need in needs
        }
        return Batch([self._pairs[place] for place in places], lacking)

    def pairs(self, places: Sequence[int]) -> tuple[Pair, ...]:
        """Give the pairs at some places, for whoever reads them elsewhere."""
        return tuple(self._pairs[place] for place in places)

    def read(self, needs: Sequence[Need], places: slice) -> list[bytes]:
        """Read what each need finds in some of the pairs; hand it to `take`, in their order."""
        pairs = self._pairs[places]
        return [_read(need, pairs) for need in needs]

    def take(self, needs: Sequence[Need], read: Iterable[Sequence[bytes]]) -> None:
        """Take in what was read of all pairs, part after part."""
        for need, parts in zip(needs, zip(*read, strict=True), strict=False):
            joined = self._found[_reads(need)] = b"".join(parts)
            digests = np.frombuffer(joined, dtype=np.uint8).reshape(-1, _SIZE)
            self._lacking[_reads(need)] = (digests == _NOTHING).all(axis=1)

    def _look(self, needs: Sequence[Need]) -> None:
        """Read what was not read yet."""
        new = [need for need in needs if _reads(need) not in self._found]
        self.take(new, [self.read(new, slice(None))])


def _reads(need: Need) -> Hashable:
    """Give what two needs share that find the same."""
    return need.of_case, need.of_answer


def _read(need: Need, pairs: Sequence[Pair]) -> bytes:
    if need.of_case is not None:
        return _digests(need.of_case, [case for case, _ in pairs])
    if need.of_answer is not None:
        return _digests(need.in_answer, [answer for _, answer in pairs])
    message = f'the need for "{need.words}" reads neither the case nor the answer'
    raise ValueError(message)


def _digests(reads: Callable[[_Record], object], records: Sequence[_Record]) -> bytes:
    """Digest what a function finds, once for each record, end to end."""
    made: dict[int, bytes] = {}
    for record in records:
        if id(record) not in made:
            made[id(record)] = _digest(reads(record))
    return b"".join([made[id(entry)] for entry in records])


def _digest(content: object) -> bytes:
    """Hash what a need finds; rows of words, such as documents, by the hashes of the rows."""
    if isinstance(content, tuple) and content and isinstance(content[0], tuple):
        try:
            return hashlib.sha256(_ROWS + b"".join(map(_row_digest, content))).digest()
        except TypeError:
            pass  # something else than words, or what has no hash
    return hashlib.sha256(_bytes(content)).digest()


def _bytes(content: object) -> bytes:
    """Write content so that equal bytes mean equal content, ten times as quickly as JSON."""
    try:
        return marshal.dumps(content, _PLAIN)  # type: ignore[arg-type]  # it raises, see below
    except ValueError:  # such as a text or number of a class of its own
        return _JSON + json.dumps(content).encode()


class _NoWordsError(TypeError):
    """A row holds something else than words."""


@lru_cache(maxsize=4096)
def _row_digest(row: object) -> bytes:
    """Hash a row of words once, however many cases share it."""
    if not isinstance(row, tuple) or not all(cell is None or isinstance(cell, str) for cell in row):
        raise _NoWordsError
    # Words of a class of their own equal plain ones, whose hash may be here already.
    plain = tuple(cell if cell is None else str.__str__(cell) for cell in row)
    return hashlib.sha256(_bytes(plain)).digest()


_NOTHING: Final = np.frombuffer(hashlib.sha256(_bytes(None)).digest(), dtype=np.uint8)
