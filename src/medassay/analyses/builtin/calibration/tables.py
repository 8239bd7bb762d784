"""Confidence and how often it is right."""

from collections.abc import Sequence
from typing import Final

from medassay.analyses.builtin.calibration.record import CalibrationOf
from medassay.exhibits import Names
from medassay.exhibits.cells import count, how, missing, named, p_cell
from medassay.exhibits.numbers import Style, bounds
from medassay.exhibits.table import Cell, Column, Row, Table
from medassay.stats import Interval

__all__ = ["calibration_tables"]

_THREE: Final = Style(3, bounded=True)


def calibration_tables(calibrations: Sequence[CalibrationOf], names: Names) -> list[Table]:
    """Give the tables of confidence."""
    return [table(calibrations, names) for table in (_errors, _parts, _recalibrated, _distribution)]


def _errors(calibrations: Sequence[CalibrationOf], names: Names) -> Table:
    rows = [
        Row(
            (
                named(names.of_system(calibration.system), calibration.system),
                Cell(
                    f"{calibration.n:,}",
                    (calibration.n, calibration.without),
                    detail=_without(calibration),
                ),
                _number(calibration.accuracy),
                _number(calibration.confidence),
                _with_interval(calibration.gap, calibration.gap_interval),
                p_cell(calibration.gap_p, "All answers are right, or all are wrong."),
                _with_interval(calibration.brier, calibration.brier_interval),
                _with_interval(calibration.ece, calibration.ece_interval),
                _binary_edges(calibration),
                _number(calibration.ece_equal_mass),
                _number(calibration.ece_debiased),
                _number(calibration.mce),
                missing("All answers are right, or all are wrong.")
                if calibration.auroc is None
                else _number(calibration.auroc),
            )
        )
        for calibration in calibrations
    ]
    return Table(
        "calibration",
        "Calibration of the confidence",
        "Gap: mean confidence minus accuracy, above 0 where confidence overstates; its p, by "
        "Holm over the systems, is the larger of t test and exact number of right answers. "
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
        (
            Column("System", ("system",)),
            Column("Answers", ("answers", "without_confidence"), numeric=True),
            Column("Accuracy", ("accuracy",), numeric=True),
            Column("Confidence", ("confidence",), numeric=True),
            Column("Gap", ("gap", "gap_low", "gap_high"), numeric=True),
            Column("Adjusted p", ("gap_p_adjusted",), numeric=True),
            Column("Brier", ("brier", "brier_low", "brier_high"), numeric=True),
            Column("Equal width", ("ece", "ece_low", "ece_high"), numeric=True, group="ECE"),
            Column(
                "Binary edges",
                ("ece_binary_edges", "a_bin_lower", "in_no_bin"),
                numeric=True,
                group="ECE",
            ),
            Column("Equal mass", ("ece_equal_mass",), numeric=True, group="ECE"),
            Column("Debiased", ("ece_debiased",), numeric=True, group="ECE"),
            Column("MCE", ("mce",), numeric=True),
            Column("AUROC", ("auroc",), numeric=True),
        ),
        tuple(rows),
        figure="reliability",
    )


def _binary_edges(calibration: CalibrationOf) -> Cell:
    """Give the source's value, and what makes it differ from ours."""
    lower, none = calibration.a_bin_lower, calibration.in_no_bin
    differs = (
        f"{lower:,} of {calibration.n:,} confidences lie a bin lower by binary edges.",
        f"{none:,} are 1 and lie in no bin.",
    )
    return Cell(
        _THREE(calibration.ece_binary_edges),
        (calibration.ece_binary_edges, lower, none),
        detail=" ".join(differs) if lower or none else "No confidence lies in another bin.",
    )


