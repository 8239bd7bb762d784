"""Passages by system, kind by kind."""

from collections.abc import Sequence

from medassay.analyses.builtin.passages.record import KindCount, SystemPassages
from medassay.exhibits import Names, Table, shown, table_of
from medassay.exhibits.columns import counted, system_column

__all__ = ["passages_table"]


def passages_table(systems: Sequence[SystemPassages], names: Names) -> Table:
    """Show how many passages of which kind were marked in each system's answers."""
    weighed = any(row.weight is not None for row in systems)
    asked = any(row.severities for row in systems)
    silent = any(row.unasked for row in systems)
    return table_of(
        ((names.of_dimension(row.dimension), row) for row in systems),
        (
            system_column(names),
            counted("Read", "readings"),
            counted("Without any", "clean"),
            *([counted("Of these, looked?", "unasked")] if silent else []),
            counted("Passages", "marked"),
            shown("Kinds", lambda row: _listed(row.kinds), file="kinds"),
            *(
                [shown("How bad", lambda row: _listed(row.severities), file="severities")]
                if asked
                else []
            ),
            *(
                [shown("Weight of a reading", "weight", "{:.2f}".format,
                       why_not=lambda _: "Severities have no scores, or nobody read.")]
                if weighed
                else []
            ),
        ),
        id="passages",
        title="Passages marked, by system",
        caption="Read: answers, each rater's reading counted. Passages that two raters marked "
        "count twice."
        + (
            " Looked?: recorded by a room that did not ask; whether the rater looked for passages "
            "is not known."
            if silent
            else ""
        )
        + (" Weight: the scores of a reading's severities, added up." if weighed else ""),
        grouped_by="dimension",
    )  # fmt: skip


def _listed(counts: Sequence[KindCount]) -> str:
    return ", ".join(f"{kind.name} {kind.count:,}" for kind in counts)
