"""The trust table as plain data."""

from typing import Literal

from medassay.marks import DesignName, PValue, Words
from medassay.stats import Interval
from medassay.study.results.plain import Plain

__all__ = ["TrustEntryResult", "TrustResult"]


class TrustEntryResult(Plain, infers=True):
    """One metric, or one sentinel, on one dimension."""

    metric: DesignName
    title: DesignName
    role: Literal["metric", "sentinel"]
    tau: float | None
    reason: Words
    """Why there is no tau or no interval; empty where there are both."""
    interval: Interval | None
    """New systems on new cases; holds for all metrics of the dimension at once."""
    p: PValue | None
    p_adjusted: PValue | None
    """Holm, over the metrics of the dimension."""
    p_fdr: PValue | None
    """Benjamini and Hochberg, over the same."""
    p_best: float | None
    """Share of the resamples in which it has the highest tau of all metrics."""
    within: float | None
    """Mean tau-b within cases."""
    within_interval: Interval | None
    beaten_by: list[DesignName]
    """Sentinels that do as well."""
    uses: list[Literal["rank", "screen", "gate", "never"]]
    why: Words
    towards: Words
    """The next use up; empty where there is none."""
    more_answers: int | None
    """Further answers to be judged before the verdict would change, if tau stays where it is."""
    more_cases: int
    more_systems: int
    more_why: Words
    n_systems: int
    n_cases: int
    n_answers: int
    adjusted: bool = False
    """Whether the means are adjusted by case, since not every system has every case."""


class TrustResult(Plain, infers=True):
    """Which metric may stand in for the raters on one dimension."""

    dimension: DesignName
    title: DesignName
    """What a page calls the dimension."""
    method: DesignName
    consensus: DesignName
    entries: list[TrustEntryResult]
    """Metrics, the highest tau first; then sentinels."""
    level: float
    each_level: float
    """The level at which each interval was taken, so that all hold together at `level`."""
    noise: float | None
    """The tau that the best of as many random metrics stays below in 95 % of draws."""
    reliability: float | None
    """Share of the spread of the raters' means that is no luck of the cases."""
    raters: float | None
    """Median tau between two halves of the raters: a reference, not a ceiling."""
    raters_low: float | None
    raters_high: float | None
    raters_one: float | None
    """Median tau between one rater an answer and the others."""
    raters_reason: Words
    interval_warning: Words = ""
    """Why the intervals may hold less than their level; empty where simulation bears them out."""
    unjudged_note: Words = ""
    """What becomes of the verdicts by another rule for answers that nobody judged; empty where
    every answer is judged, or most are not."""
