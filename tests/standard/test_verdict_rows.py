"""Each sentence of the standard studies that carries a verdict names its row and its p."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest
from tools.standard import STANDARD
from tools.standard.shared import SharedRuns

from medassay.exhibits import VerdictKind
from medassay.exhibits.claim import REGISTER, WARNS, says_verdict
from medassay.report import findings
from medassay.report.asked import _answered
from medassay.report.budget import levels_of
from medassay.report.names import Names
from medassay.report.opening import opening_of

FROZEN: Final = Path(__file__).with_name("frozen")
DEFINES: Final = re.compile(
    r"^Who rated, agreement, who is stricter$|^What score has the label that |^AUROC: "
    r"|^Undefined where two labels |^Gap: mean confidence minus accuracy, "
    r"|^Strength behind the preferences: |^First twice: whichever stood first was preferred"
    r"|^(?:How often the|Share of comparisons in which a) system .*\bwas preferred"
    r"|^Behind a rank: the range |^No choice is a miss"
    r"|^(?:Higher|Filled): shown to be better than length|^Balanced F1 of a grader with "
    r"|docs/harm\.md leads from a flag to |†: no better than a control, "
    r"|guessed the systems behind some answers"
    r"|\| systems agree (?:more|less) on easy cases than the scale makes them"
    r"|^No, antibiotics do not act on the virus behind a cold"
)
"""What words of a verdict say on a page beside verdicts: columns, rules, a cell, an answer."""


@pytest.mark.parametrize("study", STANDARD)
def test_a_page_says_no_verdict_but_in_what_names_its_row(
    standard_run: SharedRuns, study: str
) -> None:
    results = standard_run(study).results
    names, said = Names(results), findings(results)
    opening = opening_of(results, said)
    told = [finding.text for finding in said if finding.rows]
    told += [opening.title] if opening.rows else []
    for line in (FROZEN / study / "page.txt").read_text(encoding="utf-8").splitlines():
        for sentence in re.split(r"(?<=[.!?])\s+(?=[A-Z(])", line):
            if says_verdict(sentence, names.given) and not DEFINES.search(sentence):
                assert any(sentence.rstrip(".") in text for text in told), sentence


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
            if claim.kind is VerdictKind.WARNING and finding.text.startswith(f"{WARNS} "):
                assert claim.p is not None, finding.text
                assert claim.tests


@pytest.mark.parametrize("study", STANDARD)
def test_what_a_share_of_the_rate_takes_back_is_undecided_at_that_share(
    standard_run: SharedRuns, study: str
) -> None:
    """A test was made, and failed at its share: the sentence says both."""
    results = standard_run(study).results
    names = Names(results)
    answered = list(_answered(results))
    levels = levels_of(answered, names)
    for analysis, record in answered:
        shared = {VerdictKind.PRIMARY, VerdictKind.CLAIM}
        claims = levels[analysis.id]
        whole, nothing = (
            {
                finding.id: finding.text
                for finding in analysis.declared.findings(
                    record,
                    names,
                    [replace(c, level=level) if c.kind in shared else c for c in claims],
                )
            }
            for level in (0.05, 1e-15)
        )
        for name, text in nothing.items():
            if text != whole[name] and "[ranking] by" not in text:
                assert "at 1e-13%, its share of 5%" in text, (whole[name], text)
