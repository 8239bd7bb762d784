"""The sentence about how far the raters agree, and what no reader of the values may miss."""

from collections.abc import Sequence
from typing import Final

from medassay.agreement import ALL_CASES, Agreement, DesignNote
from medassay.agreement.on_units import ICC_FORMS
from medassay.analyses.builtin.agreement.passages import same_passages
from medassay.analyses.builtin.agreement.same_label import same_label
from medassay.analyses.inputs.rater_agreement import Agreed
from medassay.exhibits import Names
from medassay.exhibits.finding import Finding, ReaderQuestion
from medassay.exhibits.numbers import (
    PROPORTION,
    bounds,
    count_of,
    listed,
    listed_few,
    number_word,
)
from medassay.exhibits.sentences import as_sentence

__all__ = ["agreement_cautions", "agreement_findings", "agreement_notes"]

_BASIS: Final = ("agreement-main", "agreement")
_PASSAGES: Final = ("passage-agreement",)
_AGREEMENT: Final = ReaderQuestion.AGREEMENT
_FEW: Final = 30


def agreement_findings(agreed: Agreed, names: Names) -> tuple[Finding, ...]:
    """Say how often raters agree, and how far beyond chance, on the dimensions least and most."""
    texts = (
        ("same-label", same_label(agreed.panel, names), _BASIS),
        ("agreement", _sentence(agreed, names), _BASIS),
        ("same-passages", same_passages(agreed.passages, names), _PASSAGES),
    )
    return tuple(Finding(name, text, basis, _AGREEMENT) for name, text, basis in texts if text)


def agreement_notes(agreed: Agreed, names: Names) -> tuple[str, ...]:
    """Say what the design does to the coefficients, and where agreement is high and kappa low."""
    return (*(_of_design(note, names) for note in agreed.notes), *_paradoxes(agreed.panel, names))


def agreement_cautions(agreed: Agreed) -> list[str]:
    """Say each note on the design once, with the dimensions that it holds for."""
    return [
        f"Agreement{' on ' if n.dimension else ''}{n.dimension}: {n.text}." for n in agreed.notes
    ]


def _of_design(note: DesignNote, names: Names) -> str:
    where = f"{names.of_dimension(note.dimension)}: " if note.dimension else ""
    return as_sentence(f"{where}{note.text}")


def _paradoxes(panel: Sequence[Agreement], names: Names) -> list[str]:
    first = panel[0].subset if panel else ""
    # A weighted coefficient sees another agreement than a plain one: each note names its own.
    flagged: dict[tuple[str, str], dict[str, None]] = {}
    for agreement in panel:
        where = f"{names.of_dimension(agreement.dimension)}, {agreement.mapping} labels"
        for note in agreement.notes:
            if agreement.subset == first and note.startswith("raters agree on"):
                flagged.setdefault((where, note), {})[agreement.title] = None
    places: dict[tuple[str, str], list[str]] = {}
    for (where, note), titles in flagged.items():
        places.setdefault((listed(list(titles)), note), []).append(where)
    return [
        as_sentence(f"{listed(where)}: {titles}: {note}")
        for (titles, note), where in places.items()
    ]


def _sentence(agreed: Agreed, names: Names) -> str:
    known = [a for a in agreed.panel if a.subset == ALL_CASES] or agreed.panel
    told = [headline.rows_of(known)[0] for headline in agreed.headlines]
    if not told and agreed.passages:
        return ""
    if not told:
        return (
            f"Agreement cannot be measured: among {count_of(agreed.judgements, 'judgement')} no "
            "answer was judged by two raters."
        )
    by_title: dict[str, list[Agreement]] = {}
    for each in told:
        if each.value is not None:
            by_title.setdefault(each.title, []).append(each)
    if not by_title:
        why = as_sentence(told[0].reason)
        return f"Agreement of the raters is undefined on every dimension. {why}".strip()
    return " ".join(_of_one_coefficient(own, agreed, names) for own in by_title.values())


def _of_one_coefficient(agreements: Sequence[Agreement], agreed: Agreed, names: Names) -> str:
    valued = sorted(agreements, key=_value)
    unsure = [a for a in valued if a.interval is None]
    valued = [a for a in valued if a.interval is not None] or valued
    low, high = valued[0], valued[-1]
    text = f"{low.title} of the raters is {_shown(names, low, agreed)}"
    alike = low is not high and PROPORTION(_value(low)) == PROPORTION(_value(high))
    if alike:
        text = f"{low.title} of the raters is {_everywhere(valued)}"
    elif low is not high:
        ends = " to ".join(_shown(names, end, agreed) for end in (low, high))
        text = f"{low.title} of the raters runs from {ends}"
    text += f", over the answers {_read(agreed.panel, valued)}"
    if min(a.n_units for a in valued) < _FEW:
        text += ", which are few"
    if low is not high and not alike and _overlap(low, high):
        text += "; the two intervals overlap"
    if 0 < len(unsure) < len(agreements):
        dimensions = listed_few([names.of_dimension(a.dimension) for a in unsure])
        text += f". On {dimensions} it has no interval and says little"
    return f"{text}."


def _read(panel: Sequence[Agreement], valued: list[Agreement]) -> str:
    """Say whose labels the values rest on; those with holes may be left out."""
    every: dict[tuple[str, str, str], int] = {}
    for agreement in panel:
        key = agreement.dimension, agreement.mapping, agreement.subset
        every[key] = max(every.get(key, 0), agreement.n_units)
    whole = all(
        agreement.n_units == every[agreement.dimension, agreement.mapping, agreement.subset]
        for agreement in valued
    )
    return "judged more than once" if whole else "with a full number of labels"


def _value(agreement: Agreement) -> float:
    return agreement.value if agreement.value is not None else 0.0


def _shown(names: Names, agreement: Agreement, agreed: Agreed) -> str:
    value = f"{PROPORTION(_value(agreement))} {bounds(agreement.interval)}".strip()
    beside = [f"n = {agreement.n_units}"]
    for headline in agreed.headlines:
        if headline.dimension == agreement.dimension:
            beside += [
                f"{row.title.split('(', 1)[1][:-1]} {PROPORTION(row.value)}"
                for row in headline.rows_of(agreed.panel)
                if row.coefficient in ICC_FORMS
                and row.value is not None
                and row.subset == agreement.subset
                and row is not agreement
            ]
    return f"{value} on {names.of_dimension(agreement.dimension)} ({'; '.join(beside)})"


def _everywhere(valued: list[Agreement]) -> str:
    units = [a.n_units for a in valued]
    n = f"{min(units):,}" if min(units) == max(units) else f"{min(units):,} to {max(units):,}"
    where = f"each of {number_word(len(valued))} dimensions"
    return f"{PROPORTION(_value(valued[0]))} on {where} (n = {n})"


def _overlap(low: Agreement, high: Agreement) -> bool:
    if low.interval is None or high.interval is None:
        return False
    return low.interval.high >= high.interval.low
