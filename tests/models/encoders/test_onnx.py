"""A folder that holds an ONNX file alone, fp32: as encoder, and under BERTScore."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from medassay.answers import Answer
from medassay.cases import Case
from medassay.errors import MissingBackend
from medassay.metrics import resolve
from medassay.models import ModelSetup, use_models
from medassay.models.encoders import load_encoder
from medassay.models.encoders.load import OnnxEncoder
from medassay.scores import Score

FOLDER = Path(__file__).parents[2] / "data" / "models" / "tiny-encoder"


@pytest.fixture(autouse=True)
def setup() -> Iterator[None]:
    with use_models(ModelSetup(folders={"tiny": str(FOLDER)})):
        yield


def test_states_are_those_of_the_file() -> None:
    encoder = load_encoder("tiny", purpose="a test")
    assert isinstance(encoder, OnnxEncoder)
    pieces = encoder.pieces("rest home")
    # [CLS] at place 0, rest 1, home 2, [SEP] 3; half the place is added to the last column
    expected = [[1, 1, 1, 1], [4, 0, 0, 0.5], [0, 0, 4, 1], [1, 1, 1, 0.5]]
    found = encoder.states([pieces.ids, (1, 5, 5, 2)])
    assert found.dtype == np.float32
    assert found[0].tolist() == expected
    assert found[1].tolist()[1] == [0, 4, 0, 0.5]
    assert encoder.longest == 8


def test_bertscore_runs_on_it_and_is_the_value_by_hand() -> None:
    case = Case.model_validate({"case": "1", "references": [{"text": "rest"}]})
    pair = (case, Answer(system="A", case="1", text="sleep"))
    (found,) = resolve("bertscore_f1(ref=human,model=tiny,layer=3)").score_batch([pair])
    assert isinstance(found, Score)
    # sleep (3, 1, 0, .5) and rest (4, 0, 0, .5): 12.25 / (3.2016 * 4.0311) = .9492; each is the
    # other's nearest, nearer than the marks: (1, 1, 1, 1) and (1, 1, 1, 0) are below .8
    assert found.value == pytest.approx(12.25 / np.sqrt(10.25 * 16.25), abs=1e-6)


def test_another_layer_than_its_last_is_refused() -> None:
    with pytest.raises(MissingBackend, match="layer 2"):
        load_encoder("tiny", 2, purpose="a test")
