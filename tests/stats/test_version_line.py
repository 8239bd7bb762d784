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
