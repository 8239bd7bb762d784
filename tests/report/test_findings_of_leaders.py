"""Sentences that say which system is better, as far as the tests allow."""

import re
from dataclasses import replace
from math import copysign
from typing import Any

import numpy as np
import pytest
from tests.report.ranked import changed_rows, with_pairs

from medassay.analyses.builtin.leaderboards import leaderboards_in
from medassay.analyses.builtin.leaderboards.words import apart_by_harm, leaders_finding
from medassay.analyses.inputs.system_harm import HarmFound
from medassay.analyses.results import Results
from medassay.report import findings
from medassay.report.names import Names
from medassay.scores import Grid
from medassay.validity import Comparison, LeaderboardRow, Source, rank_systems


def _said(results: Results) -> dict[str, str]:
    return {finding.id: finding.text for finding in findings(results)}


def _clear(results: Results, p: float = 0.001, least: float = 1.5) -> Results:
    """Let every pair differ by much, which few cases show, at this p."""
    pairs = leaderboards_in(results.analyses).comparisons
    told = [
        replace(pair, p_adjusted=p, difference=copysign(least, pair.difference or 1.0))
        for pair in pairs
    ]
    return with_pairs(results, told)


def _two_groups(small: Results) -> Results:
    def letters(s: Any) -> dict[str, Any]:  # noqa: ANN401 - a record of any field
        return {"letters": "a" if s.rank == 1 else "b" if s.rank else ""}

    # Groups are those of one column's tests; a sentence asks more of a column that shares its rate.
    return changed_rows(_clear(small), letters)


def test_a_lead_on_another_dimension_needs_its_part_of_the_shared_rate(small: Results) -> None:
    def told(p: float) -> str:
        return _said(_clear(_two_groups(small), p))["leaders"]

    assert told(0.03).startswith("Birch leads on Fluency by the raters (")
    assert re.search(r"On \w+, \w+ leads\.", told(0.001))
    assert not re.search(r"On \w+, \w+ leads\.", told(0.03))


def test_what_fails_its_part_of_the_rate_shows_its_difference_and_interval(small: Results) -> None:
    told = _said(_clear(_two_groups(small), 0.03))["leaders"]
    gap = r"difference from \w+ [\d.]+; 95% CI [\d.]+ to [\d.]+; undecided at 1%, its share of 5%"
    words = r"On [^.]*, differences between systems are undecided [^.(]*"
    assert re.search(rf"{words}\(\w+: {gap}\)", told)
    assert "its share of" not in _said(_clear(_two_groups(small), 0.2))["leaders"]


def test_a_leader_alone_in_its_group_leads(small: Results) -> None:
    text = _said(_two_groups(small))["leaders"]
    assert re.match(r"\w+ leads on Fluency by the raters \([^)]*; 12 cases\)\. ", text)
    assert "It is better than every other system (corrected for all pairs)." in text
    assert "undecided" not in text


def test_a_lead_that_rare_large_losses_could_reverse_is_undecided(small: Results) -> None:
    # 49 cases on a scale of 0 to 2 need not show what reverses a lead of 0.1: (2/2.1)^49 > .025.
    told = _said(_clear(_two_groups(small), least=0.1))["leaders"]
    assert "leads on Fluency" not in told
    assert "Whether it is better than Oak, Elm and 2 others is undecided" in told
    assert "rare large losses that 49 cases may not show could reverse it" in told
    assert "leads on Fluency" in _said(_clear(_two_groups(small), least=0.2))["leaders"]


def test_a_cluster_of_cases_shows_a_rare_loss_once(small: Results) -> None:
    # 49 cases show what reverses a lead of 0.5 of 2, but not in 10 clusters: (2/2.5)^10 > .025.
    clear = _clear(_two_groups(small), least=0.5)
    assert "leads on Fluency" in _said(clear)["leaders"]
    pairs = leaderboards_in(clear.analyses).comparisons
    told = _said(with_pairs(clear, [replace(pair, clusters=10) for pair in pairs]))["leaders"]
    assert "leads on Fluency" not in told
    assert "rare large losses that 10 clusters of cases may not show could reverse it" in told


