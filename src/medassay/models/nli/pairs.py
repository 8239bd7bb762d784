"""A model that reads two texts at once and gives a number for each of its classes."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from medassay.models.device import CPU, device_facts, gpu_for, no_gpu_for_onnx
from medassay.models.files import longest_of, read_json_object, read_model, unusable
from medassay.models.install import (
    ONLY_DATA,
    ONLY_WEIGHTS,
    need_package,
    need_transformers,
    running,
)
from medassay.models.nli.encode_pairs import encode_pairs
from medassay.models.onnx_file import OnnxFile

__all__ = [
    "OnnxPairs",
    "PairLogits",
    "PairModel",
    "TorchPairs",
    "class_names",
    "open_pairs",
    "runtime_of",
]

_BATCH: Final = 32
_LONGEST: Final = 512  # what models are trained on, whatever they say of their limit
_PURPOSE: Final = "judging statements with an NLI model"
_GIVES: Final = ("pairs", "classes")
_TAKES: Final = frozenset({"input_ids", "attention_mask", "token_type_ids"})
Logits = NDArray[np.float64]


class PairLogits(NamedTuple):
    """What a model says of pairs.

    Attributes:
        logits: A number for each class, shape (pairs, classes), in the pairs' order.
        cut: For each pair whether it is longer than the model reads, so that an end was left out.
    """

    logits: Logits
    cut: NDArray[np.bool_]


class PairModel(Protocol):
    """Two texts in, one number a class out."""

    def read(self, pairs: Sequence[tuple[str, str]]) -> PairLogits:
        """Give what the model says of each pair."""

    def unknown(self, text: str) -> float:
        """Give the share of a text's pieces that the model's vocabulary does not have."""


def open_pairs(path: Path, device: str = CPU) -> PairModel:
    """Open a model: an ONNX file, a folder with one, or a folder as transformers saves it.

    Raises:
        MissingBackend: A package that reads it is not installed.
        UnusableModel: It is damaged, or of another kind.
    """
    onnx = _onnx_of(path)
    return TorchPairs(path, device) if onnx is None else OnnxPairs(onnx)


def runtime_of(path: Path, device: str = CPU) -> Mapping[str, str]:
    """Say which packages, of which versions, run a model, and on which GPU; nothing is loaded.

    Raises:
        NoSuchDevice: The GPU is not there, or the model is none that torch runs.
    """
    onnx = _onnx_of(path)
    if onnx is None:
        return {"runtime": running("torch", "transformers"), **device_facts(device, _PURPOSE)}
    if device != CPU:
        raise no_gpu_for_onnx(f"{onnx.parent.name}/{onnx.name}")
    return {"runtime": running("onnxruntime", "tokenizers")}


def _onnx_of(path: Path) -> Path | None:
    """Give the ONNX file that is run; None where transformers reads the folder."""
    if path.is_file():
        return path
    inside = (path / name for name in ("model.onnx", "onnx/model.onnx"))
    there = next((file for file in inside if file.exists()), None)
    return None if any(path.glob("*.safetensors")) else there


def class_names(path: Path) -> list[str]:
    """Give what the model's configuration calls its classes, in order; empty if nothing."""
    for folder in (path, *path.parents[:2]):
        config = folder / "config.json"
        if config.is_file():
            names = read_json_object(config).get("id2label") or {}
            return read_model(config, "number the classes in id2label", partial(_in_order, names))
    return []


def _in_order(names: Mapping[str, str]) -> list[str]:
    return [str(names[key]) for key in sorted(names, key=int)]


def _in_batches(lengths: Sequence[int], run: Callable[[list[int]], NDArray[np.float32]]) -> Logits:
    """Run batches of like length, so that little is padded; give the rows in the old order."""
    order = sorted(range(len(lengths)), key=lambda i: lengths[i])
    rows: dict[int, NDArray[np.float32]] = {}
    for start in range(0, len(order), _BATCH):
        batch = order[start : start + _BATCH]
        rows.update(zip(batch, run(batch), strict=True))
    return np.asarray([rows[i] for i in range(len(lengths))], dtype=np.float64)


