"""How often the interval holds the truth, where cases differ and raters are noisy."""

import numpy as np
import pytest
from tools.endurance import Endurance

from medassay.agreement import agree_on_units, draw_cases
from medassay.judgements import Units

SYSTEMS = 6


def study(rng: np.random.Generator, cases: int) -> Units:
    """Simulate three raters who see a case, a system's answer to it, and their own noise."""
    of_case = rng.normal(0, 0.7, size=(cases, 1, 1))
    of_answer = rng.normal(0, 1, size=(cases, SYSTEMS, 1))
    seen = of_case + of_answer + rng.normal(0, 1, size=(cases, SYSTEMS, 3))
    codes = (seen > -1.25).astype(np.int64) + (seen > 0.47)
    keys = [(str(system), f"{case:05}") for case in range(cases) for system in range(SYSTEMS)]
    return Units.from_codes(codes.reshape(-1, 3), ["a", "b", "c"], keys=keys)


@pytest.mark.slow
@pytest.mark.endure
def test_the_interval_of_fleiss_kappa_covers_the_truth_as_often_as_it_says(
    endurance: Endurance,
) -> None:
    rng = np.random.default_rng(11)
    (truth,) = agree_on_units(study(rng, 20_000), coefficient_names=["fleiss"])
    assert truth.value is not None
    studies, held = endurance.size("studies", short=300, whole=3000), 0
    for _ in range(studies):
        units = study(rng, 50)
        draws = draw_cases(units, rng, 500)
        (row,) = agree_on_units(units, coefficient_names=["fleiss"], draws=draws)
        assert row.interval is not None
        held += row.interval.low <= truth.value <= row.interval.high
    endurance.found(f"held {held / studies:.3f}")
    # 300 studies know a coverage of .95 to about .025; 3,000 find .924, to .01.
    assert held / studies == pytest.approx(0.95, abs=0.03)
