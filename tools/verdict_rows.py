"""The rows of design/verdicts.md: each verdict, what makes it wrong, and where it was measured."""

from typing import Final

from tools.verdict import Row, Verdict
from tools.verdict_rows_of_allotted import OF_ALLOTTED
from tools.verdict_rows_of_certificates import OF_CERTIFICATES
from tools.verdict_rows_of_claims import OF_CLAIMS
from tools.verdict_rows_of_gates import OF_GATES
from tools.verdict_rows_of_monitors import OF_MONITORS
from tools.verdict_rows_of_people import OF_PEOPLE
from tools.verdict_rows_of_reports import OF_REPORTS
from tools.verdict_rows_searched import SEARCHED


def _control(row: Row) -> bool:
    return row["judge"] in {"says none", "permuted", "by length", "denies harm"}


def _half(row: Row) -> bool:
    return row["judge"].startswith("half of")


def _fifty(row: Row) -> bool:
    return int(row["cases"]) >= 50  # noqa: PLR2004 - with fewer the sentence says nothing


_SHOWN: Final = 20
"""Cases in an arm of display under which nothing is said."""
_SHARED: Final = 200
"""Answers that people share under which nothing is said of a jury."""
_PERMIT: Final = ("metrics", "systems")
_TARGETS: Final = ("scores, their true mean just short of the target", "cases")


def _loses_seldom(row: Row) -> bool:
    return row["scores of equal systems"].startswith(("one loses", "one falls"))


def _fails(row: Row) -> bool:
    return row["scores of equal systems"].startswith("one fails")


