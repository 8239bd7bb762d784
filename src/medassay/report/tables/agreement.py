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
    for (dimension, mapping, _), found in rows_of.items():
        one = next(iter(found.values()))
        notes = list(dict.fromkeys(note for a in found.values() for note in a.notes))
        cells = [Cell(one.title, (one.coefficient,), detail=_meaning(one)), text(mapping)]
        for subset in subsets:
            cells += _agreement_cells(found.get(subset))
        cells += [_called(one), _note(notes)]
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


def _agreement_cells(found: AgreementResult | None) -> list[Cell]:
    if found is None:
        reason = "Not computed for these cases."
        return [missing(reason, 4), missing(reason, 2)]
    value = estimate(found.value, found.interval, found.reason)
    return [value, Cell(f"{found.n_units:,}", (found.n_units, found.n_raters))]


def _meaning(one: AgreementResult) -> str:
    said = {"1": one.one, "0": one.zero, "below 0": one.below_zero}
    return "\n".join(f"{end}: {words}" for end, words in said.items() if words)


def _called(one: AgreementResult) -> Cell:
    words = bands_in_words(one.bands)
    return text(words) if words else no_such()


def _note(notes: list[str]) -> Cell:
    if not notes:
        return Cell("", (None,))
    said = "; ".join(notes)
    flagged = "raters agree on" in said
    whole = "no interval" if "nothing to resample" in said else "read the note"
    word = "high agreement, low value" if flagged else whole
    return Cell(word, (said,), detail="\n".join(as_sentence(note) for note in notes))


def _agreement_caption(found: list[AgreementResult]) -> str:
    parts = ["Only answers judged by two raters or more count."]
    parts.append("1 is perfect agreement; 0 is chance, for the coefficients that correct for it.")
    units = [a.n_units for a in found]
    if units and min(units) < _FEW:
        largest, smallest = max(units), min(units)
        span = f"{smallest:,}" if smallest == largest else f"{smallest:,} to {largest:,}"
        parts.append(f"These are few answers ({span}): read the interval, not the value alone.")
    parts.append(few_cases(a.n_cases for a in found if a.interval is not None))
    parts.append(how(a.interval for a in found))
    return " ".join(part for part in parts if part)
