"""Who may gate: systems are what is drawn, one family one point; useless metrics pass seldom."""

import numpy as np
import pytest
from gate_permits import (
    DESIGNS,
    GOOD,
    SEED,
    SIMULATIONS,
    SYSTEMS_BEFORE,
    Design,
    permits,
)
from numpy.typing import NDArray
from tools.endurance import Endurance

from medassay.scores import Grid
from medassay.validity import GATE_SYSTEMS, Source, Surrogacy, Trust, trust
from medassay.validity.block import blocks
from medassay.validity.surrogacy import adjusted_over_all, surrogacy

Floats = NDArray[np.float64]


def source(name: str, means: Floats, cases: int = 5) -> Source:
    systems = tuple(f"s{i:02}" for i in range(means.size))
    values = np.repeat(means[:, None], cases, axis=1)
    known = np.ones(values.shape, dtype=np.bool_)
    return Source(name, Grid(systems, tuple(map(str, range(cases))), values, known))


def line_of(metric: Floats, raters: Floats, families: dict[str, str] | None = None) -> Surrogacy:
    [block] = blocks([source("metric", metric)], [source("raters", raters)])
    return surrogacy(block, 0, 0, families)


def points(systems: int, noise: float = 0.2) -> tuple[Floats, Floats]:
    rng = np.random.default_rng(systems)
    metric = rng.normal(size=systems)
    return metric, metric + noise * rng.normal(size=systems)


def test_under_twelve_systems_there_is_none() -> None:
    found = line_of(*points(GATE_SYSTEMS - 1, 0.0))
    assert found == Surrogacy(11, undefined="not to be had under 12 systems; there are 11")
    assert line_of(*points(GATE_SYSTEMS)).threshold is not None


def test_a_family_is_one_point() -> None:
    metric, raters = points(14)
    families = dict.fromkeys(("s00", "s01", "s02"), "variants")
    found = line_of(metric, raters, families)
    merged = [np.append(side[3:], side[:3].mean()) for side in (metric, raters)]
    alone = line_of(merged[0], merged[1])
    assert found.systems == alone.systems == 12
    assert found.slope == pytest.approx(alone.slope)
    assert found.p == pytest.approx(alone.p)
    few = line_of(metric, raters, dict.fromkeys(("s00", "s01", "s02", "s03"), "variants"))
    assert few.undefined == "not to be had under 12 families of systems; there are 11"


def test_a_threshold_beyond_what_was_seen_is_none() -> None:
    found = line_of(*points(12, 1.0))
    assert found.threshold is None
    assert found.p is not None
    assert found.not_excluded is not None
    assert "no two systems differ by more than" in found.undefined
    assert "surely see one" in line_of(*points(12, 30.0)).undefined


def test_what_is_alike_has_its_reason() -> None:
    found = line_of(np.ones(12), points(12)[1])
    assert found.undefined == "it gives all systems the same score on every case"


def test_holm_counts_all_dimensions() -> None:
    metric, raters = points(16, 0.6)
    rng = np.random.default_rng(2)
    others = [source(f"noise {i}", rng.normal(size=16)) for i in range(2)]
    tables: list[Trust] = trust(
        [source("metric", metric), *others],
        [source("length", rng.normal(size=16))],
        [source("first", raters), source("second", rng.normal(size=16))],
        rng=rng,
        replicates=50,
    )
    lines = [
        entry.surrogacy for table in tables for entry in table.entries if entry.role == "metric"
    ]
    smallest = min(
        (line for line in lines if line is not None and line.p is not None),
        key=lambda line: line.p or 0,
    )
    assert len(lines) == 6
    assert smallest.p_adjusted == pytest.approx(6 * (smallest.p or 0))
    assert adjusted_over_all([Surrogacy(6)]) == [Surrogacy(6)]


@pytest.mark.endure
@pytest.mark.parametrize("systems", [12, 25])
@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.title)
def test_useless_metrics_are_seldom_permitted_to_gate(
    design: Design, systems: int, endurance: Endurance
) -> None:
    studies = endurance.size("studies", short=20, whole=SIMULATIONS)
    rng = np.random.default_rng([SEED, systems])
    seen = permits(design, systems, rng, studies, before=systems in SYSTEMS_BEFORE)
    before = f"before {seen['before'] / studies:.1%}, now " if "before" in seen else ""
    endurance.found(f"any of five permitted {before}{seen['gate'] / studies:.1%}")
    # The goal of 5%, and three Monte Carlo errors.
    assert seen["gate"] / studies < 0.05 + 3 * (0.05 * 0.95 / studies) ** 0.5


@pytest.mark.endure
@pytest.mark.parametrize(("systems", "least"), [(12, 0.6), (25, 0.9)])
def test_a_good_metric_is_permitted_to_gate(
    systems: int, least: float, endurance: Endurance
) -> None:
    studies = endurance.size("studies", short=20, whole=SIMULATIONS)
    rng = np.random.default_rng([SEED, systems])
    seen = permits(GOOD, systems, rng, studies, before=systems in SYSTEMS_BEFORE)
    endurance.found(f"permitted in {seen['good gate'] / studies:.1%}")
    assert seen["good gate"] / studies > least - 3 * (least * (1 - least) / studies) ** 0.5
