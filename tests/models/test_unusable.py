"""A model that is damaged or of another kind: its metrics say so once, and the run goes on."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from medassay.answers import Answer
from medassay.cases import Case
from medassay.errors import UnusableModel
from medassay.metrics import resolve
from medassay.models import ModelSetup, use_models
from medassay.models.encoders import load_encoder
from medassay.scores import Reason, Unscored

MODELS = Path(__file__).parents[1] / "data" / "models"
CASE = Case.model_validate({"case": "1", "references": [{"text": "rest home"}]})
ENCODER = MODELS / "tiny-encoder"
NLI = MODELS / "tiny-nli"


def half(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])


def of_nli(folder: Path) -> None:
    shutil.copy(NLI / "model.onnx", folder / "model.onnx")


DAMAGE: dict[str, tuple[Callable[[Path], object], str]] = {
    "half": (lambda at: half(at / "model.onnx"), "mine/model.onnx: must be a whole model in ONNX"),
    "empty": (lambda at: (at / "model.onnx").write_bytes(b""), "mine/model.onnx: must be a whole"),
    "nli": (of_nli, '(texts, pieces, width); got "logits" of 2 axes, a model of another kind'),
    "tokenizer": (lambda at: half(at / "tokenizer.json"), "mine/tokenizer.json: must be a whole"),
    "config": (lambda at: half(at / "config.json"), "mine/config.json: must be a JSON object"),
    "list": (lambda at: (at / "config.json").write_text("[1]"), "JSON of another kind (list)"),
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_an_encoder_that_cannot_be_used_is_named_with_what_to_do(kind: str, tmp_path: Path) -> None:
    spoil, said = DAMAGE[kind]
    folder = tmp_path / "mine"
    shutil.copytree(ENCODER, folder)
    spoil(folder)
    pairs = [(CASE, Answer(system="A", case="1", text=text)) for text in ("rest", "home", "sleep")]
    with use_models(ModelSetup(base=tmp_path)):
        metric = resolve("embedding_similarity(ref=human,model=./mine)")
        found = metric.score_batch(pairs)
        assert isinstance(metric.missing, UnusableModel)
    first = found[0]
    assert isinstance(first, Unscored)
    assert first.reason is Reason.BACKEND_MISSING
    assert said in first.detail
    assert first.detail.endswith((". Fetch or export it again.", "of the right kind."))
    assert str(tmp_path) not in first.detail
    assert found == [first] * 3
    assert metric.score_no_answer(CASE) == first


def test_a_damaged_file_is_opened_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from medassay.models import onnx_file

    shutil.copytree(ENCODER, tmp_path / "mine")
    half(tmp_path / "mine" / "model.onnx")
    opened = []

    def count(path: Path) -> object:
        opened.append(path)
        raise ValueError("damaged")

    monkeypatch.setattr(onnx_file, "_session", count)
    pairs = [(CASE, Answer(system="A", case="1", text=f"rest {i}")) for i in range(40)]
    with use_models(ModelSetup(base=tmp_path)):
        metric = resolve("embedding_similarity(ref=human,model=./mine)")
        metric.score_batch(pairs)
        metric.score_batch(pairs)
    assert len(opened) == 1


def test_an_encoder_is_no_judge(tmp_path: Path) -> None:
    shutil.copytree(NLI, tmp_path / "mine")
    shutil.copy(ENCODER / "model.onnx", tmp_path / "mine" / "model.onnx")
    shutil.copy(ENCODER / "tokenizer.json", tmp_path / "mine" / "tokenizer.json")
    case = Case.model_validate({"case": "1", "evidence": [{"id": 1, "text": "rest home"}]})
    with use_models(ModelSetup(base=tmp_path)):
        metric = resolve("faithfulness(judge=./mine)")
        (found,) = metric.score_batch([(case, Answer(system="A", case="1", text="rest"))])
    assert isinstance(found, Unscored)
    assert found.reason is Reason.BACKEND_MISSING
    assert found.detail == (
        "mine/model.onnx: must take input_ids, and beside them only attention_mask, token_type_ids;"
        " got input_ids, attention_mask, position_ids. Name a model of the right kind."
    )


def test_a_file_in_onnx_form_is_an_encoder_and_another_file_is_none(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    shutil.copytree(ENCODER, folder)
    (folder / "model.onnx").rename(folder / "small.onnx")
    (folder / "notes.txt").write_text("words")
    with use_models(ModelSetup(base=tmp_path)):
        alone = load_encoder("./mine/small.onnx", purpose="a test")
        with pytest.raises(UnusableModel, match=r"mine/notes\.txt: must be a folder or a \.onnx"):
            load_encoder("./mine/notes.txt", purpose="a test")
    with use_models(ModelSetup(folders={"tiny": str(ENCODER)})):
        whole = load_encoder("tiny", purpose="a test")
    ids = whole.pieces("rest home").ids
    assert alone.pieces("rest home").ids == ids
    assert (alone.states([ids]) == whole.states([ids])).all()


def write_bert(folder: Path, vocabulary: int) -> None:
    """Write a BERT of one layer and width 2 with zeros for weights, and the tiny tokenizer."""
    folder.mkdir()
    shutil.copy(ENCODER / "tokenizer.json", folder / "tokenizer.json")
    config = {"model_type": "bert", "hidden_act": "gelu", "num_hidden_layers": 1}
    (folder / "config.json").write_text(json.dumps({**config, "num_attention_heads": 1}))
    layer = "encoder.layer.0."
    square = {
        f"{layer}{name}": (2, 2)
        for name in (
            "attention.self.query", "attention.self.key", "attention.self.value",
            "attention.output.dense", "intermediate.dense", "output.dense",
        )
    }  # fmt: skip
    norms = ("embeddings", f"{layer}attention.output", f"{layer}output")
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (vocabulary, 2),
        "embeddings.position_embeddings.weight": (8, 2),
        "embeddings.token_type_embeddings.weight": (2, 2),
        **{f"{name}.weight": shape for name, shape in square.items()},
        **{f"{name}.bias": (2,) for name in square},
        **{f"{name}.LayerNorm.{part}": (2,) for name in norms for part in ("weight", "bias")},
    }
    header, end = {}, 0
    for name, shape in shapes.items():
        size = 4 * (shape[0] * shape[1] if len(shape) > 1 else shape[0])
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": (end, end + size)}
        end += size
    told = json.dumps(header).encode()
    content = len(told).to_bytes(8, "little") + told + bytes(end)
    (folder / "model.safetensors").write_bytes(content)


def test_weights_cut_short_and_a_tokenizer_of_another_model_are_named(tmp_path: Path) -> None:
    with use_models(ModelSetup(base=tmp_path)):
        write_bert(tmp_path / "whole", 50)
        assert load_encoder("./whole", purpose="a test").states([(1, 2)]).shape == (1, 2, 2)
        write_bert(tmp_path / "small", 3)
        with pytest.raises(UnusableModel, match="tokenizer of the model's 3 pieces at most; got"):
            load_encoder("./small", purpose="a test")
        for size, said in ((-8, r"bytes, where [\d,]+ are said"), (30, "Unterminated string")):
            write_bert(tmp_path / f"cut{size}", 50)
            weights = tmp_path / f"cut{size}" / "model.safetensors"
            weights.write_bytes(weights.read_bytes()[:size])
            with pytest.raises(UnusableModel, match=f"model.safetensors: must be a whole.*{said}"):
                load_encoder(f"./cut{size}", purpose="a test")


def test_a_layer_that_the_model_has_not_leaves_the_metric_out_at_once(tmp_path: Path) -> None:
    write_bert(tmp_path / "mine", 50)
    pairs = [(CASE, Answer(system="A", case="1", text=text)) for text in ("rest", "home")]
    with use_models(ModelSetup(base=tmp_path)):
        found = resolve("bertscore_f1(layer=2,model=./mine,ref=human)").score_batch(pairs)
    said = "have the layer that is asked for: it has 0 to 1; got layer=2. Say another layer=."
    assert {str(one).partition(": must ")[2] for one in found} == {said}
