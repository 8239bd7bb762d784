"""BERTScore is bert-score's: on the same fp32 weights, over 506 real pairs, to 1e-4.

golden/bertscore.json says with which versions its values were made.
"""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from tools.kqa_pairs import kqa_pairs

from medassay.answers import Answer, Answers
from medassay.cases import Case, Cases
from medassay.metrics import score
from medassay.models import ModelSetup, file_digest, find_model, use_models

pytestmark = pytest.mark.torch

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "bertscore.json").read_text())
MODEL = "sentence-transformers/all-MiniLM-L6-v2"
PARTS = ("precision", "recall", "f1")
SHIPPED = Path(__file__).parents[2] / "src" / "medassay" / "data" / "baselines" / "en"


@cache
def study() -> tuple[Cases, Answers]:
    cases, answers = [], []
    for i, (answer, reference) in enumerate(kqa_pairs()):
        cases.append(Case.model_validate({"case": i, "references": [{"text": reference}]}))
        answers.append(Answer(system="s", case=str(i), text=answer))
    return Cases.of(cases), Answers.of(answers)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("kept")


@pytest.fixture(autouse=True)
def setup(kept: Path) -> Iterator[None]:
    baseline = {f"en/{MODEL}.tsv": str(SHIPPED / "distilbert-base-uncased.tsv")}
    with use_models(ModelSetup(folders=baseline, keep_in=kept, keep_texts=True)):
        yield


def ours(options: str) -> NDArray[np.float64]:
    cases, answers = study()
    names = [f"bertscore_{part}(ref=human,model={MODEL},layer=6{options})" for part in PARTS]
    table = score(cases, answers, names)
    columns = []
    for name in table.sources:
        grid = table.grid(name, ["s"], [str(i) for i in range(len(cases))])
        assert grid.known.all()
        columns.append(grid.values[0])
    assert [name.partition("(")[0] for name in table.sources] == [
        "bertscore_f1", "bertscore_precision", "bertscore_recall",
    ]  # fmt: skip
    return np.stack([columns[1], columns[2], columns[0]], axis=1)


def test_the_weights_are_those_of_the_golden_values() -> None:
    folder = find_model(MODEL, "a test").path
    assert file_digest(folder / "model.safetensors") == GOLDEN["weights"]


@pytest.mark.parametrize(
    ("way", "options"),
    [("plain", ""), ("rescaled", ",baseline=en"), ("idf", ",idf=references")],
)
def test_every_value_is_that_of_bert_score(way: str, options: str) -> None:
    found, expected = ours(options), np.array(GOLDEN[way])
    assert found.shape == expected.shape == (506, 3)
    assert np.abs(found - expected).max() < 1e-4


def test_what_is_behind_the_limit_is_counted() -> None:
    cases, answers = study()
    name = f"bertscore_f1(ref=human,model={MODEL},layer=6)"
    table = score(cases, answers, [name])
    parts, _ = table.parts(table.sources[0], ["s"], [str(i) for i in range(len(cases))])
    cut = parts[0]
    assert (cut[-6:-3, 0] > 0).all()
    assert (cut[-3:, 1] > 0).all()
    assert (cut[:400] == 0).all()
