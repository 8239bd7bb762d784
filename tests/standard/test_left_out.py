"""A report stands without any one of its analyses: a study may leave out each."""

import pytest
from tools.standard import STANDARD
from tools.standard.shared import SharedRuns

from medassay.analyses import Results
from medassay.analyses.registry import analyses
from medassay.analyses.results.records import Records
from medassay.report import findings
from medassay.report.asked import asked_tables
from medassay.report.cards import rater_cards
from medassay.report.contents import tables_of


def without(results: Results, name: str) -> Results:
    kept = {other: record for other, record in results.analyses.items() if other != name}
    return results.model_copy(update={"analyses": Records(kept)})


@pytest.mark.parametrize("name", [analysis.id for analysis in analyses()])
def test_a_report_stands_without_it_and_holds_none_of_its_tables(
    standard_run: SharedRuns, name: str
) -> None:
    answered = 0
    for study in STANDARD:
        whole = standard_run(study).results
        if name not in whole.analyses:
            continue
        answered += 1
        left = without(whole, name)
        own = {table.id for table in asked_tables(whole)} - {t.id for t in asked_tables(left)}
        tables = tables_of(left)
        assert not own & {table.id for table in tables}
        assert len({table.number for table in tables}) == len(tables)
        for finding in findings(left):
            assert not own & set(finding.basis), finding
        # A card is of who rated, and of what each of them does.
        needed = name in {"rater_effects", "rater_flow"}
        assert rater_cards(left) or needed or not rater_cards(whole)
    assert answered
