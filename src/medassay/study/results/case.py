"""What a run found about its cases, and about rankings by fewer labels, as plain data."""

from typing import Literal

from medassay.marks import CaseId, DesignName, PValue, SystemName, TestWords, Words
from medassay.stats import Interval
from medassay.study.results.plain import Plain

__all__ = ["CaseDifficultyResult", "DifficultyResult", "RankSpreadResult", "SchemeRanksResult"]


class CaseDifficultyResult(Plain, infers=True):
    """One case; see `validity.CaseDifficulty`."""

    case: CaseId
    mean: float
    spread: float
    null_low: float | None
    null_high: float | None
    level: Literal["difficult", "moderate", "easy"]
    discrimination: float | None
    p: PValue | None
    p_adjusted: PValue | None
    suspect: Words
    n_systems: int


class DifficultyResult(Plain, infers=True):
    """The cases by one consensus; see `validity.Difficulty`."""

    source: DesignName
    dimension: DesignName
    low: float
    high: float
    q1: float | None
    q3: float | None
    share: float | None
    rho: float | None
    null: Interval | None
    p: PValue | None
    cases: list[CaseDifficultyResult]
    left_out: int
    reason: Words


class RankSpreadResult(Plain, infers=False):
    """One system's place by two schemes; 1 is best, ties share their mean place."""

    system: SystemName
    first: float
    second: float
    """Mean over the draws."""
    low: float
    high: float
    """The lowest and the highest place of any draw."""


class SchemeRanksResult(Plain, infers=True):
    """Two ways of joining labels, the second by k of the labels; see `validity.SchemeRanks`."""

    dimension: DesignName
    first: DesignName
    second: DesignName
    k: int
    panel: int
    answers: int
    n_cases: int
    draws: int
    tau: float | None
    """Mean over the draws."""
    tau_first_draw: float | None
    tau_low: float | None
    tau_high: float | None
    """The least and the largest of any draw."""
    p: PValue | None
    p_method: TestWords
    over_systems: Interval | None
    """With all labels only; new systems, these cases, and what both say of them held fixed."""
    places: list[RankSpreadResult]
    reason: Words
