"""BERT by numpy, against the same layers written out piece by piece in plain Python."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from medassay.errors import UnusableModel
from medassay.models import ModelSetup, use_models
from medassay.models.encoders import Encoder, load_encoder
from medassay.models.encoders.encoder import BertEncoder, gelu, is_bert

WIDTH, WIDE, HEADS, LAYERS, LONGEST = 8, 12, 2, 2, 16
MARKS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
VOCABULARY = (*MARKS, "rest", "at", "home", "drink", "water")
IDS = (2, 4, 5, 6, 3)
Values = NDArray[np.float32]


def tensors(family: str, norms: tuple[str, str] = ("weight", "bias")) -> dict[str, Values]:
    """Make weights by chance, under the names of the family's published files."""
    rng = np.random.default_rng(7)
    made: dict[str, Values] = {}

    def add(name: str, *shape: int) -> None:
        made[name] = rng.normal(0, 0.5, shape).astype(np.float32)

    prefix = f"{family}."
    add(f"{prefix}embeddings.word_embeddings.weight", len(VOCABULARY), WIDTH)
    add(f"{prefix}embeddings.position_embeddings.weight", LONGEST, WIDTH)
    if family == "bert":
        add(f"{prefix}embeddings.token_type_embeddings.weight", 2, WIDTH)
        names = ["attention.self.query", "attention.self.key", "attention.self.value",
                 "attention.output.dense", "intermediate.dense", "output.dense"]  # fmt: skip
        layer, ends = "encoder.layer", ("attention.output.LayerNorm", "output.LayerNorm")
    else:
        names = ["attention.q_lin", "attention.k_lin", "attention.v_lin", "attention.out_lin",
                 "ffn.lin1", "ffn.lin2"]  # fmt: skip
        layer, ends = "transformer.layer", ("sa_layer_norm", "output_layer_norm")
    sizes = [(WIDTH, WIDTH)] * 4 + [(WIDE, WIDTH), (WIDTH, WIDE)]
    normed = [f"{prefix}embeddings.LayerNorm"]
    for i in range(LAYERS):
        for name, (out, into) in zip(names, sizes, strict=True):
            add(f"{prefix}{layer}.{i}.{name}.weight", out, into)
            add(f"{prefix}{layer}.{i}.{name}.bias", out)
        normed += [f"{prefix}{layer}.{i}.{end}" for end in ends]
    for name in normed:
        for ending in norms:
            add(f"{name}.{ending}", WIDTH)
    return made


