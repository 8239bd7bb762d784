"""Numbers by system."""

from collections.abc import Sequence

from medassay.analyses.builtin.numbers_given.record import SystemNumbers
from medassay.exhibits import Names, Table, shown, table_of
from medassay.exhibits.cells import named
from medassay.exhibits.columns import Shown, counted
from medassay.exhibits.table import Column

__all__ = ["numbers_table"]


def numbers_table(systems: Sequence[SystemNumbers], names: Names) -> Table:
    """Show the ends, quartiles and median of the numbers of each system."""
    without = any(one.without for one in systems)
    return table_of(
        ((_heading(one, names), one) for one in systems),
        (
            Shown(
                Column("System", ("system",)),
                lambda one: named(names.of_system(one.system), one.system),
            ),
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


def _heading(one: SystemNumbers, names: Names) -> str:
    return names.of_dimension(one.dimension) + (f" ({one.unit})" if one.unit else "")
