"""Open a model in ONNX form, and run it."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from medassay.models.files import read_model, unusable
from medassay.models.install import need_package

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

_OTHER: Final = "Name a model of the right kind."


class OnnxFile:
    """A model in ONNX form.

    Attributes:
        inputs: Names of its inputs, in order.
        length: How many pieces it takes, where only that many; None where any number.
    """

    def __init__(
        self, path: Path, gives: tuple[str, ...], takes: frozenset[str], purpose: str
    ) -> None:
        """Open a file.

        Args:
            path: The file.
            gives: The axes of what it must give, such as ("pairs", "classes").
            takes: The inputs that can be made for it.
            purpose: What needs it, for the message where onnxruntime is missing.

        Raises:
            MissingBackend: onnxruntime is not installed.
            UnusableModel: The file is damaged, or wants other inputs.
        """
        need_package("onnxruntime", purpose)
        self._path, self._gives = path, gives
        self._session = read_model(path, "be a whole model in ONNX form", partial(_session, path))
        session_inputs = self._session.get_inputs()
        self.inputs = [session_input.name for session_input in session_inputs]
        foreign = [name for name in self.inputs if name not in takes]
        if foreign or "input_ids" not in self.inputs:
            others = ", ".join(sorted(takes - {"input_ids"}))
            must = f"take input_ids, and beside them only {others}"
            raise unusable(path, must, ", ".join(self.inputs) or "no input", _OTHER)
        names = [get_output.name for get_output in self._session.get_outputs()]
        self._output = "last_hidden_state" if "last_hidden_state" in names else names[0]
        shape = session_inputs[0].shape
        fixed = shape[1] if len(shape) > 1 else None
        self.length = fixed if isinstance(fixed, int) else None

    def run(self, arrays: Mapping[str, NDArray[np.int64]]) -> NDArray[np.float32]:
        """Run it; its output `last_hidden_state` is taken, or its first.

        Raises:
            UnusableModel: It does not run on these pieces, or gives something of another shape.
        """
        inputs = {name: arrays[name] for name in self.inputs}
        must = "run on the pieces of its tokenizer"
        output: Any = read_model(
            self._path, must, lambda: self._session.run([self._output], inputs)[0]
        )
        if np.ndim(output) != len(self._gives):
            must = f"give numbers of shape ({', '.join(self._gives)})"
            got = f'"{self._output}" of {np.ndim(output)} axes, a model of another kind'
            raise unusable(self._path, must, got, _OTHER)
        return np.asarray(output, dtype=np.float32)


def _session(path: Path) -> "InferenceSession":
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.log_severity_level = 3
    # Threads that wait by spinning slow down whatever else the machine does, and themselves.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
