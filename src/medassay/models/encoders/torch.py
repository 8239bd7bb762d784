"""BERT in torch, on the processor or in batches on a GPU."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from medassay.models.device import AT_ONCE, Batch, Gpu, fixed_batches, padded
from medassay.models.encoders.encoder import Pieces
from medassay.models.files import longest_of, read_model, unusable
from medassay.models.install import ONLY_DATA, ONLY_WEIGHTS, need_package, need_transformers

__all__ = ["GpuEncoder", "TorchEncoder"]

_ROWS_AT_LEAST: Final = 64
_SPACED: Final = ("Roberta", "GPT2")
_HELD: Final = 8  # batches of references


class TorchEncoder:
    """States after a number of layers, in fp32; the layers above are not loaded.

    Nothing is padded, as in `OnnxEncoder`.
    """

    def __init__(self, folder: Path, layer: int | None, facts: Mapping[str, str]) -> None:
        purpose = f"running the model in {folder.name}"
        # Any: the types of torch and transformers are there on some machines only.
        torch: Any = need_package("torch", purpose)
        hub: Any = need_transformers(purpose)
        config = read_model(
            folder / "config.json",
            "say what model it is, as published",
            lambda: hub.AutoConfig.from_pretrained(str(folder), **ONLY_DATA),
        )
        layers = int(config.num_hidden_layers)
        if layer is not None and not 0 <= layer <= layers:
            must = f"have the layer that is asked for: it has 0 to {layers}"
            raise unusable(folder, must, f"layer={layer}", "Say another layer=.")
        config.num_hidden_layers = layers if layer is None else layer
        must = "hold a whole model and its tokenizer, as published"
        self._tokenizer = read_model(folder, must, lambda: _tokenizer(hub, folder))
        self._model = read_model(
            folder,
            must,
            lambda: hub.AutoModel.from_pretrained(
                str(folder), config=config, dtype=torch.float32, **ONLY_WEIGHTS
            ).eval(),
        )
        self._torch, self._name = torch, folder.name
        self._facts = dict(facts)
        self._longest = longest_of(int(self._tokenizer.model_max_length), config)

    @property
    def facts(self) -> Mapping[str, str]:
        """Give the hash of the weights, the layer and what runs them."""
        return self._facts

    @property
    def longest(self) -> int:
        """Give how many pieces it reads at once."""
        return self._longest

    def pieces(self, text: str) -> Pieces:
        """Split a text."""
        encoded = self._tokenizer(
            text.strip(), add_special_tokens=True, truncation=False, verbose=False,
            return_special_tokens_mask=True,
        )  # fmt: skip
        ids, masks = tuple(encoded["input_ids"]), list(encoded["special_tokens_mask"])
        inner = [i for i, mark in enumerate(masks) if not mark]
        first, last = (inner[0], inner[-1]) if inner else (len(ids), -1)
        marks = tuple(not first <= i <= last for i in range(len(ids)))
        unknown = self._tokenizer.unk_token_id
        count = sum(i == unknown for i, mark in zip(ids, marks, strict=True) if not mark)
        return Pieces(ids, marks, count)

    def states(self, rows: Sequence[tuple[int, ...]]) -> NDArray[np.float32]:
        """Run the model on windows of equally many pieces."""
        # Products of few rows take another path with other last digits: short texts go in copies.
        copies = -(-_ROWS_AT_LEAST // (len(rows) * len(rows[0])))
        ids = self._torch.tensor([*rows] * copies)
        with self._torch.inference_mode():
            output = self._model(input_ids=ids, attention_mask=self._torch.ones_like(ids))
        return np.asarray(output.last_hidden_state[: len(rows)].numpy(), dtype=np.float32)


def _tokenizer(hub: Any, folder: Path) -> Any:  # noqa: ANN401 - as above: no types on some machines
    tokenizer = hub.AutoTokenizer.from_pretrained(str(folder), **ONLY_DATA)
    if type(tokenizer).__name__.startswith(_SPACED):
        # These split a first word like any other only with a blank before it.
        return hub.AutoTokenizer.from_pretrained(str(folder), add_prefix_space=True, **ONLY_DATA)
    return tokenizer


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
