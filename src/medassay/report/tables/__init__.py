"""Every table of the report, each defined once.

What enters: `Results`. What leaves: `Table`, and its bytes as CSV and Markdown. The page is made
from the same `Table`, so page and files cannot differ.
"""

from collections.abc import Callable, Mapping
from typing import Final

from medassay.analyses.results import Results
from medassay.analyses.sections import SECTIONS
from medassay.exhibits.cells import how
from medassay.exhibits.table import SYNTHETIC, Bands, Bar, Cell, Column, Dot, Heat, Row, Table
from medassay.report.asked import asked_tables
from medassay.report.names import Names
from medassay.report.tables.at_a_glance import at_a_glance
from medassay.report.tables.files import table_csv, table_markdown
from medassay.report.tables.joined_means import joined_means
from medassay.report.tables.judges import judge_tables
from medassay.report.tables.leaderboard import axis_of, comparisons, leaderboard, ordered, standings
from medassay.report.tables.objectives import each_pair, returned
from medassay.report.tables.shared_task import shared_task
from medassay.report.tables.study import answers, inputs, left_out, sources, systems, unscored
from medassay.report.tables.targets import target_tables
from medassay.report.whose import Whose

__all__ = [
    "SYNTHETIC",
    "Bands",
    "Bar",
    "Cell",
    "Column",
    "Dot",
    "Heat",
    "Row",
    "Table",
    "all_tables",
    "answers",
    "at_a_glance",
    "axis_of",
    "comparisons",
    "each_pair",
    "how",
    "inputs",
    "judge_tables",
    "judges_of",
    "leaderboard",
    "left_out",
    "ordered",
    "panel_tables",
    "returned",
    "shared_task",
    "sources",
    "standings",
    "systems",
    "table_csv",
    "table_markdown",
    "target_tables",
    "unscored",
]


def all_tables(results: Results) -> list[Table]:
    """Give every table that is written as a file, in the order of the page."""
    glance = at_a_glance(results)
    made = [
        *([glance] if glance else []),
        *(
            table
            for section in SECTIONS
            for table in (*_OF_SECTION[section.id](results), *asked_tables(results, section))
        ),
        answers(results),
        systems(results),
        sources(results),
        *([left_out(results)] if results.left_out else []),
        unscored(results),
        inputs(results),
    ]
    return Whose(results).tables(made)


def _leaders(results: Results) -> list[Table]:
    primary = [s for s in results.sources if s.name == results.primary]
    return [
        *(leaderboard(results, source, "leaderboard") for source in primary),
        *shared_task(results),
        standings(results),
        comparisons(results, results.sources, "comparisons"),
        *target_tables(results),
    ]


def _panel(results: Results) -> list[Table]:
    return [
        *panel_tables(results),
    ]


def panel_tables(results: Results) -> list[Table]:
    """Give the tables of what the panel says, where there is something to say."""
    methods = {source.method for source in results.sources if source.kind == "consensus"}
    return [joined_means(results)] if len(methods) > 1 else []


def judges_of(results: Results) -> list[Table]:
    """Give what the tests of the model judges found."""
    names = Names(results)
    titles = {dimension.id: names.of_dimension(dimension.id) for dimension in results.dimensions}
    return judge_tables(results.judges, titles, synthetic=results.study.synthetic)


_OF_SECTION: Final[Mapping[str, Callable[[Results], list[Table]]]] = {
    "leaders": _leaders,
    "clinical": lambda _: [],
    "ratings": lambda _: [],
    "panel": _panel,
    "preferences": lambda _: [],
    "validity": lambda _: [],
    "judges": judges_of,
    "difficulty": lambda _: [],
}
"""What stands in a section beside what its analyses declare."""
