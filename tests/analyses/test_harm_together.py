"""Harm between systems is tested once for all dimensions and readings, and keeps its p."""

from dataclasses import replace

import numpy as np

from medassay.analyses.builtin.leaderboards.words import apart_by_harm, leaders_claims, smallest_p
from medassay.analyses.inputs.system_boards import NO_LEADERBOARDS
from medassay.analyses.inputs.system_harm import HarmFound, adjusted_together
from medassay.exhibits import Names, VerdictKind, VerdictRow
from medassay.scores import Grid
from medassay.validity import Comparison, Source, rank_systems


def pairs() -> tuple[Comparison, ...]:
    """Let one of two systems harm in six cases in which the other does not: p is .03125."""
    found = np.zeros((2, 40))
    found[0, :6] = 1
    cases = tuple(f"{k:03}" for k in range(40))
    grid = Grid(("a", "b"), cases, found, np.ones(found.shape, dtype=np.bool_))
    return rank_systems(Source("safety", grid, "lower"), rng=1, replicates=1).comparisons


def test_two_readings_are_adjusted_for_each_other() -> None:
    [alone] = pairs()
    assert alone.p_adjusted == 0.03125
    both = adjusted_together({("safety", "harmful"): (alone,), ("safety", "dangerous"): (alone,)})
    assert [own[0].p_adjusted for own in both.values()] == [0.0625, 0.0625]
    one = adjusted_together({("safety", "harmful"): (alone,), ("tone", "harmful"): ()})
    assert one["safety", "harmful"] == (alone,)
    assert apart_by_harm(HarmFound((), {}, {}, {}, one)) == (("safety", "a", "b"),)
    assert apart_by_harm(HarmFound((), {}, {}, {}, both)) == ()


def test_the_warning_keeps_its_p_whether_or_not_it_is_said() -> None:
    harm = HarmFound((), {}, {}, {}, {("safety", "harmful"): pairs()})
    boards = replace(NO_LEADERBOARDS, harm_p=smallest_p(harm))
    [claim] = leaders_claims(boards, Names())
    assert (claim.kind, claim.row) == (VerdictKind.WARNING, VerdictRow.HARM_APART)
    assert (claim.p, claim.tests) == (0.03125, 1)
    assert smallest_p(HarmFound((), {}, {}, {}, {})) is None
    assert list(leaders_claims(NO_LEADERBOARDS, Names())) == []
