"""An encoder from a folder of published weights, run by torch on a GPU."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from medassay.models.encoders.torch import TorchEncoder
from medassay.models.gpu import AT_ONCE, Batch, Gpu, fixed_batches, padded

__all__ = ["GpuEncoder"]

_HELD: Final = 8  # batches of references


class GpuEncoder(TorchEncoder):
    """States after a number of layers, in fp32, by batches whose shape follows from lengths alone.

    Attributes:
        held: How many pieces of references are best held at once.
    """

    held: Final = _HELD * AT_ONCE

    def __init__(
        self, folder: Path, layer: int | None, facts: Mapping[str, str], device: str
    ) -> None:
        super().__init__(folder, layer, facts)
        self._gpu = Gpu(self._torch, device, self._name)
        self._gpu.hold(self._model)

    def states(self, rows: Sequence[tuple[int, ...]]) -> NDArray[np.float32]:
        """Run the model on windows of equally many pieces."""
        states = dict(self.in_batches(rows))
        return np.stack([states[place] for place in range(len(rows))])

    def in_batches(
        self, rows: Sequence[tuple[int, ...]]
    ) -> Iterator[tuple[int, NDArray[np.float32]]]:
        """Run the model on windows of any lengths; give the place of each with its states.

        The GPU is at work on the next batch while whoever asks works on this one.
        """
        before: tuple[Batch, Any] | None = None
        for batch in fixed_batches([len(row) for row in rows], self.longest):
            begun = batch, self._begun([rows[place] for place in batch.places], batch)
            if before is not None:
                yield from self._ended(rows, *before)
            before = begun
        if before is not None:
            yield from self._ended(rows, *before)

    def _begun(self, rows: Sequence[tuple[int, ...]], batch: Batch) -> Any:  # noqa: ANN401 - a tensor of an untyped package
        filler = self._tokenizer.pad_token_id or 0
        marks = [[1] * len(row) for row in rows]
        with self._gpu.exactly():
            return self._model(
                input_ids=self._gpu.tensor(padded(rows, batch, filler)),
                attention_mask=self._gpu.tensor(padded(marks, batch, 0)),
            ).last_hidden_state[: len(rows)]

    def _ended(
        self,
        rows: Sequence[tuple[int, ...]],
        batch: Batch,
        output: Any,  # noqa: ANN401 - as above
    ) -> Iterator[tuple[int, NDArray[np.float32]]]:
        with self._gpu.exactly():
            states = output.cpu().numpy()
        for place, of_row in zip(batch.places, states, strict=True):
            yield place, of_row[: len(rows[place])]
