"""Rows of design/verdicts.md about versions of a system, compared."""

from typing import Final

from tools.verdict import Row, Verdict


def _loses(row: Row) -> bool:
    return float(row["true loss"]) > 0


_OLD_SCORES: Final = ("by the best value", "others move by", "cases")
OF_GATES: Final = (
    Verdict(
        "worse",
        "worse",
        "nothing is lost",
        2.5,
        "gate-errors",
        "worse",
        ("versions", "cases"),
        studies=4000,
        only=lambda row: not _loses(row),
        missed="by an exact level; docs/gate.md has the table",
    ),
    Verdict(
        "worse",
        "worse",
        "nothing is lost: few gain much, all others lose a little",
        2.5,
        "gate-rare-losses",
        "worse now",
        ("versions", "cases"),
        only=lambda row: "gain" in row["versions"],
        had_rule=False,
        missed="an alarm costs a look; withheld as leads are, none would be wrong, a loss of .05 "
        "on 50 answers found in 22 to 23%, not in 80 to 89: the row says beside it *not "
        "settled: rare large gains that 50 answers may not show could outweigh "
        "this loss*",
    ),
    Verdict(
        "worse",
        "worse",
        "nothing is lost, unequal clusters",
        2.5,
        "gate-clusters",
        "worse",
        ("clusters", "shared variance"),
        studies=4000,
        missed="docs/gate.md says up to 2.9",
    ),
    Verdict(
        "not-worse",
        "metric not worse",
        "the margin or more is lost",
        2.5,
        "gate-errors",
        "metric not worse",
        ("versions", "cases", "true loss"),
        studies=4000,
        only=_loses,
        missed="by an exact level, where few scores of right or wrong differ",
    ),
    Verdict(
        "not-worse",
        "metric not worse",
        "the margin is lost, unequal clusters",
        2.5,
        "gate-clusters",
        "metric not worse",
        ("clusters", "shared variance"),
        studies=4000,
        missed="docs/gate.md says up to 2.9",
    ),
    Verdict(
        "not-worse",
        "metric not worse, of harm",
        "losses are rare and heavy",
        2.5,
        "gate-rare-losses",
        "by betting",
        ("versions", "cases"),
        only=_loses,
    ),
    Verdict(
        "not-worse",
        "metric not worse, old scores near the best",
        "losses are rare and heavy",
        2.5,
        "gate-near-best",
        "now",
        _OLD_SCORES,
        only=lambda row: row["by the best value"] in {"85%", "100%"},
    ),
    Verdict(
        "not-worse",
        "metric not worse, of other metrics",
        "losses are rare and heavy",
        2.5,
        "gate-near-best",
        "now",
        _OLD_SCORES,
        only=lambda row: row["by the best value"] not in {"85%", "100%"},
        missed="right at the floor of 183 answers",
    ),
    Verdict(
        "not-worse",
        "metric not worse, of other metrics, at one look or another",
        "losses are rare and heavy",
        2.5,
        "gate-rare-losses",
        "now",
        ("versions", "cases"),
        only=_loses,
    ),
    Verdict(
        "undecided",
        "undecided",
        "cannot be: it says nothing (here where .05 is lost)",
        None,
        "gate-errors",
        "undecided",
        ("versions", "cases"),
        studies=4000,
        only=lambda row: row["true loss"] == "0.05",
    ),
    Verdict(
        "worse",
        "a system is worse, or its metric is not",
        "another system loses or gains",
        5,
        "gate-systems",
        "wrong row",
        ("systems", "cases"),
        studies=2000,
    ),
)
