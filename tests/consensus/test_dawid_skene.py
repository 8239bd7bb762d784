from collections.abc import Callable
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.golden.em_dawid_skene import posteriors

from medassay.consensus import fit_dawid_skene, join_units
from medassay.consensus.arrangement import arrange
from medassay.consensus.dawid_skene import climb
from medassay.judgements import Units
from medassay.scores import Score

Crowd = Callable[[str], tuple[Units, list[str]]]


@pytest.mark.parametrize(("name", "accuracy"), [("rte", 0.9275), ("temp", 0.9416)])
def test_it_is_as_right_as_others_found(crowd: Crowd, name: str, accuracy: float) -> None:
    units, gold = crowd(name)
    found = fit_dawid_skene(units)
    labels = [units.labels[code] for code in found.posterior.argmax(axis=1)]
    right = np.mean([a == b for a, b in zip(labels, gold, strict=True)])
    assert right == pytest.approx(accuracy, abs=0.001)
    assert found.steps < 1000
    assert found.confusion.sum(axis=2) == pytest.approx(np.ones((len(units.raters), 2)))


def test_two_steps_by_hand() -> None:
    # Two raters, two units: both say a of unit 1; of unit 2 one says a, the other b.
    # Votes: unit 1 (1, 0), unit 2 (1/2, 1/2); label shares 3/4 and 1/4. Smoothing 1 gives
    # rater 1: truth a: said a 1.5 + 1, b 0 + 1; truth b: said a .5 + 1, b 0 + 1
    #   pi(a|a) = 2.5/3.5, pi(a|b) = 1.5/2.5
    # rater 2: truth a: said a 1 + 1, b .5 + 1; truth b: said a 0 + 1, b .5 + 1
    #   pi(a|a) = 2/3.5, pi(b|a) = 1.5/3.5, pi(a|b) = 1/2.5, pi(b|b) = 1.5/2.5
    # Unit 2: a: .75 * 2.5/3.5 * 1.5/3.5 = .22959; b: .25 * .6 * .6 = .09: so the step is to .71839.
    units = Units.from_codes([[0, 0], [0, 1]], ["a", "b"])
    panel = arrange(units)
    posterior = panel.to_units(climb(panel, smoothing=1.0, most_steps=1).posterior)
    assert posterior[1, 0] == pytest.approx(0.22959184 / (0.22959184 + 0.09))
    a, b = 0.75 * 2.5 / 3.5 * 2 / 3.5, 0.25 * 0.6 * 0.4
    assert posterior[0, 0] == pytest.approx(a / (a + b))


def random_panel(seed: int) -> tuple[list[list[int]], Units]:
    rng = np.random.default_rng([1979, seed])
    answers, raters, labels = (int(rng.integers(*ends)) for ends in ((5, 40), (2, 7), (2, 5)))
    truth = rng.integers(0, labels, answers)
    knows = rng.random((answers, raters)) < rng.uniform(0.4, 0.95, raters)
    table = np.where(knows, truth[:, None], rng.integers(0, labels, (answers, raters)))
    table[rng.random(table.shape) < 0.2] = -1
    table[:, 0] = np.where((table < 0).all(axis=1), 0, table[:, 0])
    table[:labels, 0] = np.arange(labels)  # each label is given by somebody
    return table.tolist(), Units.from_codes(table, list("abcd")[:labels])


@pytest.mark.parametrize("seed", range(40))
def test_as_an_independent_em_after_the_same_steps_and_by_the_same_stop(seed: int) -> None:
    table, units = random_panel(seed)
    panel, labels = arrange(units), len(units.labels)

    def apart(most_steps: int, settled: float) -> float:
        ours = climb(panel, 0.01, most_steps=most_steps, settled=settled)
        theirs, steps = posteriors(table, labels, 0.01, most_steps=most_steps, settled=settled)
        assert ours.steps == steps
        return float(np.abs(panel.to_units(ours.posterior) - np.array(theirs)).max())

    for steps in (1, 2, 5, 20):
        assert apart(steps, -1.0) < 1e-9  # no change is so small that it stops before
    assert apart(300, 1e-13) < 1e-9
    assert apart(300, 1e-6) < 1e-9


