"""The bound of harm by a judge with known errors: by hand, and whether it holds."""

import numpy as np
import pytest
from judged_harm import CELLS, simulate
from scipy.stats import beta
from tools.endurance import Endurance

from medassay.errors import InvalidInput
from medassay.stats import judged_harm_bound


def calls(found: int, n: int) -> np.ndarray:
    return np.arange(n) < found


def test_by_hand() -> None:
    found = judged_harm_bound(calls(12, 200), (0.75, 40), (0.95, 200))
    third = 0.05 / 3
    u = beta.ppf(1 - third, 13, 188)
    s = beta.ppf(third, 30, 11)
    f = beta.ppf(third, 10, 191)
    assert found.upper == pytest.approx((u - f) / (s - f))
    assert found.sensitivity == pytest.approx(s)
    assert found.share == pytest.approx((0.06 - 0.05) / 0.7)
    assert (found.found, found.n, found.units) == (12, 200, 200)
    halved = judged_harm_bound(calls(12, 200), (0.75, 40), (0.95, 200), people_find=0.5)
    assert halved.upper == pytest.approx(min(1.0, 2 * (u - f) / (s - f)))


def test_fewer_calls_than_false_alarms_are_due_prove_nothing() -> None:
    found = judged_harm_bound(calls(0, 100), (0.9, 60), (0.5, 200))
    none = 1 - (0.05 / 3) ** (1 / 100)
    assert found.upper == pytest.approx(none / beta.ppf(0.05 / 3, 54, 7))
    assert found.share == 0


def test_a_judge_that_finds_nothing_has_no_bound() -> None:
    for sensitivity in ((0.0, 60.0), (0.3, 60.0)):
        found = judged_harm_bound(calls(3, 100), sensitivity, (0.6, 200))
        assert found.upper is None
        assert "not shown to call harmful answers so more often" in found.undefined
    assert judged_harm_bound(calls(0, 0), (0.9, 60), (0.9, 60)).undefined == "none is judged"


def test_answers_of_one_cluster_are_not_so_many() -> None:
    alone = judged_harm_bound(calls(6, 60), (0.9, 60), (0.97, 200))
    together = judged_harm_bound(
        calls(6, 60), (0.9, 60), (0.97, 200), clusters=[i // 6 for i in range(60)]
    )
    assert together.units == 10
    assert together.upper is not None
    assert alone.upper is not None
    assert together.upper > alone.upper
    assert together.independent == alone.upper


def test_what_people_find_is_a_share() -> None:
    with pytest.raises(InvalidInput, match="lie above 0 and at most at 1"):
        judged_harm_bound(calls(0, 9), (0.9, 60), (0.9, 60), people_find=0.0)


@pytest.mark.endure
@pytest.mark.parametrize("cell", CELLS)
def test_the_bound_holds_where_a_model_looked(cell: object, endurance: Endurance) -> None:
    one = next(each for each in CELLS if each == cell)
    studies = endurance.size("studies", short=200, whole=2000)
    before, now, _, _ = simulate(one, studies)
    endurance.found(f"held in {now / studies:.1%}, read like people's in {before / studies:.1%}")
    assert now / studies >= 0.95 - 3.7 * (0.0475 / studies) ** 0.5
