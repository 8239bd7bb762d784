"""Confidence and how often it is right."""

from collections.abc import Callable, Sequence
from typing import Final

from medassay.analyses.builtin.calibration.record import CalibrationOf
from medassay.exhibits import Names
from medassay.exhibits.cells import how
from medassay.exhibits.columns import counted, estimated, shown, system_column, table_of
from medassay.exhibits.numbers import Style, shown_p
from medassay.exhibits.table import Table

__all__ = ["calibration_tables"]

_THREE: Final = Style(3, bounded=True)
_ALL_ALIKE: Final = "All answers are right, or all are wrong."


def calibration_tables(calibrations: Sequence[CalibrationOf], names: Names) -> list[Table]:
    """Give the tables of confidence."""
    return [table(calibrations, names) for table in (_errors, _parts, _recalibrated, _distribution)]


def _errors(calibrations: Sequence[CalibrationOf], names: Names) -> Table:
    return table_of(
        calibrations,
        (
            system_column(names),
            shown(
                "Answers", "n", "{:,}".format, file="answers",
                adds={"without_confidence": "without"}, detail=_without,
            ),
            shown("Accuracy", "accuracy", _THREE),
            shown("Confidence", "confidence", _THREE),
            estimated("Gap", "gap", _THREE, interval="gap_interval", why_not=None, reasoned=False),
            shown("Adjusted p", "gap_p", shown_p, file="gap_p_adjusted", why_not=_why(_ALL_ALIKE)),
            estimated(
                "Brier", "brier", _THREE, interval="brier_interval", why_not=None, reasoned=False,
            ),
            estimated(
                "Equal width", "ece", _THREE, interval="ece_interval", why_not=None,
                reasoned=False, group="ECE",
            ),
            shown(
                "Binary edges", "ece_binary_edges", _THREE,
                adds=("a_bin_lower", "in_no_bin"), detail=_binary_edges, group="ECE",
            ),
            shown("Equal mass", "ece_equal_mass", _THREE, group="ECE"),
            shown("Debiased", "ece_debiased", _THREE, group="ECE"),
            shown("MCE", "mce", _THREE),
            shown("AUROC", "auroc", _THREE, why_not=_why(_ALL_ALIKE)),
        ),
        id="calibration",
        title="Calibration of the confidence",
        caption="Gap: mean confidence minus accuracy, above 0 where confidence overstates; its p, "
        "by Holm over the systems, is the larger of t test and exact number of right answers. "
        "Brier: mean squared distance of confidence and outcome, 0 best; it holds calibration and "
        "skill together. ECE: mean distance of confidence and accuracy over ten bins, of equal "
        "width (the last holds 1), the same with binary edges, of equal mass, and with the bins' "
        "noise taken off as far as it shows. Binary edges are those of numpy's linspace, as the "
        "clinical source's code has them: 0.3, 0.6 and 0.7 lie a bin lower, and 1 lies in none. "
        "Below about 300 answers ECE is well above 0 even where confidence is right. "
        "MCE: the worst bin. AUROC: how often a right answer has more confidence than a "
        "wrong one, 0.5 for chance. An answer without a choice is wrong. "
        + how(
            interval
            for calibration in calibrations
            for interval in (calibration.ece_interval, calibration.gap_interval)
        ),
        figure="reliability",
    )  # fmt: skip


def _binary_edges(calibration: CalibrationOf) -> str:
    """Say what makes the source's value differ from ours."""
    lower, none = calibration.a_bin_lower, calibration.in_no_bin
    if not lower and not none:
        return "No confidence lies in another bin."
    return (
        f"{lower:,} of {calibration.n:,} confidences lie a bin lower by binary edges. "
        f"{none:,} are 1 and lie in no bin."
    )


def _parts(calibrations: Sequence[CalibrationOf], names: Names) -> Table:
    return table_of(
        calibrations,
        (
            system_column(names),
            shown("Brier", "brier", _THREE),
            shown("Miscalibration", "reliability", _THREE, group="Parts"),
            shown("Resolution", "resolution", _THREE, group="Parts"),
            shown("Uncertainty", "uncertainty", _THREE, group="Parts"),
            shown("Within bins", "within", _THREE, group="Parts"),
            shown("Mean", "risk_area", _THREE, group="Risk"),
            shown("Best", "risk_area_best", _THREE, group="Risk"),
        ),
        id="calibration-parts",
        title="What the Brier score is made of, and what abstaining gains",
        caption="Brier = miscalibration − resolution + uncertainty + within bins (Murphy's parts, "
        "in ten bins of equal width). Risk: the share of wrong answers, averaged over all shares "
        "of answers that are kept, the most confident first; beside it what the best order of the "
        "same answers would reach.",
        figure="risk-coverage",
    )


def _recalibrated(calibrations: Sequence[CalibrationOf], names: Names) -> Table:
    return table_of(
        calibrations,
        (
            system_column(names),
            *(
                column
                for score, group in (("brier", "Brier"), ("ece", "ECE"))
                for column in (
                    shown("As given", score, _THREE, group=group),
                    *(
                        shown(
                            way.capitalize(), _made(way, score), _THREE,
                            file=f"{score}_{way}", why_not=_why("One question only."), group=group,
                        )
                        for way in ("temperature", "isotonic")
                    ),
                )
            ),
        ),
        id="calibration-recalibrated",
        title="What recalibrating could gain",
        caption="The same answers with new confidences, each from a fit that had not seen its "
        "answer (cross-validation in up to ten parts). Temperature: one number for all; isotonic: "
        "any rising curve.",
    )  # fmt: skip


def _made(way: str, score: str) -> Callable[[CalibrationOf], float | None]:
    return lambda calibration: next(
        (getattr(made, score) for made in calibration.recalibrated if made.method == way), None
    )


def _distribution(calibrations: Sequence[CalibrationOf], names: Names) -> Table:
    return table_of(
        ((names.of_system(each.system), part) for each in calibrations for part in each.bins),
        (
            shown("Confidence from", lambda b: f"{b.low:.1f} to {b.high:.1f}", file="bin"),
            counted("Answers", "n", file="answers"),
            shown("Mean confidence", "confidence", _THREE),
            shown("Accuracy", "accuracy", _THREE),
        ),
        id="calibration-bins",
        title="Confidence and accuracy, bin by bin",
        caption="Bins of equal width; those without an answer are left out. A confidence on an "
        "edge lies in the bin above, 1 in the last.",
        grouped_by="system",
    )


def _without(calibration: CalibrationOf) -> str:
    return f"{calibration.without} more answers have no confidence." if calibration.without else ""


def _why(reason: str) -> Callable[[object], str]:
    return lambda _: reason
