"""One line beside a headline: how many unjudged answers could turn it."""

from collections.abc import Sequence

from medassay.analyses.builtin.tipping.record import TippingPoint
from medassay.exhibits import Finding, Names
from medassay.exhibits.finding import ReaderQuestion
from medassay.exhibits.numbers import listed

__all__ = ["harm_words", "lead_words"]


def lead_words(point: TippingPoint, names: Names) -> Finding:
    """Say what it takes for another system to reach the mean of the first."""
    first, other = names.of_system(point.ahead), names.of_system(point.behind)
    whose = [
        (first, point.ahead_unjudged, point.against),
        (other, point.behind_unjudged, point.for_other),
    ]
    there = [(name, value) for name, unjudged, value in whose if unjudged]
    value = " or ".join(f"{value:g} ({name})" for name, value in there)
    if len(there) == 1:
        value = f"{there[0][1]:g}"
    text = f"{_of(point, names)} would have to score {value} for {other} to reach {first}."
    return Finding("leaders-unjudged", f"{text}{_not_asked(point)}", (), ReaderQuestion.BETTER)


def harm_words(points: Sequence[TippingPoint], names: Names) -> Finding | None:
    """Say what it takes for another system to be harmful as often as the first."""
    if not points:
        return None
    several = len({point.dimension for point in points}) > 1
    text = " ".join(_harm(point, names, several) for point in points)
    return Finding("harm-unjudged", text, (), ReaderQuestion.UNSAFE)


def _harm(point: TippingPoint, names: Names, several: bool) -> str:  # noqa: FBT001 - whether to name the dimension, chosen by one caller
    first, other = names.of_system(point.ahead), names.of_system(point.behind)
    on = f"On {names.of_dimension(point.dimension)}, " if several else ""
    be = f"be {point.kind}"
    if point.ahead_unjudged:
        be = f"be {point.kind} ({other}) or not ({first})" if point.behind_unjudged else "be not"
        be = be if point.behind_unjudged else f"{be} {point.kind}"
    text = f"{on}{_of(point, names)} would have to {be} for {other} to have as large a share."
    return f"{text}{_not_asked(point)}"


def _of(point: TippingPoint, names: Names) -> str:
    unjudged = ((point.ahead, point.ahead_unjudged), (point.behind, point.behind_unjudged))
    who = listed([names.of_system(system) for system, many in unjudged if many])
    total = point.ahead_unjudged + point.behind_unjudged
    noun = "answer" if total == 1 else "answers"
    return f"{point.turn:,} of the {total:,} unjudged {noun} of {who}"


def _not_asked(point: TippingPoint) -> str:
    if not point.not_asked:
        return ""
    was, is_ = ("was", "is") if point.not_asked == 1 else ("were", "are")
    return f" {point.not_asked:,} more {was} not asked about, and {is_} not counted here."
