"""Rows of design/verdicts.md about what is said of raters, and of what they prefer."""

from typing import Final

from tools.verdict import Row, Verdict

_PANEL: Final = ("raters", "cases", "systems")
_RATED: Final = ("labels", "systems", "cases", "raters")


def _odd(row: Row) -> bool:
    return "odd" in row["labels"]


OF_PEOPLE: Final = (
    Verdict(
        "leads",
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
        "strict",
        "a rater is stricter or milder",
        "all are as strict as one another",
        5,
        "rater-words",
        "now",
        ("labels", *_PANEL),
        mark="strict",
        missed="by the level of its own test, the highest of twenty rates; the sentence says of "
        "how many raters it is the largest, and that strict does not mean less expert",
    ),
    Verdict(
        "reversed",
        "a rater may have read the scale the other way round",
        "nobody did, and raters share no view",
        5,
        "rater-words",
        "called a reader backwards",
        _PANEL,
        studies=600,
    ),
    Verdict(
        "preferred",
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
        "blinding",
        "raters could tell whose answers they read",
        "they guess, and lean to a favourite",
        2.5,
        "blinding-words",
        "said to tell apart",
        ("systems", "raters", "guesses that name a favourite"),
        studies=4000,
    ),
    Verdict(
        "harm-bound",
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
        "harm-bound",
        "the same, cases in clusters",
        "more is harmful: clusters are equal, or large ones worse",
        5,
        "harm-clusters",
        "now",
        ("clusters", "sizes", "harmful", "alike"),
        missed="by an exact level, or nearly: the bound is Clopper and Pearson's for the answers "
        "that the clusters are worth",
    ),
    *(
        Verdict(
            "reliability",
            f"{says} lies between",
            "it does not",
            5,
            "d-study",
            column,
            _RATED,
            studies=120,
            held=True,
            only=lambda row: not _odd(row),
            missed=missed,
        )
        for says, column, missed in (
            (
                "the reliability of systems' means",
                "held",
                "by the level of an approximation; 6.7 (1.4) and 6.8 (1.3) on fresh seeds",
            ),
            (
                "the reliability of an answer's score",
                "held, answer",
                "by the level of an approximation, where one answer in twenty has the label",
            ),
            (
                "the number of raters that a reliability takes",
                "held, raters",
                "by the level of an approximation, where raters lean much to systems",
            ),
        )
    ),
    Verdict(
        "reliability",
        "the reliability of systems' means lies between",
        "it does not: one rater in ten is odd, and few studies meet one",
        5,
        "d-study",
        "held",
        _RATED,
        studies=120,
        held=True,
        only=_odd,
        missed="no interval from three raters can show whom they are not; the table says *raters "
        "like these*",
    ),
)