class TorchPairs:
    """A folder that transformers reads."""

    def __init__(self, path: Path, device: str = CPU) -> None:
        transformers: Any = need_transformers(_PURPOSE)
        self._torch: Any = need_package("torch", _PURPOSE)
        must = "hold a whole model that tells classes apart, and its tokenizer"
        tokenizer = transformers.AutoTokenizer
        self._tokenizer = read_model(
            path, must, lambda: tokenizer.from_pretrained(path, **ONLY_DATA)
        )
        kind = transformers.AutoModelForSequenceClassification
        model = read_model(path, must, lambda: kind.from_pretrained(path, **ONLY_WEIGHTS))
        # Weights saved in 16 bits would be run in 16 bits.
        self._model = model.float().eval()
        limit = longest_of(int(self._tokenizer.model_max_length), self._model.config)
        self._limit = min(limit, _LONGEST)
        self._gpu = gpu_for(device, path.name, _PURPOSE)
        if self._gpu is not None:
            self._gpu.hold(self._model)

    def read(self, pairs: Sequence[tuple[str, str]]) -> PairLogits:
        """Give what the model says of each pair."""
        lines = encode_pairs(self._tokenizer, pairs, limit=self._limit)
        encoded = [line for line, _ in lines]

        def run(batch: list[int]) -> NDArray[np.float32]:
            rows = self._tokenizer.pad([encoded[i] for i in batch], return_tensors="pt")
            with self._torch.inference_mode():
                batch_logits: NDArray[np.float32] = self._logits(**rows).float().numpy()
            return batch_logits

        if self._gpu is None:
            logits = _in_batches([len(row["input_ids"]) for row in encoded], run)
        else:
            by_gpu = self._gpu.rows(self._tokenizer, encoded, self._limit, self._logits)
            logits = by_gpu.astype(np.float64)
        return PairLogits(logits, np.array([cut for _, cut in lines], dtype=np.bool_))

    def _logits(self, **rows: Any) -> Any:  # noqa: ANN401 - tensors of an untyped package
        return self._model(**rows).logits

    def unknown(self, text: str) -> float:
        """Give the share of a text's pieces that the model's vocabulary does not have."""
        pieces = self._tokenizer(text, add_special_tokens=False, truncation=False, verbose=False)
        ids = pieces["input_ids"]
        return ids.count(self._tokenizer.unk_token_id) / len(ids) if ids else 0.0


class OnnxPairs:
    """An ONNX file with a tokenizer.json beside it or in the folder above."""

    def __init__(self, path: Path) -> None:
        tokenizers: Any = need_package("tokenizers", _PURPOSE)
        beside = [folder / "tokenizer.json" for folder in path.parents[:2]]
        file_found = next((file for file in beside if file.is_file()), beside[0])
        if not file_found.is_file():
            must = "have the tokenizer.json that it was trained with beside it"
            raise unusable(path, must, "none", "Put it there.")
        read = partial(tokenizers.Tokenizer.from_file, str(file_found))
        self._tokenizer = read_model(file_found, "be a whole tokenizer.json", read)
        self._tokenizer.no_padding()
        self._file = OnnxFile(path, _GIVES, _TAKES, _PURPOSE)
        self._limit = self._file.length or _LONGEST

    def read(self, pairs: Sequence[tuple[str, str]]) -> PairLogits:
        """Give what the model says of each pair."""
        lines = [self._encode(*pair) for pair in pairs]
        encoded = [line for line, _ in lines]

        def run(batch: list[int]) -> NDArray[np.float32]:
            longest = self._file.length or max(len(encoded[i].ids) for i in batch)
            names = self._file.inputs
            rows = {name: np.zeros((len(batch), longest), dtype=np.int64) for name in names}
            for row, i in enumerate(batch):
                parts = {
                    "input_ids": encoded[i].ids,
                    "attention_mask": encoded[i].attention_mask,
                    "token_type_ids": encoded[i].type_ids,
                }
                for name in names:
                    rows[name][row, : len(encoded[i].ids)] = parts[name]
            return self._file.run(rows)

        logits = _in_batches([len(row.ids) for row in encoded], run)
        return PairLogits(logits, np.array([cut for _, cut in lines], dtype=np.bool_))

    def unknown(self, text: str) -> float:
        """Give the share of a text's pieces that the model's vocabulary does not have."""
        self._tokenizer.no_truncation()
        ids = self._tokenizer.encode(text, add_special_tokens=False).ids
        names = ("[UNK]", "<unk>")
        unknown = {i for name in names if (i := self._tokenizer.token_to_id(name)) is not None}
        return sum(i in unknown for i in ids) / len(ids) if ids else 0.0

    def _encode(self, premise: str, hypothesis: str) -> tuple[Any, bool]:
        """Give a pair's pieces, and whether it had to be cut, as `encode_pairs` cuts it."""
        self._tokenizer.no_truncation()
        whole = self._tokenizer.encode(premise, hypothesis)
        if len(whole.ids) <= self._limit:
            return whole, False
        alone = len(self._tokenizer.encode(hypothesis, add_special_tokens=False).ids)
        marks = self._tokenizer.num_special_tokens_to_add(is_pair=True)
        cut = "only_first" if alone + marks < self._limit else "longest_first"
        self._tokenizer.enable_truncation(self._limit, strategy=cut)
        return self._tokenizer.encode(premise, hypothesis), True
