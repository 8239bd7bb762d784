"""Passages by system, kind by kind."""

from collections.abc import Sequence

from medassay.analyses.builtin.passages.record import KindCount, SystemPassages
from medassay.exhibits import Names, Table, shown, table_of
from medassay.exhibits.cells import named
from medassay.exhibits.columns import Shown, counted
from medassay.exhibits.table import Column

__all__ = ["passages_table"]


def passages_table(systems: Sequence[SystemPassages], names: Names) -> Table:
    """Show how many passages of which kind were marked in each system's answers."""
    weighed = any(one.weight is not None for one in systems)
    asked = any(one.severities for one in systems)
    return table_of(
        ((names.of_dimension(one.dimension), one) for one in systems),
        (
            Shown(
                Column("System", ("system",)),
                lambda one: named(names.of_system(one.system), one.system),
            ),
            counted("Read", "readings"),
            counted("Without any", "clean"),
            counted("Passages", "marked"),
            shown("Kinds", lambda one: _listed(one.kinds), file="kinds"),
            *(
                [shown("How bad", lambda one: _listed(one.severities), file="severities")]
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
        + (" Weight: the scores of a reading's severities, added up." if weighed else ""),
        grouped_by="dimension",
    )  # fmt: skip


def _listed(counts: Sequence[KindCount]) -> str:
    return ", ".join(f"{one.name} {one.count:,}" for one in counts)
