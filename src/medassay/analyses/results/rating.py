"""What raters preferred, counted, as results hold it."""

from medassay.consensus import Strength
from medassay.marks import DesignName, SystemName, Words
from medassay.marks.plain import Plain
from medassay.stats import Interval

__all__ = [
    "PreferencePair",
    "PreferenceStanding",
    "PreferencesResult",
]


class PreferenceStanding(Plain, infers=True):
    """How often raters preferred one system."""

    system: SystemName
    n: int
    wins: int
    ties: int
    losses: int
    share: float | None
    """Wins and half of the ties, of all comparisons."""
    interval: Interval | None


class PreferencePair(Plain, infers=False):
    """Two systems, how often either was preferred."""

    system_a: SystemName
    system_b: SystemName
    a: int
    b: int
    tie: int


class PreferencesResult(Plain, infers=True):
    """What raters preferred when they saw two answers side by side."""

    dimension: DesignName
    n: int
    unlabelled: int
    """Comparisons where a rater gave a reason instead of a choice; they are not among n."""
    raters: int
    cases: int
    standings: list[PreferenceStanding]
    pairs: list[PreferencePair]
    judged_more_than_once: int
    pairwise_agreement: float | None
    pairwise_agreement_interval: Interval | None
    reason: Words
    strengths: tuple[Strength, ...] = ()
    """Bradley-Terry strengths, the strongest first."""
    tie_weight: float | None = None
    """How ready raters are to call a tie: two equal systems tie with w / (2 + w)."""
    no_strengths: Words = ""
    """Why there are no strengths; empty where there are."""