def test_a_leader_is_told_on_the_cases_that_its_mean_rests_on(small: Results) -> None:
    def fewer(s: LeaderboardRow) -> dict[str, Any]:
        return {"n": 5 if s.rank == 1 else 12}

    def told(results: Results) -> str:
        return _said(changed_rows(results, fewer))["leaders"]

    assert re.match(r"\w+ leads on [^(]+ \([^)]*; 5 of 12 cases\)\.", told(_two_groups(small)))
    one = changed_rows(small, lambda _: {"letters": "a"})
    assert "; 5 of 12 cases). Whether" in told(one)
    untested = changed_rows(small, lambda _: {"letters": ""})
    assert "; 5 of 12 cases). The systems were not compared" in told(untested)
    same = changed_rows(one, lambda _: {"mean": 4.0, "adjusted": None})
    assert "the same mean on Fluency by the raters (4.00 of 2; 5 to 12 of 12 cases)" in told(same)


def test_a_lead_whose_interval_holds_zero_is_not_told(small: Results) -> None:
    def wide(c: Any) -> dict[str, Any]:  # noqa: ANN401 - a record of any field
        if c.interval is None:
            return {}
        return {"interval": replace(c.interval, low=-1.0, high=1.0)}

    assert "It is better than" in _said(small)["leaders"]
    pairs = leaderboards_in(small.analyses).comparisons
    unsure = with_pairs(small, [replace(pair, **wide(pair)) for pair in pairs])
    assert "It is better than" not in _said(unsure)["leaders"]


def test_where_systems_met_other_cases_it_says_on_which_they_are_compared(small: Results) -> None:
    def shared(s: Any) -> dict[str, Any]:  # noqa: ANN401 - a record of any field
        letters = ("a" if s.rank <= 2 else "b") if s.rank else ""
        return {"letters": letters, "adjusted": s.mean}

    text = _said(changed_rows(small, shared))["leaders"]
    undecided = r" Whether it is better than \w+ is undecided on the \d+ cases that both have"
    assert re.search(rf"{undecided} \(difference ", text)
    assert re.search(r"It is better than \w+ on the \d+ cases that both have \(difference ", text)
    plain = _said(changed_rows(small, lambda s: {"letters": shared(s)["letters"]}))["leaders"]
    assert re.search(rf"{undecided} \(difference ", plain)
    assert re.search(r"It is better than \w+ \(difference ", plain)


@pytest.mark.parametrize("letters", ["a", "top"])
def test_who_is_called_undecided_is_called_so_on_so_many_shared_cases(
    small: Results, letters: str
) -> None:
    def shared(s: LeaderboardRow) -> dict[str, Any]:
        return {"letters": "a" if letters == "a" or (s.rank or 9) <= 3 else "b"}

    plain = changed_rows(small, shared)
    pairs = leaderboards_in(plain.analyses).comparisons
    fewer = with_pairs(plain, [replace(pair, n=5 + at % 3) for at, pair in enumerate(pairs)])
    for sentence in re.split(r"(?<=\.) (?=[A-Z])", _said(fewer)["leaders"]):
        if "is undecided" in sentence:
            assert re.search(
                r"on the (\d+ to )?\d+ cases that (both|each two of them) have", sentence
            )


def test_nobody_is_called_undecided_whom_harm_decides(small: Results) -> None:
    plain = changed_rows(small, lambda _: {"letters": "a"})
    boards = leaderboards_in(plain.analyses)
    source = plain.primary
    top, second, third, *_ = (row.system for row in boards.by(source) if row.rank)
    dimension = Names(plain).sources[source].dimension
    assert dimension is not None
    by_harm = (dimension, min(top, second), max(top, second))
    decided = replace(boards, apart_by_harm=(by_harm,))
    text = leaders_finding(decided, Names(plain)).text
    title = Names(plain).of_system
    undecided = next(s for s in re.split(r"(?<=\.) (?=[A-Z])", text) if "is undecided" in s)
    assert undecided.startswith(f"Whether it is better than {title(third)}")
    assert title(second) not in undecided
    assert (
        " Still to confirm by reading the answers: "
        "its share of harmful answers differs from that of "
        f"{title(second)} (harm by system, "
    ) in text
    names = Names(plain)
    names.harm_words = {dimension: "refuted"}
    said = leaders_finding(decided, names).text
    differs = "its share of answers labelled refuted differs from that of"
    assert f"Still to confirm by reading the answers: {differs}" in said
    assert "harmful" not in said
    elsewhere = (("another dimension", *by_harm[1:]),)
    assert leaders_finding(replace(boards, apart_by_harm=elsewhere), Names(plain)) == (
        leaders_finding(boards, Names(plain))
    )


