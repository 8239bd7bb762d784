"""What is said of how far confidence can be believed."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from medassay.analyses.builtin.calibration.record import CalibrationOf
from medassay.exhibits import Claim, Names, VerdictKind, VerdictRow
from medassay.exhibits.finding import Finding
from medassay.exhibits.numbers import Style, ci, count_of, listed_few
from medassay.stats import Interval

__all__ = ["calibration_claims", "calibration_finding", "calibration_notes"]

_THREE: Final = Style(3, bounded=True)
_MOST: Final = 6
"""Systems that a sentence names; the table has all."""
_FINDING: Final = "calibration"
_ABOUT: Final = "confidence"
_OVER: Final = "overstates accuracy"
_UNDER: Final = "understates accuracy"
_UNKNOWN: Final = "over- or understates accuracy"
_BASIS: Final = ("calibration", "calibration-recalibrated")


def calibration_notes(calibrations: Sequence[CalibrationOf], names: Names) -> tuple[str, ...]:
    """Say where there are too few answers, and where some have no confidence."""
    few = [names.of_system(calibration.system) for calibration in calibrations if calibration.few]
    lines = []
    if few:
        lines.append(
            f"{listed_few(few)}: fewer than about 300 answers have a confidence. "
            "Calibration errors are then large even for a perfectly calibrated system. "
            "Read their intervals, and do not rank systems by them."
        )
    lines += [
        f"{names.of_system(calibration.system)}: {n} without a confidence, left out here."
        for calibration in calibrations
        if calibration.without
        for n in [count_of(calibration.without, "answer")]
    ]
    return tuple(lines)


def calibration_claims(calibrations: Sequence[CalibrationOf]) -> Iterator[Claim]:
    """Claim which way confidence errs, over all systems."""
    p = [calibration.gap_p for calibration in calibrations]
    if any(value is not None for value in p):
        yield Claim.of(_FINDING, _ABOUT, VerdictKind.CLAIM, p, row=VerdictRow.CONFIDENCE)


def calibration_finding(calibrations: Sequence[CalibrationOf], names: Names) -> Finding:
    """Say which way confidence errs, and of the worst by how much and what recalibrating gives."""
    sentences = (
        _ways(names, calibrations) if len(calibrations) > 1 else _one(names, calibrations[0])
    )
    text = " ".join([*sentences, *_error(names, calibrations), *_few(names, calibrations)])
    return Finding(_FINDING, text, _BASIS)


def _way(names: Names, calibration: CalibrationOf) -> str:
    """Say which way confidence errs on average, where test and interval leave no doubt."""
    around, p = calibration.gap_interval, calibration.gap_p
    if around is None or p is None or p > names.level(_FINDING, _ABOUT):
        return _UNKNOWN
    return _OVER if around.low > 0 else _UNDER if around.high < 0 else _UNKNOWN


def _known(calibration: CalibrationOf, around: Interval) -> Interval | None:
    """Give an interval, unless all answers are right or all wrong.

    No resample differs in that: the interval would be that of confidence alone.
    """
    return None if calibration.accuracy in {0, 1} else around


def _one(names: Names, calibration: CalibrationOf) -> Iterator[str]:
    """Say which way the confidence of a system errs on average, and by how much."""
    who, way = names.of_system(calibration.system), _way(names, calibration)
    interval = calibration.gap_interval
    around = ci(interval, _THREE)
    if way == _UNKNOWN:
        gap = "; ".join(filter(None, [f"gap {_THREE(calibration.gap)}", around]))
        yield f"Whether the confidence of {who} over- or understates accuracy is undecided ({gap})."
    else:
        size = _THREE(abs(calibration.gap))
        if interval is not None and interval.high < 0:
            interval = replace(interval, low=-interval.high, high=-interval.low)
        around = ci(interval, _THREE, beside=0.0)
        yield f"The confidence of {who} {way} by {size} on average ({around})."


def _ways(names: Names, calibrations: Sequence[CalibrationOf]) -> Iterator[str]:
    """Say of several systems which way the confidence of each errs, and where most."""
    of: dict[str, list[str]] = {}
    for calibration in calibrations:
        of.setdefault(_way(names, calibration), []).append(names.of_system(calibration.system))
    for way in (_OVER, _UNDER):
        if some := of.get(way):
            who = "every system" if len(some) == len(calibrations) else listed_few(some, _MOST)
            yield f"The confidence of {who} {way} on average."
    if rest := of.get(_UNKNOWN):
        who = "any system" if len(rest) == len(calibrations) else listed_few(rest, _MOST)
        yield f"Whether the confidence of {who} over- or understates accuracy is undecided."
    most = max(calibrations, key=lambda calibration: abs(calibration.gap))
    who, gap = names.of_system(most.system), _THREE(most.gap)
    around = _brackets(ci(most.gap_interval, _THREE))
    yield f"Confidence minus accuracy is furthest from 0 for {who}: {gap}{around}."


def _error(names: Names, calibrations: Sequence[CalibrationOf]) -> Iterator[str]:
    """Say the largest calibration error, as given and recalibrated."""
    worst = max(calibrations, key=lambda calibration: calibration.ece)
    ece, who = _THREE(worst.ece), names.of_system(worst.system)
    around = _brackets(ci(_known(worst, worst.ece_interval), _THREE))
    if len(calibrations) == 1:
        yield f"Its calibration error (ECE, ten bins) is {ece}{around}."
    else:
        yield f"The calibration error (ECE, ten bins) is largest for {who}, {ece}{around}."
    made = {new.method: _THREE(new.ece) for new in worst.recalibrated}
    if "temperature" in made:
        isotonic = f"; {made['isotonic']} by isotonic regression" if "isotonic" in made else ""
        new = f"{made['temperature']} (cross-validated{isotonic})"
        yield f"Recalibrated by one temperature, it would be {new}."


def _few(names: Names, calibrations: Sequence[CalibrationOf]) -> Iterator[str]:
    few = [calibration for calibration in calibrations if calibration.few]
    if not few:
        return
    least, most = min(own.n for own in few), max(own.n for own in few)
    n = count_of(least, "answer") if least == most else f"{least:,} to {most:,} answers"
    of = f" of {listed_few([names.of_system(own.system) for own in few], _MOST)}"
    who = of if len(few) < len(calibrations) else ""
    yield f"The {n}{who} are fewer than about 300: do not rank systems by this error."
    yield "It is then well above 0 even where confidence is right."


def _brackets(text: str) -> str:
    return f" ({text})" if text else ""
