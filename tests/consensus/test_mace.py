"""MACE beside the reference implementation, by hand, and under every permutation."""

import json
import math
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medassay.consensus import (
    MaceSettings,
    arrangement,
    consensus_of_units,
    find_method,
    fit_mace,
    join_units,
)
from medassay.errors import InvalidInput
from medassay.judgements import Units
from medassay.scores import Reason, Score, Unscored

ORACLE = Path(__file__).parents[1] / "data" / "mace_oracle"
Crowd = Callable[[str], tuple[Units, list[str]]]


@pytest.mark.parametrize(("name", "accuracy"), [("rte", 0.92625), ("temp", 435 / 462)])
def test_it_is_the_reference_implementation(crowd: Crowd, name: str, accuracy: float) -> None:
    units, gold = crowd(name)
    oracle = json.loads((ORACLE / f"{name}.json").read_text(encoding="utf-8"))
    found = fit_mace(units, rng=np.random.default_rng(1), settings=MaceSettings(restarts=50))
    labels = [units.labels[code] for code in found.posterior.argmax(axis=1)]
    items = [unit.case for unit in units.keys]
    assert dict(zip(items, labels, strict=True)) == oracle["labels"]
    for rater, competence in zip(units.raters, found.competence, strict=True):
        assert competence == pytest.approx(oracle["competence"][rater], abs=0.005)
    for item, entropy in zip(items, found.entropy, strict=True):
        assert entropy == pytest.approx(oracle["entropy_nats"][item], abs=0.005)
    assert found.log_likelihood == pytest.approx(oracle["log_marginal_likelihood"], abs=0.1)
    assert found.log_likelihood == max(found.restarts)
    assert len(set(found.restarts)) == 50  # no two restarts start alike
    right = [label == truth for label, truth in zip(labels, gold, strict=True)]
    assert np.mean(right) == pytest.approx(accuracy)


def test_plain_em_finds_the_labels_too(crowd: Crowd) -> None:
    for name, least in (("rte", 0.92), ("temp", 0.94)):
        units, gold = crowd(name)
        found = fit_mace(units, rng=np.random.default_rng(1), settings=MaceSettings(fit="em"))
        labels = [units.labels[code] for code in found.posterior.argmax(axis=1)]
        assert np.mean([a == b for a, b in zip(labels, gold, strict=True)]) > least
        # Shares that sum to 1 make data likelier than the sub-normalised weights of vb.
        bayes = fit_mace(units, rng=np.random.default_rng(1))
        assert found.log_likelihood > bayes.log_likelihood


def naive(
    table: list[list[int]], labels: int, knowing: list[float], guessing: list[list[float]]
) -> tuple[list[list[float]], float]:
    """Give posteriors and log likelihood straight from P(a | l) = s_ja + k_j [a = l]."""
    posteriors, total = [], 0.0
    for row in table:
        joint = []
        for truth in range(labels):
            p = 1 / labels
            for j, code in enumerate(row):
                if code >= 0:
                    p *= guessing[j][code] + knowing[j] * (code == truth)
            joint.append(p)
        total += math.log(sum(joint))
        posteriors.append([p / sum(joint) for p in joint])
    return posteriors, total


def test_posteriors_and_likelihood_are_those_of_the_model_written_out() -> None:
    table = [[0, 0, 1], [1, 1, -1], [2, 2, 1], [0, 1, 2], [2, -1, 2], [0, 0, 1]]
    units = Units.from_codes(table, ["a", "b", "c"])
    settings = MaceSettings(fit="em", restarts=1)
    found = fit_mace(units, rng=np.random.default_rng(1), settings=settings)
    knowing = list(found.competence)
    guessing = [
        [(1 - k) * share for share in row]
        for k, row in zip(knowing, found.guesses.tolist(), strict=True)
    ]
    posteriors, likelihood = naive(table, 3, knowing, guessing)
    assert found.posterior == pytest.approx(np.array(posteriors))
    assert found.log_likelihood == pytest.approx(likelihood)
    assert found.guesses.sum(axis=1) == pytest.approx(np.ones(3))


def test_em_never_makes_the_data_less_likely() -> None:
    table = np.random.default_rng(7).integers(0, 3, size=(40, 5))
    units = Units.from_codes(table, ["a", "b", "c"])
    tiny = 1e-9  # smoothing moves the target; next to none of it leaves plain EM
    likelihoods = [
        fit_mace(
            units,
            rng=np.random.default_rng(1),
            settings=MaceSettings(fit="em", restarts=1, iterations=steps, smoothing=tiny),
        ).log_likelihood
        for steps in range(1, 20)
    ]
    assert all(b >= a - 1e-9 for a, b in pairwise(likelihoods))


