"""Bang's index: golden values, exact intervals, and how often chance is called telling apart."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binomtest

from medassay.errors import InvalidInput
from medassay.stats.blinding import Guessed, bang_index, bang_index_of_raters

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "bang.json").read_text("utf-8"))


@pytest.mark.parametrize("row", GOLDEN, ids=lambda row: f"{row['right']} of {row['systems']}")
def test_values_are_those_of_an_independent_computation(row: dict[str, float]) -> None:
    guessed = Guessed(int(row["right"]), int(row["wrong"]), int(row["no_idea"]))
    index = bang_index(guessed, int(row["systems"]), estimand="a test")
    assert index.value == pytest.approx(row["value"], abs=1e-12)
    assert index.standard_error == pytest.approx(row["standard_error"], abs=1e-12)
    assert index.interval.low <= index.value <= index.interval.high


def test_crisp_is_as_the_paper_prints_it() -> None:
    assert [round(row["value"], 2) for row in GOLDEN[:2]] == [0.21, 0.01]


def test_the_interval_is_the_exact_one_of_the_share_that_is_right() -> None:
    index = bang_index(Guessed(3, 2), 5, estimand="a test")
    exact = binomtest(3, 5).proportion_ci(method="exact")
    assert index.interval.low == pytest.approx(exact.low - (1 - exact.low) / 4)
    assert index.interval.high == pytest.approx(exact.high - (1 - exact.high) / 4)


def test_nobody_guessing_and_one_system_have_no_index() -> None:
    for guessed, systems in ((Guessed(0, 0), 2), (Guessed(1, 0), 1)):
        with pytest.raises(InvalidInput):
            bang_index(guessed, systems, estimand="a test")


@pytest.mark.parametrize("systems", [2, 3, 8])
@pytest.mark.parametrize("raters", [1, 3, 26])
def test_chance_is_seldom_called_telling_apart(systems: int, raters: int) -> None:
    """At most one study in forty, where nobody can tell; raters who lean to one system included."""
    rng = np.random.default_rng(21)
    studies, wrongly = 400, 0
    for _ in range(studies):
        truth = rng.integers(systems, size=(raters, 5))
        favourite = rng.integers(systems, size=(raters, 1))
        leans = rng.random((raters, 5)) < 0.6
        right = (np.where(leans, favourite, rng.integers(systems, size=(raters, 5))) == truth).sum(
            1
        )
        panel = [Guessed(int(one), 5 - int(one)) for one in right]
        wrongly += bang_index_of_raters(panel, systems, estimand="a test").interval.low > 0
    assert wrongly <= 20  # one in forty is 10 of 400; chance puts 20 above it once in a thousand
