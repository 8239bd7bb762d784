"""Rows of design/verdicts.md whose worst design was searched in a declared box."""

from collections.abc import Callable
from typing import Final

from tools.verdict import Row, Verdict

__all__ = ["SEARCHED"]


def _of(verdict: str) -> Callable[[Row], bool]:
    return lambda row: row["verdict"] == verdict


def _searched(verdict: str, wrong: str, goal: float, missed: str = "") -> Verdict:
    return Verdict(
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
        "at most so much harm",
        "more is harmful, by people's labels",
        5,
        "where clusters of cases that hold most of the answers are harmful as a whole or not at "
        "all, and less often than small ones, the bound rests on few harmful clusters and is "
        "short; nothing in a report tells these studies from others",
    ),
    _searched("leads", "systems are equal", 5),
    _searched(
        "a rater is stricter or milder",
        "all are as strict as one another",
        5,
        "each rater leans by case there; the test is exact only where raters may be swapped",
    ),
    _searched("worse", "nothing is lost", 2.5, "by an exact level, after Holm over the metrics"),
    _searched(
        "gate",
        "metrics know nothing of an answer",
        5,
        "every metric knows which of two kinds of systems is the better one, and nothing else: "
        "such a permit is one *between systems*, and says so; versions of a system need their own",
    ),
)
