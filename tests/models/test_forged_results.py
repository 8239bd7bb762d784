"""What a model computed and somebody else wrote: what cannot be is computed again by every user."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.models.test_cache import forge

from medassay.answers import Answer
from medassay.cases import Case
from medassay.metrics import resolve
from medassay.models import ModelSetup, use_models
from medassay.models.encoders import sentence_vectors
from medassay.models.nli.model_judge import ModelJudge
from medassay.scores import Score

DATA = Path(__file__).parents[1] / "data" / "models"
FOLDERS = {"tiny": str(DATA / "tiny-encoder"), "nli": str(DATA / "tiny-nli")}
CASE = Case.model_validate(
    {
        "case": "1",
        "references": [{"text": "rest home"}],
        "evidence": [{"id": 1, "text": "yes pain", "relevance": "essential"}],
    }
)
ANSWER = Answer(system="A", case="1", text="rest rest home")


def vectors() -> object:
    return [one.tolist() for one in sentence_vectors("tiny", ["rest home"], purpose="a test")
            if one is not None]  # fmt: skip


def probabilities() -> object:
    return ModelJudge.find("nli").probabilities([("yes pain", "fever")]).tolist()


def bertscore() -> object:
    (score,) = resolve("bertscore_f1(ref=human,model=tiny,layer=3)").score_batch([(CASE, ANSWER)])
    assert isinstance(score, Score)
    return score


def faithfulness() -> object:
    fever = Answer(system="A", case="1", text="fever pain yes.")
    (score,) = resolve("faithfulness(judge=nli)").score_batch([(CASE, fever)])
    assert isinstance(score, Score)
    return score


def numbers(*values: float) -> bytes:
    return np.asarray(values, dtype=np.float64).tobytes()


FORGED: dict[str, tuple[Callable[[], object], list[bytes]]] = {
    "sentence-vectors": (vectors, [numbers(1e9, 0), numbers(np.nan, 0), b"abc"]),
    "nli-pairs": (probabilities, [numbers(7, 0, 0, 0), numbers(1, 0, 0), numbers(np.nan, 0, 0, 0)]),
    "token-matches": (bertscore, [b"", b"\xff" * 41, numbers(7, 7, 7, 0, 0) + b"\1"]),
    "token-states": (bertscore, [b"", b"\xff" * 8, np.full(4, 9, np.float32).tobytes()]),
    "findings-and-cuts": (
        faithfulness,
        [b"{", b"[]", *(json.dumps(one).encode() for one in (
            ["supported", 99, 0.9, "", 0], ["supported", -1, 0.9, "", 0],
            ["supported", 0, 7.5, "", 0], ["sure", 0, 0.9, "", 0], ["supported", 0, 0.9, "", -1],
            ["supported", True, 0.9, "", 0], ["supported", 0, "all", "", 0], [1, 2, 3, 4, 5],
        ))],
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", FORGED)
def test_what_cannot_be_is_computed_again(tmp_path: Path, what: str) -> None:
    call, forgeries = FORGED[what]

    def setup() -> ModelSetup:
        return ModelSetup(folders=FOLDERS, keep_in=tmp_path, keep_texts=True)

    with use_models(setup()):
        true = call()
    (folder,) = tmp_path.rglob(f"{what}-*")
    for forged in forgeries:
        kept = {path: pl.read_parquet(path)["key"].to_list() for path in folder.iterdir()}
        for path, keys in kept.items():
            path.unlink()
            forge(folder, dict.fromkeys(keys, forged))
        for other in tmp_path.rglob("token-matches-*"):  # else states are never asked for
            if what == "token-states":
                for path in other.iterdir():
                    path.unlink()
        with use_models(setup()) as now:
            assert call() == true
            assert now.damaged
        with use_models(setup()) as later:
            assert call() == true
            assert later.damaged == []
