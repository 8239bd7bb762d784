"""What is said of how far confidence can be believed."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from medassay.analyses.builtin.calibration.record import CalibrationOf
from medassay.exhibits import Claim, Names, VerdictKind, VerdictRow
from medassay.exhibits.finding import Finding
from medassay.exhibits.numbers import Style, bounds, count_of, listed_few, p_value
from medassay.stats import Interval

__all__ = ["calibration_claims", "calibration_finding", "calibration_notes"]

_THREE: Final = Style(3, bounded=True)
_ONE_BY_ONE: Final = 3
"""So many systems are told one by one; of more, the ends of the range."""
_FINDING: Final = "calibration"
_ABOUT: Final = "confidence"
_OVER: Final = "overstates accuracy"
_UNDER: Final = "understates accuracy"
_UNKNOWN: Final = "over- or understates accuracy"
_WAYS: Final = (("temperature", "by one temperature"), ("isotonic", "by isotonic regression"))
_Told = tuple[float, Interval | None, CalibrationOf]


_BASIS: Final = ("calibration", "calibration-recalibrated")


def calibration_notes(calibrations: Sequence[CalibrationOf], names: Names) -> tuple[str, ...]:
    """Say where there are too few answers, and where some have no confidence."""
    few = [names.of_system(calibration.system) for calibration in calibrations if calibration.few]
    lines = []
    if few:
        lines.append(
            f"{listed_few(few)}: fewer than about 300 answers with a confidence. Calibration "
            "errors are then large even for a perfectly calibrated system; read their intervals, "
            "and do not rank systems by them."
        )
    lines += [
        f"{names.of_system(calibration.system)}: {count_of(calibration.without, 'answer')} "
        f"without a confidence, "
        "left out here."
        for calibration in calibrations
        if calibration.without
    ]
    return tuple(lines)


def calibration_claims(calibrations: Sequence[CalibrationOf]) -> Iterator[Claim]:
    """Claim which way confidence errs, over all systems."""
    p = [calibration.gap_p for calibration in calibrations]
    if any(value is not None for value in p):
        yield Claim.of(_FINDING, _ABOUT, VerdictKind.CLAIM, p, row=VerdictRow.CONFIDENCE)


def calibration_finding(calibrations: Sequence[CalibrationOf], names: Names) -> Finding:
    """Say whether confidence over- or understates, by how much, and what recalibrating gives."""
    if len(calibrations) <= _ONE_BY_ONE:
        lines = [_one(names, calibration) for calibration in calibrations]
    else:
        lines = [*_ways(names, calibrations), *_ranges(names, calibrations)]
    text = " ".join([*lines, _few(names, calibrations)]).strip()
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


def _one(names: Names, calibration: CalibrationOf) -> str:
    means = (
        f"mean confidence {_THREE(calibration.confidence)}, accuracy "
        f"{_THREE(calibration.accuracy)}, "
        f"gap {_value(calibration.gap, calibration.gap_interval)}"
    )
    if calibration.gap_p is not None:
        means += f", adjusted {p_value(calibration.gap_p)}"
    who = f"confidence of {names.of_system(calibration.system)}"
    way = _way(names, calibration)
    text = (
        f"Whether the {who} {way} on average cannot be told ({means})"
        if way == _UNKNOWN
        else f"The {who} {way} on average ({means})"
    )
    ece = _value(calibration.ece, _known(calibration, calibration.ece_interval))
    text += f"; its calibration error in ten bins (ECE) is {ece}"
    made = {new.method: _THREE(new.ece) for new in calibration.recalibrated}
    after = [f"{made[method]} {how}" for method, how in _WAYS if method in made]
    if after:
        text += f", and would be {' or '.join(after)} if recalibrated (by cross-validation)"
    return f"{text}."


def _ways(names: Names, calibrations: Sequence[CalibrationOf]) -> list[str]:
    """Say of many systems which way the confidence of each errs."""
    lines = []
    for way in (_OVER, _UNDER):
        some = [
            names.of_system(calibration.system)
            for calibration in calibrations
            if _way(names, calibration) == way
        ]
        if some:
            who = "every system" if len(some) == len(calibrations) else listed_few(some)
            lines.append(f"the confidence of {who} {way} on average")
    rest = sum(_way(names, calibration) == _UNKNOWN for calibration in calibrations)
    if rest:
        others = "that of the others" if rest > 1 else "that of the other"
        whose = others if lines else "the confidence of any system"
        lines.append(f"whether {whose} {_UNKNOWN} cannot be told")
    text = "; ".join(lines)
    ends = _range(
        names,
        [(calibration.gap, calibration.gap_interval, calibration) for calibration in calibrations],
    )
    return [f"{text[0].upper()}{text[1:]}. Confidence minus accuracy is {ends}."]


def _ranges(names: Names, calibrations: Sequence[CalibrationOf]) -> list[str]:
    """Say between which ends calibration errors lie, as given and recalibrated."""
    ends = _range(
        names,
        [
            (calibration.ece, _known(calibration, calibration.ece_interval), calibration)
            for calibration in calibrations
        ],
    )
    text = f"The calibration error in ten bins (ECE) is {ends}"
    after = []
    for method, how in _WAYS:
        made: list[_Told] = [
            (new.ece, None, calibration)
            for calibration in calibrations
            for new in calibration.recalibrated
            if new.method == method
        ]
        if made:
            after.append(f"{_range(names, made, lambda _: '')} {how}")
    if after:
        text += f"; recalibrated, by cross-validation, it would be {' and '.join(after)}"
    return [f"{text}."]


def _range(names: Names, points: Sequence[_Told], named: Callable[[str], str] | None = None) -> str:
    """Give the least and the most, each with its interval and whose it is."""
    ordered = sorted(points, key=lambda point: point[0])

    def end(value: float, around: Interval | None, calibration: CalibrationOf) -> str:
        who = (
            f"({names.of_system(calibration.system)})"
            if named is None
            else named(calibration.system)
        )
        return f"{_value(value, around)} {who}".strip()

    low, high = end(*ordered[0]), end(*ordered[-1])
    return low if low == high else f"from {low} to {high}"


def _few(names: Names, calibrations: Sequence[CalibrationOf]) -> str:
    few = [calibration for calibration in calibrations if calibration.few]
    if not few:
        return ""
    sizes = sorted({calibration.n for calibration in few})
    n = (
        count_of(sizes[0], "answer")
        if len(sizes) == 1
        else f"{sizes[0]:,} to {sizes[-1]:,} answers"
    )
    who = ""
    if len(few) < len(calibrations):
        who = f" of {listed_few([names.of_system(calibration.system) for calibration in few])}"
    return (
        f"On the {n}{who}, fewer than about 300, a calibration error is well above 0 even where "
        "confidence is right: no system should be ranked by it."
    )


def _value(value: float, around: Interval | None) -> str:
    return f"{_THREE(value)} {bounds(around, _THREE)}".strip()
