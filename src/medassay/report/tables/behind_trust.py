"""Which tables stand behind the trust table, on the page and as files."""

from medassay.report.tables.answer_level import answer_level, bad_answers
from medassay.report.tables.model import Table
from medassay.report.tables.system_level import groups, metric_pairs, references, system_level
from medassay.study.results import Results

__all__ = ["behind_trust", "behind_trust_files"]


def behind_trust(results: Results) -> list[Table]:
    """Give the tables of the page."""
    detail = results.validity
    if detail is None:
        return []
    return [
        *([references(results, detail)] if detail.references else []),
        system_level(results, detail),
        *([groups(results, detail, traps_only=True)] if detail.groups else []),
        answer_level(results, detail),
        *([bad_answers(results, detail)] if detail.bad_answers else []),
    ]


def behind_trust_files(results: Results) -> list[Table]:
    """Give the tables that are written as files: with every pair and every group."""
    detail = results.validity
    if detail is None:
        return []
    shown = [table for table in behind_trust(results) if table.id != "groups-traps"]
    return [*shown, groups(results, detail), metric_pairs(results, detail)]
