"""What docs/gate.md says of many pull requests in a row."""

import numpy as np
import pytest
from gate_ratchet import ERROR, REQUESTS, shares


def test_small_losses_pass_one_by_one_and_are_found_against_the_first_version() -> None:
    found = shares(50, 0.01, np.random.default_rng(1), simulations=300)
    # Monte Carlo error at most .03 each; 56 and 42% in simulations/gate-ratchet.md
    assert found.all_pass == pytest.approx(0.56, abs=0.1)
    assert found.caught_at_last == pytest.approx(0.42, abs=0.1)


@pytest.mark.slow
@pytest.mark.parametrize("cases", [50, 200])
def test_false_alarms_keep_to_their_level_with_a_baseline_too(cases: int) -> None:
    found = shares(cases, 0.0, np.random.default_rng(2), simulations=500)
    error = np.sqrt(ERROR * (1 - ERROR) / (500 * REQUESTS))
    assert max(found.alarms, found.alarms_both) < ERROR + 3 * error


def test_a_baseline_finds_what_adds_up() -> None:
    found = shares(200, 0.01, np.random.default_rng(3), simulations=300)
    # 11 and 4% in simulations/gate-ratchet.md
    assert found.all_pass_both < found.all_pass - 0.02
    assert found.last_not_worse == 0.0
