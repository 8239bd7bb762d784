"""Is a confidence of 80 % right in 80 of 100 cases?

What enters: for each answer a confidence from 0 to 1 and whether it was right. What leaves: the
Brier score and its parts, calibration errors by named binning, reliability bins, how well the
confidence tells right from wrong, what abstaining would gain, and what recalibration could.
"""

from medassay.stats.calibration.bins import Binning, ReliabilityBin, reliability
from medassay.stats.calibration.brier import BrierParts, brier, brier_parts
from medassay.stats.calibration.discrimination import RiskCoverage, auroc, risk_coverage
from medassay.stats.calibration.errors import (
    binary_edges_calibration_error,
    calibration_error,
    debiased_calibration_error,
    maximum_calibration_error,
    outside_binary_edges,
)
from medassay.stats.calibration.in_the_large import count_as_promised
from medassay.stats.calibration.recalibration import Recalibrated, recalibrate
from medassay.stats.calibration.replicates import calibration_replicates

__all__ = [
    "Binning",
    "BrierParts",
    "Recalibrated",
    "ReliabilityBin",
    "RiskCoverage",
    "auroc",
    "binary_edges_calibration_error",
    "brier",
    "brier_parts",
    "calibration_error",
    "calibration_replicates",
    "count_as_promised",
    "debiased_calibration_error",
    "maximum_calibration_error",
    "outside_binary_edges",
    "recalibrate",
    "reliability",
    "risk_coverage",
]
