import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medassay.judgements import Units
from medassay.validity import BudgetPoint, annotation_budget


def panel(noise: float, systems: int = 6, cases: int = 20, raters: int = 4) -> Units:
    """Make labels 0 to 4 around a quality of each system, each with noise of its own."""
    rng = np.random.default_rng(11)
    quality = np.repeat(np.linspace(0.5, 3.5, systems), cases)[:, None]
    drawn = quality + noise * rng.normal(size=(systems * cases, raters))
    keys = [(f"s{i}", f"c{j:02}") for i in range(systems) for j in range(cases)]
    codes = np.clip(np.rint(drawn), 0, 4)
    return Units.from_codes(codes, list("01234"), keys=keys, scores=range(5))


def curve(points: list[BudgetPoint], method: str, against: str) -> list[float]:
    return [p.tau or 0.0 for p in points if (p.method, p.against) == (method, against)]


@pytest.mark.slow
def test_more_labels_an_answer_bring_the_ranking_nearer_to_the_full_one() -> None:
    points = annotation_budget(
        panel(3.0, cases=8), ["mean", "majority"], rng=np.random.default_rng(1), draws=60
    )
    for method in ("mean", "majority"):
        full = curve(points, method, "full")
        assert len(full) == 3
        assert full[0] < full[-1]
    assert all(
        p.low <= p.tau <= p.high
        for p in points
        if p.tau is not None and p.low is not None and p.high is not None
    )
    # Part and whole share labels; disjoint labels agree less.
    full, rest = curve(points, "mean", "full"), curve(points, "mean", "rest")
    assert all(a > b for a, b in zip(full, rest, strict=True))
    # k of four against the other four - k: the same two groups either way round.
    assert rest[0] == pytest.approx(rest[2], abs=0.1)


def test_raters_who_always_agree_need_one_label() -> None:
    points = annotation_budget(panel(0.0), ["mean", "mace"], rng=np.random.default_rng(1), draws=5)
    assert {(p.tau, p.low, p.high) for p in points} == {(1.0, 1.0, 1.0)}


def test_with_one_label_every_method_is_that_label() -> None:
    points = annotation_budget(
        panel(2.0, raters=2), ["majority", "mean"], rng=np.random.default_rng(1), draws=20
    )
    one, other = (
        next(p for p in points if (p.method, p.against, p.k) == (name, "rest", 1))
        for name in ("majority", "mean")
    )
    assert (one.tau, one.low, one.high) == (other.tau, other.low, other.high)


def test_answers_with_fewer_labels_than_most_are_left_out_and_few_systems_have_a_reason() -> None:
    units = panel(1.0, systems=3, cases=4)
    given = ~((units.unit == 0) & (units.rater > 1))
    points = annotation_budget(units.only(given), ["mean"], rng=np.random.default_rng(1), draws=5)
    assert {(p.panel, p.answers) for p in points} == {(4, 11)}
    points = annotation_budget(
        panel(1.0, systems=2), ["mean"], rng=np.random.default_rng(1), draws=5
    )
    assert {p.tau for p in points} == {None}
    assert "needs 3 systems" in points[0].reason
    assert annotation_budget(panel(1.0, raters=1), rng=np.random.default_rng(1)) == []


@given(st.integers(0, 2**32 - 1), st.integers(1, 3))
def test_each_draw_takes_k_of_every_answer(seed: int, k: int) -> None:
    from medassay.validity.budget import draw_labels

    units = panel(1.0, systems=2, cases=3)
    chosen = draw_labels(units, k, np.random.default_rng(seed))
    assert np.bincount(units.unit[chosen], minlength=6).tolist() == [k] * 6
