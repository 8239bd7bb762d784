import numpy as np
import pytest

from medassay.errors import InvalidInput
from medassay.stats import bootstrap_counts


def test_every_unit_is_drawn_alike() -> None:
    counts = bootstrap_counts(5, 20_000, np.random.default_rng(1))
    assert (counts.sum(axis=1) == 5).all()
    # Binomial(5, 1/5): mean 1, variance .8.
    assert counts.mean(axis=0) == pytest.approx(np.ones(5), abs=0.03)
    assert counts.var(axis=0) == pytest.approx(np.full(5, 0.8), abs=0.05)


def test_clusters_stay_together() -> None:
    labels = ["a", "b", "a", "c"]
    counts = bootstrap_counts(4, 50, np.random.default_rng(1), labels)
    assert (counts[:, 0] == counts[:, 2]).all()
    assert (counts[:, [0, 1, 3]].sum(axis=1) == 3).all()


def test_the_same_seed_gives_the_same_counts() -> None:
    first, second = (bootstrap_counts(9, 9, np.random.default_rng(4)) for _ in range(2))
    np.testing.assert_array_equal(first, second)


def test_a_wrong_number_of_labels_is_refused() -> None:
    with pytest.raises(InvalidInput, match="3 clusters"):
        bootstrap_counts(3, 1, np.random.default_rng(1), ["a"])


def test_many_units_are_drawn_as_if_all_at_once() -> None:
    n = 40_000  # more than are counted together
    drawn = np.random.default_rng(7).integers(n, size=(3, n))
    counts = bootstrap_counts(n, 3, np.random.default_rng(7))
    for row, of_row in zip(counts, drawn, strict=True):
        np.testing.assert_array_equal(row, np.bincount(of_row, minlength=n))


def test_an_index_made_before_is_taken_for_its_labels() -> None:
    labels = np.random.default_rng(2).integers(7, size=40)
    by_name = bootstrap_counts(40, 9, np.random.default_rng(4), [str(one) for one in labels])
    by_number = bootstrap_counts(40, 9, np.random.default_rng(4), labels)
    np.testing.assert_array_equal(by_name, by_number)
