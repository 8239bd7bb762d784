"""Numbers of a pair are computed once, and are those that it has alone."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from medassay.scores import Grid
from medassay.validity import Source, Validity, correlate, tau_interval, trust
from medassay.validity import block as block_module
from medassay.validity.kept_pairs import PairsKept

_Compute = Callable[[list[int], list[int]], NDArray[np.int64]]


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(block_module, "_PERMUTED", PairsKept())
    monkeypatch.setattr(tau_interval, "_REPLICATED", PairsKept())


@pytest.fixture(autouse=True)
def _nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    forget(monkeypatch)


def sums(asked: list[tuple[int, int]]) -> _Compute:
    def compute(rows: list[int], columns: list[int]) -> NDArray[np.int64]:
        asked.extend((i, j) for i in rows for j in columns)
        return np.array([[10 * i + j for j in columns] for i in rows])

    return compute


def test_what_was_computed_is_not_computed_again() -> None:
    kept, asked = PairsKept(), list[tuple[int, int]]()
    first = kept.of(b"s", [b"0", b"1"], [b"0", b"1"], sums(asked))
    assert first.tolist() == [[0, 1], [10, 11]]
    again = kept.of(b"s", [b"0", b"1", b"2"], [b"0", b"1"], sums(asked))
    assert again.tolist() == [[0, 1], [10, 11], [20, 21]]
    assert asked == [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)]
    # Something else of the same columns is another thing.
    kept.of(b"t", [b"0"], [b"0"], sums(asked))
    assert asked[6:] == [(0, 0)]


def test_the_oldest_are_forgotten_first() -> None:
    kept, asked = PairsKept(most_bytes=2 * 8), list[tuple[int, int]]()
    assert kept.of(b"s", [b"0", b"1", b"2"], [b"0"], sums(asked)).tolist() == [[0], [10], [20]]
    asked.clear()
    kept.of(b"s", [b"2"], [b"0"], sums(asked))
    assert asked == []
    kept.of(b"s", [b"0"], [b"0"], sums(asked))
    assert asked == [(0, 0)]


def a_study(holes: float) -> tuple[list[Source], list[Source]]:
    rng = np.random.default_rng(3)
    systems, cases = tuple(f"s{i:02}" for i in range(12)), tuple(f"c{k}" for k in range(10))
    truth = 0.3 * np.arange(12.0)[:, None] + rng.normal(size=(12, 10))
    sources = []
    for place in range(6):
        values = np.rint(2 * (truth + rng.normal(size=truth.shape)))
        known = rng.random(truth.shape) >= (holes if place > 3 else 0)
        sources.append(Source(f"m{place}", Grid(systems, cases, values, known)))
    return sources[:4], sources[4:]


@pytest.mark.parametrize("holes", [0.0, 0.2])
def test_a_pair_has_its_own_numbers_whoever_asked_before(
    holes: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    metrics, humans = a_study(holes)

    def asked(chosen: list[Source]) -> list[Validity]:
        return correlate(chosen, humans, rng=5, replicates=60)

    whole = asked(metrics)
    forget(monkeypatch)
    [table, _] = trust(metrics[1:], metrics[:1], humans, rng=5, replicates=60)
    assert asked(metrics) == whole
    of = {entry.metric: (entry.tau, entry.p) for entry in table.entries}
    assert of == {v.metric: (v.tau, v.p) for v in whole if v.consensus == humans[0].name}


def test_the_list_of_taus_resamples_nothing_that_the_trust_table_did(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    metrics, humans = a_study(0.2)
    trust(metrics, [], humans, rng=5, replicates=60)

    def refuse(*_: object, **__: object) -> None:
        message = "drawn again"
        raise AssertionError(message)

    monkeypatch.setattr(tau_interval, "tau_replicates_twice", refuse)
    monkeypatch.setattr(block_module, "permutation_p", refuse)
    correlate(metrics, humans, rng=5, replicates=60)
    with pytest.raises(AssertionError, match="drawn again"):
        correlate(metrics, humans, rng=6, replicates=60)
