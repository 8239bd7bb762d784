import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from medassay.stats import compact_letters


@given(st.integers(0, 9).flatmap(lambda n: st.lists(st.booleans(), min_size=n * n, max_size=n * n)))
def test_two_share_a_letter_exactly_when_not_different(flags: list[bool]) -> None:
    n = round(len(flags) ** 0.5)
    upper = np.triu(np.array(flags, dtype=bool).reshape(n, n), k=1)
    different = upper | upper.T
    letters = compact_letters(different)
    assert all(letters)
    for i in range(n):
        for j in range(n):
            assert bool(set(letters[i]) & set(letters[j])) == (not different[i, j])


def test_a_chain_takes_few_letters() -> None:
    # Five systems in a row, different when more than one place apart: four overlapping pairs.
    place = np.arange(5)
    different = np.abs(place[:, None] - place[None, :]) > 1
    assert compact_letters(different) == ["a", "ab", "bc", "cd", "d"]


def test_all_alike_is_one_letter_and_all_different_one_each() -> None:
    assert compact_letters(np.zeros((3, 3), dtype=bool)) == ["a", "a", "a"]
    assert compact_letters(~np.eye(3, dtype=bool)) == ["a", "b", "c"]


def test_beyond_the_alphabet_letters_take_a_number() -> None:
    letters = compact_letters(~np.eye(54, dtype=bool))
    assert (letters[51], letters[52], letters[53]) == ("Z", "a1", "b1")
