"""How often do intervals of agreement hold the truth where a label is rare?

    python simulations/rare_labels.py

Raters see case + answer + their own noise and cut it into labels, the last ones rare. Before:
percentiles of resampled cases everywhere. Now: what the product prints, or that it prints none.
"""

from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from page_table import percent, put_table
from scipy.special import ndtri

from medassay.agreement import agree_on_units, draw_cases, find_coefficient
from medassay.agreement.coefficient import Prepared
from medassay.judgements import Units
from medassay.stats import percentile_interval

__all__ = ["DESIGNS", "ENDURED", "Design", "Held", "coverage"]

STUDIES: Final = 1000
REPLICATES: Final = 300
TRUTH_ANSWERS: Final = 240_000
SEED: Final = 5207
PAGE: Final = Path(__file__).parents[1] / "simulations" / "rare-labels.md"

_OF_TWO: Final = ("cohen", "gwet")
_OF_THREE: Final = ("fleiss", "gwet")
_MANY: Final = ("fleiss", "mean_cohen", "gwet", "specific(label=b)", "unanimous")
_ORDERED: Final = ("fleiss", "krippendorff(level=ordinal)")


@dataclass(frozen=True)
class Design:
    """A study: its size, how common each label is, how noisy raters are, and who misses answers.

    Attributes:
        cases: How many cases.
        systems: Answers a case.
        raters: Raters of the study.
        shares: How common each label is.
        noise: SD of a rater's own noise; an answer's own SD is 1, a case's .7.
        names: The coefficients.
        each: How many of the raters judge an answer, by chance; all if not given.
        in_cluster: Cases that share their draw.
    """

    cases: int
    systems: int
    raters: int
    shares: tuple[float, ...]
    noise: float
    names: tuple[str, ...]
    each: int | None = None
    in_cluster: int = 1


def _designs() -> list[Design]:
    rare, rarer = (0.95, 0.05), (0.98, 0.02)
    independent = [
        *(Design(cases, 1, 3, rare, 1.0, _MANY) for cases in (20, 50, 100, 300)),
        Design(100, 1, 3, rarer, 1.0, _OF_THREE),
        Design(100, 1, 3, rare, 0.5, _OF_THREE),
        Design(100, 1, 3, rare, 2.0, _OF_THREE),
        Design(50, 1, 3, (0.7, 0.3), 1.0, _OF_THREE),
        Design(50, 1, 2, rare, 1.0, _OF_TWO),
        Design(300, 1, 2, rarer, 1.0, _OF_TWO),
        Design(100, 1, 6, rare, 1.0, _OF_THREE),
    ]
    clustered = [
        Design(12, 3, 3, rare, 1.0, _OF_THREE),
        Design(20, 6, 3, rare, 1.0, _OF_THREE),
        Design(50, 6, 3, rarer, 1.0, _OF_THREE),
        Design(50, 6, 3, rare, 1.0, _OF_THREE),
        Design(50, 6, 3, rare, 2.0, _OF_THREE),
        Design(50, 6, 3, (0.85, 0.15), 0.5, _OF_THREE),
        Design(200, 1, 3, rare, 1.0, _OF_THREE, in_cluster=5),
    ]
    holes = [
        Design(cases, systems, 8, rare, 1.0, ("krippendorff", "mean_cohen"), each=3)
        for cases, systems in ((100, 1), (50, 6))
    ]
    three = (0.92, 0.05, 0.03)
    labels = [
        Design(20, 1, 3, (0.9, 0.06, 0.04), 1.0, _ORDERED),
        Design(50, 1, 3, three, 1.0, _ORDERED),
        Design(100, 1, 3, three, 1.0, _ORDERED),
        Design(50, 6, 3, three, 1.0, _ORDERED),
        Design(100, 1, 3, (0.9, 0.025, 0.025, 0.025, 0.025), 1.0, _ORDERED),
        Design(50, 1, 3, (0.02, 0.08, 0.2, 0.4, 0.3), 0.5, _ORDERED),
    ]
    return [*independent, *clustered, *holes, *labels]


DESIGNS: Final = tuple(_designs())
ENDURED: Final = {
    "one answer a case": Design(100, 1, 3, (0.95, 0.05), 1.0, _MANY),
    "six answers a case": Design(50, 6, 3, (0.95, 0.05), 1.0, _OF_THREE),
}
"""One of independent cases, one of clusters."""


@dataclass(frozen=True)
class Held:
    """What came of one coefficient on one design.

    Attributes:
        name: The coefficient.
        truth: Its value over 240,000 answers.
        before: Shares of studies in which percentiles of resampled cases hold it, of those where
            there are such; and how many these are.
        now: The same of the interval that is printed.
    """

    name: str
    truth: float
    before: tuple[float, int]
    now: tuple[float, int]


