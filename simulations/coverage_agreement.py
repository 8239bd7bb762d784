"""How often do the intervals of agreement hold the truth? A seeded simulation.

    python simulations/coverage_agreement.py

Raters see case + answer + their own noise and cut it into three labels (two, where the coefficient
needs two), so answers of one case resemble each other. The truth is the coefficient over 20,000
such cases. All coefficients of a design read the same simulated studies and the same resamples.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from page_table import put_table

from medassay.agreement import Prepared, find_coefficient
from medassay.judgements import Units
from medassay.stats import basic_interval, bootstrap_counts, percentile_interval


@dataclass(frozen=True)
class Design:
    """Who rates what, and which coefficients are looked at."""

    cases: int
    systems: int
    raters: int
    names: tuple[str, ...]
    cuts: tuple[float, ...] = (-1.25, 0.47)


PAIR: Final = (
    *("unanimous", "cohen", "cohen(weights=linear)", "cohen(weights=quadratic)", "scott"),
    *("krippendorff", "gwet", "brennan_prediger", "icc", "specific(label=a)"),
)
PANEL: Final = (
    *("unanimous", "mean_pairwise", "mean_cohen", "fleiss", "krippendorff"),
    *("krippendorff(level=ordinal)", "krippendorff(level=interval)", "gwet"),
    *("gwet(weights=quadratic)", "brennan_prediger", "icc", "icc(form=1k)", "specific(label=a)"),
)
BINARY: Final = ("cohen", "pabak", "prevalence", "bias", "gwet")
DESIGNS: Final = (
    Design(10, 1, 2, PAIR),
    Design(18, 1, 2, PAIR),
    Design(40, 1, 2, PAIR),
    Design(100, 1, 2, PAIR),
    Design(40, 1, 2, BINARY, (0.47,)),
    Design(10, 6, 3, PANEL),
    Design(20, 6, 3, PANEL),
    Design(50, 6, 3, PANEL),
)
SIMULATIONS: Final = 400
REPLICATES: Final = 500
TRUTH_CASES: Final = 20_000
SEED: Final = 20251
PAGE: Final = Path(__file__).parents[1] / "simulations" / "agreement-intervals.md"


def simulate(design: Design, cases: int, rng: np.random.Generator) -> Units:
    """Simulate a study with so many cases."""
    shape = (cases, design.systems)
    of_answer = rng.normal(0, 0.7, size=(cases, 1, 1)) + rng.normal(size=(*shape, 1))
    seen = of_answer + rng.normal(size=(*shape, design.raters))
    codes = np.digitize(seen, design.cuts).reshape(-1, design.raters)
    keys = [(str(j), f"{case:05}") for case in range(cases) for j in range(design.systems)]
    labels = "abc"[: len(design.cuts) + 1]
    return Units.from_codes(codes, labels, keys=keys, scale="interval", scores=range(len(labels)))


def prepare(name: str, units: Units) -> Prepared | None:
    """Prepare a coefficient; None where it has no value on this study."""
    found, parsed = find_coefficient(name)
    prepared = found.prepare(units, **dict(parsed.arguments))
    return prepared if isinstance(prepared, Prepared) else None


def value_of(prepared: Prepared) -> float:
    """Give the value with every case once."""
    return float(prepared.at(np.ones((1, len(prepared.used.cases))))[0])


def coverage(design: Design) -> list[tuple[str, float, float, float, int]]:
    """Give each coefficient's truth, the shares of intervals that hold it, and on how many."""
    rng = np.random.default_rng(
        [SEED, design.cases, design.systems, design.raters, len(design.cuts)]
    )
    large = simulate(design, TRUTH_CASES, rng)
    truths = {}
    for name in design.names:
        prepared = prepare(name, large)
        if prepared is None:
            raise SystemExit(f"{name} does not fit {design}")
        truths[name] = value_of(prepared)
    held = {name: np.zeros(3) for name in design.names}
    for _ in range(SIMULATIONS):
        units = simulate(design, design.cases, rng)
        counts = bootstrap_counts(design.cases, REPLICATES, rng)
        for name, truth in truths.items():
            held[name] += _holds(name, truth, units, counts)
    return [
        (name, truths[name], *(found[:2] / found[2]).tolist(), int(found[2]))
        for name, found in held.items()
    ]


def _holds(
    name: str,
    truth: float,
    units: Units,
    counts: "np.ndarray[tuple[int, int], np.dtype[np.float64]]",
) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """Say whether each of the two intervals holds the truth, and that there were two."""
    prepared = prepare(name, units)
    if prepared is None:
        return np.zeros(3)
    place = {case: i for i, case in enumerate(sorted(set(units.cases)))}
    drawn = prepared.at(counts[:, [place[case] for case in prepared.used.cases]])
    drawn = drawn[np.isfinite(drawn)]
    value = value_of(prepared)
    if not drawn.size or np.ptp(drawn) == 0 or not np.isfinite(value):
        return np.zeros(3)
    bounds = find_coefficient(name)[0].declared.bounds
    both = (
        percentile_interval(drawn, estimand="new cases"),
        basic_interval(value, drawn, estimand="new cases", bounds=bounds),
    )
    return np.array([*(float(one.low <= truth <= one.high) for one in both), 1.0])


def main() -> None:
    """Run all designs, print the table and write the page."""
    lines = [
        "| coefficient | labels | cases | systems | raters | truth | percentile | basic | of |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for design in DESIGNS:
        who = f"{len(design.cuts) + 1} | {design.cases} | {design.systems} | {design.raters}"
        for name, truth, percentile, basic, n in coverage(design):
            shares = f"{100 * percentile:.0f} | {100 * basic:.0f} | {n}"
            lines.append(f"| {name} | {who} | {truth:.2f} | {shares} |")
            print(lines[-1], flush=True)
    put_table(PAGE, lines)


if __name__ == "__main__":
    main()
