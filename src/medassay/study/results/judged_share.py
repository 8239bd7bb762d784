"""Shares of bad answers by people, by a flag and by the flag corrected, as plain data."""

from medassay.marks import DesignName, SystemName, Words
from medassay.stats import Interval
from medassay.study.results.human import CombinedResult
from medassay.study.results.plain import Plain

__all__ = ["JudgedShareResult"]


class JudgedShareResult(Plain, infers=True):
    """One system, one flag and one kind of bad answer; see `validity.JudgedShare`."""

    dimension: DesignName
    kind: Words
    system: SystemName
    flag: DesignName
    role: Words
    judged: int
    people: float | None
    people_interval: Interval | None
    scored: int
    plain: float | None
    plain_interval: Interval | None
    sensitivity: tuple[int, int]
    specificity: tuple[int, int]
    errors_of: Words
    corrected: CombinedResult
