"""Whether the bound of harm holds where clusters are unequal, and large ones worse."""

import numpy as np
import pytest
from boxes import harm
from harm_clusters import DESIGNS, Design, rates
from tools.endurance import Endurance

WORST = (
    Design(200, 4, 4, (0.2, 0.005), 1.0),
    Design(100, 10, 4, (0.2, 0.005), 1.0),
    Design(200, 10, 4, (0.1, 0.005), 0.5),
    Design(200, 2, 1, (0.2, 0.05), 1.0),
    Design(40, 0, 20, (0.0, 0.1), 0.5),
)


@pytest.mark.parametrize("design", WORST)
def test_where_other_rules_miss_it_holds(design: Design) -> None:
    of = rates(design, np.random.default_rng(3), 300)
    assert of.now <= 0.05 + 3 * (0.0475 / 300) ** 0.5


def test_before_it_did_not() -> None:
    of = rates(WORST[0], np.random.default_rng(3), 300)
    assert of.before > 0.8
    assert of.under_found > 0.3
    assert of.korn > 0.08


def test_few_large_clusters_that_are_harmful_as_a_whole_carry_the_error() -> None:
    """Counting every cluster with harm, a search found 7.8% here."""
    design = {
        "clusters": 400, "large": 0.2, "size of large": 25, "size of others": 2,
        "harm in large": 0.05, "harm in others": 0.2, "alike": 0.6,
    }  # fmt: skip
    assert harm(design, np.random.default_rng(3), 2000) / 2000 <= 0.05 + 2 * (0.0475 / 2000) ** 0.5


@pytest.mark.endure
@pytest.mark.parametrize("design", DESIGNS)
def test_the_bound_holds(design: Design, endurance: Endurance) -> None:
    studies = endurance.size("studies", short=200, whole=1000)
    wrong = rates(design, np.random.default_rng(5), studies).now
    endurance.found(f"too low in {wrong:.1%}")
    assert wrong <= 0.05 + 3.7 * (0.0475 / studies) ** 0.5
