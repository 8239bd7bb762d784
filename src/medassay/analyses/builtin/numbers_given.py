"""Which numbers do raters give each system's answers?"""

from collections.abc import Iterator, Sequence

import numpy as np

from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.readable import Design
from medassay.annotations import DesignName, SystemName, record
from medassay.exhibits import Names, Table, shown, table_of
from medassay.exhibits.columns import counted, system_column
from medassay.judgements import Judgements, Rubric


@record(infers=False)
class SystemNumbers:
    """The numbers that raters gave one system's answers.

    Attributes:
        dimension: The dimension.
        system: The system.
        unit: What is counted; empty where the rubric does not say.
        given: How many numbers.
        without: Judgements with a reason instead.
        lowest: The lowest number; None where there is none, as below.
        lower: The first quartile.
        median: The median.
        upper: The third quartile.
        highest: The highest.
    """

    dimension: DesignName
    system: SystemName
    unit: DesignName
    given: int
    without: int
    lowest: float | None
    lower: float | None
    median: float | None
    upper: float | None
    highest: float | None


@record(infers=False)
class NumbersGiven:
    """Where the numbers lie, by dimension and system."""

    systems: tuple[SystemNumbers, ...]


def numbers_of(
    rubric: Rubric, judgements: Judgements, systems: Sequence[str]
) -> Iterator[SystemNumbers]:
    """Give the ends and quartiles of what was given on each dimension that asks for a number."""
    rows = judgements.in_phases()
    for dimension in rubric.dimensions:
        own = rows.filter(dimension=dimension.id)
        if dimension.number is None or not own.height:
            continue
        for system in systems:
            mine = own.filter(system=system)
            numbers = mine["number"].drop_nulls().to_numpy()
            ends: list[float] | list[None] = [None] * 5
            if numbers.size:
                ends = np.quantile(numbers, [0, 0.25, 0.5, 0.75, 1]).tolist()
            without = int(mine["reason"].count())
            unit = dimension.number.unit
            yield SystemNumbers(dimension.id, system, unit, len(numbers), without, *ends)


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
        caption="The spread of the numbers that raters gave; each judgement counts once. The "
        "leaderboard has means with intervals.",
        grouped_by="dimension",
        stands="file",
    )  # fmt: skip


def _heading(row: SystemNumbers, names: Names) -> str:
    return names.of_dimension(row.dimension) + (f" ({row.unit})" if row.unit else "")


@analysis(
    Declaration(
        id="numbers_given",
        title="Numbers given",
        question="Which numbers do raters give, where they choose no label?",
        section="ratings",
        part="ratings-given",
        infers=False,
        reader="clinician",
        place=6,
        tables=lambda numbers, names: [numbers_table(numbers.systems, names)],
    )
)
def numbers_given(rubric: Rubric, judgements: Judgements, design: Design) -> NumbersGiven | None:
    """Say where the numbers of each system lie, by dimension."""
    systems = tuple(numbers_of(rubric, judgements, design.systems))
    return NumbersGiven(systems) if systems else None
