"""Encoders of published shapes with random weights: as much work as the real ones, and no text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from tools.tiny.alignscore import save_parts, save_roberta_tokenizer

_ROBERTA: Final[Mapping[str, object]] = {
    "max_position_embeddings": 514,
    "type_vocab_size": 1,
    "pad_token_id": 1,
}


@dataclass(frozen=True, slots=True)
class Shape:
    """An encoder's size.

    Attributes:
        kind: What transformers calls its configuration.
        layers: How many layers are run.
        width: Numbers in a state.
        heads: Heads of attention.
        more: What else its configuration says.
    """

    kind: str
    layers: int
    width: int
    heads: int
    more: Mapping[str, object] = field(default_factory=dict)


SHAPES: Final = {
    "MiniLM-L6": Shape("BertConfig", 6, 384, 12),
    "distilbert-base, layer 4": Shape("DistilBertConfig", 4, 768, 12),
    "roberta-large, layer 17": Shape("RobertaConfig", 17, 1024, 16, _ROBERTA),
    "deberta-xlarge-mnli, layer 40": Shape(
        "DebertaConfig", 40, 1024, 16,
        {
            "relative_attention": True,
            "pos_att_type": ["c2p", "p2c"],
            "position_biased_input": False,
            "type_vocab_size": 0,
        },
    ),
    "AlignScore-large": Shape("RobertaConfig", 24, 1024, 16, _ROBERTA),
}  # fmt: skip


def save_encoder(folder: Path, shape: Shape, trained_on: Sequence[str], vocabulary: int) -> None:
    """Save weights, configuration and tokenizer in a folder, as transformers does."""
    transformers: Any = import_module("transformers")
    model = transformers.AutoModel.from_config(_config(folder, shape, trained_on, vocabulary))
    model.save_pretrained(folder)


def save_aligner(folder: Path, shape: Shape, trained_on: Sequence[str], vocabulary: int) -> Path:
    """Save an encoder's configuration and tokenizer, and a checkpoint of AlignScore on it."""
    config = _config(folder, shape, trained_on, vocabulary)
    config.save_pretrained(folder)
    return save_parts(folder, config)


def _config(folder: Path, shape: Shape, trained_on: Sequence[str], vocabulary: int) -> Any:  # noqa: ANN401 - of an untyped package
    torch: Any = import_module("torch")
    transformers: Any = import_module("transformers")
    torch.manual_seed(1)
    size = save_roberta_tokenizer(folder, trained_on=trained_on, vocabulary=vocabulary)
    names = (
        ("n_layers", "dim", "n_heads", "hidden_dim")
        if shape.kind == "DistilBertConfig"
        else ("num_hidden_layers", "hidden_size", "num_attention_heads", "intermediate_size")
    )
    sizes = (shape.layers, shape.width, shape.heads, 4 * shape.width)
    given = dict(zip(names, sizes, strict=True))
    return getattr(transformers, shape.kind)(vocab_size=size, **given, **shape.more)
