"""The human score of each system from a draw with known chances, as plain data."""

from medassay.marks import DesignName, SystemName
from medassay.study.results.human import CombinedResult
from medassay.study.results.plain import Plain

__all__ = ["DrawnScoreResult"]


class DrawnScoreResult(Plain, infers=True):
    """What people would give one system, from a draw with known chances; `validity.DrawnScore`."""

    dimension: DesignName
    system: SystemName
    metric: DesignName
    before: int
    drawn: int
    back: int
    total: int
    plain: CombinedResult
    weighted: CombinedResult
    stratified: CombinedResult
