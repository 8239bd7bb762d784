"""Every table of the report, each defined once.

What enters: `Results`. What leaves: `Table`, and its bytes as CSV and Markdown. The page is made
from the same `Table`, so page and files cannot differ.
"""

from medassay.report.tables.behind_trust import behind_trust, behind_trust_files
from medassay.report.tables.files import SYNTHETIC, table_csv, table_markdown
from medassay.report.tables.leaderboard import axis_of, comparisons, leaderboard, ordered, standings
from medassay.report.tables.model import Bands, Bar, Cell, Column, Dot, Heat, Row, Table
from medassay.report.tables.panel import harm, strengths
from medassay.report.tables.preferences import preference_pairs, preference_standings
from medassay.report.tables.raters import budget, favouring, rater_effects, without_rater
from medassay.report.tables.ratings import (
    agreement,
    labels,
    main_agreement,
    rating_counts,
    told_first,
)
from medassay.report.tables.shared_task import shared_task
from medassay.report.tables.study import answers, inputs, sources, systems, unscored
from medassay.report.tables.trust import trust, trust_summary
from medassay.report.tables.validity import (
    CONTROLS,
    METRICS,
    consensus_methods,
    correlations,
    resting_on,
    tau_maps,
)
from medassay.study.results import Results

__all__ = [
    "CONTROLS",
    "METRICS",
    "SYNTHETIC",
    "Bands",
    "Bar",
    "Cell",
    "Column",
    "Dot",
    "Heat",
    "Row",
    "Table",
    "agreement",
    "all_tables",
    "answers",
    "axis_of",
    "behind_trust",
    "budget",
    "comparisons",
    "consensus_methods",
    "correlations",
    "favouring",
    "harm",
    "inputs",
    "labels",
    "leaderboard",
    "main_agreement",
    "ordered",
    "panel_tables",
    "preference_pairs",
    "preference_standings",
    "rater_effects",
    "rating_counts",
    "resting_on",
    "shared_task",
    "sources",
    "standings",
    "strengths",
    "systems",
    "table_csv",
    "table_markdown",
    "tau_maps",
    "told_first",
    "trust",
    "trust_summary",
    "unscored",
    "without_rater",
]


def all_tables(results: Results) -> list[Table]:
    """Give every table that is written as a file, in the order of the page."""
    primary = [s for s in results.sources if s.name == results.primary]
    return [
        *([trust(results.trust, synthetic=results.study.synthetic)] if results.trust else []),
        *(leaderboard(results, source, "leaderboard") for source in primary),
        *shared_task(results),
        standings(results),
        comparisons(results, results.sources, "comparisons"),
        rating_counts(results),
        labels(results),
        main_agreement(results),
        agreement(results),
        *panel_tables(results),
        *(
            table(results, found)
            for found in results.preferences
            for table in (preference_standings, strengths, preference_pairs)
        ),
        *tau_maps(results),
        correlations(results),
        *behind_trust_files(results),
        answers(results),
        systems(results),
        sources(results),
        unscored(results),
        inputs(results),
    ]


def panel_tables(results: Results) -> list[Table]:
    """Give the tables of what the panel says and of its raters, where there is something to say."""
    tables = [harm(results)] if results.harm else []
    if results.diagnostics:
        tables += [rater_effects(results), favouring(results)]
    if results.budget:
        tables.append(budget(results))
    return [*tables, without_rater(results)] if results.without_rater else tables
