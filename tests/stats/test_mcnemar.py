import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from medassay.errors import InvalidInput
from medassay.stats import mcnemar_exact


@given(st.integers(0, 2000), st.integers(0, 2000))
def test_it_is_the_binomial_test_of_the_questions_they_differ_on(b: int, c: int) -> None:
    found = mcnemar_exact(b, c)
    if b + c:
        assert found.p == pytest.approx(binomtest(b, b + c).pvalue, rel=1e-9, abs=1e-300)
    assert mcnemar_exact(c, b).p == found.p


def test_a_count_below_nothing_is_refused() -> None:
    with pytest.raises(InvalidInput, match="must be 0 or more"):
        mcnemar_exact(-1, 2)
