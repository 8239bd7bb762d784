"""How often do the intervals for tau hold the truth? A seeded simulation.

    python simulations/coverage_tau.py

Every system has a true mean in two columns, correlated RHO; every answer adds noise of SD 1, apart
in each column. So the truth is known for each estimand of new systems; the other is in
`simulations/coverage_case_tau.py`:

- new systems, these cases: the noise of these cases stays, 2/π · asin(RHO · λ), where λ is the
  reliability of the means;
- new systems, new cases: 2/π · asin(RHO).
"""

from collections import Counter
from pathlib import Path
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray
from page_table import put_table

from medassay.scores import Grid
from medassay.validity import ESTIMANDS, Source, correlate

RHO: Final = 0.8
CASES: Final = 100
SYSTEMS: Final = (6, 10, 16, 28)
SPREADS: Final = (0.15, 0.3, 0.6)
SIMULATIONS: Final = 500
REPLICATES: Final = 500
SEED: Final = 20250
METHODS: Final[tuple[Literal["percentile", "basic", "bias-corrected"], ...]] = (
    "percentile",
    "basic",
    "bias-corrected",
)
PAGE: Final = Path(__file__).parents[1] / "simulations" / "coverage-tau.md"


def simulate(systems: int, spread: float) -> tuple[Counter[tuple[str, str, str]], list[float]]:
    """Count hits, misses and absent intervals by (method, estimand); list the reliabilities."""
    rng = np.random.default_rng([SEED, systems, round(100 * spread)])
    outcomes: Counter[tuple[str, str, str]] = Counter()
    reliabilities: list[float] = []
    reliability = spread**2 / (spread**2 + 1 / CASES)
    mixing = np.linalg.cholesky([[1, RHO], [RHO, 1]])
    for _ in range(SIMULATIONS):
        true = spread * mixing @ rng.normal(size=(2, systems))
        answers = true[:, :, None] + rng.normal(size=(2, systems, CASES))
        metric, consensus = (_source(name, part) for name, part in zip("mh", answers, strict=True))
        truth = dict(
            zip(
                ESTIMANDS[1:],
                (
                    2 / np.pi * np.arcsin(RHO * reliability),
                    2 / np.pi * np.arcsin(RHO),
                ),
                strict=True,
            )
        )
        state = rng.integers(2**63)
        for method in METHODS:
            [found] = correlate(
                [metric],
                [consensus],
                rng=np.random.default_rng(state),
                replicates=REPLICATES,
                method=method,
            )
            if method == METHODS[0] and found.consensus_reliability.value is not None:
                reliabilities.append(found.consensus_reliability.value)
            for part in found.intervals[1:]:
                word = "none"
                if part.interval is not None:
                    # tau of few systems takes few values: a bound equal to the truth holds it.
                    low, high = part.interval.low - 1e-9, part.interval.high + 1e-9
                    word = "hit" if low <= truth[part.estimand] <= high else "miss"
                outcomes[method, part.estimand, word] += 1
    return outcomes, reliabilities


def _source(name: str, values: NDArray[np.float64]) -> Source:
    systems, cases = (tuple(f"{i:03}" for i in range(n)) for n in values.shape)
    return Source(name, Grid(systems, cases, values, np.ones(values.shape, dtype=np.bool_)))


def main() -> None:
    """Run all settings, print the table and write the page."""
    lines = [
        f"| systems | spread | reliability | estimand | {' | '.join(METHODS)} | no interval |",
        f"| ---: | ---: | ---: | :--- |{' ---: |' * (len(METHODS) + 1)}",
    ]
    for systems in SYSTEMS:
        for spread in SPREADS:
            outcomes, reliabilities = simulate(systems, spread)
            middle = f"{np.median(reliabilities):.2f}"
            for estimand in ESTIMANDS[1:]:
                hits = [outcomes[method, estimand, "hit"] for method in METHODS]
                absent = [outcomes[method, estimand, "none"] for method in METHODS]
                held = [100 * h / (SIMULATIONS - a) for h, a in zip(hits, absent, strict=True)]
                cells = [*(f"{share:.0f}" for share in held), f"{max(absent) / SIMULATIONS:.1%}"]
                lines.append(
                    f"| {systems} | {spread} | {middle} | {estimand} | {' | '.join(cells)} |"
                )
                print(lines[-1], flush=True)
    put_table(PAGE, lines)


if __name__ == "__main__":
    main()
