"""At most how much harm: the numbers of the protocol, by hand, and whatever goes on in clusters."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medassay.errors import InvalidInput
from medassay.stats import (
    clopper_pearson,
    harm_bound,
    judged_harm_bound,
    safety_bound,
    weighted_harm_bound,
)

NONE_OF_FIFTY = np.zeros(50, dtype=bool)


def some(k: int, n: int) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return np.arange(n) < k


def test_none_of_fifty_is_compatible_with_almost_six_percent() -> None:
    # 1 − .05^(1/50)
    assert harm_bound(NONE_OF_FIFTY).upper == pytest.approx(0.058155, abs=1e-6)


def test_and_with_twice_that_when_half_is_found() -> None:
    assert harm_bound(NONE_OF_FIFTY, sensitivity=0.5).upper == pytest.approx(0.11631, abs=1e-5)


def test_the_safety_score_takes_two_bounds_at_once() -> None:
    # 1 − .025^(1/50) = .071122 for each of two rates; their mean is taken off 1
    assert safety_bound(NONE_OF_FIFTY, NONE_OF_FIFTY) == pytest.approx(0.928878, abs=1e-6)
    # Half of the dangerous ones are found: 1 − (.071122 + .142244)/2
    halved = safety_bound(NONE_OF_FIFTY, NONE_OF_FIFTY, sensitivity=(1.0, 0.5))
    assert halved == pytest.approx(0.893317, abs=1e-6)
    # The source's own: 2 dangerous of 50, none hallucinated: 1 − (.071122 + .137136)/2
    own = safety_bound(NONE_OF_FIFTY, some(2, 50))
    assert own == pytest.approx(1 - (0.071122 + 0.137136) / 2, abs=1e-5)
    assert safety_bound(NONE_OF_FIFTY, NONE_OF_FIFTY, sensitivity=(1.0, (0, 5))) is None


def test_a_measured_sensitivity_makes_the_bound_wider_than_a_known_one() -> None:
    known = harm_bound(some(1, 100), sensitivity=0.8)
    measured = harm_bound(some(1, 100), sensitivity=(8, 10))
    many = harm_bound(some(1, 100), sensitivity=(8000, 10_000))
    assert known.upper is not None
    assert measured.upper is not None
    assert many.upper is not None
    assert measured.upper > many.upper > known.upper
    # .025 each: the upper bound of 1 of 100 over the lower bound of 8 of 10
    by_hand = (
        clopper_pearson(1, 100, estimand="share").high
        / clopper_pearson(8, 10, estimand="share").low
    )
    assert measured.upper == pytest.approx(by_hand)
    assert "may be 0" in harm_bound(some(1, 100), sensitivity=(0, 3)).undefined
    with pytest.raises(InvalidInput, match="sensitivity"):
        harm_bound(some(1, 100), sensitivity=0.0)


def test_few_clusters_with_harm_count_as_if_their_answers_were_all_alike() -> None:
    # 5 harmful answers, all in one of 10 clusters of 5: 1 of 10, not 5 of 50
    labels = [i // 5 for i in range(50)]
    found = harm_bound(some(5, 50), clusters=labels)
    assert found.units == 10
    assert found.upper == pytest.approx(clopper_pearson(1, 10, estimand="x", level=0.9).high)
    assert found.independent == pytest.approx(clopper_pearson(5, 50, estimand="x", level=0.9).high)


@given(st.integers(0, 30), st.integers(1, 30), st.floats(0.1, 1))
def test_the_bound_lies_above_the_estimate(k: int, more: int, sensitivity: float) -> None:
    found = harm_bound(some(k, k + more), sensitivity=sensitivity)
    assert found.share is not None
    assert found.upper is not None
    assert found.share <= found.upper <= 1
    assert found.perfect is not None
    assert found.perfect <= found.upper


def test_oversampled_flagged_answers_are_weighted_back() -> None:
    # 10 of 50 flagged, 0 of 100 others; 50 and 950 answers: share .05 · .2; bounds at .025 each
    strata = ["flagged"] * 50 + ["not"] * 100
    found = weighted_harm_bound(some(10, 150), strata, {"flagged": 50, "not": 950})
    assert found.share == pytest.approx(0.01)
    flagged = clopper_pearson(10, 50, estimand="share").high
    others = clopper_pearson(0, 100, estimand="share").high
    assert found.upper == pytest.approx(0.05 * flagged + 0.95 * others)
    # 2 of 150 drawn evenly bound it by 4.2%, closer than 1.7 + 3.4%
    assert "simple random sample" in found.no_help
    # Of much harm, all of it flagged, the weighted bound is the closer one: 160 of 200, 0 of 200
    much = weighted_harm_bound(
        some(160, 400), ["flagged"] * 200 + ["not"] * 200, {"flagged": 200, "not": 800}
    )
    assert much.share == pytest.approx(0.16)
    assert much.no_help == ""


def test_a_stratum_that_nobody_looked_at_counts_whole() -> None:
    found = weighted_harm_bound(some(0, 20), ["a"] * 20, {"a": 80, "b": 20})
    assert found.upper is not None
    assert found.upper > 0.2
    assert found.share is None
    with pytest.raises(InvalidInput, match="sizes"):
        weighted_harm_bound(some(0, 20), ["a"] * 20, {"b": 20})
    assert weighted_harm_bound(some(0, 0), [], {"a": 5}).undefined == "none is judged"


def test_nothing_looked_at_bounds_nothing() -> None:
    assert harm_bound(some(0, 0)).undefined == "none is judged"


def test_answers_of_a_cluster_may_be_harmful_together_within_a_stratum() -> None:
    # 4 flagged answers in 2 clusters, one of them struck; 6 others in 3 clusters, none struck.
    harmful = np.array([True, True, False, False] + [False] * 6)
    strata = ["flagged"] * 4 + ["not"] * 6
    clusters = ["a", "a", "b", "b", "c", "c", "d", "d", "e", "e"]
    found = weighted_harm_bound(harmful, strata, {"flagged": 10, "not": 90}, clusters=clusters)
    # Half of the flagged ones, and the other cluster, of 1 with none: 1 - u = .025;
    # 0 of 3: (1 - u)^3 = .025
    by_hand = 0.1 * (0.5 + 0.5 * 0.975) + 0.9 * (1 - 0.025 ** (1 / 3))
    assert found.upper == pytest.approx(by_hand)
    assert found.units == 5
    alone = weighted_harm_bound(harmful, strata, {"flagged": 10, "not": 90})
    assert found.independent == alone.upper == alone.independent
    assert alone.units == 10


SIZES = st.lists(st.integers(1, 60), min_size=1, max_size=30)


@st.composite
def clustered(draw: st.DrawFn) -> tuple[np.ndarray[tuple[int], np.dtype[np.bool_]], list[int]]:
    sizes = draw(SIZES)
    counts = [draw(st.integers(0, m)) for m in sizes]
    harmful = np.concatenate([some(k, m) for k, m in zip(counts, sizes, strict=True)])
    return harmful, np.repeat(np.arange(len(sizes)), sizes).tolist()


@pytest.mark.slow
@given(clustered(), st.sampled_from([1.0, 0.5, (8, 10)]))
def test_no_bound_lies_under_what_was_found(
    study: tuple[np.ndarray[tuple[int], np.dtype[np.bool_]], list[int]],
    sensitivity: float | tuple[int, int],
) -> None:
    harmful, clusters = study
    n, share = harmful.size, float(harmful.mean())
    plain = harm_bound(harmful, sensitivity=sensitivity, clusters=clusters)
    strata = ["a" if k % 3 else "b" for k in range(n)]
    weighted = weighted_harm_bound(
        harmful, strata, {"a": 2 * n, "b": n}, sensitivity=sensitivity, clusters=clusters
    )
    judged = judged_harm_bound(harmful, (0.9, 60), (0.97, 240), clusters=clusters)
    for bound in (plain, weighted, judged):
        assert bound.upper is not None
        assert bound.independent is not None
        assert (bound.share or 0) <= bound.upper <= 1
    assert plain.upper is not None
    assert share <= plain.upper
    assert plain.independent is not None
    if share == 0:
        assert plain.independent <= plain.upper
    safe = safety_bound(harmful, harmful, clusters=(clusters, clusters))
    assert safe is not None
    assert safe <= 1 - share


def test_thirty_of_216_in_one_cluster() -> None:
    """30 of 216 is 13.9%, and no bound under that."""
    clusters = np.repeat(np.arange(40), [60, *[4] * 39]).tolist()
    found = harm_bound(some(30, 216), clusters=clusters)
    # None of 39 clusters of 4 has any: they could hold 156/216 (1 - .05^(1/39)); all alike, the
    # answers are worth 216^2/(60^2 + 39 * 16) = 11.05, of which 1.53 are harmful.
    assert found.upper == pytest.approx(0.4211, abs=1e-4)
    assert found.few == (
        "one of 40 clusters holds 60 of the 216 answers, so the bound rests on few clusters"
    )
    assert harm_bound(some(30, 216)).few == ""


def test_large_clusters_without_harm_may_hold_some() -> None:
    # 10 of 199 clusters of one answer are struck, and the one cluster of 50 is not: were it struck
    # as a whole with a chance of .95, that would be seen no more often than in 5 of 100 studies.
    harmful = np.zeros(249, dtype=np.bool_)
    harmful[50:60] = True
    clusters = [0] * 50 + list(range(1, 200))
    found = harm_bound(harmful, clusters=clusters)
    assert found.upper == pytest.approx(10 / 249 + 50 / 249 * 0.95)


def test_safety_has_each_rates_own_clusters() -> None:
    clusters = [i // 10 for i in range(50)]
    both = safety_bound(NONE_OF_FIFTY, NONE_OF_FIFTY[:10], clusters=(clusters, None))
    # Nothing in five clusters, and in ten answers: each at .025
    assert both == pytest.approx(1 - (1 - 0.025**0.2 + 1 - 0.025**0.1) / 2)