def test_harm_decides_where_a_test_of_all_pairs_does() -> None:
    found = np.arange(100) < np.array([[25], [5], [2]])
    known = np.ones(found.shape, dtype=np.bool_)
    cases = tuple(f"{k:03}" for k in range(100))
    grid = Grid(("a", "b", "c"), cases, found.astype(np.float64), known)
    pairs = rank_systems(Source("safety", grid, "lower"), rng=1, replicates=1).comparisons
    harm = HarmFound((), {}, {}, {}, {("safety", "harmful"): pairs})
    assert apart_by_harm(harm) == (("safety", "a", "b"), ("safety", "a", "c"))


def test_one_group_for_all_names_no_leader(small: Results) -> None:
    text = _said(changed_rows(small, lambda _: {"letters": "a"}))["leaders"]
    assert re.search(
        r"; 12 cases\)\. Whether it is better than any other system is undecided "
        r"on the \d+ cases that each two of them have\.",
        text,
    )
    assert "comes first" not in text
    assert re.search(r"On [^.]+, differences between systems are undecided[. ]", text)


def test_an_order_that_a_test_decides_is_not_called_undecided(small: Results) -> None:
    """The first shares a group with the second and with the third, which do not share one."""
    of_rank = {1: "ab", 2: "a", 3: "b"}

    def parted(s: LeaderboardRow) -> dict[str, Any]:
        return {"letters": of_rank.get(s.rank or 0, "c")}

    text = _said(changed_rows(_clear(small), parted))["leaders"]
    assert re.search(r"On [^.]+, whether \w+ is better than \w+ and \w+ is undecided", text)
    assert "the order of" not in text
    one = changed_rows(small, lambda s: {"letters": "a" if (s.rank or 9) <= 3 else "b"})
    assert re.search(
        r"On [^.]+, the order of \w+, \w+ and \w+ at the top is undecided", _said(one)["leaders"]
    )


def test_a_difference_that_no_test_settles_is_told_without_a_verdict(small: Results) -> None:
    plain = changed_rows(small, lambda _: {"letters": "a"})
    boards = leaderboards_in(plain.analyses)
    first, second, *_, last = (row.system for row in boards.by(plain.primary) if row.rank)
    pairs = {
        frozenset((pair.system_a, pair.system_b)): pair
        for pair in boards.comparisons
        if pair.source == plain.primary
    }

    def between(system: str, low: float, high: float) -> Comparison:
        pair = pairs[frozenset((first, system))]
        assert pair.interval is not None
        interval = replace(pair.interval, low=low, high=high)
        return replace(
            pair, system_a=first, system_b=system, difference=0.5, interval=interval,
            p_adjusted=0.06,
        )  # fmt: skip

    both = [between(second, -0.25, 1.25), between(last, 0.125, 0.875)]
    text = _said(with_pairs(plain, both))["leaders"]
    assert re.search(
        r"The next system is \w+ \(difference 0\.50; 95% CI −0\.25 to 1\.25\)\. "
        r"The last system is \w+ \(difference "
        r"0\.50; 95% CI 0\.12 to 0\.88 for this pair alone; "
        r"undecided once corrected for 15 pairs\)\.",
        text,
    ), text
    assert "It is better than" not in text
    turned = [
        replace(
            pair, system_a=pair.system_b, system_b=first, difference=-0.5,
            interval=pair.interval and replace(
                pair.interval, low=-pair.interval.high, high=-pair.interval.low
            ),
        )
        for pair in both
    ]  # fmt: skip
    assert _said(with_pairs(plain, turned))["leaders"] == text
    none = [replace(pair, difference=None, interval=None, p_adjusted=None) for pair in both]
    assert "difference " not in _said(with_pairs(plain, none))["leaders"]


def test_without_a_test_the_highest_mean_is_only_the_highest_mean(small: Results) -> None:
    text = _said(changed_rows(small, lambda _: {"letters": ""}))["leaders"]
    assert text.endswith("; 12 cases). The systems were not compared by a test.")


def test_systems_with_one_mean_are_not_called_highest(small: Results) -> None:
    alike = changed_rows(small, lambda _: {"letters": "a", "mean": 4.0, "adjusted": None})
    text = _said(alike)["leaders"]
    assert "systems have the same mean on Fluency by the raters (4.00" in text
    assert "none is ahead" in text
    assert "highest" not in text
