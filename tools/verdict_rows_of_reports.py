"""Rows of design/verdicts.md about all that a report claims at once."""

from typing import Final

from tools.verdict import Row, Verdict

DESIGN: Final = ("reports in which", "systems", "cases", "raters")
_RANKED: Final = ("means of systems", "systems", "cases")


def _outweighed(row: Row) -> bool:
    return "loses" in row["means of systems"]


OF_REPORTS: Final = (
    Verdict(
        "leads",
        "two systems are set apart on the primary question",
        "they are equal, or the other leads",
        5,
        "report-budget",
        "now",
        DESIGN,
        studies=200,
        mark="primary",
        missed="by an exact level",
    ),
    Verdict(
        "strict",
        "a rater is stricter or milder",
        "all are as strict as one another, and half of twelve systems lead",
        5,
        "report-budget",
        "strict rater",
        DESIGN,
        mark="strict",
        missed="by an exact level: raters may be swapped there",
    ),
    Verdict(
        "report",
        "any other claim of a report",
        "systems are equal there, or metrics are useless",
        5,
        "report-budget",
        "now",
        DESIGN,
        studies=200,
        mark="claims",
        missed="by the level that all of them share",
    ),
    Verdict(
        "report",
        "any claim of a report",
        "as in the two rows above",
        10,
        "report-budget",
        "now",
        DESIGN,
        studies=200,
        mark="report",
        missed="the two rates of 5 together; the report's line names both",
    ),
    Verdict(
        "ranks",
        "all ranks lie in their ranges, of twelve systems and more",
        "some true rank lies outside",
        5,
        "rank-sets",
        "now",
        _RANKED,
        studies=600,
        only=lambda row: not _outweighed(row),
        missed="by the level of the tests of all pairs",
    ),
    Verdict(
        "ranks",
        "the same, heavy losses are rare",
        "some true rank lies outside: one system loses much, seldom",
        5,
        "rank-sets",
        "now",
        _RANKED,
        studies=600,
        only=_outweighed,
    ),
)
