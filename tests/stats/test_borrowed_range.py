"""A range over stated sensitivities holds what each of them would give, and its ends follow it."""

import numpy as np
import pytest
from borrowed_rates import held

from medassay.stats import rogan_gladen
from medassay.stats.judged_means import SENSITIVITIES, share_over_sensitivities

COUNTED = 10**9


@pytest.mark.parametrize("sensitivity", [0.5, 0.6, 0.75, 0.9, 1.0])
def test_the_range_holds_the_interval_of_every_sensitivity_in_it(sensitivity: float) -> None:
    found = share_over_sensitivities(70, 200, (90, 100))
    assert found is not None
    known = rogan_gladen(70, 200, (round(sensitivity * COUNTED), COUNTED), (90, 100))
    assert known.interval is not None
    assert found[0] <= known.interval.low + 1e-6
    assert known.interval.high <= found[1] + 1e-6
    ends = (found[1], None, None, None, found[0])
    at = dict(zip([0.5, 0.6, 0.75, 0.9, 1.0], ends, strict=True))[sensitivity]
    if at is not None:  # at either end the two meet
        assert at in (pytest.approx(known.interval.low), pytest.approx(known.interval.high))


def test_where_half_is_no_better_than_chance_there_is_no_range() -> None:
    assert share_over_sensitivities(70, 200, (55, 100)) is None
    assert SENSITIVITIES == (0.5, 1.0)


def test_where_the_flag_finds_half_of_what_was_borrowed_the_range_holds_the_share() -> None:
    before, now, _ = held(0.3, 0.5, 100, np.random.default_rng(2), 300)
    assert before < 0.65
    assert now > 0.95
