"""Where models run: what may be said of it, what is refused, and how scores are told apart."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from tools.synthetic_study import write_synthetic

from medassay.errors import InvalidInput
from medassay.library import run_and_report
from medassay.metrics import resolve
from medassay.models import ModelSetup, device, result_cache, use_models
from medassay.models.device import (
    Batch,
    NoSuchDevice,
    device_facts,
    device_of,
    fixed_batches,
    padded,
    refuse_missing_gpu,
)
from medassay.models.nli import model_judge
from medassay.study.config.study_toml import StudyConfig, read_config

TINY = Path(__file__).parents[1] / "data" / "models" / "tiny-encoder"
METRIC = f"bertscore_f1(ref=human,model={TINY},layer=1)"


def torch_with(*gpus: str, cuda: str | None = "13.0", usable: bool = True) -> SimpleNamespace:
    """Stand in for torch as far as it is asked which GPUs there are."""
    of_cuda = SimpleNamespace(
        is_available=lambda: usable,
        device_count=lambda: len(gpus),
        get_device_name=lambda number: gpus[number],
    )
    version = SimpleNamespace(cuda=cuda)
    return SimpleNamespace(__version__="2.13.0", version=version, cuda=of_cuda)


def put(monkeypatch: pytest.MonkeyPatch, torch: SimpleNamespace) -> None:
    monkeypatch.setattr(device, "need_package", lambda *_: Hashable(torch))


class Hashable:
    """A module can be a key; a namespace cannot."""

    def __init__(self, torch: SimpleNamespace) -> None:
        self.__dict__.update(vars(torch))


@pytest.mark.parametrize(
    ("torch", "words"),
    [
        (torch_with(cuda=None), "got torch 2.13.0, which is built for processors alone. Install"),
        (
            torch_with(usable=False),
            r"no GPU that torch 2.13.0 \(CUDA 13.0\) can use. See what nvid",
        ),
    ],
)
def test_a_gpu_that_cannot_be_had_is_refused_in_words(
    torch: SimpleNamespace, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(monkeypatch, torch)
    with pytest.raises(NoSuchDevice, match=words) as caught:
        device_facts("cuda", "a test")
    assert str(caught.value).startswith("study.toml, column [models] device: must name a GPU")
    assert 'say device = "cpu"' in str(caught.value)


def test_a_number_beyond_the_last_gpu_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    put(monkeypatch, torch_with("A", "B"))
    with pytest.raises(
        NoSuchDevice, match=r"\(cuda:2\); got 2 of them, cuda:0 to cuda:1\. Name one"
    ):
        device_facts("cuda:2", "a test")


def test_a_score_s_facts_name_the_gpu_and_not_its_number(monkeypatch: pytest.MonkeyPatch) -> None:
    put(monkeypatch, torch_with("A", "A", "B"))
    assert device_facts("cpu", "a test") == {}
    assert device_facts("cuda", "a test") == {"device": "A, CUDA 13.0"}
    assert device_facts("cuda:1", "a test") == device_facts("cuda", "a test")
    assert device_facts("cuda:2", "a test") == {"device": "B, CUDA 13.0"}
    caches = [result_cache("x", {"a": "b", **device_facts(d, "a test")}, reveals_text=False)
              for d in ("cpu", "cuda", "cuda:1", "cuda:2")]  # fmt: skip
    assert caches[1] is caches[2]
    assert len(set(map(id, caches))) == 3


def test_models_may_be_told_apart() -> None:
    with use_models(ModelSetup(device={"roberta-large": "cuda:1"})):
        assert device_of("roberta-large") == "cuda:1"
        assert device_of("minilm") == "cpu"
    with use_models(ModelSetup(device="gpu")), pytest.raises(InvalidInput, match='got "gpu"'):
        device_of("minilm")


def study(folder: Path, models: str, *metrics: str) -> Path:
    write_synthetic(folder, systems=2, cases=4, metrics=metrics)
    toml = folder / "study.toml"
    toml.write_text(toml.read_text(encoding="utf-8") + f"\n{models}\n", encoding="utf-8")
    return folder


@pytest.mark.parametrize("value", ['"gpu"', "1", '"cuda:"', '{ x = "cuda 1" }', '["cuda"]'])
def test_another_word_in_study_toml_is_refused(tmp_path: Path, value: str) -> None:
    folder = study(tmp_path / "study", f"[models]\ndevice = {value}", "length")
    with pytest.raises(
        InvalidInput, match=r"device.*must be cpu, cuda \(the first GPU\) or"
    ) as found:
        read_config(folder)
    assert len(found.value.problems) == 1


def test_study_toml_names_one_for_all_or_for_some(tmp_path: Path) -> None:
    one = read_config(study(tmp_path / "one", '[models]\ndevice = "cuda:1"', "length"))
    some = read_config(study(tmp_path / "some", '[models.device]\n"a/b" = "cuda"', "length"))
    assert isinstance(one, StudyConfig)
    assert one.models.device == "cuda:1"
    assert some.models.device == {"a/b": "cuda"}


def test_an_onnx_model_is_run_on_the_processor_alone() -> None:
    for wish in ("cuda", {str(TINY): "cuda"}):
        with use_models(ModelSetup(device=wish)):
            missing = resolve(METRIC).missing
        assert isinstance(missing, NoSuchDevice)
        assert "a model in ONNX form (tiny-encoder/model.onnx)" in str(missing)
    with use_models(ModelSetup(device={"another": "cuda"})):
        elsewhere = resolve(METRIC).made_by
    with use_models(ModelSetup()):
        assert resolve(METRIC).made_by == elsewhere


def test_a_run_is_refused_where_its_gpu_cannot_be_had(tmp_path: Path) -> None:
    folder = study(tmp_path / "study", '[models]\ndevice = "cuda"', "length", METRIC)
    with pytest.raises(InvalidInput, match=r"\[models\] device: must name a GPU only for models"):
        run_and_report(folder)
    assert not (folder / "results").exists()
    # What runs no model of its own is scored all the same.
    assert run_and_report(folder, only=["length"]).computed == 8
    refuse_missing_gpu([None])


def test_the_embedded_encoder_stays_on_the_processor() -> None:
    name = "minilm_match_f1(ref=human)"
    with use_models(ModelSetup(device="cuda")):
        asked = resolve(name)
        assert asked.missing is None
        made_by = asked.made_by
    with use_models(ModelSetup()):
        assert resolve(name).made_by == made_by


def test_batches_have_a_shape_that_follows_from_lengths_alone() -> None:
    lengths = [1, 16, 17, 32, 33, 500, 512, *[130] * 70]
    batches = list(fixed_batches(lengths, 512))
    assert sorted(place for batch in batches for place in batch.places) == list(range(len(lengths)))
    shape = {place: (batch.rows, batch.length) for batch in batches for place in batch.places}
    for place, pieces in enumerate(lengths):
        (alone,) = fixed_batches([pieces], 512)
        assert (alone.rows, alone.length) == shape[place]
        assert pieces <= alone.length < pieces + 16
        assert alone.rows * alone.length <= 4096
    assert next(iter(fixed_batches([505], 510))).length == 510  # no longer than the model reads
    assert padded([[1], [2, 3]], Batch((4, 9), 2, 2), 0) == [[1, 0], [2, 3]]


def test_a_judge_says_where_it_runs() -> None:
    folder = Path(__file__).parents[1] / "data" / "models" / "tiny-nli"
    with use_models(ModelSetup(folders={"tiny": str(folder)}, device="cuda")):
        judge = model_judge.ModelJudge.find("tiny")
        with pytest.raises(NoSuchDevice, match="a model in ONNX form"):
            _ = judge.settings
