"""Rows of design/verdicts.md whose worst design was searched in a declared box.

*Before* is the rule of old in that design: harm of answers that each count alone, Holm's steps over
pairs, a gate without a scope. Where the rule is as it was, both are one.
"""

from collections.abc import Callable
from typing import Final

from tools.verdict import Row, Verdict


def _of(verdict: str) -> Callable[[Row], bool]:
    return lambda row: row["verdict"] == verdict


def _searched(row: str, verdict: str, wrong: str, goal: float, missed: str = "") -> Verdict:
    return Verdict(
        row,
        verdict,
        f"{wrong}: the worst design that a search found",
        goal,
        "worst-designs",
        "now",
        ("design",),
        only=_of(verdict),
        missed=missed,
    )


SEARCHED: Final = (
    _searched(
        "harm-bound",
        "at most so much harm",
        "more is harmful, by people's labels",
        5,
    ),
    _searched(
        "leads",
        "leads",
        "systems are equal",
        5,
        "by the level of its own test, right or wrong in 40 clusters of five",
    ),
    _searched(
        "strict",
        "a rater is stricter or milder",
        "all are as strict as one another",
        5,
        "each rater leans by case there; the test is exact only where raters may be swapped",
    ),
    _searched(
        "worse", "worse", "nothing is lost", 2.5, "by an exact level, after Holm over the metrics"
    ),
    _searched(
        "permit",
        "gate",
        "metrics know nothing of an answer",
        5,
        "every metric knows which of two kinds of systems is the better one, and nothing else: no "
        "column has the kinds, so none can know; the sentence says *not shown within one kind of "
        "system*, and kinds that study.toml names as families count once",
    ),
    _searched(
        "permit",
        "gate between versions",
        "metrics know nothing of a version",
        5,
    ),
)
