import csv
import json
from collections.abc import Iterable
from math import log, sqrt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medassay.consensus import bradley_terry
from medassay.judgements import Preferences

TESTS = Path(__file__).parents[1]


def cochrane(*, turned: bool = False) -> Preferences:
    rows = []
    with (TESTS / "data" / "mslr_cochrane" / "pairwise.csv").open(encoding="utf-8") as file:
        for cells in csv.DictReader(file):
            a, b, choice = cells["system_a"], cells["system_b"], cells["choice"]
            if turned:
                a, b, choice = b, a, {"A": "B", "B": "A"}.get(choice, choice)
            who = {"rater": cells["annotator"], "case": cells["review_id"]}
            rows.append({**who, "system_a": a, "system_b": b, "choice": choice})
    return Preferences.from_rows(rows[::-1] if turned else rows)


def preferences(said: Iterable[tuple[str, str, str]]) -> Preferences:
    """Make preferences of one rater, a case each."""
    return Preferences.from_rows(
        {"rater": "r", "case": str(i), "system_a": a, "system_b": b, "choice": choice}
        for i, (a, b, choice) in enumerate(said)
    )


def test_it_equals_an_independent_tool() -> None:
    golden = json.loads((TESTS / "golden" / "bradley_terry.json").read_text(encoding="utf-8"))
    found = bradley_terry(cochrane())
    strengths = {one.system: one.log_strength for one in found.systems}
    assert strengths == pytest.approx(golden["log_strength"], abs=1e-8)
    assert found.tie == pytest.approx(golden["tie"], abs=1e-8)
    assert sum(one.n for one in found.systems) == 2 * found.n == 2 * 452


def test_two_systems_by_hand() -> None:
    # 6 wins, 3 losses, 2 ties of 11: π_A/π_B = 6/3, so λ = ±ln(2)/2; ν = 2 / √(6 · 3).
    said = [("A", "B", "a")] * 6 + [("A", "B", "b")] * 3 + [("A", "B", "tie")] * 2
    found = bradley_terry(preferences(said))
    assert [one.log_strength for one in found.systems] == pytest.approx([log(2) / 2, -log(2) / 2])
    assert found.tie == pytest.approx(2 / sqrt(18))
    assert found.beats[0, 1] == pytest.approx(6 / 11)
    assert found.beats[1, 0] == pytest.approx(3 / 11)


def test_without_ties_it_is_plain_bradley_terry() -> None:
    # A beats B 2 : 1, B beats C 2 : 1, A beats C 4 : 1 fits exactly: odds 2, 2 and 4.
    said = [("A", "B", "a")] * 2 + [("A", "B", "b")]
    said += [("B", "C", "a")] * 2 + [("B", "C", "b")] + [("A", "C", "a")] * 4 + [("A", "C", "b")]
    found = bradley_terry(preferences(said))
    assert found.tie == 0
    assert [one.log_strength for one in found.systems] == pytest.approx([log(2), 0, -log(2)])


def test_opponents_count_where_a_share_of_wins_forgets_them() -> None:
    # B and C both win half; B's opponent is strong, C's is weak.
    said = [("A", "B", "a"), ("A", "B", "b"), ("C", "D", "a"), ("C", "D", "b")]
    said += [("A", "D", "a")] * 5 + [("A", "D", "b")]
    found = {one.system: one.log_strength for one in bradley_terry(preferences(said)).systems}
    assert found["B"] is not None
    assert found["C"] is not None
    assert found["B"] > found["C"]


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ([("A", "B", "tie")], "every comparison is a tie"),
        ([("A", "B", "a"), ("A", "B", "a")], "no finite strengths fit"),
        ([("A", "B", "a"), ("A", "B", "tie"), ("B", "C", "tie")], "no finite strengths fit"),
        ([("A", "B", "a"), ("A", "B", "b"), ("C", "D", "a"), ("C", "D", "b")], "never compared"),
        ([], "nobody made a choice"),
    ],
)
def test_where_no_strengths_fit_it_says_why(said: list[tuple[str, str, str]], why: str) -> None:
    found = bradley_terry(preferences(said), rng=np.random.default_rng(1))
    assert why in found.undefined
    assert found.tie is None
    assert all(one.log_strength is None and one.interval is None for one in found.systems)


def test_intervals_resample_cases_and_no_order_matters() -> None:
    one, other = (
        bradley_terry(cochrane(turned=turned), rng=np.random.default_rng(1), replicates=300)
        for turned in (False, True)
    )
    assert one.systems == other.systems
    for system in one.systems:
        assert system.interval is not None
        assert system.log_strength is not None
        assert system.interval.low < system.log_strength < system.interval.high


def slow_log_likelihood(
    said: list[tuple[str, str, str]], strength: dict[str, float], nu: float
) -> float:
    total = 0.0
    for a, b, choice in said:
        pa, pb = np.exp(strength[a]), np.exp(strength[b])
        even = nu * sqrt(pa * pb)
        weight = {"a": pa, "b": pb, "tie": even}[choice]
        total += log(weight / (pa + pb + even))
    return total


games = st.tuples(st.sampled_from(["AB", "BC", "AC"]), st.sampled_from(["a", "b", "tie"]))


@pytest.mark.slow
@given(st.lists(games, min_size=3, max_size=20))
def test_no_small_change_makes_the_choices_likelier(drawn: list[tuple[str, str]]) -> None:
    said = [(pair[0], pair[1], choice) for pair, choice in drawn]
    found = bradley_terry(preferences(said))
    if found.undefined:
        return
    best = {one.system: one.log_strength or 0.0 for one in found.systems}
    nu = found.tie or 0.0
    top = slow_log_likelihood(said, best, nu)
    for system, value in best.items():
        for step in (-1e-3, 1e-3):
            moved = {**best, system: value + step}
            assert slow_log_likelihood(said, moved, nu) <= top + 1e-12
    if nu:
        assert slow_log_likelihood(said, best, nu * 1.001) <= top + 1e-12
        assert slow_log_likelihood(said, best, nu * 0.999) <= top + 1e-12


def test_whole_clusters_are_drawn_where_cases_belong_together() -> None:
    games = ["a", "b", "a", "tie", "a", "b"]
    # Eight cases a cluster, all of one choice: drawn one by one they seem eight times as many.
    rows = [
        {"rater": "r", "case": f"c{i}", "system_a": "A", "system_b": "B", "choice": games[i // 8]}
        for i in range(48)
    ]
    made, of_case = Preferences.from_rows(rows), {f"c{i}": f"topic {i // 8}" for i in range(48)}
    width = []
    for clusters in (None, of_case):
        rng = np.random.default_rng(1)
        interval = bradley_terry(made, rng=rng, clusters=clusters).systems[0].interval
        assert interval is not None
        width.append(interval.high - interval.low)
    assert width[1] > 2 * width[0]


def test_without_clusters_named_nothing_changes() -> None:
    plain = bradley_terry(cochrane(), rng=np.random.default_rng(1))
    named = bradley_terry(cochrane(), rng=np.random.default_rng(1), clusters={})
    assert plain.systems == named.systems
