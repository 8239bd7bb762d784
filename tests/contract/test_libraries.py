"""Every metric declares the libraries that compute it, so that kept scores know their versions."""

import pytest
from tests.contract.test_every_metric import VARIANTS, build, toy_models

from medassay.metrics import declarations, resolve
from medassay.testing.of_metric import declares_its_libraries, required_by, used_by

__all__ = ["toy_models"]  # a toy in place of each model, for as long as this file runs

PAIRS = [
    build(("Rest at home until the pain is gone.", "He should rest at home.", "Rest helps pain.")),
    build(("Drink water. Take 1 g a day.", "Drink water, take 500 mg.", "Water is good.")),
]


@pytest.mark.slow
@pytest.mark.parametrize("name", [one.name for one in declarations()])
def test_a_metric_declares_what_computes_it(name: str) -> None:
    metrics = [metric for metric in map(resolve, VARIANTS) if metric.name.base == name]
    assert metrics
    declares_its_libraries(metrics, PAIRS)


@pytest.mark.slow
def test_what_is_watched_is_seen() -> None:
    assert used_by(lambda: resolve("bleu(ref=human)").score_batch(PAIRS)) >= {"numpy", "sacrebleu"}
    assert used_by(lambda: None) == set()
    assert "pytrec-eval-terrier" in required_by({"ir-measures"})
