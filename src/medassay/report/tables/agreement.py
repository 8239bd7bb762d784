"""How far the raters agree."""

from typing import Final

from medassay.agreement import few_cases
from medassay.analyses.results import AgreementResult, Results
from medassay.exhibits.cells import estimate, estimate_fields, how, missing, no_such, text
from medassay.exhibits.sentences import as_sentence
from medassay.exhibits.table import Cell, Column, Row, Table
from medassay.report.names import Names
from medassay.report.tables.agreement_parts import bands_in_words

__all__ = ["agreement", "main_agreement", "told_first"]

_FEW: Final = 30
# The first of these with a value is told: those that correct for chance before the others.
_TOLD: Final = ("fleiss", "cohen", "krippendorff", "mean_pairwise", "unanimous")
_RAW: Final = ("mean_pairwise", "unanimous")


def told_first(known: list[AgreementResult]) -> list[AgreementResult]:
    """Choose one coefficient: the first in order that has a value anywhere."""
    place = {base: i for i, base in enumerate(_TOLD)}
    names = sorted(
        dict.fromkeys(a.coefficient for a in known),
        key=lambda name: (place.get(name.split("(")[0], len(place)), "(" in name),
    )
    of = {name: [a for a in known if a.coefficient == name] for name in names}
    valued = (own for own in of.values() if any(a.value is not None for a in own))
    return next(valued, next(iter(of.values()), []))


def main_agreement(results: Results) -> Table:
    """Give each dimension one coefficient that corrects for chance, and the plain agreement."""
    chosen: list[AgreementResult] = []
    for dimension in dict.fromkeys(a.dimension for a in results.agreement):
        own = [a for a in results.agreement if a.dimension == dimension]
        own = [a for a in own if a.mapping == "full"] or own
        main = told_first(own)
        raw = next((name for name in _RAW if any(a.coefficient == name for a in own)), "")
        beside = [a for a in own if a.coefficient == raw and a not in main]
        chosen += [*main, *beside]
    return _agreement(
        results, chosen, "agreement-main", "Agreement of the raters", "Other coefficients: below."
    )


def agreement(results: Results) -> Table:
    """Put the coefficients of all cases beside those of the ranking cases."""
    return _agreement(results, results.agreement, "agreement", "Every coefficient of agreement")


def _agreement(
    results: Results, known: list[AgreementResult], table_id: str, title: str, more: str = ""
) -> Table:
    names = Names(results)
    subsets = list(dict.fromkeys(a.subset for a in known))
    rows_of: dict[tuple[str, str, str], dict[str, AgreementResult]] = {}
    for a in known:
        rows_of.setdefault((a.dimension, a.mapping, a.coefficient), {})[a.subset] = a
    columns = [
        Column("Coefficient", ("coefficient",)),
        Column("Labels", ("labels",)),
    ]
    for subset in subsets:
        field = subset.replace(" ", "_")
        columns += [
            Column("Value", estimate_fields(field), numeric=True, group=subset.capitalize()),
            Column(
                "Answers",
                (f"{field}_answers", f"{field}_raters"),
                numeric=True,
                group=subset.capitalize(),
            ),
        ]
    columns += [
        Column("Called", ("called",), wide=True),
        Column("Note", ("note",)),
    ]
    rows = []
    for (dimension, mapping, _), agreements in rows_of.items():
        agreement_result = next(iter(agreements.values()))
        notes = list(dict.fromkeys(note for a in agreements.values() for note in a.notes))
        cells = [
            Cell(
                agreement_result.title,
                (agreement_result.coefficient,),
                detail=_meaning(agreement_result),
            ),
            text(mapping),
        ]
        for subset in subsets:
            cells += _agreement_cells(agreements.get(subset))
        cells += [_called(agreement_result), _note(notes)]
        rows.append(Row(tuple(cells), names.of_dimension(dimension)))
    return Table(
        table_id,
        title,
        f"{_agreement_caption(known)} {more}".strip(),
        tuple(columns),
        tuple(rows),
        group_field="dimension",
        empty="No answer was judged by two raters, so agreement cannot be measured.",
        synthetic=results.study.synthetic,
    )


def _agreement_cells(agreement_result: AgreementResult | None) -> list[Cell]:
    if agreement_result is None:
        reason = "Not computed for these cases."
        return [missing(reason, 4), missing(reason, 2)]
    value = estimate(agreement_result.value, agreement_result.interval, agreement_result.reason)
    return [
        value,
        Cell(
            f"{agreement_result.n_units:,}", (agreement_result.n_units, agreement_result.n_raters)
        ),
    ]


def _meaning(agreement_result: AgreementResult) -> str:
    said = {
        "1": agreement_result.one,
        "0": agreement_result.zero,
        "below 0": agreement_result.below_zero,
    }
    return "\n".join(f"{end}: {words}" for end, words in said.items() if words)


def _called(agreement_result: AgreementResult) -> Cell:
    words = bands_in_words(agreement_result.bands)
    return text(words) if words else no_such()


def _note(notes: list[str]) -> Cell:
    if not notes:
        return Cell("", (None,))
    sentence = "; ".join(notes)
    flagged = "raters agree on" in sentence
    whole = "no interval" if "nothing to resample" in sentence else "read the note"
    word = "high agreement, low value" if flagged else whole
    return Cell(word, (sentence,), detail="\n".join(as_sentence(note) for note in notes))


def _agreement_caption(agreements: list[AgreementResult]) -> str:
    parts = ["Only answers judged by two raters or more count."]
    parts.append("1 is perfect agreement; 0 is chance, for the coefficients that correct for it.")
    units = [a.n_units for a in agreements]
    if units and min(units) < _FEW:
        largest, smallest = max(units), min(units)
        span = f"{smallest:,}" if smallest == largest else f"{smallest:,} to {largest:,}"
        parts.append(f"These are few answers ({span}): read the interval, not the value alone.")
    parts.append(few_cases(a.n_cases for a in agreements if a.interval is not None))
    parts.append(how(a.interval for a in agreements))
    return " ".join(part for part in parts if part)
