"""What is said of how far confidence can be believed."""

from collections.abc import Callable, Sequence
from typing import Final

from medassay.analyses.builtin.calibration.record import CalibrationOf
from medassay.exhibits import Names
from medassay.exhibits.finding import Finding
from medassay.exhibits.numbers import Style, bounds, count_of, listed_few
from medassay.stats import Interval

__all__ = ["calibration_finding", "calibration_notes"]

_THREE: Final = Style(3, drop_zero=True)
_ONE_BY_ONE: Final = 3
"""So many systems are told one by one; of more, the ends of the range."""
_OVER: Final = "overstates accuracy"
_UNDER: Final = "understates accuracy"
_UNKNOWN: Final = "over- or understates accuracy"
_WAYS: Final = (("temperature", "by one temperature"), ("isotonic", "by isotonic regression"))
_Told = tuple[float, Interval | None, CalibrationOf]


_BASIS: Final = ("calibration", "calibration-recalibrated")


def calibration_notes(found: Sequence[CalibrationOf], names: Names) -> tuple[str, ...]:
    """Say where there are too few answers, and where some have no confidence."""
    few = [names.of_system(one.system) for one in found if one.few]
    said = []
    if few:
        said.append(
            f"{listed_few(few)}: fewer than about 300 answers with a confidence. Calibration "
            "errors are then large even for a perfectly calibrated system; read their intervals, "
            "and do not rank systems by them."
        )
    said += [
        f"{names.of_system(one.system)}: {count_of(one.without, 'answer')} without a confidence, "
        "left out here."
        for one in found
        if one.without
    ]
    return tuple(said)


def calibration_finding(found: Sequence[CalibrationOf], names: Names) -> Finding:
    """Say whether confidence over- or understates, by how much, and what recalibrating gives."""
    if len(found) <= _ONE_BY_ONE:
        said = [_one(names, one) for one in found]
    else:
        said = [*_ways(names, found), *_ranges(names, found)]
    text = " ".join([*said, _few(names, found)]).strip()
    return Finding("calibration", text, _BASIS)


def _way(one: CalibrationOf) -> str:
    """Say which way confidence errs on average, where the interval leaves no doubt."""
    around = _known(one, one.gap_interval)
    if around is None:
        return _UNKNOWN
    return _OVER if around.low > 0 else _UNDER if around.high < 0 else _UNKNOWN


def _known(one: CalibrationOf, around: Interval) -> Interval | None:
    """Give an interval, unless all answers are right or all wrong.

    No resample differs in that: the interval would be that of confidence alone.
    """
    return None if one.accuracy in {0, 1} else around


def _one(names: Names, one: CalibrationOf) -> str:
    means = (
        f"mean confidence {_THREE(one.confidence)}, accuracy {_THREE(one.accuracy)}, "
        f"gap {_value(one.gap, _known(one, one.gap_interval))}"
    )
    who = f"confidence of {names.of_system(one.system)}"
    way = _way(one)
    said = (
        f"Whether the {who} {way} on average cannot be told ({means})"
        if way == _UNKNOWN
        else f"The {who} {way} on average ({means})"
    )
    ece = _value(one.ece, _known(one, one.ece_interval))
    said += f"; its calibration error in ten bins (ECE) is {ece}"
    made = {new.method: _THREE(new.ece) for new in one.recalibrated}
    after = [f"{made[method]} {how}" for method, how in _WAYS if method in made]
    if after:
        said += f", and would be {' or '.join(after)} if recalibrated (by cross-validation)"
    return f"{said}."


def _ways(names: Names, found: Sequence[CalibrationOf]) -> list[str]:
    """Say of many systems which way the confidence of each errs."""
    said = []
    for way in (_OVER, _UNDER):
        some = [names.of_system(one.system) for one in found if _way(one) == way]
        if some:
            who = "every system" if len(some) == len(found) else listed_few(some)
            said.append(f"the confidence of {who} {way} on average")
    rest = sum(_way(one) == _UNKNOWN for one in found)
    if rest:
        others = "that of the others" if rest > 1 else "that of the other"
        whose = others if said else "the confidence of any system"
        said.append(f"whether {whose} {_UNKNOWN} cannot be told")
    text = "; ".join(said)
    ends = _range(names, [(one.gap, _known(one, one.gap_interval), one) for one in found])
    return [f"{text[0].upper()}{text[1:]}. Confidence minus accuracy is {ends}."]


def _ranges(names: Names, found: Sequence[CalibrationOf]) -> list[str]:
    """Say between which ends calibration errors lie, as given and recalibrated."""
    ends = _range(names, [(one.ece, _known(one, one.ece_interval), one) for one in found])
    said = f"The calibration error in ten bins (ECE) is {ends}"
    after = []
    for method, how in _WAYS:
        made: list[_Told] = [
            (new.ece, None, one)
            for one in found
            for new in one.recalibrated
            if new.method == method
        ]
        if made:
            after.append(f"{_range(names, made, lambda _: '')} {how}")
    if after:
        said += f"; recalibrated, by cross-validation, it would be {' and '.join(after)}"
    return [f"{said}."]


def _range(names: Names, told: Sequence[_Told], named: Callable[[str], str] | None = None) -> str:
    """Give the least and the most, each with its interval and whose it is."""
    ordered = sorted(told, key=lambda one: one[0])

    def end(value: float, around: Interval | None, one: CalibrationOf) -> str:
        who = f"({names.of_system(one.system)})" if named is None else named(one.system)
        return f"{_value(value, around)} {who}".strip()

    low, high = end(*ordered[0]), end(*ordered[-1])
    return low if low == high else f"from {low} to {high}"


def _few(names: Names, found: Sequence[CalibrationOf]) -> str:
    few = [one for one in found if one.few]
    if not few:
        return ""
    sizes = sorted({one.n for one in few})
    n = (
        count_of(sizes[0], "answer")
        if len(sizes) == 1
        else f"{sizes[0]:,} to {sizes[-1]:,} answers"
    )
    who = ""
    if len(few) < len(found):
        who = f" of {listed_few([names.of_system(one.system) for one in few])}"
    return (
        f"On the {n}{who}, fewer than about 300, a calibration error is well above 0 even where "
        "confidence is right: no system should be ranked by it."
    )


def _value(value: float, around: Interval | None) -> str:
    return f"{_THREE(value)} {bounds(around, _THREE)}".strip()
