"""What an encoder is: word pieces in windows and batches, states out."""

import json
import math
import mmap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import (
    TYPE_CHECKING,
    Any,
    Final,
    NamedTuple,
    Protocol,
    Self,
    TypedDict,
    TypeVar,
    runtime_checkable,
)

import numpy as np
from numpy.polynomial import chebyshev
from numpy.typing import NDArray

from medassay.errors import MissingBackend
from medassay.models.files import read_json_object, read_model, unusable
from medassay.models.install import need_package

if TYPE_CHECKING:
    from tokenizers import Tokenizer

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


Values = NDArray[np.float32]
_CHUNK: Final = 32  # rows of the widest product that stay near the processor
_EDGE: Final = 5.0
_DEGREE: Final = 12
_WORDS: Final = "embeddings.word_embeddings.weight"
_FILE: Final = "model.safetensors"
_LENGTH: Final = 8
_MUST: Final = "be a whole safetensors file"


class Linear(NamedTuple):
    """x·weight + bias; weight has shape (in, out)."""

    weight: Values
    bias: Values


class Norm(NamedTuple):
    """Rows brought to mean 0 and variance 1, then scaled and shifted."""

    scale: Values
    shift: Values


class BertLayer(NamedTuple):
    """Attention and the two products behind it."""

    attend: Linear  # to queries, divided by the root of their width, keys and values
    collect_columns: Linear
    gather_norm: Norm
    widen: Linear
    narrow: Linear
    narrow_norm: Norm


class BertEncoder:
    """States after a number of layers, in fp32; the layers above are not read.

    Nothing is padded, so no state depends on its neighbours.
    """

    def __init__(
        self, folder: Path, layer: int | None, facts: Mapping[str, str], longest: int
    ) -> None:
        config = read_json_object(folder / "config.json")
        layers = int(config.get("num_hidden_layers", config.get("n_layers", 0)))
        if layer is not None and not 0 <= layer <= layers:
            must = f"have the layer that is asked for: it has 0 to {layers}"
            raise unusable(folder, must, f"layer={layer}", "Say another layer=.")
        self._words = WordPieces.from_folder(folder)
        self._weights = _bert_weights(folder, layer)
        known, rows = self._words.size, len(self._weights.words)
        if known > rows:
            must = f"have a tokenizer of the model's {rows:,} pieces at most"
            raise unusable(folder, must, f"{known:,}", "Put the model's own tokenizer.json there.")
        self._facts, self._longest = dict(facts), longest

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
        return self._words.pieces(text)

    def states(self, rows: Sequence[tuple[int, ...]]) -> Values:
        """Run the model on windows of equally many pieces."""
        ids = np.array(rows, dtype=np.int64)
        weights = self._weights
        states = weights.words[ids] + weights.places[: ids.shape[1]]
        _normalise(states.reshape(ids.size, -1), weights.norm, weights.epsilon)
        room = _room(weights.layers, ids.size)
        for layer in weights.layers:
            states = self._after(layer, states, room)
        return states

    def _after(self, layer: BertLayer, states: Values, room: Values) -> Values:
        """Run one layer on states of shape (texts, pieces, width).

        Every text has products of its own: where in a larger one a row stands decides, on some
        processors, its last digits.
        """
        epsilon = self._weights.epsilon
        texts, width = len(states), states.shape[2]
        attended = _attended(layer, states, self._weights.heads, room)
        score_columns: Values = (attended @ layer.collect_columns.weight).reshape(-1, width)
        score_columns += layer.collect_columns.bias
        score_columns += states.reshape(-1, width)
        _normalise(score_columns, layer.gather_norm, epsilon)
        wide = _part(room, len(score_columns), layer.widen)
        apart = wide.reshape(texts, -1, layer.widen.bias.size)
        np.matmul(score_columns.reshape(states.shape), layer.widen.weight, out=apart)
        for start in range(0, len(wide), _CHUNK):
            chunk = wide[start : start + _CHUNK]
            chunk += layer.widen.bias
            gelu(chunk)
        narrow: Values = (apart @ layer.narrow.weight).reshape(-1, width)
        narrow += layer.narrow.bias
        narrow += score_columns
        _normalise(narrow, layer.narrow_norm, epsilon)
        return narrow.reshape(states.shape)


def _room(layers: Sequence[BertLayer], rows: int) -> Values:
    """Make room for the widest products, once for all layers: memory given anew costs time."""
    widest = [max(layer.widen.bias.size, layer.attend.bias.size) for layer in layers]
    return np.empty(rows * max(widest, default=0), dtype=np.float32)


def _part(room: Values, rows: int, linear: Linear) -> Values:
    return room[: rows * linear.bias.size].reshape(rows, -1)


