"""A jury of models held against people, over all pairs of ratings."""

from dataclasses import replace

import numpy as np
import pytest

from medassay.analyses.builtin.jury import JuryOn, JuryReport, jury_finding, jury_on
from medassay.exhibits import Names
from medassay.judgements import Units
from medassay.scores import Unit
from medassay.stats import pair_icc, pair_icc_difference, pair_sums

RATERS = ("dr-1", "dr-2", "m-1", "m-2")


def rated(codes: list[list[int]]) -> Units:
    keys = [Unit("A", f"c{place:03}") for place in range(len(codes))]
    read = Units.from_codes(
        codes, ["1", "2", "3", "4", "5"], keys=keys, scale="interval", scores=[1, 2, 3, 4, 5]
    )
    return replace(read, raters=RATERS)


def on(cases: int = 60, seed: int = 1) -> JuryOn:
    rng = np.random.default_rng(seed)
    quality = rng.normal(2, 1, (cases, 1))
    codes = np.clip(np.round(quality + rng.normal(0, 0.6, (cases, 4))), 0, 4).astype(int)
    found = jury_on(rated(codes.tolist()), ("m-1", "m-2"), {})
    assert found is not None
    return found


def said(of: JuryOn) -> str:
    (finding,) = jury_finding(JuryReport((of,)), Names())
    return finding.text


def test_pairs_are_those_of_the_jurys_mean_and_of_people() -> None:
    codes = [[0, 0, 0, 2], [1, 3, 4, 4], [2, -1, 3, -1], [4, 4, 4, 4]]
    found = jury_on(rated(codes), ("m-1", "m-2"), {})
    assert found is not None
    assert (found.models, found.people) == (2, 2)
    # The third answer lacks a model, and has one person.
    assert (found.jury.pairs, found.jury.answers, found.among.pairs) == (6, 3, 3)
    # Ratings 1 2 | 1 2, 2 5 | 4 5, 5 5 | 5 5, in all 43 of 12 numbers.
    pairs = [(1, 2), (1, 2), (2, 5), (4, 5), (5, 5), (5, 5)]
    mean = sum(map(sum, pairs)) / 12
    apart = sum((x - mean) * (y - mean) for x, y in pairs)
    spread = sum((z - mean) ** 2 for pair in pairs for z in pair) / 2
    assert found.jury.icc == pytest.approx(apart / spread)


def test_nobody_rated_what_the_jury_did() -> None:
    assert jury_on(rated([[0, -1, 1, -1], [-1, -1, 2, 3]]), ("m-1", "m-2"), {}) is None


def test_it_is_fishers_correlation_of_pairs_without_an_order() -> None:
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=(2, 30))
    twice = np.corrcoef([*x, *y], [*y, *x])[0, 1]
    assert pair_icc(pair_sums(x, y, np.arange(30), 30)).value == pytest.approx(twice)


def test_order_in_a_pair_does_not_matter() -> None:
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=(2, 30))
    case = np.repeat(np.arange(10), 3)
    assert pair_icc(pair_sums(x, y, case, 10)) == pair_icc(pair_sums(y, x, case, 10))


def test_equal_numbers_have_no_value() -> None:
    same = np.full(5, 3.0)
    sums = pair_sums(same, same, np.arange(5), 5)
    found = pair_icc(sums)
    assert (found.value, found.undefined) == (None, "all numbers are the same")
    assert pair_icc_difference(sums, sums).value is None


def test_the_sentence_names_the_pairs_it_rests_on() -> None:
    assert "; 120 pairs)" in said(on())
    assert "People agreed with each other (ICC " in said(on())


@pytest.mark.parametrize("answers", [10, 199])
def test_few_shared_answers_carry_no_comparison(answers: int) -> None:
    few = on()
    few = replace(few, among=replace(few.among, answers=answers))
    assert f"undecided: people share only {answers} answers." in said(few)
    few = replace(few, among=replace(few.among, answers=200))
    assert "people share only" not in said(few)


def test_under_fifty_cases_it_does_not_say_which_is_higher() -> None:
    assert "Which agreement is higher is undecided with under 50 cases." in said(on(40))


def test_without_two_people_there_is_nothing_to_hold_it_to() -> None:
    one = on()
    alone = replace(one, among=replace(one.among, icc=None, pairs=0, answers=0))
    assert "No two people rated the same answer, so this cannot be compared." in said(alone)
