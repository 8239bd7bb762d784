"""How often does tau's interval for these systems on new cases hold? A simulation.

    python simulations/coverage_case_tau.py

The truth is tau of the systems' true means. True means of metric and raters are correlated RHO,
normal unless the row says otherwise; answers add noise of SD 1, apart in each column. *Before* is
the bootstrap over cases: basic from twelve systems on, bias-corrected below.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from page_table import percent, put_table

from medassay.scores import Grid
from medassay.stats import bootstrap_counts, tau_b, tau_replicates
from medassay.validity import Source
from medassay.validity.block import blocks
from medassay.validity.tau_interval import (
    ESTIMANDS,
    Method,
    Resampling,
    interval_of,
    true_tau_interval,
)

RHO: Final = 0.8
CASES: Final = 100
REPLICATES: Final = 200
SIMULATIONS: Final = 1000
SEED: Final = 20251
SPREADS: Final = (0.15, 0.3, 0.6)
OLD_BASIC: Final = 12
PAGE: Final = Path(__file__).parents[1] / "simulations" / "coverage-case-tau.md"

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Drawn:
    """One study: true means, shape (2, systems); answers, (2, systems, cases); what is known."""

    true: Floats
    answers: Floats
    known: NDArray[np.bool_]
    clusters: dict[str, str] | None = None


def normal(systems: int, spread: float, rng: np.random.Generator) -> Drawn:
    """Draw normal true means."""
    true = spread * _correlated(systems, rng)
    return _answered(true, rng.normal(size=(2, systems, CASES)))


def outlying(systems: int, spread: float, rng: np.random.Generator) -> Drawn:
    """Draw true means from a t distribution of 2 degrees of freedom."""
    heavy = np.sqrt(2 / rng.chisquare(2, size=systems))
    return _answered(
        spread * heavy * _correlated(systems, rng), rng.normal(size=(2, systems, CASES))
    )


def two_kinds(systems: int, spread: float, rng: np.random.Generator) -> Drawn:
    """Let half of the systems lie three SDs above the others, in both columns."""
    kind = 3 * (np.arange(systems) % 2)
    return _answered(
        spread * (_correlated(systems, rng) + kind), rng.normal(size=(2, systems, CASES))
    )


def clustered(systems: int, spread: float, rng: np.random.Generator) -> Drawn:
    """Let cases come in clusters of five that share half of an answer's noise."""
    shared = np.repeat(rng.normal(size=(2, systems, CASES // 5)), 5, axis=2)
    noise = np.sqrt(0.5) * (shared + rng.normal(size=(2, systems, CASES)))
    drawn = _answered(spread * _correlated(systems, rng), noise)
    return Drawn(
        drawn.true, drawn.answers, drawn.known, {f"{k:03}": f"c{k // 5}" for k in range(CASES)}
    )


def with_holes(systems: int, spread: float, rng: np.random.Generator) -> Drawn:
    """Leave out four answers in ten, more of some systems, and let cases differ."""
    drawn = normal(systems, spread, rng)
    kept = rng.random((systems, CASES)) < np.linspace(0.3, 0.9, systems)[:, None]
    kept[:, :2] = True
    return Drawn(drawn.true, drawn.answers + rng.normal(size=CASES), kept)


CELLS: Final[tuple[tuple[str, Callable[..., Drawn], int, float], ...]] = (
    *(("normal", normal, systems, spread) for systems in (6, 12, 28) for spread in SPREADS),
    *(
        (title, draw, 12, SPREADS[1])
        for title, draw in (
            ("t, 2 degrees of freedom", outlying),
            ("two kinds of systems", two_kinds),
            ("clusters of five cases", clustered),
            ("four answers in ten missing", with_holes),
        )
    ),
)


def simulate(
    draw: Callable[..., Drawn],
    systems: int,
    spread: float,
    rng: np.random.Generator,
    simulations: int = SIMULATIONS,
) -> tuple[Counter[str], dict[str, float]]:
    """Count the intervals that hold the truth and their own tau, and add up their widths."""
    seen: Counter[str] = Counter()
    widths = {"before": 0.0, "now": 0.0}
    for _ in range(simulations):
        drawn = draw(systems, spread, rng)
        names = tuple(f"{i:03}" for i in range(systems)), tuple(f"{k:03}" for k in range(CASES))
        metric, human = (
            Source(name, Grid(*names, values, drawn.known))
            for name, values in zip("mh", drawn.answers, strict=True)
        )
        [block] = blocks([metric], [human])
        tau, truth = float(block.taus[0, 0]), tau_b(*drawn.true)
        method: Method = "basic" if systems >= OLD_BASIC else "bias-corrected"
        seed = int(rng.integers(2**62))
        how = Resampling(seed, REPLICATES, 0.95, method, drawn.clusters, None)
        labels = None if drawn.clusters is None else list(drawn.clusters.values())
        counts = bootstrap_counts(CASES, REPLICATES, np.random.default_rng(seed), labels)
        old = tau_replicates(*block.sides, case_counts=counts).values[:, 0, 0]
        if truth is None:
            continue
        made = {
            "before": interval_of(tau, old, ESTIMANDS[0], how),
            "now": true_tau_interval(block, (0, 0), tau, how),
        }
        for name, one in made.items():
            if one.interval is None:
                continue
            low, high = one.interval.low - 1e-9, one.interval.high + 1e-9
            seen[f"made {name}"] += 1
            seen[f"holds {name}"] += low <= truth <= high
            seen[f"own {name}"] += low <= tau <= high
            widths[name] += high - low
    return seen, widths


def _correlated(systems: int, rng: np.random.Generator) -> Floats:
    return np.linalg.cholesky([[1, RHO], [RHO, 1]]) @ rng.normal(size=(2, systems))


def _answered(true: Floats, noise: Floats) -> Drawn:
    return Drawn(true, true[:, :, None] + noise, np.ones(noise.shape[1:], dtype=np.bool_))


def main() -> None:
    """Simulate every cell, print the table and put it into the page."""
    lines = [
        "| true means | systems | spread | holds | now | own tau | width | now |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for title, draw, systems, spread in CELLS:
        rng = np.random.default_rng([SEED, systems, round(100 * spread)])
        seen, widths = simulate(draw, systems, spread, rng)
        shares = [
            percent(seen[f"{what} {name}"] / seen[f"made {name}"], seen[f"made {name}"])
            for what, name in (("holds", "before"), ("holds", "now"), ("own", "before"))
        ]
        mean = [f"{width / seen[f'made {name}']:.2f}" for name, width in widths.items()]
        lines.append(f"| {title} | {systems} | {spread} | {' | '.join([*shares, *mean])} |")
        print(lines[-1], flush=True)
    put_table(PAGE, lines)


if __name__ == "__main__":
    main()
