"""Rows of design/verdicts.md about what is said of raters, and of what they prefer."""

from typing import Final

from tools.verdict import Verdict

__all__ = ["OF_PEOPLE"]

_PANEL: Final = ("raters", "cases", "systems")
OF_PEOPLE: Final = (
    Verdict(
        "leads, where raters drift",
        "systems are equal, raters grow milder as they go",
        5,
        "judging-order",
        "now",
        ("order", "drift, points"),
        studies=500,
        missed="by the level of its own test, where nothing is in blocks",
    ),
    Verdict(
        "a rater is stricter or milder",
        "all are as strict as one another",
        5,
        "rater-words",
        "now",
        ("labels", *_PANEL),
        mark="strict",
        missed="the highest of twenty rates, and 3.9 (0.7) on fresh seeds; the sentence says of "
        "how many raters it is the largest, and that strict does not mean less expert",
    ),
    Verdict(
        "a rater may have read the scale the other way round",
        "nobody did, and raters share no view",
        5,
        "rater-words",
        "called a reader backwards",
        _PANEL,
    ),
    Verdict(
        "a system is preferred",
        "all are as good as one another",
        5,
        "rater-words",
        "called preferred",
        ("systems", "cases", "raters"),
        mark="preferences",
        missed="by the level of a percentile interval of so few cases",
    ),
    Verdict(
        "raters could tell whose answers they read",
        "they guess, and lean to a favourite",
        2.5,
        "blinding-words",
        "said to tell apart",
        ("systems", "raters", "guesses that name a favourite"),
        studies=4000,
    ),
    Verdict(
        "none, or so many, were harmful: at most so much harm",
        "more is harmful, by people's labels",
        5,
        "coverage-human-score",
        "plain",
        ("harmful",),
        studies=2000,
        mark="harm",
        held=True,
        missed="by an exact level",
    ),
    Verdict(
        "the same, cases in clusters",
        "more is harmful: clusters are equal, or large ones worse",
        5,
        "harm-clusters",
        "now",
        ("clusters", "sizes", "harmful", "alike"),
        missed="by an exact level, or nearly: the bound is Clopper and Pearson's for the answers "
        "that the clusters are worth",
    ),
)
