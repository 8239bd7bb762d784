"""Agreement of parts of the panel, and what publications call the values."""

from collections.abc import Mapping, Sequence
from typing import Final

from medassay.agreement import Agreement, Slice
from medassay.exhibits import Names
from medassay.exhibits.cells import estimate, estimate_fields, how, no_such, text
from medassay.exhibits.numbers import PROPORTION
from medassay.exhibits.table import Cell, Column, Row, Table

__all__ = ["bands_in_words", "bands_table", "part_tables"]

_OF: Final = {
    "phase": ("With and without calibration items", "Items"),
    "pair": ("Agreement of each pair of raters", "Raters"),
    "system": ("Agreement on each system's answers", "System"),
    "self": ("Agreement of raters with themselves, first label against repeat", "Rater"),
}


def part_tables(parts: Sequence[Slice], names: Names) -> list[Table]:
    """Give a table for each way in which agreement was taken by parts."""
    tables = []
    for by, (title, heading) in _OF.items():
        own = [part for part in parts if part.by == by]
        if not own:
            continue
        tables.append(
            Table(
                f"agreement-by-{by}",
                title,
                "Each value rests on the answers that both labels are there for. "
                f"{how(part.agreement.interval for part in own)}",
                (
                    Column(heading, ("group",)),
                    Column("Coefficient", ("coefficient",)),
                    Column("Labels", ("labels",)),
                    Column("Value", estimate_fields("value"), numeric=True),
                    Column("Answers", ("answers", "raters"), numeric=True),
                ),
                tuple(
                    Row(
                        (
                            text(names.of_system(part.group) if by == "system" else part.group),
                            Cell(part.agreement.title, (part.agreement.coefficient,)),
                            text(part.agreement.mapping),
                            _value(part.agreement),
                            Cell(
                                f"{part.agreement.n_units:,}",
                                (part.agreement.n_units, part.agreement.n_raters),
                            ),
                        ),
                        names.of_dimension(part.agreement.dimension),
                    )
                    for part in own
                ),
                group_field="dimension",
                stands="file",
            )
        )
    return tables


def bands_table(panel: Sequence[Agreement], names: Names) -> Table:
    """Put the words that publications have for each value side by side."""
    own = [a for a in panel if a.bands and a.subset == "all cases"]
    own = own or [a for a in panel if a.bands]
    sources = list(dict.fromkeys(source for a in own for source in a.bands))
    return Table(
        "agreement-bands",
        "What publications call these values",
        "None of them derives its bounds, and they differ: name the source beside the word, and "
        "read the interval before either. A dash: the publication does not speak of this "
        "coefficient or has no word for this value.",
        (
            Column("Coefficient", ("coefficient",)),
            Column("Labels", ("labels",)),
            Column("Value", ("value",), numeric=True),
            *(Column(source, (source,)) for source in sources),
        ),
        tuple(
            Row(
                (
                    Cell(a.title, (a.coefficient,)),
                    text(a.mapping),
                    Cell(PROPORTION(a.value or 0.0), (a.value,)),
                    *(
                        text(a.bands[source]) if source in a.bands else no_such()
                        for source in sources
                    ),
                ),
                names.of_dimension(a.dimension),
            )
            for a in own
        ),
        group_field="dimension",
        empty="No publication has a word for any of these values.",
        stands="file",
    )


def bands_in_words(bands: Mapping[str, str]) -> str:
    """Say each word once, with the publications that use it.

    Example:
        >>> bands_in_words({"Landis & Koch (1977)": "fair", "Fleiss (1981)": "poor"})
        'fair (Landis & Koch 1977), poor (Fleiss 1981)'
    """
    by_word: dict[str, list[str]] = {}
    for source, word in bands.items():
        by_word.setdefault(word, []).append(source.replace("(", "").replace(")", ""))
    return ", ".join(f"{word} ({'; '.join(sources)})" for word, sources in by_word.items())


def _value(agreement: Agreement) -> Cell:
    return estimate(agreement.value, agreement.interval, agreement.reason)
