"""A report stands without any one of its analyses: a study may leave out each."""

from typing import NamedTuple

import pytest
from tools.standard import STANDARD
from tools.standard.shared import SharedRuns

from medassay.analyses import Results
from medassay.analyses.registry import analyses
from medassay.analyses.results.whole import Records
from medassay.report import findings
from medassay.report.asked import asked_tables
from medassay.report.cards import rater_cards
from medassay.report.contents import tables_of


class Whole(NamedTuple):
    """A report with all its analyses, and what is looked at of it."""

    results: Results
    tables: frozenset[str]
    has_cards: bool


def enough(wholes: list[Whole], name: str) -> list[Whole]:
    """Choose studies in which every analysis that is ever beside this one stands without it."""
    beside = {
        at: {(other, whole.results.study.descriptive) for other in whole.results.analyses}
        for at, whole in enumerate(wholes)
        if name in whole.results.analyses
    }
    chosen, left = [], set().union(*beside.values())
    while left:
        most = max(beside, key=lambda at: len(beside[at] & left))
        chosen.append(wholes[most])
        left -= beside[most]
    return chosen


def without(results: Results, name: str) -> Results:
    kept = {other: record for other, record in results.analyses.items() if other != name}
    return results.model_copy(update={"analyses": Records(kept)})


@pytest.fixture(scope="module")
def whole_ones(standard_run: SharedRuns) -> list[Whole]:
    found = []
    for study in STANDARD:
        results = standard_run(study).results
        tables = frozenset(table.id for table in asked_tables(results))
        found.append(Whole(results, tables, bool(rater_cards(results))))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", [analysis.id for analysis in analyses()])
def test_a_report_stands_without_it_and_holds_none_of_its_tables(
    whole_ones: list[Whole], name: str
) -> None:
    chosen = enough(whole_ones, name)
    for whole in chosen:
        left = without(whole.results, name)
        own = whole.tables - {table.id for table in asked_tables(left)}
        tables = tables_of(left)
        assert not own & {table.id for table in tables}
        assert len({table.number for table in tables}) == len(tables)
        for finding in findings(left):
            assert not own & set(finding.basis), finding
        # A card is of who rated, and of what each of them does.
        needed = name in {"rater_effects", "rater_flow"}
        assert rater_cards(left) or needed or not whole.has_cards
    assert chosen
