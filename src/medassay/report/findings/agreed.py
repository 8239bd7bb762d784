"""The sentence about how far the raters agree."""

from typing import Final

from medassay.report.names import Names
from medassay.report.numbers import PROPORTION, bounds, count_of
from medassay.study.results import AgreementResult, Results

__all__ = ["sentence"]

# The first of these that was computed is told: those that correct for chance before the others.
_TOLD: Final = ("fleiss", "cohen", "krippendorff", "mean_pairwise", "unanimous")


def sentence(results: Results) -> str:
    """Say how far raters agree, from the dimension of least to that of most agreement."""
    counts = results.study.counts
    if counts.judgements == 0:
        return "No rater judged these answers, so nothing here says which metric is right."
    told = _told(results)
    if not told:
        return (
            f"Agreement cannot be measured: among {count_of(counts.judgements, 'judgement')} no "
            "answer was judged by two raters."
        )
    valued = sorted((a for a in told if a.value is not None), key=_value)
    if not valued:
        return f"Agreement of the raters is undefined on every dimension. {told[0].reason}".strip()
    names = Names(results)
    title, low, high = valued[0].title, valued[0], valued[-1]
    if low is high:
        text = f"On {names.of_dimension(low.dimension)}, {title} of the raters is {_shown(low)}"
    else:
        text = (
            f"{title} of the raters runs from {_shown(low)} on {names.of_dimension(low.dimension)} "
            f"to {_shown(high)} on {names.of_dimension(high.dimension)}"
        )
    units = sorted({a.n_units for a in valued})
    judged = str(units[0]) if len(units) == 1 else f"{units[0]} to {units[-1]}"
    text += f", over the {judged} {'answer' if units == [1] else 'answers'} judged more than once"
    few = 30
    if units[0] < few:
        text += ", which are few"
    if low is not high and _overlap(low, high):
        text += "; the two intervals overlap"
    return f"{text}."


def _told(results: Results) -> list[AgreementResult]:
    """Choose one coefficient, on the labels as given and on all cases where there are such."""
    known = [a for a in results.agreement if a.mapping == "full"] or results.agreement
    known = [a for a in known if a.subset == "all cases"] or known
    for wanted in _TOLD:
        found = [a for a in known if a.coefficient == wanted]
        if found:
            return found
    return [a for a in known if a.coefficient == known[0].coefficient]


def _value(found: AgreementResult) -> float:
    return found.value if found.value is not None else 0.0


def _shown(found: AgreementResult) -> str:
    return f"{PROPORTION(_value(found))} {bounds(found.interval)}".strip()


def _overlap(low: AgreementResult, high: AgreementResult) -> bool:
    if low.interval is None or high.interval is None:
        return False
    return low.interval.high >= high.interval.low
