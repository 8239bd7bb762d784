"""Means weighted by known chances are fair where plain means are not."""

import numpy as np

from medassay.scores import Grid
from medassay.stats import judging_chances
from medassay.validity import Chance, Source, drawn_scores

CASES = tuple(f"{i:03}" for i in range(300))
NAMES = ("A",), CASES


def test_weighting_takes_away_the_bias_of_judging_bad_answers_more_often() -> None:
    rng = np.random.default_rng(7)
    truth = (rng.random(300) < 0.7).astype(float)
    doubt = np.where(truth < 1, 1.0, 0.1)  # answers that are bad are drawn far more often
    chances = judging_chances(doubt, 90)
    plain, weighted, stratified = [], [], []
    for _ in range(200):
        drawn = rng.random(300) < chances
        frame = {
            ("A", case): Chance(float(p), bool(d))
            for case, p, d in zip(CASES, chances, drawn, strict=True)
        }
        judged = Source("h", Grid(*NAMES, truth[None], drawn[None]))
        [one] = drawn_scores([], [judged], frame)
        assert one.drawn == one.back == int(drawn.sum())
        plain.append(one.plain.estimate)
        weighted.append(one.weighted.estimate)
        stratified.append(one.stratified.estimate)
    assert abs(np.mean([e for e in weighted if e is not None]) - truth.mean()) < 0.02
    assert abs(np.mean([e for e in stratified if e is not None]) - truth.mean()) < 0.02
    assert np.mean([e for e in plain if e is not None]) < truth.mean() - 0.2


def test_what_was_judged_before_counts_once_and_what_was_left_out_not_at_all() -> None:
    # 1 and 2 were judged before; of 3 to 6, drawn with chance one half, 3 and 4 came up; somebody
    # judged 6 all the same. (1 + 0 + 4 · (1 + 0)/2)/6 = 3/6
    values = np.array([[1.0, 0.0, 1.0, 0.0, 9.0, 9.0]])
    known = np.array([[True, True, True, True, False, True]])
    names = ("A",), tuple("123456")
    frame = {("A", c): Chance(0.5, c in "34") for c in "3456"}
    [one] = drawn_scores([], [Source("h", Grid(*names, values, known))], frame)
    assert (one.before, one.drawn, one.back, one.total) == (2, 2, 2, 6)
    assert one.weighted.estimate == 0.5
    assert one.stratified.estimate == 0.5


def test_a_draw_that_is_half_back_says_so() -> None:
    names = ("A",), tuple("12345678")
    known = np.array([[True] * 4 + [False] * 4])
    frame = {("A", c): Chance(1.0, drawn=True) for c in names[1]}
    judged = Source("h", Grid(*names, np.array([[1.0, 0, 1, 0, 0, 0, 0, 0]]), known))
    [one] = drawn_scores([], [judged], frame)
    assert "50% of the drawn answers are judged" in one.weighted.warning
    assert one.weighted.estimate == 0.5