def _attended(layer: BertLayer, states: Values, heads: int, room: Values) -> Values:
    """Give each piece the mean of the values of its text, weighed by softmax(query·key)."""
    texts, pieces, width = states.shape
    every = _part(room, texts * pieces, layer.attend).reshape(texts, pieces, -1)
    np.matmul(states, layer.attend.weight, out=every)
    every += layer.attend.bias
    mixed = np.empty_like(states)
    for projected, into in zip(
        every.reshape(texts, pieces, 3, heads, width // heads),
        mixed.reshape(texts, pieces, heads, width // heads),
        strict=True,
    ):
        # Each (heads, pieces, width of a head).
        queries, keys, values = projected.transpose(1, 2, 0, 3)
        weights = queries @ keys.transpose(0, 2, 1)
        weights -= weights.max(axis=2, keepdims=True)
        np.exp(weights, out=weights)
        mean = weights @ values
        mean /= weights.sum(axis=2, keepdims=True)
        into[...] = mean.transpose(1, 0, 2)
    return mixed


def _normalise(rows: Values, norm: Norm, epsilon: float) -> None:
    rows -= rows.mean(axis=1, keepdims=True)
    variance = np.einsum("ij,ij->i", rows, rows) / np.float32(rows.shape[1])
    rows *= (1 / np.sqrt(variance + np.float32(epsilon)))[:, None]
    rows *= norm.scale
    rows += norm.shift


def gelu(rows: Values) -> None:
    """Put x·Φ(x) in the place of x, to 2 millionths; Φ is the normal distribution function.

    Φ(x) - ½ is x times a smooth function of x², here a polynomial; beyond 5 it is ±½ to a
    millionth.

    Example:
        >>> x = np.array([[-6.0, -1.0, 0.0, 2.0]], dtype=np.float32)
        >>> gelu(x)
        >>> [round(float(value), 4) for value in x[0]]
        [-0.0, -0.1587, 0.0, 1.9545]
    """
    inside = np.clip(rows, -_EDGE, _EDGE)
    square = inside * inside
    square *= np.float32(2 / _EDGE**2)
    square -= np.float32(1)
    share = square * _POLYNOMIAL[-1]
    for coefficient in _POLYNOMIAL[-2:0:-1]:
        share += coefficient
        share *= square
    share += _POLYNOMIAL[0]
    share *= inside
    share += np.float32(0.5)
    rows *= share


def _polynomial() -> Values:
    """Fit (Φ(x) - ½) / x in 2x²/25 - 1, at the points where Chebyshev polynomials meet it best."""
    places = chebyshev.chebpts1(_DEGREE + 1)
    points = _EDGE * np.sqrt((places + 1) / 2)
    shares = [math.erf(point / math.sqrt(2)) / (2 * point) for point in points.tolist()]
    fitted = chebyshev.chebfit(places, np.array(shares), _DEGREE)
    return chebyshev.cheb2poly(fitted).astype(np.float32)


_POLYNOMIAL: Final = _polynomial()


@dataclass(frozen=True)
class BertWeights:
    """A whole encoder up to a layer."""

    words: Values
    places: Values
    norm: Norm
    layers: tuple[BertLayer, ...]
    heads: int
    epsilon: float


class _Names(NamedTuple):
    layer: str
    attend: tuple[str, str, str]
    collect_columns: tuple[str, str]
    widen: str
    narrow: tuple[str, str]


_NAMES: Final = {
    "bert": _Names(
        "encoder.layer.{}.",
        ("attention.self.query", "attention.self.key", "attention.self.value"),
        ("attention.output.dense", "attention.output.LayerNorm"),
        "intermediate.dense",
        ("output.dense", "output.LayerNorm"),
    ),
    "distilbert": _Names(
        "transformer.layer.{}.",
        ("attention.q_lin", "attention.k_lin", "attention.v_lin"),
        ("attention.out_lin", "sa_layer_norm"),
        "ffn.lin1",
        ("ffn.lin2", "output_layer_norm"),
    ),
}


def is_bert(folder: Path) -> bool:
    """Say whether a folder holds fp32 weights of BERT or DistilBERT as published, in one file."""
    if not all((folder / name).is_file() for name in ("config.json", "tokenizer.json", _FILE)):
        return False
    config = read_json_object(folder / "config.json")
    if (
        config.get("model_type") not in _NAMES
        or config.get("hidden_act", config.get("activation")) != "gelu"
        or config.get("position_embedding_type", "absolute") != "absolute"
    ):
        return False
    shapes = {
        name: np.broadcast_to(np.float32(0), tensor["shape"])
        for name, tensor in _tensors_of(folder / _FILE).items()
        if tensor["dtype"] == "F32"
    }
    try:
        _arranged(config, shapes, layers=range(_layers(config)), look_only=True)
    except (KeyError, StopIteration):
        return False
    return True


def _bert_weights(folder: Path, layer: int | None) -> BertWeights:
    """Read the weights up to a layer; all of them if not given."""
    config = read_json_object(folder / "config.json")
    count = _layers(config) if layer is None else layer
    return _arranged(config, _tensor_values(folder / _FILE), range(count), look_only=False)


def _arranged(
    config: Mapping[str, Any], values: Mapping[str, Values], layers: range, *, look_only: bool
) -> BertWeights:
    prefix = next(name for name in values if name.endswith(_WORDS)).removesuffix(_WORDS)
    names = _NAMES[config["model_type"]]
    heads = int(config.get("num_attention_heads", config.get("n_heads")))

    def find(name: str) -> Values:
        return values[prefix + name]

    places = find("embeddings.position_embeddings.weight")
    if config["model_type"] == "bert":
        kind = find("embeddings.token_type_embeddings.weight")[0]  # one text: all of the first kind
        places = places if look_only else places + kind
    made = []
    for i in layers:
        here = _within(find, names.layer.format(i))
        parts = [_linear(here, name) for name in names.attend]
        attend = parts[0] if look_only else _together(parts, heads)
        collect_columns, gather_norm = names.collect_columns
        narrow, narrow_norm = names.narrow
        made.append(
            BertLayer(
                attend,
                _linear(here, collect_columns),
                _norm(here, gather_norm),
                _linear(here, names.widen),
                _linear(here, narrow),
                _norm(here, narrow_norm),
            )
        )
    epsilon = float(config.get("layer_norm_eps", 1e-12))
    return BertWeights(
        find(_WORDS), places, _norm(find, "embeddings.LayerNorm"), tuple(made), heads, epsilon
    )


def _within(find: Callable[[str], Values], prefix: str) -> Callable[[str], Values]:
    return lambda name: find(prefix + name)


def _linear(find: Callable[[str], Values], name: str) -> Linear:
    return Linear(find(f"{name}.weight").T, find(f"{name}.bias"))


def _norm(find: Callable[[str], Values], name: str) -> Norm:
    try:
        return Norm(find(f"{name}.weight"), find(f"{name}.bias"))
    except KeyError:  # as files of the first years call them
        return Norm(find(f"{name}.gamma"), find(f"{name}.beta"))


def _together(parts: list[Linear], heads: int) -> Linear:
    """Put queries, keys and values side by side, for one product in place of three."""
    query = parts[0]
    root = np.float32((query.weight.shape[1] / heads) ** -0.5)
    scaled = [Linear(query.weight * root, query.bias * root), *parts[1:]]
    weight = np.concatenate([part.weight for part in scaled], axis=1)
    return Linear(weight, np.concatenate([part.bias for part in scaled]))


def _layers(config: Mapping[str, Any]) -> int:
    return int(config.get("num_hidden_layers", config.get("n_layers", 0)))


class Tensor(TypedDict):
    """What the header says of a tensor."""

    dtype: str
    shape: list[int]
    data_offsets: tuple[int, int]


def _tensors_of(path: Path) -> Mapping[str, Tensor]:
    """Give the tensors of a file by name, without their values.

    Raises:
        UnusableModel: The file is damaged.
    """
    header = read_model(path, _MUST, partial(_header, path))
    tensors = {name: tensor for name, tensor in header.items() if name != "__metadata__"}
    needed = _start(path) + max(
        (tensor["data_offsets"][1] for tensor in tensors.values()), default=0
    )
    size = path.stat().st_size
    if size < needed:
        raise unusable(path, _MUST, f"{size:,} bytes, where {needed:,} are said")
    return tensors


def _tensor_values(path: Path) -> Mapping[str, NDArray[np.float32]]:
    """Give the fp32 tensors of a file, read-only, mapped from it."""
    start = _start(path)
    with path.open("rb") as file:
        content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    arrays = {}
    for name, tensor in _tensors_of(path).items():
        if tensor["dtype"] == "F32":
            first, end = tensor["data_offsets"]
            values = np.frombuffer(content, "<f4", (end - first) // 4, start + first)
            arrays[name] = values.reshape(tensor["shape"])
    return arrays


def _start(path: Path) -> int:
    with path.open("rb") as file:
        return _LENGTH + int.from_bytes(file.read(_LENGTH), "little")


def _header(path: Path) -> dict[str, Tensor]:
    with path.open("rb") as file:
        file.seek(_LENGTH)
        header: dict[str, Tensor] = json.loads(file.read(_start(path) - _LENGTH))
    return header