def test_control_units_are_certain_and_say_who_knows() -> None:
    table = [[0, 1], [1, 0], [0, 1], [1, 0], [0, 1]]
    units = Units.from_codes(table, ["no", "yes"])
    blind = fit_mace(units, rng=np.random.default_rng(1))
    assert blind.competence[0] == pytest.approx(blind.competence[1])
    known = dict(zip(units.keys[:4], ["no", "yes", "no", "yes"], strict=True))
    told = fit_mace(units, rng=np.random.default_rng(1), known=known)
    assert told.competence[0] > 0.5 > told.competence[1]
    assert told.posterior[:4].tolist() == [[1, 0], [0, 1], [1, 0], [0, 1]]
    assert told.entropy[:4] == (0, 0, 0, 0)
    assert told.posterior[4, 0] > 0.6  # the rater who was right is believed


def test_a_known_label_that_nobody_gave_is_a_label_all_the_same() -> None:
    units = Units.from_codes([[0, 0], [1, 1], [0, 1]], ["a", "b", "c"])
    found = fit_mace(units, rng=np.random.default_rng(1), known={units.keys[2]: "c"})
    assert found.posterior[2].tolist() == [0, 0, 1]
    without = fit_mace(units, rng=np.random.default_rng(1))
    assert without.posterior[:, 2].tolist() == [0, 0, 0]


def test_label_priors_decide_where_raters_do_not() -> None:
    units = Units.from_codes([[0, 1], [1, 0]], ["no", "yes"])
    even = fit_mace(units, rng=np.random.default_rng(1))
    assert even.posterior == pytest.approx(np.full((2, 2), 0.5))
    tilted = fit_mace(units, rng=np.random.default_rng(1), priors={"no": 1, "yes": 3})
    assert tilted.posterior[:, 1] == pytest.approx(np.full(2, 0.75), abs=0.01)


def test_wrong_controls_and_priors_are_refused() -> None:
    units = Units.from_codes([[0, 1]], ["no", "yes"])
    with pytest.raises(InvalidInput, match="be labels of labels: no, yes"):
        fit_mace(units, rng=np.random.default_rng(1), known={units.keys[0]: "maybe"})
    for priors in ({"no": 1.0}, {"no": 1.0, "yes": 0.0}, {"no": 1.0, "yes": 1.0, "maybe": 1.0}):
        with pytest.raises(InvalidInput, match="a number above 0, and nothing else"):
            fit_mace(units, rng=np.random.default_rng(1), priors=priors)


def test_units_judged_alike_are_fitted_as_one_and_nothing_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 2, size=(300, 1))
    table = np.where(rng.random((300, 3)) < [0.9, 0.8, 0.7], truth, 1 - truth)
    table[rng.random((300, 3)) < 0.1] = -1
    units = Units.from_codes(table, ["no", "yes"]).with_labels(1)
    known = {units.keys[0]: "yes"}
    panel = arrangement.arrange(units, known)
    assert panel.items <= 3**3  # 26 patterns with a label, and the control unit apart
    assert panel.weight.sum() == len(units)
    monkeypatch.setattr(arrangement, "_LARGEST_PATTERN", 0)
    assert arrangement.arrange(units, known).items == len(units)
    # Start values belong to colours, which weights enter: compare where both fits end.
    settings = MaceSettings(iterations=300)
    apart = fit_mace(units, rng=np.random.default_rng(1), known=known, settings=settings)
    monkeypatch.undo()
    together = fit_mace(units, rng=np.random.default_rng(1), known=known, settings=settings)
    assert together.posterior == pytest.approx(apart.posterior, abs=1e-6)
    assert together.competence == pytest.approx(apart.competence, abs=1e-6)
    assert together.log_likelihood == pytest.approx(apart.log_likelihood)


codes = st.integers(1, 5).flatmap(
    lambda raters: st.lists(
        st.lists(st.integers(-1, 2), min_size=raters, max_size=raters).filter(
            lambda row: max(row) >= 0
        ),
        min_size=1,
        max_size=8,
    )
)


