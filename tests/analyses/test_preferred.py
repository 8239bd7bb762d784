"""What raters preferred side by side, from the preferences alone."""

from dataclasses import replace

import numpy as np
import pytest
from adverse_designs import preferred

from medassay.analyses.builtin.preferences import PairCount, SideBySide, preferences
from medassay.analyses.inputs.readable import Design, Randomness
from medassay.exhibits import Names
from medassay.judgements import Preferences
from medassay.stats import Interval

CHOICES = (("1", "b"), ("2", "b"), ("3", "a"), ("4", "tie"))
DRAWN = Randomness(60, lambda code, *_: np.random.default_rng(len(code)))


def _given(choices: tuple[tuple[str, str], ...]) -> Preferences:
    return Preferences.from_rows(
        {"rater": rater, "case": case, "system_a": "ash", "system_b": "beech", "choice": choice}
        for rater in ("r1", "r2")
        for case, choice in choices
    )


def _found(clusters: dict[str, str]) -> SideBySide:
    design = Design(("ash", "beech"), tuple("1234"), clusters, {})
    found = preferences.compute(preferences_made=_given(CHOICES), design=design, randomness=DRAWN)
    assert isinstance(found, SideBySide)
    return found


def test_choices_are_counted_fitted_and_compared_the_preferred_system_first() -> None:
    (one,) = _found({}).dimensions
    assert (one.n, one.raters, one.cases, one.judged_more_than_once) == (8, 2, 4, 4)
    assert [(s.system, s.wins, s.ties, s.losses) for s in one.standings] == [
        ("beech", 4, 2, 2),
        ("ash", 2, 2, 4),
    ]
    assert one.standings[0].win_share == pytest.approx(5 / 8)
    assert one.pairs == (PairCount("ash", "beech", 2, 4, 2),)
    assert [s.system for s in one.strengths] == ["beech", "ash"]
    assert one.strengths[0].log_strength == pytest.approx(np.log(2) / 2, abs=1e-4)
    assert one.pairwise_agreement == 1


def test_cases_of_one_cluster_are_drawn_together() -> None:
    (apart,) = _found({}).dimensions
    (alike,) = _found(dict.fromkeys("1234", "one topic")).dimensions
    assert apart.standings[0].interval is not None
    assert alike.standings[0].interval is None
    assert alike.standings[0].win_share == apart.standings[0].win_share


def test_without_preferences_it_says_nothing() -> None:
    design = Design(("ash", "beech"), (), {}, {})
    assert preferences.compute(preferences_made=_given(()), design=design, randomness=DRAWN) is None


def test_it_brings_its_tables_and_its_sentence() -> None:
    found, names = _found({}), Names(systems={"ash": "Ash", "beech": "Beech"})
    declared = preferences.declared
    assert declared.tables
    ids = [table.id for table in declared.tables(found, names)]
    assert ids == ["preferences-overall", "strengths-overall", "preference-pairs-overall"]
    [said] = declared.findings(found, names)
    assert said.text.startswith("Beech was preferred most often: in 62% of 8 comparisons (95% CI ")
    assert set(said.basis) <= set(ids)


@pytest.mark.parametrize(
    ("systems", "low", "by_luck"),
    [(2, 0.51, False), (6, 0.51, True), (6, 0.60, False), (6, 0.45, False)],
)
def test_the_largest_of_many_shares_must_stand_among_all_of_them(
    systems: int, low: float, *, by_luck: bool
) -> None:
    (on,) = _found({}).dimensions
    top = next(row for row in on.standings if row.system == "beech")
    around = Interval(low, 0.75, 0.95, "percentile bootstrap", "new cases")
    top = replace(top, win_share=0.63, interval=around, uneven=False)
    others = [replace(top, system=f"s{i}", win_share=0.4) for i in range(systems - 1)]
    found = SideBySide((replace(on, standings=(top, *others)),))
    assert preferences.declared is not None
    [said] = preferences.declared.findings(found, Names())
    assert (f"The largest of {systems} shares can be as high by chance" in said.text) is by_luck
    assert ("more than half of the time is undecided" in said.text) is (low < 0.5)


@pytest.mark.parametrize("first", [0.7, 1.0])
def test_raters_who_favour_a_place_prefer_no_system(first: float) -> None:
    rng = np.random.default_rng(4)
    said = [preferred(rng, 60, 3, first, 0.7, 0.0) for _ in range(60)]
    before, now = np.mean(said, axis=0)
    assert before > 0.2
    assert now <= 0.05 + 3 * (0.05 * 0.95 / 60) ** 0.5


@pytest.mark.parametrize(
    ("first", "ends"),
    [
        ([True, False], "ties count half)."),
        ([True, True, True, False], " This holds with first and second place counted alike."),
        ([True], " Raters saw it first in 80, so a liking for that place can explain it."),
    ],
)
def test_the_sentence_says_where_the_preferred_system_was_shown(
    first: list[bool], ends: str
) -> None:
    """Beech wins 60 of 80, shown first in so many of what it wins, and of what it loses."""
    rows = [
        {
            "rater": "r", "case": f"{at}", "system_a": shown[0], "system_b": shown[1],
            "choice": "ab"[shown.index("beech" if at < 60 else "ash")],
        }
        for at in range(80)
        for shown in [["beech", "ash"] if first[at % len(first)] else ["ash", "beech"]]
    ]  # fmt: skip
    design = Design(("ash", "beech"), tuple(f"{at}" for at in range(80)), {}, {})
    found = preferences.compute(
        preferences_made=Preferences.from_rows(rows), design=design, randomness=DRAWN
    )
    assert preferences.declared is not None
    [said] = preferences.declared.findings(found, Names())
    assert "beech was preferred most often" in said.text
    assert said.text.endswith(ends), said.text