def test_where_two_fits_differ_it_is_by_their_stop() -> None:
    """What stops at a change of 1e-6 is not where one ends that stops at 1e-13."""
    panel = arrange(random_panel(1)[1])
    stopped, settled = climb(panel, 0.01), climb(panel, 0.01, settled=1e-13)
    apart = float(np.abs(stopped.posterior - settled.posterior).max())
    assert stopped.steps < settled.steps < 1000
    assert 1e-9 < apart < 1e-4, (stopped.steps, settled.steps)


def test_a_rater_who_turns_every_label_round_is_understood() -> None:
    truth = np.random.default_rng(1).integers(0, 2, size=60)
    table = np.stack([truth, truth, truth, 1 - truth], axis=1)
    found = fit_dawid_skene(Units.from_codes(table, ["no", "yes"]))
    assert found.posterior.argmax(axis=1).tolist() == truth.tolist()
    assert found.accuracy[3] < 0.01
    assert found.accuracy[0] > 0.99


def test_it_needs_no_seed_and_gives_both_values(crowd: Crowd) -> None:
    units, _ = crowd("temp")
    _, label = join_units(units, "dawid_skene")
    _, mean = join_units(units, "dawid_skene(value=expected)")
    assert len(label.quality) == len(units.raters)
    for hard, soft in zip(label.scores, mean.scores, strict=True):
        assert isinstance(hard, Score)
        assert isinstance(soft, Score)
        assert abs(hard.value - soft.value) <= 0.5
        assert hard.parts[1] >= 0.5


codes = st.lists(
    st.lists(st.integers(-1, 2), min_size=4, max_size=4).filter(lambda row: max(row) >= 0),
    min_size=1,
    max_size=8,
)


@pytest.mark.slow
@given(codes, st.integers(0, 2**32 - 1))
def test_no_order_and_no_name_changes_anything(table: list[list[int]], seed: int) -> None:
    rng = np.random.default_rng(seed)
    before = np.array(table)
    rows, raters, names = rng.permutation(len(table)), rng.permutation(4), rng.permutation(3)
    after = np.where(before >= 0, names[before], -1)[rows][:, raters]
    one, other = (fit_dawid_skene(Units.from_codes(t, list("abc"))) for t in (before, after))
    assert other.posterior[:, names] == pytest.approx(one.posterior[rows], abs=1e-9)
    assert other.accuracy == pytest.approx(np.array(one.accuracy)[raters], abs=1e-9)


def test_answers_that_nothing_tells_apart_have_one_posterior_in_any_order() -> None:
    # Each rater differs once, each on another answer: a last bit chose among the answers.
    table = np.array([[0, 1, 1], [1, 1, 0], [1, 0, 1]])
    found = []
    for order in permutations(range(3)):
        read = Units.from_codes(table[list(order)], list("ab"), scores=[0, 1])
        fit = fit_dawid_skene(read)
        assert np.ptp(fit.posterior[:, 0]) == 0
        assert len(set(fit.accuracy)) == 1
        found.append(fit.posterior)
    assert all((one == found[0]).all() for one in found)


def test_of_a_rater_whom_nobody_stands_beside_nothing_is_said() -> None:
    # What a fit makes of one rater alone is how often each label was given, and no skill.
    table = [[0, 0, -1], [1, 1, -1], [1, 0, -1], [-1, -1, 0], [-1, -1, 1]]
    units = Units.from_codes(table, ["no", "yes"], scores=[0, 1])
    _, joined = join_units(units, "dawid_skene")
    *beside, alone = joined.quality
    assert alone is None
    assert beside == list(fit_dawid_skene(units).accuracy[:2])
    assert all(isinstance(score, Score) for score in joined.scores[-2:])
