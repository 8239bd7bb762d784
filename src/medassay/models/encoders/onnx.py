"""An encoder as an ONNX file, run by onnxruntime: no torch."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.models.encoders.encoder import Pieces
from medassay.models.encoders.wordpieces import WordPieces
from medassay.models.onnx_file import OnnxFile

__all__ = ["OnnxEncoder"]

_GIVES: Final = ("texts", "pieces", "width")
_TAKES: Final = frozenset({"input_ids", "attention_mask", "token_type_ids", "position_ids"})


class OnnxEncoder:
    """States of the last layer; the file must name its output `last_hidden_state` or have it first.

    Nothing is padded, so no state depends on its neighbours.
    """

    def __init__(
        self, model: Path, words: WordPieces, facts: Mapping[str, str], longest: int
    ) -> None:
        self._file = OnnxFile(model, _GIVES, _TAKES, "running a model in ONNX form")
        self._words = words
        self._facts, self._longest = dict(facts), longest

    @property
    def facts(self) -> Mapping[str, str]:
        """Give the hash of the weights and what runs them."""
        return self._facts

    @property
    def longest(self) -> int:
        """Give how many pieces it reads at once."""
        return self._longest

    def pieces(self, text: str) -> Pieces:
        """Split a text."""
        return self._words.pieces(text)

    def states(self, rows: Sequence[tuple[int, ...]]) -> NDArray[np.float32]:
        """Run the model on windows of equally many pieces."""
        ids = np.array(rows, dtype=np.int64)
        inputs = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
            "position_ids": np.tile(np.arange(ids.shape[1], dtype=np.int64), (len(ids), 1)),
        }
        return self._file.run(inputs)