def simulate(design: Design, cases: int, rng: np.random.Generator) -> Units:
    """Simulate a study of so many cases."""
    shape = (cases, design.systems)
    clusters = rng.normal(0, 0.7, size=(-(-cases // design.in_cluster), 1, 1))
    of_case = np.repeat(clusters, design.in_cluster, axis=0)[:cases]
    seen = of_case + rng.normal(size=(*shape, 1))
    seen = seen + rng.normal(0, design.noise, size=(*shape, design.raters))
    cuts = ndtri(np.cumsum(design.shares)[:-1]) * np.sqrt(0.49 + 1 + design.noise**2)
    codes = np.digitize(seen, cuts).reshape(-1, design.raters)
    if design.each is not None:
        order = rng.random(codes.shape).argsort(axis=1).argsort(axis=1)
        codes = np.where(order < design.each, codes, -1)
    keys = [(str(j), f"{case:06}") for case in range(cases) for j in range(design.systems)]
    labels = "abcdefg"[: len(design.shares)]
    return Units.from_codes(codes, labels, keys=keys, scale="interval", scores=range(len(labels)))


def coverage(design: Design, studies: int) -> list[Held]:
    """Count how often the intervals hold the truth, before and now."""
    rng = np.random.default_rng([SEED, DESIGNS.index(design)])
    large = simulate(design, TRUTH_ANSWERS // design.systems, rng)
    truths = [row.value for row in agree_on_units(large, coefficient_names=design.names)]
    clusters = {f"{case:06}": str(case // design.in_cluster) for case in range(design.cases)}
    before, now = np.zeros((2, len(design.names), 2))
    for _ in range(studies):
        units = simulate(design, design.cases, rng)
        draws = draw_cases(units, rng, REPLICATES, clusters)
        rows = agree_on_units(units, coefficient_names=design.names, draws=draws)
        place = {case: i for i, case in enumerate(units.with_labels(2).cases)}
        for i, (row, truth) in enumerate(zip(rows, truths, strict=True)):
            if row.value is None or truth is None or draws is None:
                continue
            if row.interval is not None:
                now[i] += (row.interval.low <= truth <= row.interval.high, 1)
            prepared = prepare(design.names[i], units)
            drawn = prepared.at(draws.counts[:, [place[case] for case in prepared.used.cases]])
            drawn = drawn[np.isfinite(drawn)]
            if drawn.size and np.ptp(drawn) > 0:
                old = percentile_interval(drawn, estimand="new cases")
                before[i] += (old.low <= truth <= old.high, 1)
    return [
        Held(name, truth if truth is not None else np.nan, _share(old), _share(new))
        for name, truth, old, new in zip(design.names, truths, before, now, strict=True)
    ]


def prepare(name: str, units: Units) -> Prepared:
    """Prepare a coefficient that has a value."""
    found, parsed = find_coefficient(name)
    prepared = found.prepare(units, **dict(parsed.arguments))
    if not isinstance(prepared, Prepared):
        raise TypeError(name)
    return prepared


def _share(counted: "np.ndarray[tuple[int], np.dtype[np.float64]]") -> tuple[float, int]:
    held, of = counted.tolist()
    return held / of if of else np.nan, int(of)


def _lines(design: Design) -> list[str]:
    shares = " / ".join(f"{100 * share:g}" for share in design.shares)
    raters = f"{design.each} of {design.raters}" if design.each else f"{design.raters}"
    cases = f"{design.cases}"
    if design.in_cluster > 1:
        cases += f" in clusters of {design.in_cluster}"
    who = f"| {cases} | {design.systems} | {raters} | {shares} | {design.noise:g} "
    lines = []
    for held in coverage(design, STUDIES):
        (old, of_old), (new, of_new) = held.before, held.now
        was = percent(old, of_old) if of_old else "—"
        found = percent(new, of_new) if of_new else "—"
        lines.append(f"{who}| {held.name} | {held.truth:.2f} | {was} | {found} | {of_new} |")
    return lines


def main() -> None:
    """Run all designs, print the table and write the page."""
    lines = [
        "| cases | systems | raters | labels, % | noise | coefficient | truth | before | now | n |",
        "| --- | ---: | --- | --- | ---: | --- | ---: | ---: | ---: | ---: |",
    ]
    with ProcessPoolExecutor(2) as pool:
        for found in pool.map(_lines, DESIGNS):
            lines += found
            print(*found, sep="\n", flush=True)
    put_table(PAGE, lines)


if __name__ == "__main__":
    main()
