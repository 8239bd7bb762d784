"""Every table of the report, each defined once.

What enters: `Results`. What leaves: `Table`, and its bytes as CSV and Markdown. The page is made
from the same `Table`, so page and files cannot differ.
"""

from medassay.analyses.results import Results
from medassay.analyses.sections import SECTIONS
from medassay.exhibits.cells import how
from medassay.exhibits.table import SYNTHETIC, Bands, Bar, Cell, Column, Dot, Heat, Row, Table
from medassay.report.asked import asked_tables
from medassay.report.tables.at_a_glance import at_a_glance
from medassay.report.tables.files import table_csv, table_markdown
from medassay.report.tables.joined_means import joined_means
from medassay.report.tables.objectives import each_pair, returned
from medassay.report.tables.study import answers, inputs, left_out, sources, systems, unscored
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
    "each_pair",
    "how",
    "inputs",
    "left_out",
    "panel_tables",
    "returned",
    "sources",
    "systems",
    "table_csv",
    "table_markdown",
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
            for table in (
                *(panel_tables(results) if section.id == "panel" else ()),
                *asked_tables(results, section),
            )
        ),
        answers(results),
        systems(results),
        sources(results),
        *([left_out(results)] if results.left_out else []),
        unscored(results),
        inputs(results),
    ]
    return Whose(results).tables(made)


def panel_tables(results: Results) -> list[Table]:
    """Give the tables of what the panel says, where there is something to say."""
    methods = {source.method for source in results.sources if source.kind == "consensus"}
    return [joined_means(results)] if len(methods) > 1 else []
