"""How often does a monitor cry wolf, and how soon does it see a drift?

    python simulations/monitor.py

A quarter of 90 days is simulated: a baseline, and what is asked, answered and scored each day,
held beside it by the rule of `medassay monitor` (`first_drift`, its error divided as there) over
14 quantities: eight shares, and six with values on a grid, as places in the baseline are.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from page_table import percent, put_table

from medassay.analyses.monitor.watch import ERROR
from medassay.stats.betting import DriftTally, baseline_interval, first_drift

DAYS: Final = 90
QUARTERS: Final = 1000
FEW: Final = 200
SEED: Final = 2357
PAGE: Final = Path(__file__).parents[1] / "simulations" / "monitor.md"
SHARES: Final = (0.0, 0.01, 0.04, 0.05, 0.1, 0.2, 0.4, 0.4)
GRID: Final = np.linspace(0, 1, 21)
WATCHED: Final = 14
"""The quantities: the shares, and the rest with values on the grid, each as likely as another."""
PLANTED: Final = 2
"""Which quantity drifts: the share of .04."""
START: Final = 60

Probabilities = NDArray[np.float64]
Day = Callable[[int, np.random.Generator], float]


class Design(NamedTuple):
    """How a quarter goes.

    Attributes:
        title: What it is.
        baseline: Answers of the baseline.
        answers: Answers a day.
        tilt: Day to how far everything leans to high values on it; drawn with the randomness.
    """

    title: str
    baseline: int
    answers: int
    tilt: Day = lambda _day, _rng: 0.0


def quarter(design: Design, rng: np.random.Generator) -> bool:
    """Simulate a quarter without drift; say whether anything is seen to drift."""
    tilts = [design.tilt(day, rng) for day in range(DAYS)]
    return any(seen(design, number, tilts, rng) is not None for number in range(WATCHED))


def seen(
    design: Design,
    number: int,
    tilts: Sequence[float],
    rng: np.random.Generator,
    planted: float | None = None,
) -> int | None:
    """Simulate a quantity; give the day on which it is seen to drift."""
    values, usual = _usual(number)
    base = rng.multinomial(design.baseline, usual)
    of_day = np.array([_tilted(values, usual, tilt) for tilt in tilts])
    if planted is not None:
        of_day[START:] = 1 - planted, planted
    days = [_tally(values, times) for times in rng.multinomial(design.answers, of_day)]
    if first_drift(days, _narrow(_tally(values, base)), ERROR / 2 / WATCHED) is None:
        return None  # nor would it be beside the wider interval, which takes long to find
    between = _between(values.tobytes(), base.tobytes())
    drift = first_drift(days, between, ERROR / 2 / WATCHED)
    return None if drift is None else drift.seen


def _usual(number: int) -> tuple[NDArray[np.float64], Probabilities]:
    if number < len(SHARES):
        return np.array([0.0, 1.0]), np.array([1 - SHARES[number], SHARES[number]])
    return GRID, np.full(len(GRID), 1 / len(GRID))


def _tilted(values: NDArray[np.float64], usual: Probabilities, tilt: float) -> Probabilities:
    if not tilt:
        return usual
    leaning = usual * np.exp(tilt * values)
    return np.asarray(leaning / leaning.sum())


def _tally(values: NDArray[np.float64], times: NDArray[np.int64]) -> DriftTally:
    return DriftTally(values[times > 0], times[times > 0].astype(np.float64))


def _narrow(tally: DriftTally) -> tuple[float, float]:
    """Give two standard errors about the mean: the interval of the rule is never as narrow."""
    mean = tally.mean
    spread = 2 * float(((tally.values - mean) ** 2 @ tally.times) ** 0.5 / len(tally))
    return mean - spread, mean + spread or 1e-6


@lru_cache(maxsize=10_000)  # a share has few counts that are likely
def _between(values: bytes, times: bytes) -> tuple[float, float]:
    tally = _tally(np.frombuffer(values), np.frombuffer(times, dtype=np.int64))
    return baseline_interval(tally, ERROR / 2 / WATCHED)


def weekend(day: int, _rng: np.random.Generator) -> float:
    """Lean at weekends: odds of a share go up by half."""
    return 0.4 if day % 7 >= 5 else 0.0  # noqa: PLR2004 - Saturday


def crowds(_day: int, rng: np.random.Generator) -> float:
    """Lean anew each day, as answers of one day are alike; on average not at all."""
    return float(rng.normal(0.0, 0.3))


QUIET: Final = (
    Design("nothing changes", 200, 30),
    Design("nothing changes", 1000, 30),
    Design("nothing changes", 1000, 300),
    Design("nothing changes", 10000, 1000),
)
BREAKING: Final = (
    Design("weekends differ: odds half as high again", 1000, 300, weekend),
    Design("weekends differ: odds half as high again", 10000, 300, weekend),
    Design("answers of a day alike: odds vary by a third", 1000, 300, crowds),
    Design("answers of a day alike: odds vary by a third", 10000, 300, crowds),
)


def false_alarms(design: Design, rng: np.random.Generator, quarters: int) -> float:
    """Give the share of quarters without drift in which something is seen to drift."""
    return float(np.mean([quarter(design, rng) for _ in range(quarters)]))


def delays(
    design: Design, planted: float, rng: np.random.Generator, quarters: int
) -> list[int | None]:
    """Give the days from the drift to when it was seen; None where it was not by the quarter's end.

    One that was called before it began counts as not seen.
    """
    still = [0.0] * DAYS
    found = [seen(design, PLANTED, still, rng, planted) for _ in range(quarters)]
    return [None if day is None or day < START else day - START for day in found]


def quiet_table() -> list[str]:
    """Make the table of quarters without drift, and of those in which the rule does not hold."""
    rng = np.random.default_rng(SEED)
    lines = [
        "| quarter | baseline | answers a day | quarters | a drift is called |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for design in (*QUIET, *BREAKING):
        quarters = QUARTERS if design in QUIET else FEW
        rate = percent(false_alarms(design, rng, quarters), quarters)
        size = f"{design.baseline:,} | {design.answers:,} | {quarters:,}"
        lines.append(f"| {design.title} | {size} | {rate} |")
    return lines


def power_table() -> list[str]:
    """Make the table of how soon a drift is seen."""
    rng = np.random.default_rng(SEED)
    lines = [
        (
            "| share, from 4 % to | baseline | answers a day | seen on the day | within 3 days "
            "| within 7 days | within 30 days | median day |"
        ),
        "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for size, answers in ((1000, 100), (1000, 300), (10000, 300), (10000, 1000)):
        for planted in (0.06, 0.08, 0.12, 0.2, 0.3):
            found = delays(Design("", size, answers), planted, rng, FEW)
            late = np.array([DAYS if day is None else day for day in found])
            cells = " | ".join(percent(float((late < by).mean()), FEW) for by in (1, 3, 7, 30))
            middle = int(np.median(late))
            median = f"{middle + 1}." if middle < DAYS else "not by the end"
            lines.append(f"| {100 * planted:.0f} % | {size:,} | {answers:,} | {cells} | {median} |")
    return lines


if __name__ == "__main__":
    put_table(PAGE, power_table(), "power")
    put_table(PAGE, quiet_table())
