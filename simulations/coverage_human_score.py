"""Do the intervals from few judgements and many scores hold? A seeded simulation.

    python simulations/coverage_human_score.py

An answer has a quality q from the normal distribution, and a judge, a model, sees .7 q plus noise.
People's label is a cut of q; the judge's label is the cut of what it sees at the same shares. The
truth is known: for new cases the share (or the mean label) of the source, for these answers that of
the TOTAL answers drawn. `WORLDS` says which labels there are.
"""

from collections import Counter
from collections.abc import Hashable, Iterator
from pathlib import Path
from statistics import NormalDist
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from medassay.stats import (
    Combined,
    active_mean,
    difference_mean,
    harm_bound,
    judged_mean,
    judging_chances,
    ppi_mean,
    rogan_gladen,
    stratified_mean,
    weighted_harm_bound,
)

TOTAL: Final = 1000
SIZES: Final = (10, 20, 50, 100, 200)
SEES: Final = 0.7
SIMULATIONS: Final = 2000
SEED: Final = 40490
PER_CLUSTER: Final = 5
PAGE: Final = Path(__file__).parents[1] / "simulations" / "coverage-human-score.md"

Floats = NDArray[np.float64]


class World(NamedTuple):
    """What people say.

    Attributes:
        title: Its name in the table.
        shares: The share of each label, the lowest first; labels are 0, 1, 2, ...
        shared: The part of the variance of q that a cluster of five shares.
    """

    title: str
    shares: tuple[float, ...]
    shared: float = 0.0

    @property
    def mean(self) -> float:
        """Give the true mean label."""
        return sum(label * share for label, share in enumerate(self.shares))


WORLDS: Final = (
    World("yes or no, 50 %", (0.5, 0.5)),
    World("yes or no, 20 %", (0.8, 0.2)),
    World("yes or no, 5 %", (0.95, 0.05)),
    World("five labels, skewed", (0.05, 0.05, 0.1, 0.3, 0.5)),
    World("yes or no, 20 %, clusters of 5", (0.8, 0.2), 0.5),
)
METHODS: Final = (
    "alone, new",
    "PPI++",
    "PPI++ as published",
    "λ = 1",
    "Rogan-Gladen",
    "alone, these",
    "difference",
    "stratified",
    "active",
)
HARMS: Final = (0.01, 0.05, 0.2)
BOUNDS: Final = (
    "plain",
    "half found",
    "found 1 of 2, measured",
    "clusters",
    "clusters ignored",
    "weighted",
)


