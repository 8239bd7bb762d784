"""An encoder as an ONNX file, run by onnxruntime: no torch."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from medassay.models.encoders.encoder import Pieces
from medassay.models.encoders.wordpieces import WordPieces
from medassay.models.install import need_package

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

__all__ = ["OnnxEncoder"]


class OnnxEncoder:
    """States of the last layer; the file must name its output `last_hidden_state` or have it first.

    Nothing is padded, so no state depends on its neighbours.
    """

    def __init__(
        self, model: Path, words: WordPieces, facts: Mapping[str, str], longest: int
    ) -> None:
        need_package("onnxruntime", "running a model in ONNX form")
        self._session = _session(model)
        self._inputs = [one.name for one in self._session.get_inputs()]
        outputs = [one.name for one in self._session.get_outputs()]
        self._output = "last_hidden_state" if "last_hidden_state" in outputs else outputs[0]
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
        given = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
            "position_ids": np.tile(np.arange(ids.shape[1], dtype=np.int64), (len(ids), 1)),
        }
        found = self._session.run([self._output], {name: given[name] for name in self._inputs})
        return np.asarray(found[0], dtype=np.float32)


def _session(path: Path) -> "InferenceSession":
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.log_severity_level = 3
    # Threads that wait by spinning slow down whatever else the machine does, and themselves.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
