from dataclasses import replace
from itertools import combinations
from typing import Literal

import numpy as np
import pytest
from numpy.typing import NDArray

from medassay.errors import InvalidInput
from medassay.scores import Grid
from medassay.stats import kendall
from medassay.validity import ESTIMANDS, Direction, Source, Validity, correlate

SYSTEMS = tuple("ABCDEFG")
CASES = tuple(f"c{k:02}" for k in range(25))


def a_source(name: str, noise: float = 1.0, direction: Direction = "higher") -> Source:
    rng = np.random.default_rng([len(name), *name.encode()])
    values = np.linspace(0, 2, len(SYSTEMS))[:, None] + rng.normal(
        0, noise, size=(len(SYSTEMS), len(CASES))
    )
    return Source(name, Grid(SYSTEMS, CASES, values, np.ones(values.shape, dtype=bool)), direction)


def with_known(source: Source, known: NDArray[np.bool_]) -> Source:
    return replace(source, grid=replace(source.grid, known=known))


def run(
    metrics: list[Source],
    consensuses: list[Source],
    *,
    families: dict[str, str] | None = None,
    clusters: dict[str, str] | None = None,
    method: Literal["basic", "bias-corrected", "percentile"] = "basic",
) -> list[Validity]:
    return correlate(
        metrics,
        consensuses,
        rng=np.random.default_rng(6),
        replicates=300,
        families=families,
        clusters=clusters,
        method=method,
    )


def test_tau_and_p_are_those_of_the_means() -> None:
    metric, consensus = a_source("metric", 3), a_source("panel", 3)
    [found] = run([metric], [consensus])
    means = (source.grid.values.mean(axis=1) for source in (metric, consensus))
    expected = kendall(*means, rng=np.random.default_rng(1))
    assert (found.tau, found.p) == (expected.tau, expected.p)
    assert (found.p_method, found.undefined) == ("exact", "")
    assert (found.n_systems, found.n_cases, found.n_answers) == (7, 25, 175)


def test_pairs_in_the_same_order_are_counted_one_by_one() -> None:
    metric, consensus = a_source("metric", 3), a_source("panel", 3)
    tied = metric.grid.values.copy()
    tied[1] = tied[0]  # one pair that the metric does not order
    metric = replace(metric, grid=replace(metric.grid, values=tied))
    [found] = run([metric], [consensus])
    ours, theirs = (source.grid.values.mean(axis=1) for source in (metric, consensus))
    products = [
        (x - y) * (v - w) for (x, v), (y, w) in combinations(zip(ours, theirs, strict=True), 2)
    ]
    assert found.pairs_alike == sum(product > 0 for product in products)
    assert found.pairs_reversed == sum(product < 0 for product in products)
    assert sum(product == 0 for product in products) == 1
    [none] = run(
        [a_source("flat", 0)], [replace(consensus, grid=replace(consensus.grid, values=tied * 0))]
    )
    assert (none.tau, none.pairs_alike, none.pairs_reversed) == (None, None, None)


def test_each_interval_names_its_estimand() -> None:
    [found] = run([a_source("metric", 3)], [a_source("panel", 3)])
    assert tuple(part.estimand for part in found.intervals) == ESTIMANDS
    for part in found.intervals:
        assert part.interval is not None
        assert part.interval.estimand == part.estimand
        assert -1 <= part.interval.low < part.interval.high <= 1


@pytest.mark.parametrize("method", ["basic", "bias-corrected", "percentile"])
def test_the_method_asked_for_is_used(
    method: Literal["basic", "bias-corrected", "percentile"],
) -> None:
    [found] = run([a_source("metric", 3)], [a_source("panel", 3)], method=method)
    methods = [part.interval.method for part in found.intervals if part.interval is not None]
    assert methods == ["hierarchical normal", *[f"{method} bootstrap"] * 2]


def test_lower_is_better_is_turned_so_that_positive_agrees() -> None:
    metric, consensus = a_source("metric"), a_source("panel")
    turned = replace(
        metric, grid=replace(metric.grid, values=-metric.grid.values), direction="lower"
    )
    [plain] = run([metric], [consensus])
    [again] = run([turned], [consensus])
    assert again.sign_turned
    assert not plain.sign_turned
    assert replace(again, sign_turned=False) == plain
    [as_is] = run([replace(turned, direction="none")], [consensus])
    assert plain.tau is not None
    assert as_is.tau == -plain.tau
    both = [replace(source, direction="lower") for source in (metric, consensus)]
    [untouched] = run(both[:1], both[1:])
    assert (untouched.tau, untouched.sign_turned) == (plain.tau, False)


