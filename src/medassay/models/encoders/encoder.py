"""What an encoder is: word pieces in windows and batches, states out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, Self, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from medassay.errors import MissingBackend
from medassay.models.files import read_model
from medassay.models.install import need_package

if TYPE_CHECKING:
    from tokenizers import Tokenizer

__all__ = [
    "CutsItself",
    "Encoder",
    "Pieces",
    "WordPieces",
    "pieces_held",
    "states_of_texts",
    "windows",
]

_Item = TypeVar("_Item")
_AT_ONCE: Final = 1024
"""Pieces that an encoder is given at once: enough that its weights are not read anew for every
text, and few enough that what is between its layers stays small."""
_HELD: Final = 8_192


@dataclass(frozen=True, slots=True)
class Pieces:
    """A text as word pieces.

    Attributes:
        ids: The pieces, the model's marks at both ends included.
        marks: For each piece whether it is a mark of the model and no part of the text.
        unknown: How many pieces stand for text that the vocabulary does not have.
    """

    ids: tuple[int, ...]
    marks: tuple[bool, ...]
    unknown: int = 0

    @property
    def length(self) -> int:
        """Count the pieces of the text itself."""
        return len(self.marks) - sum(self.marks)


@runtime_checkable
class Encoder(Protocol):
    """Anything that turns texts into pieces, and pieces into states.

    A study's caller can hand in one of its own: `ModelSetup(given={"mine": encoder})`.
    """

    @property
    def facts(self) -> Mapping[str, str]:
        """Give what the states depend on: hash of the weights, layer, runtime."""

    @property
    def longest(self) -> int:
        """Give how many pieces it reads at once, marks included."""

    def pieces(self, text: str) -> Pieces:
        """Split a text into pieces, however long it is."""

    def states(self, rows: Sequence[tuple[int, ...]]) -> NDArray[np.float32]:
        """Give the states of windows of equally many pieces, shape (windows, pieces, width).

        What it gives for a window must not depend on the others: nothing is padded.
        """


class WordPieces:
    """A tokenizer without any limit of length: what is cut is cut by `windows`, and counted."""

    def __init__(self, tokenizer: "Tokenizer", unknown: str) -> None:
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self._tokenizer = tokenizer
        self._unknown = tokenizer.token_to_id(unknown)

    @classmethod
    def from_vocabulary(cls, path: Path) -> Self:
        """Read a vocabulary of BERT, a piece a line, lower case."""
        need_package("tokenizers", "splitting text into word pieces")
        from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

        tokenizer = Tokenizer(models.WordPiece.from_file(str(path), unk_token="[UNK]"))  # noqa: S106 - a piece of the vocabulary
        tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
        tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        closing, opening = (tokenizer.token_to_id(mark) or 0 for mark in ("[SEP]", "[CLS]"))
        tokenizer.post_processor = processors.BertProcessing(("[SEP]", closing), ("[CLS]", opening))
        return cls(tokenizer, "[UNK]")

    @classmethod
    def from_folder(cls, folder: Path) -> Self:
        """Read a model's own tokenizer.json, or its vocab.txt.

        Raises:
            MissingBackend: It has neither.
            UnusableModel: The file is damaged.
        """
        if (folder / "tokenizer.json").is_file():
            need_package("tokenizers", "splitting text into word pieces")
            from tokenizers import Tokenizer

            path = folder / "tokenizer.json"
            must = "be a whole tokenizer.json"
            tokenizer = read_model(path, must, lambda: Tokenizer.from_file(str(path)))
            unknown = "[UNK]" if tokenizer.token_to_id("[UNK]") is not None else "<unk>"
            return cls(tokenizer, unknown)
        if (folder / "vocab.txt").is_file():
            return cls.from_vocabulary(folder / "vocab.txt")
        put = "put the tokenizer.json of the model beside its weights"
        raise MissingBackend("its tokenizer", f"the model in {folder.name}", put)

    @property
    def size(self) -> int:
        """Count the pieces that there are."""
        return int(self._tokenizer.get_vocab_size(with_added_tokens=True))

    def pieces(self, text: str) -> Pieces:
        """Split a text."""
        encoded = self._tokenizer.encode(text.strip())
        marks = tuple(mark == 1 for mark in encoded.special_tokens_mask)
        # A tokenizer may count an unknown piece among its marks: only those at the ends are.
        first = next((i for i, mark in enumerate(marks) if not mark), len(marks))
        last = len(marks) - next((i for i, m in enumerate(reversed(marks)) if not m), 0)
        ends = tuple(not first <= i < last for i in range(len(marks)))
        ids = tuple(encoded.ids)
        unknown = sum(
            piece == self._unknown for piece, end in zip(ids, ends, strict=True) if not end
        )
        return Pieces(ids, ends, unknown)


def windows(pieces: Pieces, longest: int) -> list[Pieces]:
    """Cut pieces into consecutive windows, each between the model's marks.

    The first window alone is what truncation leaves.

    Args:
        pieces: A whole text.
        longest: How many pieces a window may have, marks included.

    Example:
        >>> text = Pieces((101, 7, 8, 9, 102), (True, False, False, False, True))
        >>> [window.ids for window in windows(text, 4)]
        [(101, 7, 8, 102), (101, 9, 102)]
    """
    if len(pieces.ids) <= longest:
        return [pieces]
    inner = [i for i, mark in enumerate(pieces.marks) if not mark]
    opening, closing = pieces.ids[: inner[0]], pieces.ids[inner[-1] + 1 :]
    room = max(1, longest - len(opening) - len(closing))
    cut = []
    for start in range(0, len(inner), room):
        part = tuple(pieces.ids[i] for i in inner[start : start + room])
        marks = (True,) * len(opening) + (False,) * len(part) + (True,) * len(closing)
        cut.append(Pieces(opening + part + closing, marks))
    return cut


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
