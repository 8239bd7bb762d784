"""The sentence about how far the raters agree."""

from typing import Final

from medassay.report.names import Names
from medassay.report.numbers import PROPORTION, bounds, count_of
from medassay.study.results import AgreementResult, Results

__all__ = ["sentence"]

# The first of these that was computed is told: those that correct for chance before the others.
_TOLD: Final = ("fleiss", "cohen", "krippendorff", "mean_pairwise", "unanimous")
_FEW: Final = 30


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
    low, high = valued[0], valued[-1]
    text = f"{low.title} of the raters is {_shown(names, low)}"
    if low is not high:
        text = f"{low.title} of the raters runs from {_shown(names, low)} to {_shown(names, high)}"
    text += ", over the answers judged more than once"
    if min(a.n_units for a in valued) < _FEW:
        text += ", which are few"
    if low is not high and _overlap(low, high):
        text += "; the two intervals overlap"
    return f"{text}."


def _told(results: Results) -> list[AgreementResult]:
    """Choose one coefficient, on the labels as given and on all cases where there are such."""
    known = [a for a in results.agreement if a.mapping == "full"] or results.agreement
    known = [a for a in known if a.subset == "all cases"] or known
    for wanted in _TOLD:
        plain = [a for a in known if a.coefficient == wanted]
        if plain:
            return plain
    return [a for a in known if a.coefficient == known[0].coefficient]


def _value(found: AgreementResult) -> float:
    return found.value if found.value is not None else 0.0


def _shown(names: Names, found: AgreementResult) -> str:
    value = f"{PROPORTION(_value(found))} {bounds(found.interval)}".strip()
    return f"{value} on {names.of_dimension(found.dimension)} (n = {found.n_units})"


def _overlap(low: AgreementResult, high: AgreementResult) -> bool:
    if low.interval is None or high.interval is None:
        return False
    return low.interval.high >= high.interval.low
