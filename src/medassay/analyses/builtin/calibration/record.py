"""How far the confidence of systems can be believed."""

from medassay.annotations import SystemName, Words, record
from medassay.stats import Interval
from medassay.stats.calibration import ReliabilityBin

__all__ = ["Calibration", "CalibrationOf", "Recalibrated"]


@record(infers=False)
class Recalibrated:
    """What recalibrating could gain, on answers that the fit had not seen.

    Attributes:
        method: `temperature` or `isotonic`.
        folds: Parts of the cross-validation.
        brier: The Brier score with the new confidences.
        ece: The calibration error with them.
    """

    method: Words
    folds: int
    brier: float
    ece: float


@record(infers=True)
class CalibrationOf:
    """How far one system's confidence can be believed.

    Attributes:
        system: The system.
        n: Answers with a confidence to questions whose right option is known.
        without: Answers without a confidence; nothing here is about them.
        few: So few answers that calibration errors are mostly noise.
        accuracy: The share of right answers.
        confidence: Mean.
        gap: Mean confidence minus accuracy: above 0 where confidence overstates.
        gap_interval: Around it; None where all answers are right, or all wrong, or no error shows.
        gap_p: How likely a gap as large is where each answer has just its confidence: the larger p
            of the t test over clusters and of the exact count, adjusted by Holm over the systems.
        brier: Brier = reliability - resolution + uncertainty + within, in ten bins of equal width.
        brier_interval: Around it.
        reliability: Murphy's miscalibration.
        resolution: Murphy's resolution.
        uncertainty: Murphy's uncertainty.
        within: What bins hide.
        ece: The calibration error in ten bins of equal width, the last of which holds 1.
        ece_interval: Around it.
        ece_binary_edges: With the edges of numpy's linspace, binary fractions, as the clinical
            source's code has it: confidence 1 lies in no bin.
        a_bin_lower: Answers whose confidence lies on an edge, and a bin lower by those edges.
        in_no_bin: Answers with confidence 1, which lie in no bin there.
        ece_equal_mass: In bins of equal mass.
        ece_debiased: In bins of equal mass; below 0 says that the error seen is no more than noise.
        mce: The worst bin.
        auroc: How often a right answer has more confidence than a wrong one; None where all
            answers are right, or all wrong.
        risk_area: Mean risk over all coverages.
        risk_area_best: What the best order of the same answers would reach.
        bins: Of equal width.
        coverage: Shares of answers kept, the most confident first.
        risk: The share of wrong ones among them.
        recalibrated: What each method could gain; empty where there is one question only.
    """

    system: SystemName
    n: int
    without: int
    few: bool
    accuracy: float
    confidence: float
    gap: float
    gap_interval: Interval | None
    gap_p: float | None
    brier: float
    brier_interval: Interval
    reliability: float
    resolution: float
    uncertainty: float
    within: float
    ece: float
    ece_interval: Interval
    ece_binary_edges: float
    a_bin_lower: int
    in_no_bin: int
    ece_equal_mass: float
    ece_debiased: float
    mce: float
    auroc: float | None
    risk_area: float
    risk_area_best: float
    bins: tuple[ReliabilityBin, ...]
    coverage: tuple[float, ...]
    risk: tuple[float, ...]
    recalibrated: tuple[Recalibrated, ...]


@record(infers=True)
class Calibration:
    """How far confidence can be believed.

    Attributes:
        systems: One a system that gives confidences.
    """

    systems: tuple[CalibrationOf, ...]
