"""Published weights through torch: layers, limits, folders."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from medassay.errors import UnusableModel
from medassay.models import ModelSetup, find_model, use_models
from medassay.models.encoders import load_encoder, sentence_vectors
from medassay.models.encoders.encoder import BertEncoder
from medassay.models.encoders.load import TorchEncoder

pytestmark = pytest.mark.torch

MODEL = "sentence-transformers/all-MiniLM-L6-v2"
TEXT = "He should rest at home and drink water."


def by_torch(layer: int | None = None) -> TorchEncoder:
    return TorchEncoder(find_model(MODEL, "a test").path, layer, {})


@pytest.mark.parametrize("layer", [0, 4, 6])
def test_bert_by_numpy_is_bert_by_torch(layer: int) -> None:
    ours, theirs = load_encoder(MODEL, layer, purpose="a test"), by_torch(layer)
    assert isinstance(ours, BertEncoder)
    for text in (TEXT, "", "Größe 3 µg/dL — naïve 😀 [SEP] [UNK] \x07", f"{TEXT} " * 40):
        pieces = ours.pieces(text)
        assert pieces == theirs.pieces(text)
        assert np.abs(ours.states([pieces.ids]) - theirs.states([pieces.ids])).max() < 2e-5


@pytest.mark.parametrize("count", [1, 3, 20])
def test_a_window_has_the_same_states_in_any_company(count: int) -> None:
    encoder = by_torch()
    rows = [tuple(range(1000 + 10 * i, 1005 + 10 * i)) for i in range(count)]
    for row, states in zip(rows, encoder.states(rows), strict=True):
        assert np.abs(states - encoder.states([row])[0]).max() < 1e-5


def test_a_lower_layer_is_another_state_of_the_same_shape() -> None:
    states = []
    for layer in (6, 5, None):
        encoder = by_torch(layer)
        states.append(encoder.states([encoder.pieces(TEXT).ids])[0])
    assert states[0].shape == states[1].shape
    assert not np.allclose(states[0], states[1])
    assert np.array_equal(states[0], states[2])


def test_a_layer_that_the_model_has_not_is_refused() -> None:
    with pytest.raises(UnusableModel, match="0 to 6"):
        by_torch(7)


def test_a_tokenizer_without_a_limit_takes_the_model_s(tmp_path: Path) -> None:
    """bert-score passes such a tokenizer's 10³⁰ on, and it overflows."""
    folder = tmp_path / "endless"
    shutil.copytree(find_model(MODEL, "a test").path, folder)
    config = json.loads((folder / "tokenizer_config.json").read_text())
    del config["model_max_length"]
    (folder / "tokenizer_config.json").write_text(json.dumps(config))
    encoder = TorchEncoder(folder, 6, {})
    assert encoder.longest == 512
    ids = encoder.pieces(TEXT).ids
    assert np.array_equal(encoder.states([ids]), by_torch(6).states([ids]))
    with use_models(ModelSetup(base=tmp_path)):
        assert load_encoder("./endless", 6, purpose="a test").longest == 512


def test_the_embedded_encoder_is_the_same_model_with_coarser_weights() -> None:
    embedded = load_encoder("minilm", purpose="a test")
    published = load_encoder(MODEL, purpose="a test")
    pieces = embedded.pieces(TEXT)
    assert pieces.ids == published.pieces(TEXT).ids
    coarse, fine = embedded.states([pieces.ids])[0], published.states([pieces.ids])[0]
    norms = np.linalg.norm(coarse, axis=1) * np.linalg.norm(fine, axis=1)
    assert ((coarse * fine).sum(axis=1) / norms).min() > 0.99


def test_sentence_vectors_are_those_of_sentence_transformers() -> None:
    """The mean over all states, marks included, brought to length 1, written out by hand."""
    encoder = load_encoder(MODEL, purpose="a test")
    mean = encoder.states([encoder.pieces(TEXT).ids])[0].mean(axis=0)
    (vector,) = sentence_vectors(MODEL, [TEXT], purpose="a test")
    assert vector is not None
    assert np.allclose(vector, mean / np.linalg.norm(mean), atol=1e-6)
