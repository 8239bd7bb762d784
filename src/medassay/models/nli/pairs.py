"""A model that reads two texts at once and gives a number for each of its classes."""

import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from medassay.errors import InvalidInput, Problem
from medassay.models.install import need_package

__all__ = ["Logits", "OnnxPairs", "PairModel", "TorchPairs", "class_names", "open_pairs"]

_BATCH: Final = 32
_LONGEST: Final = 512  # where a model says nothing of its limit, or says something absurd
_PURPOSE: Final = "judging statements with an NLI model"
Logits = NDArray[np.float64]


class PairModel(Protocol):
    """Two texts in, one number a class out."""

    def logits(self, pairs: Sequence[tuple[str, str]]) -> Logits:
        """Give what the model says of each pair, shape (pairs, classes), in their order."""

    def unknown(self, text: str) -> float:
        """Give the share of a text's pieces that the model's vocabulary does not have."""


def open_pairs(path: Path) -> PairModel:
    """Open a model: an ONNX file, a folder with one, or a folder as transformers saves it.

    Raises:
        MissingBackend: A package that reads it is not installed.
    """
    if path.is_file():
        return OnnxPairs(path)
    for inside in ("model.onnx", "onnx/model.onnx"):
        if (path / inside).exists() and not any(path.glob("*.safetensors")):
            return OnnxPairs(path / inside)
    return TorchPairs(path)


def class_names(path: Path) -> list[str]:
    """Give what the model's configuration calls its classes, in order; empty if nothing."""
    for folder in (path, *path.parents[:2]):
        config = folder / "config.json"
        if config.is_file():
            told: dict[str, Any] = json.loads(config.read_text(encoding="utf-8"))
            names: dict[str, str] = told.get("id2label") or {}
            return [names[key] for key in sorted(names, key=int)]
    return []


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

    def __init__(self, path: Path) -> None:
        transformers: Any = need_package("transformers", _PURPOSE)
        self._torch: Any = need_package("torch", _PURPOSE)
        self._tokenizer = transformers.AutoTokenizer.from_pretrained(path, local_files_only=True)
        kind = transformers.AutoModelForSequenceClassification
        self._model = kind.from_pretrained(path, local_files_only=True).eval()
        self._limit = _limit(self._tokenizer.model_max_length, self._model.config)

    def logits(self, pairs: Sequence[tuple[str, str]]) -> Logits:
        """Give what the model says of each pair, shape (pairs, classes), in their order."""
        encoded = [self._encode(*pair) for pair in pairs]

        def run(batch: list[int]) -> NDArray[np.float32]:
            rows = self._tokenizer.pad([encoded[i] for i in batch], return_tensors="pt")
            with self._torch.inference_mode():
                found: NDArray[np.float32] = self._model(**rows).logits.float().numpy()
            return found

        return _in_batches([len(one["input_ids"]) for one in encoded], run)

    def unknown(self, text: str) -> float:
        """Give the share of a text's pieces that the model's vocabulary does not have."""
        pieces = self._tokenizer(text, add_special_tokens=False, truncation=False, verbose=False)
        ids = pieces["input_ids"]
        return ids.count(self._tokenizer.unk_token_id) / len(ids) if ids else 0.0

    def _encode(self, premise: str, hypothesis: str) -> dict[str, list[int]]:
        """Cut the premise where both are too long; where that is not enough, both."""
        hypothesis_alone = self._tokenizer(hypothesis, verbose=False)["input_ids"]
        cut = "only_first" if len(hypothesis_alone) + 2 < self._limit else "longest_first"
        encoded = self._tokenizer(premise, hypothesis, truncation=cut, max_length=self._limit)
        return dict(encoded)


class OnnxPairs:
    """An ONNX file with a tokenizer.json beside it or in the folder above."""

    def __init__(self, path: Path) -> None:
        runtime: Any = need_package("onnxruntime", _PURPOSE)
        tokenizers: Any = need_package("tokenizers", _PURPOSE)
        beside = [folder / "tokenizer.json" for folder in path.parents[:2]]
        found = next((file for file in beside if file.is_file()), beside[0])
        if not found.is_file():
            must = "have the tokenizer.json that it was trained with beside it"
            raise InvalidInput(Problem(path.name, must, "none"))
        self._tokenizer = _opened(found, tokenizers.Tokenizer.from_file)
        self._tokenizer.no_padding()
        start = partial(runtime.InferenceSession, providers=["CPUExecutionProvider"])
        self._session = _opened(path, start)
        self._inputs = [one.name for one in self._session.get_inputs()]
        length = self._session.get_inputs()[0].shape[1]
        self._fixed = length if isinstance(length, int) else None
        self._limit = self._fixed or _LONGEST

    def logits(self, pairs: Sequence[tuple[str, str]]) -> Logits:
        """Give what the model says of each pair, shape (pairs, classes), in their order."""
        encoded = [self._encode(*pair) for pair in pairs]

        def run(batch: list[int]) -> NDArray[np.float32]:
            longest = self._fixed or max(len(encoded[i].ids) for i in batch)
            rows = {name: np.zeros((len(batch), longest), dtype=np.int64) for name in self._inputs}
            for row, i in enumerate(batch):
                parts = {
                    "input_ids": encoded[i].ids,
                    "attention_mask": encoded[i].attention_mask,
                    "token_type_ids": encoded[i].type_ids,
                }
                for name in self._inputs:
                    rows[name][row, : len(encoded[i].ids)] = parts[name]
            found: NDArray[np.float32] = self._session.run(None, rows)[0]
            return found

        return _in_batches([len(one.ids) for one in encoded], run)

    def unknown(self, text: str) -> float:
        """Give the share of a text's pieces that the model's vocabulary does not have."""
        self._tokenizer.no_truncation()
        ids = self._tokenizer.encode(text, add_special_tokens=False).ids
        names = ("[UNK]", "<unk>")
        unknown = {i for name in names if (i := self._tokenizer.token_to_id(name)) is not None}
        return sum(i in unknown for i in ids) / len(ids) if ids else 0.0

    def _encode(self, premise: str, hypothesis: str) -> Any:  # noqa: ANN401 - of an untyped package
        self._tokenizer.no_truncation()
        alone = self._tokenizer.encode(hypothesis).ids
        cut = "only_first" if len(alone) + 2 < self._limit else "longest_first"
        self._tokenizer.enable_truncation(self._limit, strategy=cut)
        return self._tokenizer.encode(premise, hypothesis)


def _opened(path: Path, read: Callable[[str], Any]) -> Any:  # noqa: ANN401 - of untyped packages
    """Read a file of a model; whatever its library says of a damaged one, the file is named."""
    try:
        return read(str(path))
    except Exception as error:
        must = "be whole, as it was published"
        got = str(error).partition("\n")[0]
        raise InvalidInput(Problem(path.name, must, got, "Fetch or export it again.")) from error


def _limit(said: int, config: Any) -> int:  # noqa: ANN401 - of an untyped package
    """Give how many tokens a model takes: its tokenizer may say nothing, or 10 to the 30."""
    positions = getattr(config, "max_position_embeddings", None) or _LONGEST
    if getattr(config, "model_type", "") in {"roberta", "xlm-roberta", "camembert"}:
        positions -= 2  # its positions start after that of padding
    return int(min(said, positions, _LONGEST))
