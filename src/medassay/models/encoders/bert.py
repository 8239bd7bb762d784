"""BERT and DistilBERT run by numpy: no torch, and a fifth of its memory.

Each layer is that of Devlin et al. 2019, doi:10.18653/v1/N19-1423: attention among the pieces of a
text, then two products with GELU between them, each added to what came in and normalised.
"""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.polynomial import chebyshev
from numpy.typing import NDArray

from medassay.models.encoders.bert_weights import BertLayer, Linear, Norm, bert_weights
from medassay.models.encoders.encoder import Pieces
from medassay.models.encoders.wordpieces import WordPieces
from medassay.models.files import read_json_object, unusable

__all__ = ["BertEncoder", "gelu"]

Values = NDArray[np.float32]

_CHUNK: Final = 32  # rows of the widest product that stay near the processor
_EDGE: Final = 5.0
_DEGREE: Final = 12


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
        self._weights = bert_weights(folder, layer)
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