@pytest.mark.slow
@given(codes, st.sampled_from(["vb", "em"]), st.integers(0, 2**32 - 1))
def test_no_order_and_no_name_changes_anything(
    table: list[list[int]], fit: Literal["vb", "em"], seed: int
) -> None:
    rng = np.random.default_rng(seed)
    before = np.array(table)
    rows, raters = rng.permutation(len(table)), rng.permutation(len(table[0]))
    names = rng.permutation(3)  # label l is called names[l] now
    after = np.where(before >= 0, names[before], -1)[rows][:, raters]
    settings = MaceSettings(fit=fit, restarts=3)
    one, other = (
        fit_mace(Units.from_codes(t, list("abc")), rng=np.random.default_rng(1), settings=settings)
        for t in (before, after)
    )
    assert other.posterior[:, names] == pytest.approx(one.posterior[rows], abs=1e-12)
    assert other.competence == pytest.approx(np.array(one.competence)[raters], abs=1e-12)
    assert other.log_likelihood == pytest.approx(one.log_likelihood, abs=1e-9)


def test_shuffled_raters_of_a_real_set_change_not_one_bit(crowd: Crowd) -> None:
    units, _ = crowd("temp")
    rng = np.random.default_rng(3)
    place, turned = rng.permutation(len(units.raters)), rng.permutation(len(units))
    moved, rater = turned[units.unit], place[units.rater]
    order = np.lexsort((rater, moved))
    shuffled = Units(
        dimension=units.dimension,
        mapping=units.mapping,
        scale=units.scale,
        labels=units.labels[::-1],
        scores=units.scores,
        raters=units.raters,
        keys=units.keys,
        unit=moved[order],
        rater=rater[order],
        code=1 - units.code[order],
    )
    one = fit_mace(units, rng=np.random.default_rng(1))
    other = fit_mace(shuffled, rng=np.random.default_rng(1))
    assert np.array_equal(other.posterior[turned][:, ::-1], one.posterior)
    assert np.array_equal(np.array(other.competence)[place], one.competence)
    assert other.restarts == one.restarts


def test_scores_are_those_of_the_likeliest_label_or_of_the_posterior(crowd: Crowd) -> None:
    units, _ = crowd("temp")
    labelled, label = join_units(units, "mace", rng=np.random.default_rng(1))
    _, mean = join_units(units, "mace(value=expected)", rng=np.random.default_rng(1))
    assert label.quality == mean.quality
    assert label.model is not None
    assert mean.model is not None
    assert label.model.log_likelihood == mean.model.log_likelihood
    found = fit_mace(labelled, rng=np.random.default_rng(1))
    for i, (hard, soft) in enumerate(zip(label.scores, mean.scores, strict=True)):
        assert isinstance(hard, Score)
        assert isinstance(soft, Score)
        assert hard.value == found.posterior[i].argmax()
        assert soft.value == pytest.approx(found.posterior[i, 1])
        assert hard.parts == soft.parts == (label.uncertainty[i], found.posterior[i].max())


def test_only_the_most_certain_answers_can_be_kept(crowd: Crowd) -> None:
    units, _ = crowd("rte")
    rng = np.random.default_rng
    kept = consensus_of_units(units, "mace(keep=90)", rng=rng(1))
    _, joined = join_units(units, "mace", rng=rng(1))
    left = [one for one in kept.values() if isinstance(one, Unscored)]
    assert 0 < len(left) <= 80
    assert {one.reason for one in left} == {Reason.UNDEFINED}
    entropy = dict(zip(kept, joined.uncertainty, strict=True))
    doubt = [entropy[key] for key, one in kept.items() if isinstance(one, Unscored)]
    sure = [entropy[key] for key, one in kept.items() if isinstance(one, Score)]
    assert max(sure) < min(doubt)


def test_a_seed_gives_the_same_fit_and_another_seed_another(crowd: Crowd) -> None:
    units, _ = crowd("temp")
    one, same, other = (fit_mace(units, rng=np.random.default_rng(s)).restarts for s in (1, 1, 2))
    assert one == same != other


def test_what_it_needs_is_asked_for_in_words() -> None:
    units = Units.from_codes([[0, 1]], ["no", "yes"], scores=[0, 1])
    with pytest.raises(InvalidInput, match="be given: mace starts at random"):
        consensus_of_units(units, "mace")
    with pytest.raises(InvalidInput, match="leave smoothing out: fit=vb does not use it"):
        consensus_of_units(units, "mace(smoothing=1)", rng=np.random.default_rng(1))
    with pytest.raises(InvalidInput, match="have keep be a number from 1 to 100"):
        find_method("mace(keep=0)")
    with pytest.raises(InvalidInput, match="have restarts be a whole number, 1 or more"):
        find_method("mace(restarts=2.5)")
    assert str(find_method("mace(keep=100.0,knowing=0.50,restarts=010)")[1]) == "mace"
