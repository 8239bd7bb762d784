"""The study's own targets, said below every table that shows what they are about."""

import re
from dataclasses import replace
from typing import Final

from medassay.exhibits.names import slug
from medassay.exhibits.numbers import listed
from medassay.exhibits.table import Table
from medassay.report.names import Names

_OF_ROWS: Final = frozenset({"standings", "groups", "accuracy", "conditions", "retrieval"})
"""Tables that name in each row the source whose values it shows."""
_OF_PRIMARY: Final = frozenset({"leaderboard"})
"""Tables of the source that orders the systems."""
_FIELDS: Final = {"accuracy": "exact_match"}
"""What a source's values are called in tables that have one column of them."""
_MEASURES: Final = {"harm-pathway": "danger_flag"}
"""Tables of one source that name it nowhere."""
_MEANS: Final = re.compile(r"mean\(dimension=([^,)]+)\)")
_NO_VALUES: Final = frozenset({"targets", "human-scores", "calibration-bins"})
"""Tables that say the target themselves, or show no value of the source that a column is called."""


def with_aims(table: Table, names: Names) -> Table:
    """Say below a table what the study wants to reach, where a column or a row is of that source.

    Args:
        table: The table.
        names: What the report calls its sources, and their targets.
    """
    if not names.targets or table.id in _NO_VALUES or not table.rows:
        return table
    spoken: set[object] = {field for column in table.columns for field in column.fields}
    if table.id in _OF_ROWS:
        spoken |= {value for row in table.rows for cell in row.cells for value in cell.raw[:1]}
        spoken |= {row.group for row in table.rows}
    if table.id in _OF_PRIMARY:
        spoken.add(names.primary)
    spoken |= {_FIELDS[field] for field in _FIELDS if field in spoken}
    spoken.add(_MEASURES.get(table.id, ""))

    def is_shown(source: str) -> bool:
        of_dimension = _MEANS.fullmatch(source)
        return (
            bool({source, names.of_source(source)} & spoken)
            or (table.id == "safety" and source.startswith("hallucination("))
            or table.id == f"summary-{slug(of_dimension[1] if of_dimension else source)}"
        )

    shown = [
        f"{names.of_source(source)} {names.style_of(source)(aim)}"
        for source, aim in names.targets.items()
        if is_shown(source)
    ]
    mark = f"The study's target: {listed(shown)}."
    if not shown or mark in table.caption:
        return table
    return replace(table, caption=f"{table.caption} {mark}".strip())