def draw(world: World, rng: np.random.Generator) -> tuple[Floats, Floats, Floats]:
    """Draw people's labels, the judge's labels, and what the judge sees."""
    own = rng.normal(size=TOTAL)
    together = rng.normal(size=TOTAL // PER_CLUSTER).repeat(PER_CLUSTER)
    quality = np.sqrt(1 - world.shared) * own + np.sqrt(world.shared) * together
    seen = SEES * quality + np.sqrt(1 - SEES**2) * rng.normal(size=TOTAL)
    cuts = [NormalDist().inv_cdf(share) for share in np.cumsum(world.shares)[:-1]]
    return *(np.digitize(side, cuts).astype(np.float64) for side in (quality, seen)), seen


def estimates(world: World, n: int, rng: np.random.Generator) -> Iterator[tuple[str, Combined]]:
    """Estimate by each method, from n judgements that each method may choose its own way."""
    truth, scores, seen = draw(world, rng)
    if world.shared:
        order = rng.permutation(TOTAL // PER_CLUSTER)[:, None] * PER_CLUSTER + np.arange(
            PER_CLUSTER
        )
        picked, rest = np.split(order.ravel(), [n])
        labels = (np.concatenate([picked, rest]) // PER_CLUSTER).tolist()
    else:
        picked, rest = np.split(rng.permutation(TOTAL), [n])
        labels = None
    own = None if labels is None else labels[:n]
    y, f, others = truth[picked], scores[picked], scores[rest]
    yield "alone, new", judged_mean(y, clusters=own)
    yield "PPI++", ppi_mean(y, f, others, clusters=labels)
    yield "PPI++ as published", ppi_mean(y, f, others, clip=True, as_published=True)
    yield "λ = 1", ppi_mean(y, f, others, slope=1.0, clusters=labels)
    yield "alone, these", judged_mean(y, total=TOTAL, clusters=own)
    yield "difference", difference_mean(y, f, others, clusters=own)
    if world.shared:
        return
    if len(world.shares) == 2:  # noqa: PLR2004 - yes or no
        hits = int(f[y == 1].sum()), int(y.sum())
        passed = int((1 - f[y == 0]).sum()), int((1 - y).sum())
        yield "Rogan-Gladen", rogan_gladen(int(others.sum()), others.size, hits, passed)
    flagged = np.argsort(-seen if world.mean < 1 else seen, kind="stable")[: TOTAL // 4]
    is_flagged = np.zeros(TOTAL, dtype=np.bool_)
    is_flagged[flagged] = True
    halves = [rng.permutation(np.flatnonzero(side))[: n // 2] for side in (is_flagged, ~is_flagged)]
    at = np.concatenate(halves)
    strata = ["flagged"] * halves[0].size + ["not"] * halves[1].size
    sizes: dict[Hashable, int] = {"flagged": TOTAL // 4, "not": TOTAL - TOTAL // 4}
    yield "stratified", stratified_mean(truth[at], strata, sizes)
    doubt = np.exp(-np.abs(seen - np.quantile(seen, world.shares[0])))
    chances = judging_chances(doubt, n)
    yield "active", active_mean(truth, scores, chances, rng.random(TOTAL) < chances)


def simulate(world: World, n: int, simulations: int = SIMULATIONS) -> dict[str, Counter[str]]:
    """Count for each method how often its interval holds, misses, lacks, and is warned of."""
    rng = np.random.default_rng([SEED, WORLDS.index(world), n])
    seen: dict[str, Counter[str]] = {method: Counter() for method in METHODS}
    for _ in range(simulations):
        state = rng.integers(2**63)
        population = draw(world, np.random.default_rng(state))[0].mean()
        for method, found in estimates(world, n, np.random.default_rng(state)):
            if found.interval is None:
                seen[method]["none"] += 1
                continue
            these = found.interval.estimand == "these answers"
            true = float(population) if these else world.mean
            hit = found.interval.low - 1e-12 <= true <= found.interval.high + 1e-12
            seen[method]["hit" if hit else "miss"] += 1
            if not found.warning:
                seen[method]["quiet hit" if hit else "quiet miss"] += 1
    return seen


def bound_coverage(share: float, n: int, simulations: int = SIMULATIONS) -> Counter[str]:
    """Count for each harm bound how often it holds."""
    rng = np.random.default_rng([SEED, round(1000 * share), n, 1])
    seen: Counter[str] = Counter()
    for _ in range(simulations):
        plain = rng.random(n) < share
        halved = plain & (rng.random(n) < 0.5)  # noqa: PLR2004 - half is found
        measured = int(rng.binomial(20, 0.5)), 20
        # Each cluster has a share of its own: Beta with that mean, correlation 1/(1 + 2) inside.
        own = rng.beta(2 * share, 2 * (1 - share), size=n // PER_CLUSTER).repeat(PER_CLUSTER)
        joined = rng.random(own.size) < own
        labels = (np.arange(own.size) // PER_CLUSTER).tolist()
        # A quarter is flagged and holds four fifths of the harm.
        rates = np.repeat([min(1.0, 0.8 * share / 0.25), 0.2 * share / 0.75], n // 2)
        weighed = rng.random(rates.size) < rates
        strata = ["flagged"] * (n // 2) + ["not"] * (n // 2)
        bounds = (
            harm_bound(plain),
            harm_bound(halved, sensitivity=0.5),
            harm_bound(halved, sensitivity=measured),
            harm_bound(joined, clusters=labels),
            harm_bound(joined),
            weighted_harm_bound(weighed, strata, {"flagged": 2500, "not": 7500}),
        )
        for name, bound in zip(BOUNDS, bounds, strict=True):
            seen[name] += bound.upper is None or bound.upper >= share
    return seen


def _percent(counts: Counter[str], hit: str, miss: str) -> str:
    of = counts[hit] + counts[miss]
    return f"{100 * counts[hit] / of:.1f}" if of >= SIMULATIONS // 10 else "–"


def main() -> None:
    """Run all settings, print the tables and write them between the page's marks."""
    kinds = ("hit", "miss"), ("quiet hit", "quiet miss")
    head = f"| judgements | {' | '.join(METHODS)} |", f"| :--- |{' ---: |' * len(METHODS)}"
    tables = [list(head) for _ in kinds]
    for world in WORLDS:
        for n in SIZES:
            if world.shared and n < 50:  # noqa: PLR2004 - fewer than ten clusters
                continue
            seen = simulate(world, n)
            for table, (hit, miss) in zip(tables, kinds, strict=True):
                cells = [_percent(seen[method], hit, miss) for method in METHODS]
                table.append(f"| {world.title}, n = {n} | {' | '.join(cells)} |")
            print(tables[0][-1], flush=True)
            print("   quiet", tables[1][-1], flush=True)
    harm = [f"| harmful | {' | '.join(BOUNDS)} |", f"| :--- |{' ---: |' * len(BOUNDS)}"]
    for share in HARMS:
        for n in SIZES[1:]:
            seen_bounds = bound_coverage(share, n)
            cells = [f"{100 * seen_bounds[name] / SIMULATIONS:.1f}" for name in BOUNDS]
            harm.append(f"| {100 * share:g} %, n = {n} | {' | '.join(cells)} |")
            print(harm[-1], flush=True)
    text = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    for name, lines in (("all", tables[0]), ("quiet", tables[1]), ("harm", harm)):
        before, _, rest = text.partition(f"<!-- {name} -->")
        _, _, after = rest.partition(f"<!-- end {name} -->")
        block = "\n".join([f"<!-- {name} -->", *lines, f"<!-- end {name} -->"])
        text = f"{before}{block}{after or chr(10)}"
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
