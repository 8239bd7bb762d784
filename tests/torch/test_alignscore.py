"""AlignScore on a tiny model with random weights, in the form of the published file."""

import random
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from tools.tiny.align_oracle import Oracle
from tools.tiny.alignscore import WORDS, save_alignscore

from medassay.answers import Answer
from medassay.cases import Case
from medassay.errors import UnusableModel
from medassay.metrics import resolve
from medassay.models import ModelSetup, use_models
from medassay.models.nli.alignscore import MODES, AlignScore, Texts
from medassay.scores import Reason, Score, Unscored
from medassay.text import split_sentences

pytestmark = pytest.mark.torch
torch: Any = import_module("torch")
NAME = "alignscore(backbone=tiny,model=tiny,ref=human,sentences=rule)"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tiny")
    save_alignscore(path)
    return path


def setup(folder: Path) -> ModelSetup:
    return ModelSetup(folders={"tiny": str(folder)})


def text(sentences: int, seed: int) -> str:
    rng = random.Random(seed)  # noqa: S311 - no secret
    said = (" ".join(rng.choices(WORDS, k=rng.randint(3, 12))) for _ in range(sentences))
    return " ".join(f"{one.capitalize()}." for one in said)


EXAMPLES = [
    (text(3, 1), text(2, 2)),
    (text(1, 3), text(1, 4)),
    (
        text(120, 5),
        text(3, 6),
    ),  # 900 words and so three chunks; read whole, it is cut at 512 pieces
    ("", text(1, 7)),
    (text(4, 8), text(4, 8)),
    (" ".join(WORDS * (700 // len(WORDS) + 1)), text(1, 9)),  # one sentence of 700 words: cut
]


def texts(context: str, claim: str) -> Texts:
    return Texts(context, tuple(split_sentences(context)), claim, tuple(split_sentences(claim)))


@pytest.mark.parametrize("mode", MODES)
def test_it_equals_a_literal_reading_of_the_published_code(folder: Path, mode: str) -> None:
    oracle = Oracle(folder / "tiny.ckpt", folder)
    expected = [oracle.nlg_eval(mode, *one, split_sentences) for one in EXAMPLES]
    assert max(expected) - min(expected) > 0.05  # nothing trivial is compared
    with use_models(setup(folder)):
        model = AlignScore("tiny", "tiny")
        found = model.score([texts(*one) for one in EXAMPLES], mode)
        together = [one.value for one in found]
    assert [one.cut > 0 for one in found] == [
        *(False, False, not mode.endswith("_sp"), False, False),
        True,
    ]
    assert together == pytest.approx(expected, abs=1e-5)
    for one, value in zip(EXAMPLES, together, strict=True):
        with use_models(setup(folder)):  # a cache of its own: computed anew, alone
            alone = AlignScore("tiny", "tiny").score([texts(*one)], mode)
        assert alone[0].value == pytest.approx(value, abs=1e-5)


def pair(reference: str, answer: str) -> tuple[Case, Answer]:
    case = Case.model_validate({"case": "1", "references": [{"text": reference}, {"text": "No."}]})
    return case, Answer(system="S", case="1", text=answer)


def test_the_metric_takes_the_best_reference_and_keeps_what_it_computed(folder: Path) -> None:
    with use_models(setup(folder)):
        metric = resolve(NAME)
        batch = [pair(context or "Yes.", claim) for context, claim in EXAMPLES]
        found = metric.score_batch(batch)
        model = AlignScore("tiny", "tiny")
        for (case, answer), score in zip(batch, found, strict=True):
            both = model.score(
                [texts(one.text, answer.text or "") for one in case.references], "nli_sp"
            )
            best = max(both, key=lambda one: one.value)
            assert score == Score(best.value, (float(best.cut),))
        assert metric.score_batch(batch) == found
        assert "|checkpoint:" in str(metric.signature)


ODD = ["word", "头痛。", "أُدخلت", "दर्द", "😀", "?!…", "\x00\x07", "the pain " * 5000]


@pytest.mark.parametrize("answer", ODD)
def test_odd_answers_have_a_value(folder: Path, answer: str) -> None:
    with use_models(setup(folder)):
        found = resolve(NAME).score_batch([pair("The patient had pain.", answer)])[0]
        empty = resolve(NAME).score_batch([pair("The patient had pain.", " ")])[0]
    assert isinstance(found, Score)
    assert empty == Score(0.0, (0.0,))


def test_a_file_that_runs_code_is_refused(tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return print, ("run",)

    save_alignscore(tmp_path)
    torch.save({"state_dict": {}, "callbacks": Trap()}, tmp_path / "tiny.ckpt")
    with use_models(setup(tmp_path)), pytest.raises(UnusableModel, match="plain data only"):
        AlignScore("tiny", "tiny").score([texts("A b.", "A b.")], "nli")


def test_another_encoder_is_named(folder: Path, tmp_path: Path) -> None:
    save_alignscore(tmp_path, width=16)
    both = ModelSetup(folders={"tiny": str(folder), "other": str(tmp_path)})
    with use_models(both), pytest.raises(UnusableModel, match="backbone=roberta-base"):
        AlignScore("tiny", "other").score([texts("A b.", "A b.")], "nli")


def test_weights_that_would_be_lost_are_refused(tmp_path: Path) -> None:
    save_alignscore(tmp_path)
    told = torch.load(tmp_path / "tiny.ckpt", weights_only=True)
    told["state_dict"]["adapter.weight"] = torch.zeros(1)
    torch.save(told, tmp_path / "tiny.ckpt")
    with use_models(setup(tmp_path)), pytest.raises(UnusableModel, match="adapter"):
        AlignScore("tiny", "tiny").score([texts("A b.", "A b.")], "nli")


def test_what_is_missing_is_said(folder: Path) -> None:
    found = resolve("alignscore(model=no/such,ref=human)").score_batch([pair("A.", "A.")])[0]
    assert isinstance(found, Unscored)
    assert found.reason is Reason.BACKEND_MISSING
    both = ModelSetup(folders={"tiny": str(folder)})
    with use_models(both):
        metric = resolve(NAME.replace(",sentences=rule", ""))
        if metric.missing is not None:
            assert "punkt_tab" in str(metric.missing)
