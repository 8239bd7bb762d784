"""What a run found about the confidence of systems."""

from medassay.marks import SystemName, Words
from medassay.marks.plain import Plain
from medassay.stats import Interval
from medassay.stats.calibration import ReliabilityBin

__all__ = ["CalibrationResult", "RecalibratedResult"]


class RecalibratedResult(Plain, infers=False):
    """What recalibrating could gain, on answers that the fit had not seen."""

    method: Words
    """`temperature` or `isotonic`."""
    folds: int
    brier: float
    ece: float


class CalibrationResult(Plain, infers=True):
    """How far one system's confidence can be believed."""

    system: SystemName
    n: int
    """Answers with a confidence to questions whose right option is known."""
    without: int
    """Answers without a confidence; nothing here is about them."""
    few: bool
    """So few answers that calibration errors are mostly noise."""
    accuracy: float
    confidence: float
    """Mean."""
    gap: float
    """Mean confidence minus accuracy: above 0 where confidence overstates."""
    gap_interval: Interval
    brier: float
    brier_interval: Interval
    reliability: float
    resolution: float
    uncertainty: float
    within: float
    """Brier = reliability - resolution + uncertainty + within, in ten bins of equal width."""
    ece: float
    ece_interval: Interval
    ece_open: float
    """As code has it that leaves the last bin open: confidence 1 lies in no bin."""
    ece_equal_mass: float
    ece_debiased: float
    """In bins of equal mass; below 0 says that the error seen is no more than noise."""
    mce: float
    auroc: float | None
    risk_area: float
    """Mean risk over all coverages."""
    risk_area_best: float
    bins: list[ReliabilityBin]
    """Of equal width."""
    coverage: list[float]
    risk: list[float]
    recalibrated: list[RecalibratedResult]
