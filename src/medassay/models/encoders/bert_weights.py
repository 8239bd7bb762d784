"""The weights of BERT and DistilBERT, by what they do and not by what their files call them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from medassay.models.encoders.safetensors import tensor_values, tensors_of
from medassay.models.files import read_json_object

__all__ = ["BertLayer", "BertWeights", "Linear", "Norm", "bert_weights", "is_bert"]

Values = NDArray[np.float32]


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
_WORDS: Final = "embeddings.word_embeddings.weight"
_FILE: Final = "model.safetensors"


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
        for name, tensor in tensors_of(folder / _FILE).items()
        if tensor["dtype"] == "F32"
    }
    try:
        _arranged(config, shapes, layers=range(_layers(config)), look_only=True)
    except (KeyError, StopIteration):
        return False
    return True


def bert_weights(folder: Path, layer: int | None) -> BertWeights:
    """Read the weights up to a layer; all of them if not given."""
    config = read_json_object(folder / "config.json")
    count = _layers(config) if layer is None else layer
    return _arranged(config, tensor_values(folder / _FILE), range(count), look_only=False)


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