def _parts(calibrations: Sequence[CalibrationOf], names: Names) -> Table:
    fields = ("brier", "reliability", "resolution", "uncertainty", "within")
    rows = [
        Row(
            (
                named(names.of_system(calibration.system), calibration.system),
                *(_number(getattr(calibration, field)) for field in fields),
                _number(calibration.risk_area),
                _number(calibration.risk_area_best),
            )
        )
        for calibration in calibrations
    ]
    return Table(
        "calibration-parts",
        "What the Brier score is made of, and what abstaining gains",
        "Brier = miscalibration − resolution + uncertainty + within bins (Murphy's parts, in ten "
        "bins of equal width). Risk: the share of wrong answers, averaged over all shares of "
        "answers that are kept, the most confident first; beside it what the best order of the "
        "same answers would reach.",
        (
            Column("System", ("system",)),
            Column("Brier", ("brier",), numeric=True),
            Column("Miscalibration", ("reliability",), numeric=True, group="Parts"),
            Column("Resolution", ("resolution",), numeric=True, group="Parts"),
            Column("Uncertainty", ("uncertainty",), numeric=True, group="Parts"),
            Column("Within bins", ("within",), numeric=True, group="Parts"),
            Column("Mean", ("risk_area",), numeric=True, group="Risk"),
            Column("Best", ("risk_area_best",), numeric=True, group="Risk"),
        ),
        tuple(rows),
        figure="risk-coverage",
    )


def _recalibrated(calibrations: Sequence[CalibrationOf], names: Names) -> Table:
    rows = []
    for calibration in calibrations:
        by_method = {made.method: made for made in calibration.recalibrated}
        cells = [
            named(names.of_system(calibration.system), calibration.system),
            _number(calibration.brier),
        ]
        ways = [by_method.get(method) for method in ("temperature", "isotonic")]
        cells += [missing("One question only.") if w is None else _number(w.brier) for w in ways]
        cells.append(_number(calibration.ece))
        cells += [missing("One question only.") if w is None else _number(w.ece) for w in ways]
        rows.append(Row(tuple(cells)))
    return Table(
        "calibration-recalibrated",
        "What recalibrating could gain",
        "The same answers with new confidences, each from a fit that had not seen its answer "
        "(cross-validation in up to ten parts). Temperature: one number for all; isotonic: any "
        "rising curve.",
        (
            Column("System", ("system",)),
            Column("As given", ("brier",), numeric=True, group="Brier"),
            Column("Temperature", ("brier_temperature",), numeric=True, group="Brier"),
            Column("Isotonic", ("brier_isotonic",), numeric=True, group="Brier"),
            Column("As given", ("ece",), numeric=True, group="ECE"),
            Column("Temperature", ("ece_temperature",), numeric=True, group="ECE"),
            Column("Isotonic", ("ece_isotonic",), numeric=True, group="ECE"),
        ),
        tuple(rows),
    )


def _distribution(calibrations: Sequence[CalibrationOf], names: Names) -> Table:
    rows = [
        Row(
            (
                Cell(f"{b.low:.1f} to {b.high:.1f}", (f"{b.low:.1f} to {b.high:.1f}",)),
                count(b.n),
                _number(b.confidence),
                _number(b.accuracy),
            ),
            group=names.of_system(calibration.system),
        )
        for calibration in calibrations
        for b in calibration.bins
    ]
    return Table(
        "calibration-bins",
        "Confidence and accuracy, bin by bin",
        "Bins of equal width; those without an answer are left out. A confidence on an edge lies "
        "in the bin above, 1 in the last.",
        (
            Column("Confidence from", ("bin",)),
            Column("Answers", ("answers",), numeric=True),
            Column("Mean confidence", ("confidence",), numeric=True),
            Column("Accuracy", ("accuracy",), numeric=True),
        ),
        tuple(rows),
        group_field="system",
    )


def _without(calibration: CalibrationOf) -> str:
    return f"{calibration.without} more answers have no confidence." if calibration.without else ""


def _number(value: float) -> Cell:
    return Cell(_THREE(value), (value,))


def _with_interval(value: float, around: Interval | None) -> Cell:
    ends = (None, None) if around is None else (around.low, around.high)
    return Cell(_THREE(value), (value, *ends), aside=bounds(around, _THREE))
