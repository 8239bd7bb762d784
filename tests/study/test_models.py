"""A model that is missing costs its own metrics and nothing else; results stay in the study."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from medassay.errors import MissingBackend
from medassay.metrics import Declaration, Direction, Pair, declarations, metric, registry
from medassay.metrics.declaration import TEXT
from medassay.models import find_model, model_setup, result_cache
from medassay.scores import Score, Unscored
from medassay.study import open_run, score_study

MODEL = "invented-model"


@pytest.fixture
def with_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register a metric that runs on a model and keeps what it reads."""
    declarations()
    monkeypatch.setattr(registry.REGISTRY, "known", dict(registry.REGISTRY.known))

    @metric(
        Declaration(
            name="modelled", question="Is it there?", unit="marks", low=0, high=None,
            direction=Direction.HIGHER, needs=(TEXT,), if_no_answer=0, if_empty=0,
            undefined_when="never", reference="a test",
            backend=lambda _: {"model": find_model(MODEL, "modelled").digest},
        )
    )  # fmt: skip
    def compute(pairs: Sequence[Pair], _: Mapping[str, str]) -> list[Score | Unscored]:
        find_model(MODEL, "modelled")
        for what, reveals in (("numbers", False), ("vectors", True)):
            cache = result_cache(what, {}, reveals_text=reveals)
            cache.keep({cache.key(a.text or ""): (a.text or "").encode() for _, a in pairs})
        return [Score(1.0)] * len(pairs)


@pytest.mark.usefixtures("with_model")
@pytest.mark.parametrize("texts", ["full", "none"])
def test_the_others_go_on_and_the_reason_says_what_to_do(folder: Path, texts: str) -> None:
    toml = folder / "study.toml"
    quiet = f'\n[privacy]\ntexts = "{texts}"\n'
    toml.write_text(toml.read_text(encoding="utf-8") + quiet, encoding="utf-8")
    run = open_run(folder, only=["modelled", "length"], offline=True)
    assert isinstance(run.metrics[0].missing, MissingBackend)
    frame = score_study(run.study, run.metrics).table.frame
    missing = frame.filter(frame["source"] == "modelled")
    assert set(missing["reason"]) == {"backend_missing"}
    assert all("[models.folders]" in detail for detail in missing["detail"])
    assert frame.filter(frame["source"] == "length")["value"].count() > 0

    (folder / "weights").mkdir()
    (folder / "weights" / "model.onnx").write_text("1")
    choice = f'\n[models.folders]\n{MODEL} = "weights"\n'
    toml.write_text(toml.read_text(encoding="utf-8") + choice, encoding="utf-8")
    again = open_run(folder, only=["modelled", "length"])
    assert again.name != run.name
    assert score_study(again.study, again.metrics).computed > 0
    assert _kinds_kept(folder) == ({"numbers", "vectors"} if texts == "full" else {"numbers"})

    stricter = toml.read_text(encoding="utf-8").replace('texts = "full"', 'texts = "ids"')
    toml.write_text(stricter, encoding="utf-8")
    last = open_run(folder, only=["modelled", "length"])
    score_study(last.study, last.metrics)
    assert _kinds_kept(folder) == {"numbers"}


def _kinds_kept(folder: Path) -> set[str]:
    kept = (folder / "results" / "kept" / "models").rglob("*.parquet")
    return {path.parent.name.split("-")[0] for path in kept}


def test_offline_overrules_the_study(folder: Path) -> None:
    toml = folder / "study.toml"
    toml.write_text(toml.read_text(encoding="utf-8") + "\n[models]\ndownload = true\n")
    assert open_run(folder).study.config.models.download
    assert not open_run(folder, offline=True).study.config.models.download
    assert not model_setup().download
