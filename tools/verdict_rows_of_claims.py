"""Rows of design/verdicts.md about claims of a report that no other page measures."""

from typing import Final

from tools.verdict import Verdict

__all__ = ["OF_CLAIMS"]

OF_CLAIMS: Final = (
    Verdict(
        "harm-apart",
        "two systems differ in harm",
        "they are as harmful as one another",
        5,
        "other-claims",
        "said",
        ("systems", "cases", "harmful", "clusters"),
        mark="harm",
        missed="by an exact level",
    ),
    Verdict(
        "accuracy",
        "a system is right more often",
        "they are right as often as one another",
        5,
        "other-claims",
        "said",
        ("systems", "cases", "right"),
        mark="accuracy",
    ),
    Verdict(
        "follows",
        "a metric ranks the systems as the raters do",
        "no metric is of use",
        5,
        "other-claims",
        "said",
        ("systems", "cases", "raters"),
        mark="follows",
        missed="by an exact level",
    ),
    Verdict(
        "length",
        "a score is better than length",
        "it knows nothing of an answer, or its length alone",
        5,
        "better-than-length",
        "called better",
        ("answers to a case", "cases", "raters", "labels", "useless metrics"),
        missed="by the level of the test: reports test below it",
    ),
    Verdict(
        "drift",
        "a rater drifted",
        "nobody grew stricter or milder",
        5,
        "other-claims",
        "said",
        ("raters", "cases", "systems", "order", "leaning"),
        mark="drift",
    ),
)
