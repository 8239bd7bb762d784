"""NLI models from ONNX files: labels in any order, batches, the cache, what is missing."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from medassay.answers import Answer
from medassay.cases import Case
from medassay.errors import InvalidInput, MissingBackend, UnusableModel
from medassay.metrics import resolve
from medassay.models import ModelSetup, use_models
from medassay.models.nli import SupportVerdict, find_judge
from medassay.models.nli.model_judge import ModelJudge, read_labels
from medassay.scores import Reason, Score, Unscored

FOLDER = Path(__file__).parents[2] / "data" / "models" / "tiny-nli"
SETUP = ModelSetup(folders={"tiny": str(FOLDER), "file": str(FOLDER / "model.onnx")})


@pytest.mark.parametrize("name", ["tiny", "file"])
def test_probabilities_by_hand(name: str) -> None:
    with use_models(SETUP):
        found = ModelJudge.find(name).probabilities([("yes pain", "fever"), ("no", "pain")])
    # yes pain [SEP] fever: logits (0, 1 + 1, 8) / 4; classes contradiction, neutral, entailment
    first = np.exp([2.0, 0.5, 0.0])
    # no [SEP] pain: (8, 1, 0) / 3
    second = np.exp([0.0, 1 / 3, 8 / 3])
    assert found == pytest.approx(np.stack([first / first.sum(), second / second.sum()]), abs=1e-6)


def test_padding_and_order_change_nothing() -> None:
    pairs = [(" ".join(["yes"] * n + ["no"] * (n % 3)), "pain fever") for n in range(1, 80)]
    with use_models(SETUP):
        together = ModelJudge.find("tiny").probabilities(pairs)
    with use_models(ModelSetup(folders=SETUP.folders)):
        alone = [ModelJudge.find("tiny").probabilities([pair])[0] for pair in pairs[::-1]]
    assert together == pytest.approx(np.stack(alone[::-1]), abs=1e-6)


def test_the_deciding_sentence() -> None:
    evidence = ["perhaps", "no no", "yes yes yes"]
    with use_models(SETUP):
        judge = find_judge("tiny")
        found = judge.judge([("pain", evidence), ("pain", evidence[:2]), ("pain", ["perhaps"])])
        assert judge.judge([("pain", [])])[0].verdict is SupportVerdict.NOT_FOUND
    assert [(f.verdict, f.decided_by) for f in found] == [
        (SupportVerdict.SUPPORTED, 2),
        (SupportVerdict.CONTRADICTED, 1),
        (SupportVerdict.NOT_FOUND, 0),
    ]


def test_the_metric_runs_on_it_and_says_so() -> None:
    case = Case.model_validate({"case": "1", "evidence": [{"id": 1, "text": "Yes. No pain."}]})
    answer = Answer(system="S", case="1", text="Yes fever.\nPain.")
    with use_models(SETUP):
        metric = resolve("faithfulness(judge=tiny)")
        assert metric.score_batch([(case, answer)]) == [Score(1, (2, 2, 0))]
        signature = str(metric.signature)
        # a model whose vocabulary knows nothing of the text does not judge it
        foreign = metric.score_batch([(case, Answer(system="S", case="1", text="头痛 发烧"))])[0]
    assert "|classes:contradiction/neutral/entailment|" in signature
    assert "|nli:" in signature
    assert isinstance(foreign, Unscored)
    assert (foreign.reason, "vocabulary" in foreign.detail) == (Reason.UNDEFINED, True)


def test_stated_labels_overrule_the_model_s_and_must_fit(tmp_path: Path) -> None:
    with use_models(SETUP):
        turned = find_judge("tiny", "entailment/neutral/contradiction")
        assert turned.judge([("pain", ["no no"])])[0].verdict is SupportVerdict.SUPPORTED
        with pytest.raises(InvalidInput, match="3 classes"):
            find_judge("tiny", "other/entailment")
    shutil.copytree(FOLDER, tmp_path / "silent")
    names = {"id2label": {"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}}
    (tmp_path / "silent" / "config.json").write_text(json.dumps(names))
    with use_models(ModelSetup(base=tmp_path)), pytest.raises(InvalidInput, match="labels="):
        find_judge("./silent")


@pytest.mark.parametrize(
    ("names", "meanings"),
    [
        (["entailment", "not_entailment"], ("entailment", "other")),
        (["SUPPORTS", "REFUTES", "NOT ENOUGH INFO"], ("entailment", "contradiction", "neutral")),
        (["hallucinated", "consistent"], ("other", "entailment")),
    ],
)
def test_names_that_models_use(names: list[str], meanings: tuple[str, ...]) -> None:
    assert read_labels("config", names, "m") == meanings


def test_a_missing_model_is_named_and_nothing_is_fetched() -> None:
    with use_models(SETUP), pytest.raises(MissingBackend, match="no/such"):
        find_judge("no/such")


def test_no_tokenizer_is_said(tmp_path: Path) -> None:
    shutil.copy(FOLDER / "model.onnx", tmp_path / "model.onnx")
    labels = "contradiction/neutral/entailment"
    with use_models(ModelSetup(base=tmp_path)):
        judge = find_judge("./model.onnx", labels)
        with pytest.raises(UnusableModel, match="beside it"):
            judge.judge([("pain", ["yes"])])


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"half a file")
    (tmp_path / "config.json").write_text('{"id2label": {"0": "entailment", "1": "contradiction"}}')
    judge = ModelJudge.find(str(tmp_path))
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(UnusableModel, match=r"tokenizer\.json: must be a whole"):
        judge.judge([("Rest.", ["Rest."])])
    shutil.copy(FOLDER / "tokenizer.json", tmp_path / "tokenizer.json")
    with pytest.raises(UnusableModel, match=r"model\.onnx: must be a whole"):
        judge.judge([("Rest.", ["Rest."])])


def test_pairs_longer_than_the_model_reads_are_counted() -> None:
    # 512 pieces are read, a mark between the texts among them: 510 of the evidence and one word.
    long = " ".join(["no"] * 509 + ["perhaps", "yes"])
    case = Case.model_validate({"case": "1", "evidence": [{"id": 1, "text": f"{long}. Yes."}]})
    answer = Answer(system="S", case="1", text="Fever.\nPain.")
    with use_models(SETUP):
        judge = find_judge("tiny")
        texts = (" ".join(["no"] * 510), " ".join(["no"] * 511))
        assert [one.cut for one in judge.judge([("pain", [text]) for text in texts])] == [0, 1]
        (found,) = resolve("faithfulness(judge=tiny)").score_batch([(case, answer)])
    assert isinstance(found, Score)
    assert found.parts[1:] == (2.0, 2.0)  # both statements, each with the long sentence
