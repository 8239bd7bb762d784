"""A few sentences that say what the numbers allow, and no more."""

from medassay.analyses.results import Results
from medassay.exhibits.finding import Finding
from medassay.report.asked import asked_findings
from medassay.report.findings import (
    aims,
    leaders,
    objectives,
    task,
    validity,
)
from medassay.report.objectives import ITS_OWN
from medassay.report.whose import Whose

__all__ = ["Finding", "findings"]


def findings(results: Results) -> list[Finding]:
    """Say what was found: who leads, how far raters agree, which metric they bear out.

    Made by rules from the numbers alone; the same results give the same sentences. No sentence says
    more than its interval and p allow, and where nothing can be said, the sentence says why. Where
    labels of a model are counted the first says so, and all of them name it.

    Args:
        results: All of a run.

    Returns:
        Two to ten findings, in the order of their importance, and what other analyses found.
    """
    if results.study.descriptive:
        found = [Finding(*sentence) for sentence in objectives.sentences(results)]
        asked = [finding for _, finding in asked_findings(results, but=ITS_OWN)]
        return Whose(results).findings([*found, *asked])
    said = (
        (10, "task", task.sentence(results), task.basis(results)),
        (20, "leaders", leaders.sentence(results), ("leaderboard", "comparisons")),
        (30, "targets", aims.sentence(results), aims.basis(results)),
        (80, "validity", validity.sentence(results), ("tau", "correlations")),
        (90, "controls", validity.controls_sentence(results), ("tau", "correlations")),
    )
    own = [(place, Finding(name, text, basis)) for place, name, text, basis in said if text]
    placed = sorted([*own, *asked_findings(results)], key=lambda finding: finding[0])
    return Whose(results).findings([finding for _, finding in placed])
