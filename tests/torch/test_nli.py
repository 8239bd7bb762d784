"""NLI models as transformers saves them: tiny, with random weights and labels in odd orders."""

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tools.tiny.alignscore import TEXT, save_roberta_tokenizer

from medassay.errors import UnusableModel
from medassay.models import ModelSetup, use_models
from medassay.models.nli import SupportVerdict
from medassay.models.nli.model_judge import ModelJudge

pytestmark = pytest.mark.torch
torch: Any = import_module("torch")
transformers: Any = import_module("transformers")
WORDS = TEXT.split()


def save(folder: Path, labels: list[str]) -> ModelSetup:
    size = save_roberta_tokenizer(folder, longest=int(1e30))  # says nothing of its limit
    torch.manual_seed(3)
    config = transformers.RobertaConfig(
        vocab_size=size, hidden_size=32, num_hidden_layers=2, num_attention_heads=4,
        intermediate_size=64, max_position_embeddings=130, pad_token_id=1, num_labels=len(labels),
        id2label=dict(enumerate(labels)), initializer_range=0.4,
    )  # fmt: skip
    transformers.RobertaForSequenceClassification(config).save_pretrained(folder)
    return ModelSetup(folders={"tiny": str(folder)})


def literal(folder: Path, premise: str, hypothesis: str) -> list[float]:
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(folder)
    model = model.float().eval()
    cut = {"truncation": "only_first", "padding": "max_length", "max_length": 128}
    with torch.no_grad():
        logits = model(**tokenizer(premise, hypothesis, return_tensors="pt", **cut)).logits
    found: list[float] = logits.double().softmax(dim=-1)[0].tolist()
    return found


@pytest.mark.parametrize(
    ("labels", "order"),
    [
        (["entailment", "neutral", "contradiction"], (0, 1, 2)),
        (["CONTRADICTION", "ENTAILMENT", "NEUTRAL"], (1, 2, 0)),
    ],
)
def test_it_equals_one_padded_pair_at_a_time(
    tmp_path: Path, labels: list[str], order: tuple[int, ...]
) -> None:
    pairs = [(" ".join(WORDS[i : i + 3 * i + 1]), " ".join(WORDS[i : i + 4])) for i in range(12)]
    pairs.append((" ".join(WORDS * 20), "she had pain"))  # cut at what the positions allow
    with use_models(save(tmp_path, labels)):
        found = ModelJudge.find("tiny").probabilities(pairs)
    expected = np.asarray([literal(tmp_path, *pair) for pair in pairs])[:, list(order)]
    assert np.ptp(expected) > 0.05
    assert found == pytest.approx(expected, abs=1e-5)


def test_weights_kept_in_halves_are_run_in_fp32(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    setup = save(tmp_path, ["entailment", "neutral", "contradiction"])
    kind = transformers.AutoModelForSequenceClassification
    kind.from_pretrained(tmp_path).half().save_pretrained(tmp_path)
    capfd.readouterr()
    pairs = [(" ".join(WORDS[: 3 * i + 1]), " ".join(WORDS[i : i + 4])) for i in range(12)]
    with use_models(setup):
        found = ModelJudge.find("tiny").probabilities(pairs)
    assert capfd.readouterr().err == ""
    assert found == pytest.approx(np.asarray([literal(tmp_path, *p) for p in pairs]), abs=1e-6)


def test_two_classes_contradict_nothing(tmp_path: Path) -> None:
    with use_models(save(tmp_path, ["not_entailment", "entailment"])):
        judge = ModelJudge.find("tiny")
        found = judge.judge([(" ".join(WORDS[i : i + 3]), [TEXT]) for i in range(20)])
    expected = literal(tmp_path, TEXT, " ".join(WORDS[:3]))[1]
    assert SupportVerdict.CONTRADICTED not in {one.verdict for one in found}
    assert (found[0].verdict is SupportVerdict.SUPPORTED) == (expected >= 0.5)


def test_code_that_comes_with_a_model_is_never_run(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    setup = save(tmp_path, ["entailment", "neutral", "contradiction"])
    config = json.loads((tmp_path / "config.json").read_text(encoding="utf-8"))
    config["model_type"] = "somebodys_own"
    config["auto_map"] = {
        "AutoConfig": "evil.Config", "AutoModelForSequenceClassification": "evil.Model",
    }  # fmt: skip
    (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    (tmp_path / "evil.py").write_text("raise SystemExit('the model ran code')\n", encoding="utf-8")
    with use_models(setup), pytest.raises(UnusableModel):
        ModelJudge.find("tiny").probabilities([("a", "b")])
    assert "[y/N]" not in capfd.readouterr().out  # nobody is asked either


def test_a_pickle_in_place_of_weights_is_never_run(tmp_path: Path) -> None:
    setup = save(tmp_path, ["entailment", "neutral", "contradiction"])
    for path in tmp_path.glob("*.safetensors"):
        path.unlink()

    class Evil:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return (pytest.exit, ("the weights ran code",))

    torch.save({"classifier.dense.weight": Evil()}, tmp_path / "pytorch_model.bin")
    with use_models(setup), pytest.raises(UnusableModel):
        ModelJudge.find("tiny").probabilities([("a", "b")])
