import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control

from medassay.errors import InvalidInput
from medassay.stats import benjamini_hochberg, holm

GOLDEN = Path(__file__).parents[1] / "golden" / "multiplicity_statsmodels.json"
FAMILIES = json.loads(GOLDEN.read_text(encoding="utf-8"))["families"]
p_values = st.lists(st.floats(0, 1), min_size=1, max_size=30)


@pytest.mark.parametrize("family", FAMILIES)
def test_both_are_those_of_statsmodels(family: dict[str, list[float]]) -> None:
    assert holm(family["p"]).tolist() == pytest.approx(family["holm"])
    expected = pytest.approx(family["benjamini_hochberg"])
    assert benjamini_hochberg(family["p"]).tolist() == expected


@given(p_values)
def test_benjamini_hochberg_is_that_of_scipy(p: list[float]) -> None:
    np.testing.assert_allclose(benjamini_hochberg(p), false_discovery_control(p))


@given(p_values)
def test_holm_never_lowers_a_p_and_keeps_the_order(p: list[float]) -> None:
    adjusted = holm(p)
    assert (adjusted >= np.array(p)).all()
    assert (adjusted <= 1).all()
    assert (np.diff(adjusted[np.argsort(p, kind="stable")]) >= 0).all()


def test_no_test_at_all_is_no_problem() -> None:
    assert holm([]).size == benjamini_hochberg([]).size == 0


@pytest.mark.parametrize("wrong", [-0.1, 1.1, float("nan")])
def test_what_is_no_probability_is_refused(wrong: float) -> None:
    for adjust in (holm, benjamini_hochberg):
        with pytest.raises(InvalidInput, match="between 0 and 1"):
            adjust([0.5, wrong])
