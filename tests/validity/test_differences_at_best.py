"""What differences a size can show at best, held against the tests themselves."""

import numpy as np
import pytest
from scipy import stats

from medassay.errors import InvalidInput
from medassay.stats import holm, paired_gate
from medassay.stats.betting import betting_p
from medassay.validity import differences_at_best

ERROR = 0.025


@pytest.mark.parametrize("systems", [2, 3, 6, 28])
def test_the_smallest_difference_of_right_answers_is_that_of_the_exact_test(systems: int) -> None:
    found = differences_at_best(systems, 1, 200, margin=0.02, harms={})
    assert found.right_or_wrong is not None
    cases = round(200 * found.right_or_wrong)
    level = 0.05 / (systems * (systems - 1) / 2)
    assert stats.binomtest(cases, cases).pvalue <= level
    assert stats.binomtest(cases - 1, cases - 1).pvalue > level
    assert differences_at_best(systems, 1, cases, margin=0.02, harms={}).right_or_wrong == 1.0
    assert differences_at_best(systems, 1, cases - 1, margin=0.02, harms={}).right_or_wrong is None


def test_a_mean_so_far_off_is_found_in_four_pairs_of_five() -> None:
    found = differences_at_best(2, 1, 400, margin=0.02, harms={})
    assert found.standard_deviations is not None
    drawn = np.random.default_rng(3).normal(found.standard_deviations, 1.0, (3000, 400))
    power = (stats.ttest_1samp(drawn, 0.0, axis=1).pvalue <= 0.05).mean()
    assert power == pytest.approx(0.8, abs=0.03)


@pytest.mark.parametrize(("systems", "metrics", "span"), [(1, 1, 1.0), (6, 5, 1.0), (2, 2, 4.0)])
def test_from_the_floor_on_unchanged_answers_are_not_worse(
    systems: int, metrics: int, span: float
) -> None:
    found = differences_at_best(systems, metrics, 50, margin=0.02 * span, harms={"flag": span})
    [floor] = found.floors
    worst = (1 - 0.02) / 2
    for cases, tests in ((floor.alone, 1), (floor.together, systems * metrics)):
        at, under = (betting_p(np.full(n, 0.5), worst) for n in (cases, cases - 1))
        assert max(holm([at] * tests)) <= ERROR < max(holm([under] * tests))


@pytest.mark.parametrize(("systems", "metrics"), [(1, 1), (6, 5)])
def test_by_other_scores_as_many_unchanged_answers_are_needed_as_show_a_heavy_loss(
    systems: int, metrics: int
) -> None:
    found = differences_at_best(systems, metrics, 50, margin=0.02, harms={}).other
    for cases, tests in ((found.alone, 1), (found.together, systems * metrics)):
        at, under = (
            paired_gate(np.tile([1e-9, -1e-9], n)[:n], margin=0.02, span=1.0).p_not_worse
            for n in (cases, cases - 1)
        )
        assert at is not None
        assert under is not None
        assert tests * at <= ERROR < tests * under + 1e-6


def test_what_a_difference_is_on_a_scale_says_what_it_assumes() -> None:
    found = differences_at_best(2, 1, 100, margin=0.02, harms={})
    assert found.standard_deviations is not None
    assert found.share_of_scale == found.assumed_spread * found.standard_deviations
    assert differences_at_best(2, 1, 1, margin=0.02, harms={}).share_of_scale is None


def test_without_pairs_or_answers_there_is_no_number() -> None:
    alone = differences_at_best(1, 3, 100, margin=0.02, harms={})
    assert (alone.right_or_wrong, alone.standard_deviations, alone.tests) == (None, None, 3)
    empty = differences_at_best(4, 3, 0, margin=0.02, harms={})
    assert (empty.right_or_wrong, empty.standard_deviations) == (None, None)
    with pytest.raises(InvalidInput, match="margin"):
        differences_at_best(4, 3, 10, margin=0.0, harms={})
