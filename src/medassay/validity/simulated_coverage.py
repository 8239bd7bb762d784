"""What the trust table's intervals held in simulation, for studies of about this size."""

from dataclasses import dataclass
from math import log
from typing import Final


@dataclass(frozen=True, slots=True)
class SimulatedCoverage:
    """One simulated setting; percent of tables.

    Attributes:
        systems: How many.
        reliability: Of the raters' means.
        together: Tables in which the intervals of all metrics held.
        lower_end: Tables in which the lower end of the best metric held, which verdicts read.
    """

    systems: int
    reliability: float
    together: int
    lower_end: int


SIMULATED: Final = (
    SimulatedCoverage(6, 0.53, 79, 97),
    SimulatedCoverage(6, 0.82, 89, 96),
    SimulatedCoverage(6, 0.95, 93, 95),
    SimulatedCoverage(12, 0.53, 86, 100),
    SimulatedCoverage(12, 0.82, 96, 98),
    SimulatedCoverage(12, 0.95, 93, 95),
    SimulatedCoverage(20, 0.53, 48, 100),
    SimulatedCoverage(20, 0.82, 91, 99),
    SimulatedCoverage(20, 0.95, 96, 98),
    SimulatedCoverage(28, 0.53, 59, 100),
    SimulatedCoverage(28, 0.82, 96, 98),
    SimulatedCoverage(28, 0.95, 90, 91),
)
"""simulations/coverage-trust.md; a test holds the two together."""
_ENOUGH: Final = 90
"""Percent of tables: five points under the level."""


def coverage_warning(systems: int, reliability: float | None) -> str:
    """Do the trust table's 95% intervals hold less than they say, in a study like this?

    Looks up the nearest simulated setting: the number of systems by ratio, then the reliability.

    Args:
        systems: How many systems tau is over.
        reliability: Of the raters' means; None where it is unknown.

    Returns:
        What the intervals held there; empty where it was at least 90%, within five points of 95.

    Example:
        >>> coverage_warning(28, 0.85)
        ''
        >>> coverage_warning(12, 0.55)[:49]
        'nearest simulation (12 systems, reliability 0.53)'
    """
    if reliability is None:
        return "the reliability of the raters' means is unknown, and with it what intervals hold"
    count = min(
        {simulated_coverage.systems for simulated_coverage in SIMULATED},
        key=lambda n: abs(log(max(systems, 1) / n)),
    )
    near = min(
        (
            simulated_coverage
            for simulated_coverage in SIMULATED
            if simulated_coverage.systems == count
        ),
        key=lambda simulated_coverage: abs(simulated_coverage.reliability - reliability),
    )
    if min(near.together, near.lower_end) >= _ENOUGH:
        return ""
    where = f"{count} systems, reliability {near.reliability:.2f}"
    return (
        f"nearest simulation ({where}): all intervals held together in {near.together}% of "
        f"tables instead of 95%, the lower end of the best metric in {near.lower_end}%"
    )
