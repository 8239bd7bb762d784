"""Where a judge stands, and what it leans to: by hand on tiny tables."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import stdtrit

from medassay.judgements import Judgements, Preferences, Units, load_rubric, repeat_units
from medassay.validity import (
    JudgeGaps,
    judge_gaps,
    judge_length,
    judge_order,
    judge_rank,
    judge_repeats,
    judge_self_preference,
    judge_severity,
)

KEYS = [(system, case) for case in "123" for system in "AB"]
# Scores 0, 1, 2; two people and a judge (the last), -1 a hole.
CODES = [[0, 1, 2], [1, 1, 1], [0, -1, 1], [2, 2, 1], [-1, -1, 2], [1, 2, 0]]
JUDGE = "rater 2"


def units() -> Units:
    return Units.from_codes(CODES, "abc", keys=KEYS, scale="ordinal", scores=[0, 1, 2])


def test_gaps_and_severity_by_hand() -> None:
    gaps = judge_gaps(units(), JUDGE)
    # A1: 2 - .5; B1: 1 - 1; A2: 1 - 0; B2: 1 - 2; A3: no person; B3: 0 - 1.5
    assert gaps.gap.tolist() == [1.5, 0.0, 1.0, -1.0, -1.5]
    found = judge_severity(gaps)
    # Mean 0; sums by case 1.5, 0, -1.5 over 2, 2 and 1 answers. CR2 of a mean: each sum by the root
    # of 1 - n/5: SE^2 = (2.25/.6 + 0 + 2.25/.8)/25 = .2625. Satterthwaite: G of three cases.
    sizes = np.array([2.0, 2.0, 1.0])
    each = 1 / np.sqrt(1 - sizes / 5)
    g = np.outer(each, each) * (np.diag(sizes) - np.outer(sizes, sizes) / 5)
    freedom = np.trace(g) ** 2 / np.trace(g @ g)
    assert found.value == pytest.approx(0.0)
    assert found.interval is not None
    assert found.interval.high == pytest.approx(stdtrit(freedom, 0.975) * 0.2625**0.5, abs=1e-6)
    assert (found.n, found.cases) == (5, 3)


def test_self_preference_by_hand() -> None:
    # Case 1: 1.5 - 0; case 2: 1 + 1; case 3 holds no answer of A.
    found = judge_self_preference(judge_gaps(units(), JUDGE), "x", {"A": "x", "B": "y"})
    assert (found.value, found.n, found.cases) == (1.75, 4, 2)
    undeclared = judge_self_preference(judge_gaps(units(), JUDGE), "", {"A": "x"})
    assert (undeclared.value, undeclared.reason) == (
        None,
        "the family of the judge is not declared",
    )
    stranger = judge_self_preference(judge_gaps(units(), JUDGE), "z", {"A": "x"})
    assert "no system of the family z" in stranger.reason


def test_the_place_by_hand() -> None:
    found = judge_rank(units(), JUDGE, rng=np.random.default_rng(1))
    # Answers of both people: A1, B1, B2, B3. Without rater 0, against rater 1 (1, 1, 2, 2):
    # judge 2, 1, 1, 0: 1 - (1 + 0 + 1 + 2)/8 = .5; rater 0 (0, 1, 2, 1): 1 - (1 + 0 + 0 + 1)/8.
    # Without rater 1, against rater 0 (0, 1, 2, 1): judge 1 - (2 + 0 + 1 + 1)/8 = .5.
    assert [(one.judge, one.person) for one in found.against] == [(0.5, 0.75), (0.5, 0.75)]
    assert (found.place, found.of) == (3, 3)
    assert [one.answers for one in found.against] == [4, 4]


def test_a_judge_alone_has_no_place() -> None:
    found = judge_rank(units(), JUDGE, rng=np.random.default_rng(1), models=["rater 1"])
    assert (found.place, found.reason) == (
        None,
        "the place needs two people beside the judge; got 1",
    )


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_the_order_of_people_and_answers_means_nothing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    codes = rng.integers(-1, 3, (12, 4))
    codes[:, 3] = rng.integers(0, 3, 12)
    keys = [(f"s{i % 3}", f"c{i // 3}") for i in range(12)]
    whole = Units.from_codes(codes, "abc", keys=keys, scale="ordinal", scores=[0, 1, 2])
    turned = Units.from_codes(
        codes[:, [2, 0, 1, 3]], "abc", keys=keys, scale="ordinal", scores=[0, 1, 2]
    )
    one, other = (
        judge_rank(read, "rater 3", rng=np.random.default_rng(1), replicates=50)
        for read in (whole, turned)
    )
    assert (one.place, one.interval) == (other.place, other.interval)
    assert judge_severity(judge_gaps(whole, "rater 3")) == judge_severity(
        judge_gaps(turned, "rater 3")
    )


def test_a_copy_of_a_person_is_as_near_as_that_person() -> None:
    rng = np.random.default_rng(5)
    people = rng.integers(0, 3, (40, 3))
    copy = np.column_stack([people, people[:, 0]])
    read = Units.from_codes(copy, "abc", scale="ordinal", scores=[0, 1, 2])
    found = judge_rank(read, read.raters[3], rng=rng, replicates=100)
    same = found.against[0]
    assert (same.difference, same.reason[:3]) == (0.0, "all")


def test_a_judge_that_counts_words_leans_to_length() -> None:
    rng = np.random.default_rng(2)
    words = {(f"s{i % 4}", f"c{i // 4}"): int(rng.integers(10, 200)) for i in range(120)}
    people = rng.integers(1, 6, 120).astype(float)
    judge = people + 0.5 * np.log2(list(words.values())) + rng.normal(0, 0.1, 120)
    systems, cases = (tuple(key[i] for key in words) for i in (0, 1))
    gaps = JudgeGaps(systems, cases, tuple((False, c) for c in cases), judge, people, 4.0)
    found = judge_length(gaps, words)
    for one in (found.gap, found.held):
        assert one.value == pytest.approx(0.5, abs=0.05)
        assert one.interval is not None
        assert one.interval.low < 0.5 < one.interval.high
    fair = judge_length(
        JudgeGaps(systems, cases, gaps.clusters, people + rng.normal(0, 0.1, 120), people, 4.0),
        words,
    )
    assert fair.gap.value == pytest.approx(0.0, abs=0.05)
    assert "has words" in judge_length(gaps, {}).gap.reason


def test_flips_on_repeats_by_hand() -> None:
    rows = [
        {"rater": rater, "system": "A", "case": case, "dimension": "quality", "phase": phase,
         "label": label}
        for case, first, again in (("1", "4", "4"), ("2", "4", "5"), ("3", "2", "2"))
        for phase, label in (("main", first), ("repeat", again))
        for rater in ("m",)
    ]  # fmt: skip
    judgements = Judgements.from_rows(rows, load_rubric("likert5"))
    found = judge_repeats(repeat_units(judgements, "quality", rater="m"))
    assert found.value == pytest.approx(1 / 3)
    assert found.n == 3
    none = judge_repeats(repeat_units(judgements, "quality", rater="nobody"))
    assert "no answer was judged again" in none.reason


def pair(case: str, a: str, b: str, choice: str, phase: str, rater: str = "m") -> dict[str, str]:
    return {"rater": rater, "case": case, "system_a": a, "system_b": b, "choice": choice,
            "phase": phase}  # fmt: skip


def test_exchanged_answers_by_hand() -> None:
    said = [
        pair("1", "X", "Y", "a", "main"), pair("1", "Y", "X", "b", "repeat"),  # X twice
        pair("2", "X", "Y", "a", "main"), pair("2", "Y", "X", "a", "repeat"),  # first twice
        pair("3", "X", "Y", "b", "main"), pair("3", "Y", "X", "b", "repeat"),  # second twice
        pair("4", "X", "Y", "tie", "main"), pair("4", "Y", "X", "a", "repeat"),
        pair("5", "X", "Y", "tie", "main"), pair("5", "Y", "X", "tie", "repeat"),
        pair("6", "X", "Y", "a", "main"), pair("6", "X", "Y", "b", "repeat"),  # same order
        pair("7", "X", "Y", "a", "main"),
        pair("1", "X", "Y", "b", "main", "p"), pair("1", "Y", "X", "b", "repeat", "p"),
    ]  # fmt: skip
    found = judge_order(Preferences.from_rows(said), "m")
    assert (found.pairs, found.kept) == (5, 2)
    assert (found.first_twice, found.second_twice, found.with_tie) == (1, 1, 1)
    assert found.flips.value == pytest.approx(3 / 5)
    # Verdicts for the first: a b | a a | b b | tie a | tie tie: (1 + 2 + 0 + 1.5 + 1)/10 - .5
    assert found.lean.value == pytest.approx(0.05)
    assert (found.same_order.value, found.same_order.n) == (1.0, 1)
    assert judge_order(Preferences.from_rows([]), "m").flips.reason
