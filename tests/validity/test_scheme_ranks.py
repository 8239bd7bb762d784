import numpy as np
import pytest

from medassay.judgements import Units
from medassay.validity import SchemeRanks, scheme_ranks


def panel(raters: int = 3, systems: int = 6, cases: int = 20) -> Units:
    rng = np.random.default_rng(11)
    quality = np.repeat(np.linspace(0.4, 1.6, systems), cases)[:, None]
    codes = np.clip(np.rint(quality + rng.normal(size=(systems * cases, raters))), 0, 2)
    keys = [(f"s{i}", f"c{j:02}") for i in range(systems) for j in range(cases)]
    return Units.from_codes(codes, ["no", "part", "yes"], keys=keys, scores=[0, 1, 2])


def compare(units: Units, seed: int = 1) -> list[SchemeRanks]:
    return scheme_ranks(units, rng=np.random.default_rng(seed), draws=4)


def test_all_labels_then_two_then_one() -> None:
    found = compare(panel())
    assert [(one.k, one.draws) for one in found] == [(3, 1), (2, 4), (1, 4)]
    assert found[0].second == "mace"
    assert found[1].second == "mace(restarts=2)"  # what was done is in the name
    assert found[0].p is not None
    assert found[0].p < 0.05
    assert found[1].p is None


def test_places_are_ranks_and_their_spread_holds_the_mean() -> None:
    for one in compare(panel()):
        assert sum(place.first for place in one.places) == pytest.approx(21)  # 1 + ... + 6
        assert sum(place.second for place in one.places) == pytest.approx(21)
        assert all(place.low <= place.second <= place.high for place in one.places)
        assert one.tau is not None
        assert one.tau_low is not None
        assert one.tau_high is not None
        assert one.tau_low <= one.tau <= one.tau_high


def test_the_same_seed_gives_the_same_draws() -> None:
    assert compare(panel()) == compare(panel())
    assert compare(panel())[1] != compare(panel(), seed=2)[1]


def test_a_method_beside_itself_with_all_labels_is_the_same_ranking() -> None:
    whole = scheme_ranks(panel(), "mean", "mean", rng=np.random.default_rng(1), draws=2)[0]
    assert whole.tau == pytest.approx(1)
    assert all(place.first == place.second for place in whole.places)


def test_two_systems_have_no_ranking_to_compare() -> None:
    found = compare(panel(systems=2))
    assert found[0].tau is None
    assert "needs 3 systems" in found[0].reason