def save(folder: Path, family: str, made: dict[str, Values]) -> Path:
    """Save a model as the hub does: configuration, tokenizer, safetensors."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    folder.mkdir(exist_ok=True)
    ours = {"bert": ("hidden_act", "num_hidden_layers", "num_attention_heads"),
            "distilbert": ("activation", "n_layers", "n_heads")}[family]  # fmt: skip
    config = dict(zip(ours, ("gelu", LAYERS, HEADS), strict=True))
    said = {"model_type": family, "max_position_embeddings": LONGEST, **config}
    (folder / "config.json").write_text(json.dumps(said))
    words = {word: i for i, word in enumerate(VOCABULARY)}
    tokenizer = Tokenizer(models.WordPiece(words, unk_token="[UNK]"))  # noqa: S106 - a piece
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    tokenizer.save(str(folder / "tokenizer.json"))
    header: dict[str, object] = {"__metadata__": {"format": "pt"}}
    content = b""
    for name, values in made.items():
        place = [len(content), len(content) + values.nbytes]
        header[name] = {"dtype": "F32", "shape": list(values.shape), "data_offsets": place}
        content += values.tobytes()
    head = json.dumps(header).encode()
    head += b" " * (-len(head) % 8)
    (folder / "model.safetensors").write_bytes(len(head).to_bytes(8, "little") + head + content)
    return folder


def load(folder: Path, layer: int | None = None) -> Encoder:
    with use_models(ModelSetup(folders={"tiny": str(folder)})):
        return load_encoder("tiny", layer, purpose="a test")


def by_hand(made: dict[str, Values], ids: tuple[int, ...], layers: int) -> list[list[float]]:
    """BERT as its paper tells it, a number at a time, in double precision."""

    def norm(row: list[float], name: str) -> list[float]:
        mean = sum(row) / len(row)
        spread = math.sqrt(sum((x - mean) ** 2 for x in row) / len(row) + 1e-12)
        scale, shift = made[f"{name}.weight"], made[f"{name}.bias"]
        return [(x - mean) / spread * scale[i] + shift[i] for i, x in enumerate(row)]

    def linear(row: list[float], name: str) -> list[float]:
        weight, bias = made[f"{name}.weight"].astype(float), made[f"{name}.bias"].astype(float)
        return [
            sum(x * w for x, w in zip(row, out, strict=True)) + b
            for out, b in zip(weight, bias, strict=True)
        ]

    start = "bert.embeddings."
    rows = []
    for place, piece in enumerate(ids):
        parts = ("word_embeddings", piece), ("position_embeddings", place), (
            "token_type_embeddings", 0,
        )  # fmt: skip
        given = [made[f"{start}{name}.weight"][i].astype(float) for name, i in parts]
        rows.append(norm([sum(xs) for xs in zip(*given, strict=True)], f"{start}LayerNorm"))
    for i in range(layers):
        here = f"bert.encoder.layer.{i}."
        q, k, v = (
            [linear(row, f"{here}attention.self.{name}") for row in rows]
            for name in ("query", "key", "value")
        )
        size, after = WIDTH // HEADS, []
        for at, row in enumerate(rows):
            mixed: list[float] = []
            for first in range(0, WIDTH, size):
                span = range(first, first + size)
                raw = [sum(q[at][j] * key[j] for j in span) / math.sqrt(size) for key in k]
                weights = [math.exp(x) for x in raw]
                mixed += [
                    sum(w * value[j] for w, value in zip(weights, v, strict=True)) / sum(weights)
                    for j in span
                ]
            told = linear(mixed, f"{here}attention.output.dense")
            summed = [x + y for x, y in zip(told, row, strict=True)]
            middle = norm(summed, f"{here}attention.output.LayerNorm")
            wide = linear(middle, f"{here}intermediate.dense")
            wide = [x * (1 + math.erf(x / math.sqrt(2))) / 2 for x in wide]
            told = linear(wide, f"{here}output.dense")
            summed = [x + y for x, y in zip(told, middle, strict=True)]
            after.append(norm(summed, f"{here}output.LayerNorm"))
        rows = after
    return rows


@pytest.mark.parametrize("layer", [0, 1, 2])
def test_states_are_those_of_the_layers_written_out(tmp_path: Path, layer: int) -> None:
    made = tensors("bert")
    encoder = load(save(tmp_path, "bert", made), layer)
    assert isinstance(encoder, BertEncoder)
    (found,) = encoder.states([IDS])
    assert np.abs(found - np.array(by_hand(made, IDS, layer))).max() < 1e-5


def test_files_of_the_first_years_name_their_norms_otherwise(tmp_path: Path) -> None:
    new = load(save(tmp_path / "new", "bert", tensors("bert")))
    old = load(save(tmp_path / "old", "bert", tensors("bert", norms=("gamma", "beta"))))
    assert np.array_equal(new.states([IDS]), old.states([IDS]))


def test_distilbert_is_bert_without_kinds_of_text(tmp_path: Path) -> None:
    distilled = load(save(tmp_path / "distilled", "distilbert", tensors("distilbert")))
    same = list(tensors("distilbert").values())
    made = tensors("bert")
    kinds = "bert.embeddings.token_type_embeddings.weight"
    names = [name for name in made if name != kinds]
    made = dict(zip(names, same, strict=True)) | {kinds: np.zeros((2, WIDTH), np.float32)}
    assert isinstance(distilled, BertEncoder)
    whole = load(save(tmp_path / "whole", "bert", made))
    assert np.array_equal(distilled.states([IDS]), whole.states([IDS]))


def test_a_window_has_the_same_bytes_in_any_company(tmp_path: Path) -> None:
    encoder = load(save(tmp_path, "bert", tensors("bert")))
    others = [(2, 7, 8, 6, 3), (2, 1, 1, 1, 3)]
    assert np.array_equal(encoder.states([*others, IDS])[2], encoder.states([IDS])[0])


def test_its_limit_and_marks_are_its_own_files(tmp_path: Path) -> None:
    encoder = load(save(tmp_path, "bert", tensors("bert")))
    assert encoder.longest == LONGEST
    pieces = encoder.pieces("rest at home")
    assert pieces.ids == IDS
    assert pieces.marks == (True, False, False, False, True)


def test_a_layer_that_the_model_has_not_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnusableModel, match="0 to 2"):
        load(save(tmp_path, "bert", tensors("bert")), 3)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("model_type", "roberta"),
        ("hidden_act", "relu"),
        ("position_embedding_type", "relative_key"),
    ],
)
def test_other_shapes_are_left_to_transformers(tmp_path: Path, key: str, value: str) -> None:
    save(tmp_path, "bert", tensors("bert"))
    assert is_bert(tmp_path)
    config = json.loads((tmp_path / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps(config | {key: value}))
    assert not is_bert(tmp_path)


def test_weights_that_lack_a_part_are_left_to_transformers(tmp_path: Path) -> None:
    made = tensors("bert")
    del made["bert.encoder.layer.1.output.dense.bias"]
    assert not is_bert(save(tmp_path, "bert", made))


def test_gelu_is_the_exact_one() -> None:
    points = np.linspace(-9, 9, 20_001, dtype=np.float32).reshape(1, -1)
    exact = [x * (1 + math.erf(x / math.sqrt(2))) / 2 for x in points[0].tolist()]
    found = points.copy()
    gelu(found)
    assert np.abs(found[0] - np.array(exact)).max() < 3e-6
