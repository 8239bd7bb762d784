"""Many texts through an encoder: those of equal length together, so that nothing is padded."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final, Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from medassay.models.encoders.encoder import Encoder, Pieces

__all__ = ["CutsItself", "pieces_held", "states_of_texts"]

_Item = TypeVar("_Item")

_AT_ONCE: Final = 1024
"""Pieces that an encoder is given at once: enough that its weights are not read anew for every
text, and few enough that what is between its layers stays small."""

_HELD: Final = 8_192


@runtime_checkable
class CutsItself(Protocol):
    """An encoder that makes batches of its own, of windows of any lengths.

    Attributes:
        held: How many pieces of references are best held at once.
    """

    held: int

    def in_batches(
        self, rows: Sequence[tuple[int, ...]]
    ) -> Iterator[tuple[int, NDArray[np.float32]]]:
        """Give the place of each window with its states; no window's depend on the others."""


def pieces_held(encoder: Encoder) -> int:
    """Say of how many pieces of references the states are held at once."""
    return encoder.held if isinstance(encoder, CutsItself) else _HELD


def states_of_texts(
    encoder: Encoder, texts: Sequence[Sequence[Pieces]]
) -> Iterator[tuple[int, NDArray[np.float32]]]:
    """Give the states of each text, with its place among the texts, shortest texts first.

    States take far more memory than text: take what is needed of each, and let it go.

    Args:
        encoder: What makes them.
        texts: For each text the windows in which it is read.

    Yields:
        A text's place, and the states of all its windows, float32, shape (pieces, width).
    """
    if isinstance(encoder, CutsItself):
        yield from _in_its_batches(encoder, texts)
        return
    by_length: dict[int, list[int]] = {}
    for i, windows in enumerate(texts):
        if len(windows) == 1:
            by_length.setdefault(len(windows[0].ids), []).append(i)
    for size, places in sorted(by_length.items()):
        for batch in _bounded(places, size):
            yield from zip(batch, encoder.states([texts[i][0].ids for i in batch]), strict=True)
    for i, windows in enumerate(texts):
        if len(windows) != 1:
            yield i, np.concatenate(list(_states_of_windows(encoder, windows)))


def _in_its_batches(
    encoder: CutsItself, texts: Sequence[Sequence[Pieces]]
) -> Iterator[tuple[int, NDArray[np.float32]]]:
    owner = [i for i, windows in enumerate(texts) for _ in windows]
    rows = [window.ids for windows in texts for window in windows]
    waiting: dict[int, dict[int, NDArray[np.float32]]] = {}
    for place, states in encoder.in_batches(rows):
        i = owner[place]
        read = waiting.setdefault(i, {})
        read[place] = states
        if len(read) == len(texts[i]):
            yield i, np.concatenate([read[at] for at in sorted(waiting.pop(i))])


def _states_of_windows(
    encoder: Encoder, windows: Sequence[Pieces]
) -> Iterator[NDArray[np.float32]]:
    for size, alike in groupby((window.ids for window in windows), len):
        for batch in _bounded(list(alike), size):
            yield from encoder.states(batch)


def _bounded(items: Sequence[_Item], size: int) -> Iterator[Sequence[_Item]]:
    step = max(1, _AT_ONCE // size)
    for start in range(0, len(items), step):
        yield items[start : start + step]
