"""The sentence about how far the raters agree."""

from typing import Final

from medassay.analyses.results import AgreementResult, Results
from medassay.exhibits.numbers import PROPORTION, bounds, count_of, listed_few, number_word
from medassay.exhibits.sentences import as_sentence
from medassay.report.names import Names
from medassay.report.tables import told_first

__all__ = ["sentence"]

_FEW: Final = 30


def sentence(results: Results) -> str:
    """Say how far raters agree, from the dimension of least agreement to that of most."""
    counts = results.study.counts
    if counts.judgements == 0:
        return ""  # the sentence about validity says so
    agreements = _told(results)
    if not agreements:
        return (
            f"Agreement cannot be measured: among {count_of(counts.judgements, 'judgement')} no "
            "answer was judged by two raters."
        )
    valued = sorted((a for a in agreements if a.value is not None), key=_value)
    if not valued:
        why = as_sentence(agreements[0].reason)
        return f"Agreement of the raters is undefined on every dimension. {why}".strip()
    names = Names(results)
    unsure = [a for a in valued if a.interval is None]
    valued = [a for a in valued if a.interval is not None] or valued
    low, high = valued[0], valued[-1]
    text = f"{low.title} of the raters is {_shown(names, low)}"
    alike = low is not high and PROPORTION(_value(low)) == PROPORTION(_value(high))
    if alike:
        text = f"{low.title} of the raters is {_everywhere(valued)}"
    elif low is not high:
        text = f"{low.title} of the raters runs from {_shown(names, low)} to {_shown(names, high)}"
    text += f", over the answers {_read(results, valued)}"
    if min(a.n_units for a in valued) < _FEW:
        text += ", which are few"
    if low is not high and not alike and _overlap(low, high):
        text += "; the two intervals overlap"
    if 0 < len(unsure) < len(agreements):
        dimensions = listed_few([names.of_dimension(a.dimension) for a in unsure])
        text += f". On {dimensions} it has no interval and says little"
    return f"{text}."


def _told(results: Results) -> list[AgreementResult]:
    """Choose one coefficient, on the labels as given and on all cases where there are such."""
    known = [a for a in results.agreement if a.mapping == "full"] or results.agreement
    known = [a for a in known if a.subset == "all cases"] or known
    return told_first(known)


def _read(results: Results, valued: list[AgreementResult]) -> str:
    """Say whose labels the values rest on; those with holes may be left out."""
    every: dict[tuple[str, str, str], int] = {}
    for agreement in results.agreement:
        key = agreement.dimension, agreement.mapping, agreement.subset
        every[key] = max(every.get(key, 0), agreement.n_units)
    whole = all(
        agreement_result.n_units
        == every[agreement_result.dimension, agreement_result.mapping, agreement_result.subset]
        for agreement_result in valued
    )
    return "judged more than once" if whole else "with a full number of labels"


def _value(agreement: AgreementResult) -> float:
    return agreement.value if agreement.value is not None else 0.0


def _shown(names: Names, agreement: AgreementResult) -> str:
    value = f"{PROPORTION(_value(agreement))} {bounds(agreement.interval)}".strip()
    return f"{value} on {names.of_dimension(agreement.dimension)} (n = {agreement.n_units})"


def _everywhere(valued: list[AgreementResult]) -> str:
    units = [a.n_units for a in valued]
    n = f"{min(units):,}" if min(units) == max(units) else f"{min(units):,} to {max(units):,}"
    where = f"each of {number_word(len(valued))} dimensions"
    return f"{PROPORTION(_value(valued[0]))} on {where} (n = {n})"


def _overlap(low: AgreementResult, high: AgreementResult) -> bool:
    if low.interval is None or high.interval is None:
        return False
    return low.interval.high >= high.interval.low
