"""Which tables stand behind the trust table: on the page, as files and in the terminal."""

from medassay.analyses.results import ValidityDetail
from medassay.exhibits.table import Table
from medassay.report.tables.answer_level import answer_level, bad_answers
from medassay.report.tables.system_level import groups, metric_pairs, references, system_level

__all__ = ["behind_trust", "behind_trust_files"]


def behind_trust(detail: ValidityDetail | None, *, synthetic: bool) -> list[Table]:
    """Give the tables of the page and of the terminal."""
    if detail is None:
        return []
    traps = [groups(detail, synthetic=synthetic, traps_only=True)] if detail.groups else []
    return [
        *([references(detail, synthetic=synthetic)] if detail.references else []),
        system_level(detail, synthetic=synthetic),
        *traps,
        answer_level(detail, synthetic=synthetic),
        *([bad_answers(detail, synthetic=synthetic)] if detail.bad_answers else []),
    ]


def behind_trust_files(detail: ValidityDetail | None, *, synthetic: bool) -> list[Table]:
    """Give the tables that are written as files: with every pair and every group."""
    if detail is None:
        return []
    shown = [t for t in behind_trust(detail, synthetic=synthetic) if t.id != "groups-traps"]
    return [*shown, groups(detail, synthetic=synthetic), metric_pairs(detail, synthetic=synthetic)]
