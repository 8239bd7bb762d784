"""How far the raters agree."""

from collections.abc import Sequence
from typing import Final

from medassay.agreement import Agreement, few_cases
from medassay.agreement.on_units import RULE
from medassay.analyses.builtin.agreement.parts import bands_in_words
from medassay.analyses.inputs.rater_agreement import Agreed
from medassay.exhibits import Names
from medassay.exhibits.cells import estimate, estimate_fields, how, missing, no_such, text
from medassay.exhibits.sentences import as_sentence
from medassay.exhibits.table import Cell, Column, Row, Table

__all__ = ["every_coefficient", "main_agreement"]

_FEW: Final = 30


def main_agreement(agreed: Agreed, names: Names) -> Table:
    """Give each dimension its headline, and what stands beside it."""
    chosen = [row for headline in agreed.headlines for row in headline.rows_of(agreed.panel)]
    return _agreement(
        chosen,
        names,
        "agreement-main",
        "Agreement of the raters",
        f"{RULE} Other coefficients: below.",
    )


def every_coefficient(panel: Sequence[Agreement], names: Names) -> Table:
    """Put the coefficients of all cases beside those of the ranking cases."""
    return _agreement(panel, names, "agreement", "Every coefficient of agreement")


def _agreement(
    known: Sequence[Agreement], names: Names, table_id: str, title: str, more: str = ""
) -> Table:
    subsets = list(dict.fromkeys(a.subset for a in known))
    rows_of: dict[tuple[str, str, str], dict[str, Agreement]] = {}
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
        agreement = next(iter(agreements.values()))
        notes = list(dict.fromkeys(note for a in agreements.values() for note in a.remarks))
        cells = [
            Cell(
                agreement.title,
                (agreement.coefficient,),
                detail=_meaning(agreement),
            ),
            text(mapping),
        ]
        for subset in subsets:
            cells += _agreement_cells(agreements.get(subset))
        cells += [_called(agreement), _note(notes)]
        rows.append(Row(tuple(cells), names.of_dimension(dimension)))
    return Table(
        table_id,
        title,
        f"{_agreement_caption(known)} {more}".strip(),
        tuple(columns),
        tuple(rows),
        group_field="dimension",
        empty="No answer was judged by two raters, so agreement cannot be measured.",
        stands="file" if table_id == "agreement" else "page",
    )


def _agreement_cells(agreement: Agreement | None) -> list[Cell]:
    if agreement is None:
        reason = "Not computed for these cases."
        return [missing(reason, 4), missing(reason, 2)]
    value = estimate(agreement.value, agreement.interval, agreement.reason)
    return [
        value,
        Cell(f"{agreement.n_units:,}", (agreement.n_units, agreement.n_raters)),
    ]


def _meaning(agreement: Agreement) -> str:
    meanings = {
        "1": agreement.one,
        "0": agreement.zero,
        "below 0": agreement.below_zero,
    }
    return "\n".join(f"{end}: {words}" for end, words in meanings.items() if words)


def _called(agreement: Agreement) -> Cell:
    words = bands_in_words(agreement.bands)
    return text(words) if words else no_such()


def _note(notes: list[str]) -> Cell:
    if not notes:
        return Cell("", (None,))
    sentence = "; ".join(notes)
    flagged = "raters agree on" in sentence
    whole = "no interval" if "nothing to resample" in sentence else "read the note"
    word = "high agreement, low value" if flagged else whole
    return Cell(word, (sentence,), detail="\n".join(as_sentence(note) for note in notes))


def _agreement_caption(agreements: Sequence[Agreement]) -> str:
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
