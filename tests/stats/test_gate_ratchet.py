"""What docs/gate.md says of many pull requests in a row."""

import numpy as np
import pytest
from gate_ratchet import ERROR, REQUESTS, shares


def test_small_losses_pass_one_by_one_and_are_found_against_the_first_version() -> None:
    found = shares(50, 0.01, np.random.default_rng(1), simulations=300)
    # Monte Carlo error at most .03 each; 56 and 42 % in design/gate-ratchet.md
    assert found.all_pass == pytest.approx(0.56, abs=0.1)
    assert found.caught_at_last == pytest.approx(0.42, abs=0.1)


@pytest.mark.parametrize("cases", [50, 200])
def test_false_alarms_keep_to_their_level_and_grow_with_looks(cases: int) -> None:
    found = shares(cases, 0.0, np.random.default_rng(2), simulations=500)
    error = np.sqrt(ERROR * (1 - ERROR) / (500 * REQUESTS))
    assert found.alarms < ERROR + 3 * error
    assert found.ever_caught > found.caught_at_last
