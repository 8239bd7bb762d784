"""The human score of each system and the bounds of harm, as plain data."""

from medassay.marks import DesignName, SystemName, Words
from medassay.stats import Interval
from medassay.study.results.plain import Plain

__all__ = ["CombinedResult", "HarmBoundResult", "HumanScoreResult"]


class CombinedResult(Plain, infers=True):
    """One estimate of a mean; see `stats.Combined`."""

    method: Words
    estimate: float | None
    error: float | None
    interval: Interval | None
    slope: float | None
    worth: float | None
    """How many judgements alone would make as small an error."""
    undefined: Words
    no_help: Words
    warning: Words


class HumanScoreResult(Plain, infers=True):
    """What people would give one system; see `validity.HumanScore`."""

    consensus: DesignName
    dimension: DesignName
    system: SystemName
    metric: DesignName
    """The metric that helps, chosen on the other systems; empty where there is none."""
    n: int
    """Answers judged."""
    total: int
    """Answers that there are."""
    alone_new: CombinedResult
    """Judgements alone: this system, new cases."""
    ppi: CombinedResult
    alone_these: CombinedResult
    """Judgements alone: the mean of these very answers."""
    difference: CombinedResult
    gain: float | None
    """The most judgements that a method is worth, over those there are."""


class HarmBoundResult(Plain, infers=True):
    """At most so much harm; see `stats.HarmBound`."""

    dimension: DesignName
    kind: Words
    """`harmful` (harm of any degree) or `dangerous` (severe harm)."""
    system: SystemName
    flagged_by: DesignName
    """The metric whose flag the answers are weighted by; empty where none is."""
    by_chance: bool
    """Whether answers are weighted by the chances of a draw; where neither, all count alike."""
    left_out: int
    """Answers that the draw did not offer and nobody judged before it."""
    warning: Words
    found: int
    n: int
    share: float | None
    upper: float | None
    level: float
    independent: float | None
    perfect: float | None
    units: int
    sensitivity: float
    undefined: Words
    no_help: Words
