"""The gate: three verdicts, several metrics, lost scores."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm

from medassay.validity import Change, SystemGate, Verdict, gate


def scores(values: list[float]) -> dict[tuple[str, str], float]:
    return {("A", f"{i:04}"): value for i, value in enumerate(values)}


def change(old: list[float], new: list[float], name: str = "accuracy") -> Change:
    return Change(name, "higher", scores(old), scores(new), 0.0, 1.0)


GOOD = [1.0] * 80 + [0.0] * 20


def row(one: Change, margin: float = 0.02) -> SystemGate:
    """Give the row of the only system."""
    [found] = gate([one], margin=margin)
    [only] = found.systems
    assert only.verdict is found.verdict
    return only


def verdict(one: Change, margin: float = 0.02) -> Verdict:
    [found] = gate([one], margin=margin)
    return found.verdict


def test_three_verdicts() -> None:
    assert verdict(change(GOOD * 10, [1.0] * 60 * 10 + [0.0] * 40 * 10)) is Verdict.WORSE
    assert verdict(change(GOOD * 10, GOOD * 10)) is Verdict.NOT_WORSE
    assert verdict(change(GOOD[:20], [0.0, *GOOD[1:20]])) is Verdict.UNDECIDED


def test_a_sure_loss_within_the_margin_is_not_worse() -> None:
    old, new = [1.0] * 2000, [1.0] * 1990 + [0.0] * 10
    found = row(change(old, new))
    assert found.interval is not None
    assert found.interval.high < 0
    assert found.verdict is Verdict.NOT_WORSE


def test_lower_is_better_turns_the_sign() -> None:
    old, new = scores([0.0] * 90 + [1.0] * 10), scores([1.0] * 60 + [0.0] * 40)
    found = row(Change("hallucination", "lower", old, new, 0.0, 1.0))
    assert found.verdict is Verdict.WORSE
    assert found.difference == pytest.approx(-0.5)


def test_an_answer_that_lost_its_score_is_not_left_out() -> None:
    old = scores([1.0] * 500)
    new = {key: value for key, value in old.items() if key[1] >= "0050"}
    found = row(Change("bleu", "higher", old, new, 0.0, 1.0))
    assert (found.lost, found.n) == (50, 450)
    assert found.verdict is not Verdict.NOT_WORSE
    unbounded = row(Change("bertscore", "higher", old, new))
    assert unbounded.verdict is Verdict.UNDECIDED
    assert unbounded.why


def test_more_metrics_ask_for_more_evidence() -> None:
    rng = np.random.default_rng(3)
    old = rng.random(60).tolist()
    new = [
        value - 0.06 + 0.2 * noise for value, noise in zip(old, rng.normal(size=60), strict=True)
    ]
    alone = row(change(old, new), margin=0.0)
    crowd = gate(
        [change(old, new), *(change(old, old[::-1], f"m{i}") for i in range(20))], margin=0.0
    )
    assert alone.p_worse is not None
    assert crowd[0].systems[0].p_worse == pytest.approx(min(1.0, 21 * alone.p_worse))


def test_flips_name_the_largest_loss_first() -> None:
    [found] = gate([change([1.0, 0.5, 0.0], [0.0, 0.4, 1.0])], margin=0.02)
    assert [(flip.case, flip.change) for flip in found.flips] == [
        ("0000", -1.0),
        ("0001", pytest.approx(-0.1)),
        ("0002", 1.0),
    ]


def test_cases_of_one_cluster_count_as_one() -> None:
    old = {("A", str(case)): 1.0 for case in range(60)}
    new = {key: float(int(key[1]) % 10 > 1) for key in old}
    clusters = {str(case): str(case % 10) for case in range(60)}
    [found] = gate([Change("accuracy", "higher", old, new)], margin=0.02, clusters=clusters)
    assert found.systems[0].interval is not None
    assert found.systems[0].interval.method == "t over clusters"


def test_a_lost_score_counts_as_what_it_is_said_to() -> None:
    old = scores([1.0] * 500)
    new = {key: value for key, value in old.items() if key[1] >= "0050"}
    found = row(Change("bleu", "higher", old, new, 0.0, 1.0, if_lost=0.0))
    assert (found.verdict, found.lost_as) == (Verdict.WORSE, 0.0)
    assert found.difference == pytest.approx(-0.1)
    assert not found.blocked


def test_nothing_in_common_is_blocked() -> None:
    old = scores([1.0] * 5)
    found = row(Change("bleu", "higher", old, {}, 0.0, 1.0, if_lost=0.0))
    assert (found.verdict, found.blocked, found.n, found.lost) == (Verdict.UNDECIDED, True, 0, 5)
    assert "none of the 5 scores" in found.why


def test_what_is_unchanged_is_not_worse_at_any_size() -> None:
    old = scores([1.0, 0.0])
    found = row(Change("bleu", "higher", old, old, 0.0, 1.0, unchanged=frozenset({"A"})))
    assert (found.verdict, found.identical) == (Verdict.NOT_WORSE, True)


def six_systems(losses: dict[str, float], cases: int = 200) -> Change:
    """Draw ordinary differences, a loss a system."""
    rng = np.random.default_rng(8)
    old = {(system, str(case)): 0.5 for system in losses for case in range(cases)}
    new = {key: 0.5 - losses[key[0]] + 0.05 * float(rng.normal()) for key in old}
    return Change("judge", "higher", old, new, 0.0, 1.0)


def test_what_five_systems_gain_hides_no_loss_of_the_sixth() -> None:
    losses = dict.fromkeys("ABCDE", -0.02) | {"F": 0.1}
    [found] = gate([six_systems(losses)], margin=0.02)
    assert found.verdict is Verdict.WORSE
    assert {row.system: row.verdict.value for row in found.systems} == {
        **dict.fromkeys("ABCDE", "metric not worse"),
        "F": "worse",
    }


def test_one_undecided_system_leaves_the_metric_open() -> None:
    [found] = gate([six_systems(dict.fromkeys("ABCDE", -0.05) | {"F": 0.005})], margin=0.006)
    assert [row.verdict.value for row in found.systems][-1] == "undecided"
    assert found.verdict is Verdict.UNDECIDED


def test_a_system_that_did_not_change_is_not_worse_at_any_size() -> None:
    one = six_systems({"A": 0.2, "B": 0.0}, cases=5)
    one = replace(one, unchanged=frozenset({"B"}))
    [found] = gate([one], margin=0.02)
    assert [row.identical for row in found.systems] == [False, True]
    assert found.systems[1].verdict is Verdict.NOT_WORSE
    assert not found.identical


def test_the_detectable_loss_knows_how_many_tests_there_are() -> None:
    """By hand: (z of 0.025 shared out + z of 0.8) times the standard error."""
    alone, six = (
        gate([six_systems(dict.fromkeys(names, 0.0))], margin=0.02)[0].systems[0]
        for names in ("A", "ABCDEF")
    )
    assert alone.minimal_detectable_loss is not None
    assert six.minimal_detectable_loss is not None
    ratio = (norm.isf(0.025 / 6) + norm.ppf(0.8)) / (norm.isf(0.025) + norm.ppf(0.8))
    errors = [row.interval.high - row.interval.low for row in (alone, six) if row.interval]
    assert six.minimal_detectable_loss / alone.minimal_detectable_loss == pytest.approx(
        ratio * errors[1] / errors[0]
    )


def jittered(low: float, high: float, cases: int = 200) -> Change:
    """Move every score by a hundredth; the old ones lie evenly between two ends."""
    old = dict(zip(scores([0.0] * cases), np.linspace(low, high, cases).tolist(), strict=True))
    new = {key: value - 0.01 * (-1) ** int(key[1]) for key, value in old.items()}
    return Change("judge", "higher", old, new, 0.0, 1.0)


def test_harm_and_scores_by_the_best_value_are_bounded_by_their_range() -> None:
    spread = row(jittered(0.2, 0.8))
    assert (spread.verdict, spread.near_best) == (Verdict.NOT_WORSE, False)
    near = row(jittered(0.985, 0.99))
    assert (near.verdict, near.near_best) == (Verdict.UNDECIDED, True)
    harm = row(replace(jittered(0.2, 0.8), harm=True))
    assert (harm.verdict, harm.near_best) == (Verdict.UNDECIDED, False)
    for found in (near, harm):
        assert found.interval is not None
        assert found.interval.method == "t, betting below"
        assert "under 216 cases" in found.why
    [told] = gate([replace(jittered(0.985, 0.99), harm=True)], margin=0.02, bound="t")
    assert told.verdict is Verdict.NOT_WORSE
    # Right or wrong has an exact bound of its own.
    assert not row(change([1.0] * 300, [0.0] + [1.0] * 299)).near_best


def test_harm_is_called_worse_as_soon_as_by_t() -> None:
    old = scores([0.0] * 100)
    new = scores([0.8] * 6 + [0.01, 0.0] * 47)
    found = row(Change("danger", "lower", old, new, 0.0, 1.0, harm=True))
    assert found.verdict is Verdict.WORSE
    [slow] = gate([Change("danger", "lower", old, new, 0.0, 1.0)], margin=0.02, bound="betting")
    assert slow.verdict is Verdict.UNDECIDED
