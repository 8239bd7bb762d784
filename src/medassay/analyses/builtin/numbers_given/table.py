"""Numbers by system."""

from collections.abc import Sequence

from medassay.analyses.builtin.numbers_given.record import SystemNumbers
from medassay.exhibits import Names, Table, shown, table_of
from medassay.exhibits.columns import counted, system_column

__all__ = ["numbers_table"]


def numbers_table(systems: Sequence[SystemNumbers], names: Names) -> Table:
    """Show the ends, quartiles and median of the numbers of each system."""
    without = any(row.without for row in systems)
    return table_of(
        ((_heading(row, names), row) for row in systems),
        (
            system_column(names),
            *(
                shown(heading, field, "{:,.1f}".format, why_not=lambda _: "Nobody gave a number.")
                for heading, field in (
                    ("Lowest", "lowest"), ("Quarter below", "lower"), ("Median", "median"),
                    ("Quarter above", "upper"), ("Highest", "highest"),
                )
            ),
            counted("Given", "given"),
            *([counted("A reason instead", "without")] if without else []),
        ),
        id="numbers-by-system",
        title="Numbers by system",
        caption="Where the numbers lie that raters gave; each judgement counts once. Means with "
        "intervals stand in the leaderboard.",
        grouped_by="dimension",
        stands="file",
    )  # fmt: skip


def _heading(row: SystemNumbers, names: Names) -> str:
    return names.of_dimension(row.dimension) + (f" ({row.unit})" if row.unit else "")
