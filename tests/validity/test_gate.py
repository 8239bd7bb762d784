"""The gate: three verdicts, several metrics, lost scores."""

import numpy as np
import pytest

from medassay.validity import Change, Verdict, gate


def scores(values: list[float]) -> dict[tuple[str, str], float]:
    return {("A", f"{i:04}"): value for i, value in enumerate(values)}


def change(old: list[float], new: list[float], name: str = "accuracy") -> Change:
    return Change(name, "higher", scores(old), scores(new), 0.0, 1.0)


GOOD = [1.0] * 80 + [0.0] * 20


def verdict(one: Change, margin: float = 0.02) -> Verdict:
    [found] = gate([one], margin=margin)
    return found.verdict


def test_three_verdicts() -> None:
    assert verdict(change(GOOD * 10, [1.0] * 60 * 10 + [0.0] * 40 * 10)) is Verdict.WORSE
    assert verdict(change(GOOD * 10, GOOD * 10)) is Verdict.NOT_WORSE
    assert verdict(change(GOOD[:20], [0.0, *GOOD[1:20]])) is Verdict.UNDECIDED


def test_a_sure_loss_within_the_margin_is_not_worse() -> None:
    old, new = [1.0] * 2000, [1.0] * 1990 + [0.0] * 10
    [found] = gate([change(old, new)], margin=0.02)
    assert found.interval is not None
    assert found.interval.high < 0
    assert found.verdict is Verdict.NOT_WORSE


def test_lower_is_better_turns_the_sign() -> None:
    old, new = scores([0.0] * 90 + [1.0] * 10), scores([1.0] * 60 + [0.0] * 40)
    [found] = gate([Change("hallucination", "lower", old, new, 0.0, 1.0)], margin=0.02)
    assert found.verdict is Verdict.WORSE
    assert found.difference == pytest.approx(-0.5)


def test_an_answer_that_lost_its_score_is_not_left_out() -> None:
    old = scores([1.0] * 500)
    new = {key: value for key, value in old.items() if key[1] >= "0050"}
    [found] = gate([Change("bleu", "higher", old, new, 0.0, 1.0)], margin=0.02)
    assert (found.lost, found.n) == (50, 450)
    assert found.verdict is not Verdict.NOT_WORSE
    [unbounded] = gate([Change("bertscore", "higher", old, new)], margin=0.02)
    assert unbounded.verdict is Verdict.UNDECIDED
    assert unbounded.why


def test_more_metrics_ask_for_more_evidence() -> None:
    rng = np.random.default_rng(3)
    old = rng.random(60).tolist()
    new = [
        value - 0.06 + 0.2 * noise for value, noise in zip(old, rng.normal(size=60), strict=True)
    ]
    [alone] = gate([change(old, new)], margin=0.0)
    crowd = gate(
        [change(old, new), *(change(old, old[::-1], f"m{i}") for i in range(20))], margin=0.0
    )
    assert alone.p_worse is not None
    assert crowd[0].p_worse is not None
    assert crowd[0].p_worse == pytest.approx(min(1.0, 21 * alone.p_worse))


def test_flips_name_the_largest_loss_first() -> None:
    [found] = gate([change([1.0, 0.5, 0.0], [0.0, 0.4, 1.0])], margin=0.02)
    assert [(flip.case, flip.change) for flip in found.flips] == [
        ("0000", -1.0),
        ("0001", pytest.approx(-0.1)),
        ("0002", 1.0),
    ]


def test_answers_to_one_case_are_one_cluster() -> None:
    old = {(system, str(case)): 1.0 for system in "ABCDEFGHIJ" for case in range(6)}
    new = {(s, c): float(c not in {"0", "1"}) for s, c in old}
    [found] = gate([Change("accuracy", "higher", old, new, 0.0, 1.0)], margin=0.02)
    assert found.interval is not None
    assert found.interval.method == "t over clusters"


def test_a_lost_score_counts_as_what_it_is_said_to() -> None:
    old = scores([1.0] * 500)
    new = {key: value for key, value in old.items() if key[1] >= "0050"}
    [found] = gate([Change("bleu", "higher", old, new, 0.0, 1.0, if_lost=0.0)], margin=0.02)
    assert (found.verdict, found.lost_as) == (Verdict.WORSE, 0.0)
    assert found.difference == pytest.approx(-0.1)
    assert not found.blocked


def test_nothing_in_common_is_blocked() -> None:
    old = scores([1.0] * 5)
    [found] = gate([Change("bleu", "higher", old, {}, 0.0, 1.0, if_lost=0.0)], margin=0.02)
    assert (found.verdict, found.blocked, found.n, found.lost) == (Verdict.UNDECIDED, True, 0, 5)
    assert "none of the 5 scores" in found.why


def test_what_is_unchanged_is_not_worse_at_any_size() -> None:
    old = scores([1.0, 0.0])
    [found] = gate([Change("bleu", "higher", old, old, 0.0, 1.0, unchanged=True)], margin=0.02)
    assert (found.verdict, found.identical) == (Verdict.NOT_WORSE, True)