VERDICTS: Final = (
    Verdict(
        "permit",
        "rank",
        "no metric has a true tau above .50",
        5,
        "rank-permits",
        "now",
        _PERMIT,
        only=lambda row: row["use"] == "rank" and row["metrics"] == "all just short",
    ),
    Verdict(
        "permit",
        "rank",
        "the same, systems unlike the normal",
        5,
        "rank-permits",
        "now",
        _PERMIT,
        only=lambda row: row["use"] == "rank" and row["metrics"].startswith("all just short,"),
    ),
    Verdict(
        "permit",
        "rank",
        "the same, a kind of system is misjudged",
        5,
        "rank-permits",
        "now",
        _PERMIT,
        only=lambda row: row["use"] == "rank" and row["metrics"].startswith("all just short:"),
        missed="no study without that kind can show it: the permit's cell and sentence say *of "
        "these kinds of systems*",
    ),
    Verdict(
        "permit",
        "screen",
        "metrics are useless",
        5,
        "rank-permits",
        "now",
        _PERMIT,
        only=lambda row: row["use"] == "screen",
    ),
    Verdict(
        "permit", "gate, between systems", "metrics are useless", 5, "gate-permits", "now", _PERMIT
    ),
    Verdict(
        "permit",
        "gate, between versions",
        "metrics are useless between versions",
        5,
        "gate-permits",
        "now",
        ("metrics", "families", "versions"),
        studies=400,
        mark="versions",
    ),
    Verdict(
        "certificate",
        "certified for harm",
        "the judge finds none, or labels by chance or by length",
        2,
        "judge-verdicts",
        "now",
        ("study", "judge"),
        studies=2000,
        only=_control,
    ),
    Verdict(
        "certificate",
        "certified for harm",
        "the judge misses half of it",
        3,
        "judge-verdicts",
        "now",
        ("study", "judge"),
        studies=2000,
        only=_half,
    ),
    Verdict(
        "harm-bound",
        "at most so much harm",
        "more is harmful, by a judge's labels",
        5,
        "judge-verdicts",
        "held now",
        ("finds", "passes", "harmful", "answers"),
        studies=2000,
        mark="bounds",
        held=True,
    ),
    *OF_CERTIFICATES,
    *OF_GATES,
    Verdict(
        "leads",
        "leads alone",
        "systems are equal, raters are not",
        5,
        "rater-adjusted",
        "now",
        ("allotment", "raters", "cases"),
        studies=2000,
        missed="by the level of its own test: boards go by adjusted means",
    ),
    Verdict(
        "leads",
        "leads alone",
        "systems are equal, raters are stricter on some topics than on others",
        5,
        "rater-adjusted",
        "unknown",
        ("allotment", "topics", "cases"),
        mark="topics",
        missed="where a system meets, on every topic, whoever is mildest on it, which chance never "
        "deals: it moves the mean itself, by two thirds of an error, so no test of these labels "
        "can mend it; else 5.4 (0.5) in 2,000 studies. With topics as clusters in study.toml, "
        "tests move whole topics: 4.9 (0.7)",
    ),
    Verdict(
        "leads",
        "two systems do not share a group",
        "they are equal",
        5,
        "plain-verdicts",
        "now",
        ("scores of equal systems", "systems", "cases"),
        mark="groups",
        only=lambda row: "right" in (of := row["scores of equal systems"]) or "three" in of,
        missed="by the level of its own test, right or wrong in 200 cases",
    ),
    Verdict(
        "leads",
        "leads",
        "systems are equal: one loses much, seldom",
        5,
        "plain-verdicts",
        "now",
        ("scores of equal systems", "systems", "cases"),
        mark="groups",
        only=_loses_seldom,
        missed="by the level of its own test, where all systems spread as well",
    ),
    Verdict(
        "leads",
        "leads",
        "systems are equal: one fails in a tenth of its answers, all others are near the top",
        5,
        "plain-verdicts",
        "now",
        ("scores of equal systems", "systems", "cases"),
        mark="groups",
        only=_fails,
        missed="by the level of its own test",
    ),
    Verdict(
        "leads",
        "leads",
        "systems are equal: half of them or more fail in some answers, the others fall short often",
        5,
        "plain-verdicts",
        "now",
        ("scores of equal systems", "systems", "cases"),
        mark="groups",
        only=lambda row: " fail, " in row["scores of equal systems"],
        missed="one of many that fail shows none in 20 answers, or one in 40, and so no tail; a "
        "bound for that would cost 6 to 13 points of power more with 20 cases",
    ),
    Verdict(
        "target",
        "a target is reached",
        "the mean lies just short of it",
        2.5,
        "plain-verdicts",
        "one system",
        _TARGETS,
        studies=1000,
        had_rule=False,
        mark="targets",
        missed="by an exact level",
    ),
    Verdict(
        "target",
        "some system reaches a target",
        "six lie just short of it",
        5,
        "plain-verdicts",
        "any of six",
        _TARGETS,
        studies=1000,
        mark="targets",
        missed="by the level of its own test, the lower ends of all systems held at once",
    ),
    Verdict(
        "confidence",
        "confidence overstates accuracy, or understates it",
        "it promises just as many right answers as there are",
        5,
        "calibration-words",
        "any of six, now",
        ("confidences", "cases"),
        missed="where answers of a cluster are much alike",
    ),
    Verdict(
        "competence",
        "this rater knows more often",
        "the other does",
        5,
        "mace-competence",
        "now",
        ("right in", "answers", "judged by all"),
        studies=300,
        missed="a pair that shares a third of its errors does not show: each competence says *if "
        "raters err apart* in its own cell, and MACE is fitted only where study.toml names it",
    ),
    Verdict(
        "agreement",
        "agreement lies between",
        "it does not, a label being rare",
        5,
        "rare-labels",
        "now",
        ("cases", "systems", "raters", "labels, %", "coefficient"),
        held=True,
        missed="of the mean of Cohen's kappa over pairs and of specific agreement where one answer "
        "in fifty has the label, or raters are half as noisy, and of 50 cases on five labels "
        "that are all in use (92.8 to 94.5%); all else held in 94.7% at least",
    ),
    Verdict(
        "borrowed",
        "a share lies in a range",
        "it does not: the flag finds half of this system's bad answers, or nearly all; more of "
        "other systems'",
        5,
        "borrowed-rates",
        "the range holds",
        ("share", "judged answers of each kind", "sensitivity on this system"),
        studies=2000,
        held=True,
    ),
    Verdict(
        "grader",
        "a grader agrees with people more, or less, than they do",
        "it is as one of them",
        5,
        "grader-f1",
        "told apart, equal",
        ("cases", "met", "SD"),
        studies=2000,
        only=_fifty,
        missed="by a nominal level; under 50 cases it is not said",
    ),
    Verdict(
        "jury",
        "a jury agrees with people more, or less, than they do",
        "it is as one of them",
        5,
        "jury",
        "told apart, equal",
        ("cases", "answers each", "SD of cases"),
        studies=2000,
        only=lambda row: _fifty(row) and int(row["cases"]) * int(row["answers each"]) >= _SHARED,
        missed="by a nominal level; under 50 cases, or 200 answers that people share, it is not "
        "said",
    ),
    Verdict(
        "shown",
        "what is shown changes what raters prefer",
        "it does not",
        5,
        "display-arms",
        "told apart, equal",
        ("clusters", "cases in each", "comparisons of a case"),
        studies=2000,
        only=lambda row: int(row["clusters"]) * int(row["cases in each"]) >= _SHOWN,
        missed="by a nominal level, after Holm over the pairs; under 20 cases in an arm it is not "
        "said",
    ),
    Verdict(
        "criteria",
        "worse answers meet a criterion",
        "no criterion is worse than chance",
        5,
        "item-analysis",
        "studies that name a sound one",
        ("criteria", "answers"),
        missed="by the level of a false-discovery rate; under 30 systems nothing is named",
    ),
    Verdict(
        "case-tau",
        "tau over cases lies between",
        "it does not",
        5,
        "coverage-case-tau",
        "now",
        ("true means", "systems", "spread"),
        held=True,
        missed="by an exact level",
    ),
    *OF_MONITORS,
    *OF_ALLOTTED,
    *OF_PEOPLE,
    *OF_CLAIMS,
    *OF_REPORTS,
    *SEARCHED,
)
