"""A few sentences that say what the numbers allow, and no more."""

from typing import Final

from medassay.analyses.results import Results
from medassay.exhibits.finding import Finding
from medassay.report.asked import asked_findings
from medassay.report.findings import (
    agreed,
    aims,
    leaders,
    objectives,
    task,
    validity,
)
from medassay.report.whose import Whose

__all__ = ["Finding", "findings"]

_FIRST: Final = (
    "task",
    "leaders",
    "targets",
    "accuracy",
    "safety",
    "calibration",
    "reasoning",
    "validity",
    "controls",
    "agreement",
)


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
        return Whose(results).findings([*found, *asked_findings(results)])
    said = (
        ("task", task.sentence(results), task.basis(results)),
        ("leaders", leaders.sentence(results), ("leaderboard", "comparisons")),
        ("targets", aims.sentence(results), aims.basis(results)),
        ("validity", validity.sentence(results), ("tau", "correlations")),
        ("controls", validity.controls_sentence(results), ("tau", "correlations")),
        ("agreement", agreed.sentence(results), ("agreement-main", "agreement")),
    )
    found = [Finding(name, text, basis) for name, text, basis in said if text]
    return Whose(results).findings(sorted([*found, *asked_findings(results)], key=_place))


def _place(finding: Finding) -> int:
    """Give a sentence its place by importance; what is not in the list comes behind, as it was."""
    return _FIRST.index(finding.id) if finding.id in _FIRST else len(_FIRST)
