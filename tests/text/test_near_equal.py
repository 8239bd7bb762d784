"""Near-equal texts, against the comparison of every pair."""

import tracemalloc
from itertools import combinations

import numpy as np

from medassay.text import MOST_PAIRS, near_equal


def runs(text: str) -> set[tuple[str, ...]]:
    words = text.split()
    return {tuple(words[at : at + 3]) for at in range(max(1, len(words) - 2))}


def test_every_pair_is_found_and_no_other() -> None:
    rng = np.random.default_rng(5)
    vocabulary = [f"w{number}" for number in range(50)]
    for _ in range(20):
        bases = [rng.choice(vocabulary, size=rng.integers(1, 26)).tolist() for _ in range(12)]
        texts = {}
        for number in range(50):
            words = list(bases[rng.integers(len(bases))])
            words[rng.integers(len(words))] = str(rng.choice(vocabulary))
            texts[f"t{number:02}"] = " ".join(words)
        want = {
            (first, second)
            for first, second in combinations(sorted(texts), 2)
            if len(runs(texts[first]) & runs(texts[second]))
            >= 0.8 * len(runs(texts[first]) | runs(texts[second]))
        }
        assert {(pair.first, pair.second) for pair in near_equal(texts)} == want


def test_numbers_count_and_capitals_do_not() -> None:
    dose = "Take {} mg of it every {} hours for a week"
    texts = {"a": dose.format(5, 8), "b": dose.format(50, 6), "c": dose.format(5, 8).upper() + "!"}
    [pair] = near_equal(texts)
    assert (pair.first, pair.second, pair.same) == ("a", "c", True)


def test_blank_texts_equal_nothing() -> None:
    assert near_equal({"a": "", "b": " ", "c": "?"}) == []


def test_of_texts_that_are_all_alike_so_many_pairs_are_found() -> None:
    asked = "What should a person with illness {} do before they eat"
    texts = {f"t{number:04}": asked.format(number) for number in range(1_500)}
    assert len(near_equal(texts, least=0.5)) == MOST_PAIRS
    assert len(near_equal(texts, least=0.5, most=7)) == 7


def test_long_texts_are_held_in_few_bytes_a_word() -> None:
    rng = np.random.default_rng(8)
    vocabulary = np.array([f"word{number}" for number in range(3_000)])
    texts = {f"t{number}": " ".join(rng.choice(vocabulary, 1_000)) for number in range(100)}
    tracemalloc.start()
    near_equal(texts)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # As a tuple for each run a word took more than two hundred.
    assert peak < 100 * 1_000 * 100


def test_a_text_shorter_than_a_run_is_no_longer_one() -> None:
    assert near_equal({"a": "so", "b": "so so so", "c": "so so"}) == []
