"""What is done for a GPU, done by the processor: batches, padding, what is put back."""

import json
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tools.synthetic_study import write_synthetic
from tools.tiny.alignscore import WORDS, save_alignscore
from tools.tiny.shapes import Shape, save_encoder

from medassay.errors import UnusableModel
from medassay.library import run_and_report
from medassay.models import ModelSetup, device, use_models
from medassay.models.device import Gpu, NoSuchDevice, device_facts
from medassay.models.encoders import load, load_encoder, pieces_held, states_of_texts, windows
from medassay.models.encoders.load import GpuEncoder, TorchEncoder
from medassay.models.nli.alignscore import open_checkpoint
from medassay.models.nli.finding import encode_pairs

pytestmark = pytest.mark.torch
torch: Any = import_module("torch")
TEXTS = [" ".join(WORDS[:n]) for n in (1, 3, 12, 13, 30)] + [" ".join(WORDS * 40)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("roberta")
    more: dict[str, object] = {"max_position_embeddings": 514, "pad_token_id": 1}
    save_encoder(path, Shape("RobertaConfig", 2, 32, 4, more), [" ".join(WORDS)], 600)
    return path


def test_states_are_those_of_a_model_that_pads_nothing(folder: Path) -> None:
    plain, fixed = TorchEncoder(folder, None, {}), GpuEncoder(folder, None, {}, "cpu")
    read = [windows(plain.pieces(text), plain.longest) for text in TEXTS]
    assert len(read[-1]) > 1  # one text is read in windows
    expected, found = (dict(states_of_texts(encoder, read)) for encoder in (plain, fixed))
    assert sorted(found) == list(range(len(TEXTS)))
    for i, states in expected.items():
        assert found[i].shape == states.shape
        assert np.abs(found[i] - states).max() < 1e-5
    row = read[2][0].ids
    assert np.abs(fixed.states([row, row])[1] - plain.states([row])[0]).max() < 1e-5
    assert pieces_held(fixed) > pieces_held(plain)


def test_numbers_of_pairs_come_back_in_their_order(tmp_path: Path) -> None:
    path = save_alignscore(tmp_path)
    model = open_checkpoint(path, tmp_path, "tiny")
    transformers: Any = import_module("transformers")
    tokenizer = transformers.AutoTokenizer.from_pretrained(tmp_path)
    pairs = [(" ".join(WORDS[: 5 * (i % 4) + 2]), " ".join(WORDS[i:])) for i in range(9)]
    encoded = [row for row, _ in encode_pairs(tokenizer, pairs, limit=512)]
    rows = Gpu(torch, "cpu", "tiny").rows(tokenizer, encoded, 512, model.numbers)
    alone = [
        model.numbers(**tokenizer.pad([row], return_tensors="pt")).numpy()[0] for row in encoded
    ]
    assert np.abs(rows - np.array(alone)).max() < 1e-5
    assert np.ptp(rows[:, 0]) > 1e-3  # so that an order is seen


@pytest.fixture
def chosen() -> Iterator[None]:
    torch.set_float32_matmul_precision("high")
    yield
    assert torch.get_float32_matmul_precision() == "high"
    torch.set_float32_matmul_precision("highest")


@pytest.mark.usefixtures("chosen")
def test_how_torch_computes_is_chosen_for_the_block_alone() -> None:
    with Gpu(torch, "cpu", "a test").exactly():
        assert torch.get_float32_matmul_precision() == "highest"
        assert torch.are_deterministic_algorithms_enabled()
        assert not torch.backends.cudnn.allow_tf32
    assert not torch.are_deterministic_algorithms_enabled()


def test_a_gpu_without_room_says_what_to_try(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda _: (2**30, 8 * 2**30))
    words = (
        r"room for big and 4,096 pieces of text; got cuda:1, 1.0 of whose 8.0 GiB are free\. End"
    )
    with pytest.raises(UnusableModel, match=words), Gpu(torch, "cuda:1", "big").exactly():
        raise torch.OutOfMemoryError


def test_a_torch_for_processors_is_named(folder: Path) -> None:
    if torch.version.cuda:
        pytest.skip("this torch is built for CUDA; tests/gpu asks what it can use")
    with pytest.raises(NoSuchDevice, match="built for processors alone"):
        device_facts("cuda", "a test")
    setup = ModelSetup(folders={"m": str(folder)}, device={"m": "cuda"})
    with use_models(setup), pytest.raises(NoSuchDevice, match="built for processors alone"):
        load_encoder("m", purpose="a test")


def test_a_run_says_where_its_models_ran_and_shares_nothing_with_a_processor_s(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    metric = "bertscore_f1(ref=human,model=m,layer=2)"
    write_synthetic(tmp_path / "study", systems=2, cases=4, metrics=("length", metric))
    toml = tmp_path / "study" / "study.toml"
    opening = toml.read_text(encoding="utf-8") + f'\n[models.folders]\nm = "{folder}"\n'
    monkeypatch.setattr(device, "_gpu", lambda *_: "Some GPU, CUDA 13.0")

    def by_processor(path: Path, layer: int | None, facts: Mapping[str, str], _: str) -> GpuEncoder:
        return GpuEncoder(path, layer, facts, "cpu")

    monkeypatch.setattr(load, "GpuEncoder", by_processor)
    ran = {}
    for word in ("cpu", "cuda", "cuda:1"):
        toml.write_text(f'{opening}[models.device]\nm = "{word}"\n', encoding="utf-8")
        made = run_and_report(tmp_path / "study")
        report = json.loads((made.folder / "report.json").read_text(encoding="utf-8"))
        notes = {note["title"]: note for note in report["methods"]}
        ran[word] = (
            made,
            notes["BERTScore F1"],
            notes[next(t for t in notes if t != "BERTScore F1")],
        )
    assert [made.computed for made, _, _ in ran.values()] == [16, 8, 0]  # lengths are the same
    for word, (_, note, other) in ran.items():
        told = "Its model ran on a GPU (Some GPU, CUDA 13.0), in single precision" in note["text"]
        assert told == ("|device:Some GPU, CUDA 13.0|" in note["signature"]) == (word != "cpu")
        assert "GPU" not in other["text"] + other["signature"]
