"""The line through changes between versions is least squares with a constant a family."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import linalg, stats

from medassay.errors import InvalidInput
from medassay.stats.lines import version_line

Floats = NDArray[np.float64]
FAMILIES = [0, 0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 3]


def drawn(seed: int = 4) -> tuple[Floats, Floats]:
    rng = np.random.default_rng(seed)
    kinds = 5 * rng.normal(size=4)[FAMILIES]
    x = rng.normal(size=12) + kinds
    return x, 0.7 * (x - kinds) - kinds + 0.4 * rng.normal(size=12)


def fitted(x: Floats, y: Floats, families: list[int]) -> tuple[Floats, Floats, Floats]:
    """Fit by the whole design: the slope and a constant for each family."""
    dummies = (np.array(families)[:, None] == np.unique(families)).astype(float)
    design = np.column_stack([x, dummies])
    return design, np.linalg.lstsq(design, y, rcond=None)[0], dummies


def one_sided(x: Floats, y: Floats, families: list[int]) -> float:
    design, beta, _ = fitted(x, y, families)
    residual = y - design @ beta
    free = len(y) - design.shape[1]
    error = np.sqrt(residual @ residual / free * np.linalg.inv(design.T @ design)[0, 0])
    return float(stats.t.sf(beta[0] / error, free))


def test_slope_and_p_are_those_of_the_whole_design_whichever_family_is_left_out() -> None:
    x, y = drawn()
    line = version_line(x, y, FAMILIES)
    assert line is not None
    assert line.slope == pytest.approx(fitted(x, y, FAMILIES)[1][0])
    p = [one_sided(x, y, FAMILIES)]
    for family in range(4):
        kept = np.array(FAMILIES) != family
        p.append(one_sided(x[kept], y[kept], [f for f in FAMILIES if f != family]))
    assert line.p == pytest.approx(max(p))
    assert (line.pairs, line.families) == (8, 4)


def test_the_clustered_error_is_cr2_by_its_matrices() -> None:
    x, y = drawn()
    line = version_line(x, y, FAMILIES)
    assert line is not None
    index = np.array(FAMILIES)
    off = [np.concatenate([v[index == f] - v[index == f].mean() for f in range(4)]) for v in (x, y)]
    bread = 1 / (off[0] @ off[0])
    residual = off[1] - line.slope * off[0]
    meat = 0.0
    for family in range(4):
        own = off[0][index == family]
        hat = np.eye(len(own)) - bread * np.outer(own, own)
        meat += float(own @ np.linalg.inv(linalg.sqrtm(hat).real) @ residual[index == family]) ** 2
    assert line.error == pytest.approx(bread * meat**0.5)


SEVEN = [family for family in range(7) for _ in range(3)]


def clustered(x: Floats, y: Floats, families: list[int]) -> float:
    """Take CR2's one-sided p and its Satterthwaite degrees from the whole design's matrices."""
    design, beta, dummies = fitted(x, y, families)
    leaves = np.eye(len(y)) - design @ np.linalg.pinv(design)
    within = x - dummies @ (dummies.T @ x / dummies.sum(axis=0))
    pulls = []
    for own in dummies.T.astype(bool):
        # A family's own constant leaves I - H_c singular: its root is inverted where it is not.
        values, vectors = np.linalg.eigh(leaves[np.ix_(own, own)])
        roots = np.where(values > 1e-9, 1 / np.sqrt(np.maximum(values, 1e-9)), 0.0)
        pull = vectors @ (roots * (vectors.T @ within[own])) / (within @ within)
        pulls.append(pull @ leaves[own])  # what each y does to the family's part of the slope
    parts = np.array(pulls)
    spread = parts @ parts.T
    free = np.trace(spread) ** 2 / np.trace(spread @ spread)
    return float(stats.t.sf(beta[0] / np.sqrt(((parts @ y) ** 2).sum()), free))


def without_each(x: Floats, y: Floats, families: list[int]) -> list[float]:
    index = np.array(families)
    kept = (index != family for family in np.unique(index))
    return [clustered(x[some], y[some], index[some].tolist()) for some in kept]


def one_family_is_far() -> tuple[Floats, Floats]:
    """Draw seven families with slopes of both signs; in one, a version is far below in both."""
    rng = np.random.default_rng(2)
    x = rng.normal(size=len(SEVEN))
    y = np.array([1.0, 1, 1, 0.8, 0.6, -0.8, -0.4])[SEVEN] * x + 0.1 * rng.normal(size=len(SEVEN))
    x[0], y[0] = x[0] - 6, y[0] - 6
    return x, y


def test_the_p_by_families_is_the_largest_over_leaving_each_family_out() -> None:
    for columns, families in ((one_family_is_far(), SEVEN), (drawn(), FAMILIES)):
        line = version_line(*columns, families)
        assert line is not None
        without = without_each(*columns, families)
        assert line.p_clustered == pytest.approx(max([clustered(*columns, families), *without]))


def test_of_three_families_none_is_left_out() -> None:
    x, y = drawn()
    line = version_line(x[:9], y[:9], FAMILIES[:9])
    assert line is not None
    assert line.p_clustered == pytest.approx(clustered(x[:9], y[:9], FAMILIES[:9]))


def test_a_slope_that_one_family_makes_is_none_by_families() -> None:
    x, y = one_family_is_far()
    line = version_line(x, y, SEVEN)
    assert line is not None
    assert clustered(x, y, SEVEN) < 0.025
    assert line.p < 0.025
    assert line.p_clustered > 0.05


def test_what_families_differ_in_counts_for_nothing() -> None:
    x, y = drawn()
    shifted = version_line(x + 100.0 * np.array(FAMILIES), y - 7.0 * np.array(FAMILIES), FAMILIES)
    line = version_line(x, y, FAMILIES)
    assert line is not None
    assert shifted is not None
    assert shifted.slope == pytest.approx(line.slope)
    assert shifted.threshold() == pytest.approx(line.threshold())
    alone = version_line(np.append(x, 50.0), np.append(y, -50.0), [*FAMILIES, 9])
    assert alone == line


def test_at_the_threshold_a_loss_is_just_sure_and_beyond_the_span_there_is_none() -> None:
    x, y = drawn()
    line = version_line(x, y, FAMILIES)
    assert line is not None
    threshold = line.threshold()
    assert threshold is not None
    assert 0 < threshold <= line.span
    assert line.lower(threshold) == pytest.approx(0, abs=1e-9)
    noise = np.random.default_rng(1).normal(size=12)
    weak = version_line(x, noise, FAMILIES)
    assert weak is not None
    assert weak.threshold() is None


def test_few_families_or_no_change_give_no_line() -> None:
    x, y = drawn()
    assert version_line(x[:5], y[:5], FAMILIES[:5]) is None
    assert version_line(np.array(FAMILIES, float), y, FAMILIES) is None
    with pytest.raises(InvalidInput, match="have"):
        version_line(x, y[:3], FAMILIES)
