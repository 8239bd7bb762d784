"""Each sentence of the standard studies that carries a verdict names its row and its p."""

import pytest
from tools.standard import STANDARD
from tools.standard.shared import SharedRuns

from medassay.exhibits import VerdictKind
from medassay.exhibits.claim import REGISTER, says_verdict
from medassay.report import findings
from medassay.report.names import Names


@pytest.mark.parametrize("study", STANDARD)
def test_each_verdict_names_its_row(standard_run: SharedRuns, study: str) -> None:
    run = standard_run(study)
    names = Names(run.results)
    page = (run.folder / "report.html").read_text(encoding="utf-8")
    for finding in findings(run.results):
        assert all(claim.row for claim in finding.claims)
        if says_verdict(finding.text, names.given):
            assert finding.rows
            assert f'{", ".join(finding.rows)} in {REGISTER}"' in page


@pytest.mark.parametrize("study", STANDARD)
def test_a_warning_that_is_said_keeps_its_p(standard_run: SharedRuns, study: str) -> None:
    for finding in findings(standard_run(study).results):
        for claim in finding.claims:
            if claim.kind is VerdictKind.WARNING and finding.text.startswith("Needs checking: "):
                assert claim.p is not None, finding.text
                assert claim.tests
