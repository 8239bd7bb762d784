"""How often do the intervals of kappa hold the truth? A seeded simulation, written to design/.

    python bench/coverage_agreement.py

Raters see case + answer + their own noise and cut it into three labels, so answers of one case
resemble each other. The truth is the coefficient over 20,000 such cases.
"""

from pathlib import Path
from typing import Final

import numpy as np

from medassay.agreement.coefficient import Prepared, find_coefficient
from medassay.judgements import Units
from medassay.stats import basic_interval, bootstrap_counts, percentile_interval

LABELS: Final = ("a", "b", "c")
CUTS: Final = (-1.25, 0.47)
# Coefficient, cases, systems, raters.
SETTINGS: Final = (
    ("cohen", 18, 1, 2),
    ("cohen", 40, 1, 2),
    ("fleiss", 10, 6, 3),
    ("fleiss", 50, 6, 3),
    ("fleiss", 100, 28, 3),
    ("unanimous", 18, 1, 2),
    ("unanimous", 50, 6, 3),
)
SIMULATIONS: Final = 500
REPLICATES: Final = 500
SEED: Final = 20251
PAGE: Final = Path(__file__).parents[1] / "design" / "agreement-intervals.md"


def prepare(name: str, rng: np.random.Generator, cases: int, systems: int, raters: int) -> Prepared:
    """Simulate a study and prepare the coefficient on it."""
    of_answer = rng.normal(0, 0.7, size=(cases, 1, 1)) + rng.normal(size=(cases, systems, 1))
    seen = of_answer + rng.normal(size=(cases, systems, raters))
    codes = np.digitize(seen, CUTS)
    keys = [(str(system), f"{case:05}") for case in range(cases) for system in range(systems)]
    units = Units.from_codes(codes.reshape(-1, raters), LABELS, keys=keys)
    prepared = find_coefficient(name)[0].prepare(units)
    if not isinstance(prepared, Prepared):
        raise SystemExit(f"{name}: {prepared}")
    return prepared


def coverage(name: str, cases: int, systems: int, raters: int) -> tuple[float, float, float]:
    """Give the truth, and the share of percentile and of basic intervals that hold it."""
    rng = np.random.default_rng([SEED, cases, systems, raters])
    bounds = find_coefficient(name)[0].declared.bounds
    large = prepare(name, rng, 20_000, systems, raters)
    truth = float(large.at(np.ones((1, len(large.used.cases))))[0])
    held = np.zeros(2)
    for _ in range(SIMULATIONS):
        prepared = prepare(name, rng, cases, systems, raters)
        value = float(prepared.at(np.ones((1, cases)))[0])
        drawn = prepared.at(bootstrap_counts(cases, REPLICATES, rng))
        for i, interval in enumerate(
            (
                percentile_interval(drawn, estimand="new cases"),
                basic_interval(value, drawn, estimand="new cases", bounds=bounds),
            )
        ):
            held[i] += interval.low <= truth <= interval.high
    percentile, basic = (held / SIMULATIONS).tolist()
    return truth, percentile, basic


def main() -> None:
    """Run all settings, print the table and write the page."""
    lines = [
        "| coefficient | cases | systems | raters | truth | percentile | basic |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name, cases, systems, raters in SETTINGS:
        truth, percentile, basic = coverage(name, cases, systems, raters)
        shares = f"{100 * percentile:.0f} | {100 * basic:.0f}"
        lines.append(f"| {name} | {cases} | {systems} | {raters} | {truth:.2f} | {shares} |")
        print(lines[-1], flush=True)
    table = "\n".join(lines)
    text = PAGE.read_text(encoding="utf-8") if PAGE.exists() else "<!-- table -->\n<!-- end -->\n"
    before, _, rest = text.partition("<!-- table -->")
    _, _, after = rest.partition("<!-- end -->")
    PAGE.write_text(f"{before}<!-- table -->\n{table}\n<!-- end -->{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
