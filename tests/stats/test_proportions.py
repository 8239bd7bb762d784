import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from medassay.errors import InvalidInput
from medassay.stats import clopper_pearson, wilson

counts = st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(counts, st.sampled_from([0.8, 0.95, 0.99]))
def test_both_are_those_of_scipy(share: tuple[int, int], level: float) -> None:
    for ours, method in ((wilson, "wilson"), (clopper_pearson, "exact")):
        found = ours(*share, estimand="a share", level=level)
        theirs = binomtest(*share).proportion_ci(level, method=method)
        assert found.low == pytest.approx(theirs.low, abs=1e-9)
        assert found.high == pytest.approx(theirs.high, abs=1e-9)


@pytest.mark.parametrize(("k", "n"), [(0, 0), (3, 2), (-1, 5)])
def test_impossible_counts_are_refused(k: int, n: int) -> None:
    for interval in (wilson, clopper_pearson):
        with pytest.raises(InvalidInput, match="between 0 and n"):
            interval(k, n, estimand="a share")
