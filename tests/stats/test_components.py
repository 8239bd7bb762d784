"""Components of variance: by hand, against statsmodels and matrices, unbiased with holes."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medassay.stats import variance_components

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "components.json").read_text())


def test_a_balanced_table_by_hand() -> None:
    # Rows (1, 2), (4, 4): row means 1.5, 4; MS_rows = 2 * (1.25² + 1.25²) / 1 = 6.25;
    # MS_within = (0.25 + 0.25 + 0 + 0) / 2 = 0.25; σ²_row = (6.25 - 0.25) / 2 = 3.
    found = variance_components(np.array([1.0, 2.0, 4.0, 4.0]), {"row": ["a", "a", "b", "b"]})
    assert found.estimates == pytest.approx({"row": 3.0, "residual": 0.25})


def test_balanced_data_have_the_estimates_of_statsmodels() -> None:
    y = np.array(GOLDEN["y"])
    i, j, _ = (part.ravel().tolist() for part in np.indices(y.shape))
    factors = {"system": i, "case": j, "answer": [100 * a + b for a, b in zip(i, j, strict=True)]}
    found = variance_components(y.ravel(), factors)
    assert found.estimates == pytest.approx(GOLDEN["components"], abs=2e-3)


def test_what_the_design_cannot_tell_apart_is_named() -> None:
    values = np.array([1.0, 2.0, 4.0, 4.5])
    found = variance_components(
        values, {"row": list("aabb"), "same": list("xxyy"), "own": list("abcd")}
    )
    assert found.aliased == ("same", "own")
    assert set(found.estimates) == {"row", "residual"}


@given(seed=st.integers(0, 10_000))
def test_counts_give_what_matrices_give_and_order_means_nothing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 24
    rows, columns = rng.integers(0, 4, n), rng.integers(0, 5, n)
    y = rng.normal(size=n)
    found = variance_components(y, {"row": rows.tolist(), "column": columns.tolist()})
    centre = np.eye(n) - 1 / n
    designs = [
        np.equal.outer(rows, rows).astype(float),
        np.equal.outer(columns, columns).astype(float),
        np.eye(n),
    ]
    system = [[np.trace(centre @ a @ centre @ b) for b in designs] for a in designs]
    right = [y @ centre @ a @ centre @ y for a in designs]
    assert list(found.estimates.values()) == pytest.approx(np.linalg.solve(system, right).tolist())
    turn = rng.permutation(n)
    again = variance_components(y[turn], {"row": rows[turn].tolist(), "column":
                                          columns[turn].tolist()})  # fmt: skip
    assert again.estimates == pytest.approx(dict(found.estimates))


def test_holes_leave_the_estimates_unbiased() -> None:
    rng = np.random.default_rng(7)
    total = np.zeros(3)
    for _ in range(400):
        y = rng.normal(size=(8, 1)) + 0.5 * rng.normal(size=(1, 15)) + rng.normal(size=(8, 15))
        rows, columns = np.nonzero(rng.random(y.shape) < np.linspace(0.2, 0.9, 15))
        found = variance_components(
            y[rows, columns], {"row": rows.tolist(), "column": columns.tolist()}
        )
        total += list(found.estimates.values())
    assert total / 400 == pytest.approx([1.0, 0.25, 1.0], abs=0.08)
