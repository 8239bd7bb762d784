"""Draws from a secret: even, repeatable, and of no use to who has only seen some of them."""

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medassay.judgements.campaign import Secret


@given(st.binary(min_size=16, max_size=200), st.lists(st.text()))
def test_the_same_secret_and_purpose_give_the_same_draws(key: bytes, purpose: list[str]) -> None:
    first, again = (Secret(key).draws(*purpose) for _ in range(2))
    assert [first.below(7) for _ in range(20)] == [again.below(7) for _ in range(20)]
    assert Secret(key).share(*purpose) == Secret(key).share(*purpose)


def test_purposes_and_secrets_are_told_apart() -> None:
    keys = [bytes(16), bytes(17), bytes(64), bytes(65), bytes(200), b"1" * 32]
    purposes = [(), ("a", "bc"), ("ab", "c"), ("abc",), ("a", "b", "c"), ('a", "bc',)]
    found = {Secret(key).draws(*words).below(2**64) for key in keys for words in purposes}
    assert len(found) == len(keys) * len(purposes)


def test_every_order_is_equally_likely() -> None:
    draws = Secret(bytes(32)).draws("orders")
    counts = Counter(tuple(draws.permutation(4)) for _ in range(4800))
    assert set(counts) == set(permutations(range(4)))
    # 24 orders, 200 of each on average: chi-square with 23 degrees of freedom passes 49.7 in one
    # of a thousand.
    assert sum((count - 200) ** 2 / 200 for count in counts.values()) < 49.7


@pytest.mark.parametrize("bound", [1, 2, 3, 20, 2**63 + 1, 2**64])
def test_numbers_lie_below_their_bound_and_reach_its_ends(bound: int) -> None:
    draws = Secret(b"0123456789abcdef").draws("numbers")
    found = [draws.below(bound) for _ in range(200)]
    assert min(found) >= 0
    assert max(found) < bound
    assert max(found) >= bound * 0.9 - 1
    assert min(found) <= bound * 0.1


def test_samples_are_without_repetition_and_ascending() -> None:
    draws = Secret(bytes(32)).draws("samples")
    for size in range(11):
        found = draws.sample(10, size)
        assert found == sorted(set(found))
        assert len(found) == size


def test_a_new_secret_has_256_bits_and_never_shows() -> None:
    one, other = Secret.new(), Secret.new()
    assert one != other
    assert len(one.key) == 32
    assert one.key.hex() not in f"{one} {one!r} {[one]}"
    with pytest.raises(ValueError, match="16 bytes or more, not 15"):
        Secret(bytes(15))
