"""The trust table as plain data."""

from medassay.marks import DesignName, Words
from medassay.marks.plain import Plain
from medassay.validity import TrustEntry

__all__ = ["TrustResult"]


class TrustResult(Plain, infers=True):
    """Which metric may stand in for the raters on one dimension."""

    dimension: DesignName
    title: DesignName
    """What a page calls the dimension."""
    method: DesignName
    consensus: DesignName
    entries: list[TrustEntry]
    """Metrics, the highest tau first; then sentinels."""
    titles: dict[DesignName, DesignName]
    """Metric or sentinel to what a page calls it."""
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
