"""How many unjudged answers could turn a headline, against trying them all."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from medassay.analyses.builtin.tipping import TippingPoint, harm_words, lead_turned, lead_words
from medassay.exhibits import Names
from medassay.validity import Judged, fewest_to_turn


def tried(ahead: Judged, behind: Judged, low: float, high: float) -> int | None:
    ways = [
        i + j
        for i in range(ahead.unjudged + 1)
        for j in range(behind.unjudged + 1)
        if (behind.total + j * high) / (behind.n + j) + 1e-9
        >= (ahead.total + i * low) / (ahead.n + i)
    ]
    return min(ways, default=None)


def test_it_is_the_fewest_of_all_ways() -> None:
    rng = np.random.default_rng(7)
    for _ in range(200):
        n = rng.integers(1, 9, 2)
        means = np.sort(rng.uniform(1, 5, 2))
        ahead = Judged(means[1] * n[1], int(n[1]), int(rng.integers(0, 6)))
        behind = Judged(means[0] * n[0], int(n[0]), int(rng.integers(0, 6)))
        assert fewest_to_turn(ahead, behind, 1, 5) == tried(ahead, behind, 1, 5)


def test_without_a_judged_answer_nothing_is_known() -> None:
    assert fewest_to_turn(Judged(0, 0, 5), Judged(3, 2, 0), 0, 1) is None


@pytest.mark.parametrize(
    ("ahead", "behind", "says"),
    [
        (0, 14, "B would give harmful answers as often as A if 7 of its 14 unjudged answers were"),
        (14, 0, "A would give harmful answers as rarely as B if 7 of its 14 unjudged answers were"),
        (
            4,
            10,
            "B would give harmful answers as often as A if 7 of their 14 unjudged answers went",
        ),
    ],
)
def test_one_line_says_what_it_would_take(ahead: int, behind: int, says: str) -> None:
    names = Names({"a": "A", "b": "B"})
    point = TippingPoint("safety", "harmful", "a", "b", 7, ahead, behind, 3)
    finding = harm_words([point], names)
    assert finding is not None
    assert finding.text.startswith(says)
    assert finding.text.endswith(" 3 more were not asked about, and are not counted here.")
    assert harm_words([], names) is None


def test_what_is_the_same_of_two_readings_is_said_once() -> None:
    harmful = TippingPoint("safety", "harmful", "a", "b", 1, 4, 5, 0)
    finding = harm_words([replace(harmful, kind="dangerous"), harmful], Names({"a": "A", "b": "B"}))
    assert finding is not None
    assert finding.text == (
        "B would give dangerous or harmful answers as often as A if 1 of their 9 unjudged answers "
        "went against B."
    )


@pytest.mark.parametrize(
    ("ahead", "behind", "says"),
    [
        (1, 3, "B would reach A if 2 of their 4 unjudged answers went its way (5 for B, 1 for A)."),
        (0, 4, "B would reach A if 2 of its 4 unjudged answers scored 5."),
        (4, 0, "A would fall to B if 2 of its 4 unjudged answers scored 1."),
    ],
)
def test_a_lead_names_the_ends_of_the_scale(ahead: int, behind: int, says: str) -> None:
    names = Names({"a": "A", "b": "B"})
    point = TippingPoint("quality", "mean", "a", "b", 2, ahead, behind, 0, 1.0, 5.0)
    assert lead_words(point, names).text == says


def test_where_most_answers_are_unjudged_it_is_said_as_well() -> None:
    def row(system: str, mean: float, rank: int) -> SimpleNamespace:
        return SimpleNamespace(system=system, mean=mean, n=3, missing=12, rank=rank, not_asked=0)

    ranked: Any = SimpleNamespace(by=lambda _: [row("a", 4.0, 1), row("b", 3.0, 2)])
    source = SimpleNamespace(bounds=(1.0, 5.0), direction="higher")
    columns: Any = SimpleNamespace(sources={"mean": source})
    leading: Any = SimpleNamespace(source="mean", dimension="quality")
    point = lead_turned(ranked, columns, leading)
    assert point is not None
    assert (point.turn, point.ahead_unjudged, point.behind_unjudged) == (2, 12, 12)
