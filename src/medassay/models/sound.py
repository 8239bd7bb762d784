"""Whether a kept result can be one at all: who sends a study can keep what they like in it."""

from collections.abc import Sequence

import numpy as np

__all__ = ["numbers_in", "unit_vectors_in"]

_ROUNDING = 1e-3  # of sums in single precision


def numbers_in(content: bytes, ends: Sequence[tuple[float, float]]) -> bool:
    """Tell whether a content is as many numbers as there are ends, each between its two.

    Example:
        >>> numbers_in(np.array([0.5, 1.0]).tobytes(), [(0, 1), (0, 1)])
        True
        >>> numbers_in(np.array([0.5, np.nan]).tobytes(), [(0, 1), (0, 1)])
        False
    """
    if len(content) != np.dtype(np.float64).itemsize * len(ends):
        return False
    numbers = np.frombuffer(content, dtype=np.float64)
    low, high = np.asarray(ends, dtype=np.float64).T
    inside = (numbers >= low - _ROUNDING) & (numbers <= high + _ROUNDING)
    return bool(np.all(inside & np.isfinite(numbers)))


def unit_vectors_in(
    content: bytes, rows: int, kind: type[np.float32] | type[np.float64] = np.float64
) -> bool:
    """Tell whether a content is so many rows of numbers, each of length 1 or, of nothing, 0.

    Example:
        >>> unit_vectors_in(np.array([0.6, 0.8]).tobytes(), 1)
        True
        >>> unit_vectors_in(np.array([6.0, 8.0]).tobytes(), 1)
        False
    """
    size = np.dtype(kind).itemsize * rows
    if not size or not content or len(content) % size:
        return False
    vectors = np.frombuffer(content, dtype=kind).astype(np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        lengths = np.linalg.norm(vectors.reshape(rows, -1), axis=1)
    return bool(np.all((np.abs(lengths - 1) < _ROUNDING) | (lengths == 0)))
