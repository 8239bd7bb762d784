"""What several analyses ask of the same metric and consensus, computed once."""

from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

_MOST_BYTES: Final = 64 * 2**20

_Array = NDArray[Any]


class PairsKept:
    """Numbers of pairs of columns under all that they follow from, the oldest forgotten first.

    The trust table and the list of taus hold the same columns against each other, each beside
    others of its own. A pair's numbers depend on the pair alone, so what the one has computed the
    other reads.

    Args:
        most_bytes: Of all numbers kept.

    Example:
        >>> kept, asked = PairsKept(), []
        >>> def product(rows, columns):
        ...     asked.append((rows, columns))
        ...     return np.multiply.outer(np.array(rows), np.array(columns))
        >>> kept.of(b"product", [b"0", b"1"], [b"0", b"1"], product).tolist()
        [[0, 0], [0, 1]]
        >>> kept.of(b"product", [b"1", b"2"], [b"1"], lambda rows, _: np.array([[7]] * len(rows)))
        array([[1],
               [7]])
        >>> asked
        [([0, 1], [0, 1])]
    """

    def __init__(self, most_bytes: int = _MOST_BYTES) -> None:
        self._most, self._bytes = most_bytes, 0
        self._kept: dict[bytes, _Array] = {}

    def of(
        self,
        computed: bytes,
        metrics: Sequence[bytes],
        consensuses: Sequence[bytes],
        compute: Callable[[list[int], list[int]], _Array],
    ) -> _Array:
        """Give the numbers of every pair, shape (..., metrics, consensuses).

        Args:
            computed: What is computed, and all that it follows from beside the two columns.
            metrics: What each metric's numbers follow from.
            consensuses: The same of each consensus.
            compute: Given the places of metrics and of consensuses, gives their numbers, shape
                (..., metrics, consensuses). Called with those that have a pair that is not kept.
        """
        keys = [[content_of(computed, m, c) for c in consensuses] for m in metrics]
        known = {key: self._kept[key] for row in keys for key in row if key in self._kept}
        lacking = [
            (i, j) for i, row in enumerate(keys) for j, key in enumerate(row) if key not in known
        ]
        if lacking:
            rows, columns = (sorted(set(places)) for places in zip(*lacking, strict=True))
            made = compute(rows, columns)
            for a, i in enumerate(rows):
                for b, j in enumerate(columns):
                    known[keys[i][j]] = made[..., a, b].copy()
                    self._keep(keys[i][j], known[keys[i][j]])
        numbers = np.array([[known[key] for key in row] for row in keys])
        return np.moveaxis(numbers, (0, 1), (-2, -1))

    def _keep(self, key: bytes, numbers: _Array) -> None:
        before = self._kept.pop(key, None)
        self._bytes += numbers.nbytes - (0 if before is None else before.nbytes)
        self._kept[key] = numbers
        while self._bytes > self._most:
            oldest = next(iter(self._kept))
            self._bytes -= self._kept.pop(oldest).nbytes


def content_of(*parts: bytes) -> bytes:
    """Give a digest of parts, each with its length: no two lists of parts share one.

    Example:
        >>> content_of(b"ab", b"c") == content_of(b"a", b"bc")
        False
    """
    digest = blake2b(digest_size=16)
    for part in parts:
        digest.update(len(part).to_bytes(8))
        digest.update(part)
    return digest.digest()