def test_other_columns_and_row_order_change_nothing() -> None:
    metrics = [a_source(name, 2) for name in ("one", "two", "three")]
    consensuses = [a_source(name, 2) for name in ("panel", "other panel")]
    known = np.ones(metrics[0].grid.known.shape, dtype=bool)
    known[0, :3] = False
    metrics[1] = with_known(metrics[1], known)
    together = run(metrics, consensuses)
    names = [(found.metric, found.consensus) for found in together]
    assert names == [(m.name, c.name) for m in metrics for c in consensuses]
    apart = [run([metric], [consensus])[0] for metric in metrics for consensus in consensuses]
    assert together == apart
    rows, columns = (
        np.random.default_rng(1).permutation(7),
        np.random.default_rng(2).permutation(25),
    )
    moved = []
    for source in [*metrics, *consensuses]:
        grid = source.grid
        cells = np.ix_(rows, columns)
        ids = tuple(SYSTEMS[i] for i in rows), tuple(CASES[k] for k in columns)
        moved.append(replace(source, grid=Grid(*ids, grid.values[cells], grid.known[cells])))
    assert run(moved[:3], moved[3:]) == together


def test_only_answers_that_both_know_count() -> None:
    metric, consensus = a_source("metric"), a_source("panel")
    left, right = (np.ones(metric.grid.known.shape, dtype=bool) for _ in range(2))
    left[3] = False  # the metric has no score for system D
    right[:, 20:] = False  # five cases were never judged
    [found] = run([with_known(metric, left)], [with_known(consensus, right)])
    assert (found.n_systems, found.n_cases, found.n_answers) == (6, 20, 120)
    kept = [0, 1, 2, 4, 5, 6]
    means = (s.grid.values[kept, :20].mean(axis=1) for s in (metric, consensus))
    assert found.tau == kendall(*means, rng=np.random.default_rng(1)).tau


def test_too_few_systems_and_constant_columns_have_a_reason() -> None:
    metric, consensus = a_source("metric"), a_source("panel")
    known = np.zeros(metric.grid.known.shape, dtype=bool)
    known[:2] = True
    [few] = run([with_known(metric, known)], [consensus])
    assert (few.tau, few.p, few.p_method, few.intervals) == (None, None, None, ())
    assert few.undefined == "tau needs 3 systems with answers that are scored and rated; got 2"
    [none] = run([with_known(metric, known & False)], [consensus])
    assert none.undefined == "tau needs 3 systems with answers that are scored and rated; got 0"
    flat = replace(metric, name="flat", grid=replace(metric.grid, values=known * 0.0 + 0.1))
    [constant] = run([flat], [consensus])
    assert constant.undefined == "flat gives all systems the same score on every case"
    assert constant.metric_reliability.value is None
    [both] = run([flat], [replace(flat, name="panel")])
    alike = "gives all systems the same score on every case"
    assert both.undefined == f"flat {alike}; panel {alike}"


def test_perfect_agreement_claims_no_certainty() -> None:
    metric = a_source("metric", noise=0.0)
    [found] = run([metric], [metric])
    assert found.tau == 1
    for part in found.intervals:
        assert part.interval is None
        assert "same tau" in part.undefined


def test_systems_of_one_family_are_drawn_together() -> None:
    metric, consensus = a_source("metric", 4), a_source("panel", 4)
    [alone] = run([metric], [consensus])
    [two] = run([metric], [consensus], families={s: "x" if s in "ABCD" else "y" for s in SYSTEMS})
    assert two.intervals[0] == alone.intervals[0]
    for part in two.intervals[1:]:
        assert part.interval is None
        assert "at least 3 of system family; there is 2" in part.undefined
    [three] = run([metric], [consensus], families={"A": "x", "B": "x"})
    assert three.intervals[1] != alone.intervals[1]


def test_one_cluster_of_cases_cannot_be_resampled() -> None:
    one = dict.fromkeys(CASES, "all")
    [found] = run([a_source("metric", 3)], [a_source("panel", 3)], clusters=one)
    assert [part.interval is None for part in found.intervals] == [True, False, True]
    assert found.metric_reliability.undefined == "one cluster of cases"


def test_sources_over_other_systems_are_refused() -> None:
    metric = a_source("metric")
    grid = metric.grid
    other = Grid(grid.systems[:-1], grid.cases, grid.values[:-1], grid.known[:-1])
    with pytest.raises(InvalidInput, match="panel: must have the same systems and cases"):
        run([metric], [Source("panel", other)])
