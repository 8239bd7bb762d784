"""Write design/verdicts.md: how often each verdict is wrong, from the pages that measured it.

    python -m tools.make_verdicts_page

Each row names a verdict, what makes it wrong and the page whose table has the rates; the row of
that table with the highest rate is the one that is shown. A test writes the page again, and
compares.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

__all__ = ["PAGE", "VERDICTS", "Verdict", "page", "worst"]

DESIGN: Final = Path(__file__).parents[1] / "design"
PAGE: Final = DESIGN / "verdicts.md"
_RATE: Final = re.compile(r"^(\d+(?:\.\d+)?)(?: \((\d+(?:\.\d+)?)\))?$")
_ONE_SIDED: Final = 1.64

Row = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Verdict:
    """One verdict that the product can utter, and where its errors were measured.

    Attributes:
        says: The verdict.
        wrong: What makes it wrong.
        goal: At most so many percent of studies; None where it says nothing that can be wrong.
        page: The page in design/ with the table.
        column: The column that has the rate.
        named: Columns that name a design.
        studies: Simulated studies a row, where rates have no error beside them.
        mark: The comment that comes before the table.
        held: Whether the column counts what holds, so that what is left of 100 is wrong.
        only: Which rows of the table are of this verdict.
        missed: What a reader is told where the goal is missed.
        had_rule: Whether a column named before is of this verdict.
    """

    says: str
    wrong: str
    goal: float | None
    page: str
    column: str
    named: tuple[str, ...]
    studies: int = 1000
    mark: str = "table"
    held: bool = False
    only: Callable[[Row], bool] = bool
    missed: str = ""
    had_rule: bool = True


def _sentinel(row: Row) -> bool:
    return row["judge"] in {"says none", "permuted", "by length", "denies harm"}


def _half(row: Row) -> bool:
    return row["judge"].startswith("half of")


def _loses(row: Row) -> bool:
    return float(row["true loss"]) > 0


_PERMIT: Final = ("metrics", "systems")
_TARGETS: Final = ("scores, their true mean just short of the target", "cases")
_OLD_SCORES: Final = ("by the best value", "others move by", "cases")
VERDICTS: Final = (
    Verdict(
        "rank",
        "no metric has a true tau above .50",
        5,
        "rank-permits",
        "now",
        _PERMIT,
        only=lambda row: row["use"] == "rank" and row["metrics"] == "all just short",
    ),
    Verdict(
        "rank",
        "the same, systems unlike the normal",
        5,
        "rank-permits",
        "now",
        _PERMIT,
        only=lambda row: row["use"] == "rank" and row["metrics"].startswith("all just short,"),
    ),
    Verdict(
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
        "screen",
        "metrics are useless",
        5,
        "rank-permits",
        "now",
        _PERMIT,
        only=lambda row: row["use"] == "screen",
    ),
    Verdict("gate", "metrics are useless", 5, "gate-permits", "now", _PERMIT),
    Verdict(
        "certified for harm",
        "the judge finds no harm",
        2,
        "judge-verdicts",
        "now",
        ("study", "judge"),
        studies=2000,
        only=_sentinel,
    ),
    Verdict(
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
        "at most so much harm",
        "more is harmful, by a judge's labels",
        5,
        "judge-verdicts",
        "held now",
        ("finds", "passes", "harmful", "answers"),
        mark="bounds",
        held=True,
    ),
    Verdict(
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
        "nothing is lost: few gain much, all others lose a little",
        2.5,
        "gate-rare-losses",
        "worse now",
        ("versions", "cases"),
        only=lambda row: "gain" in row["versions"],
        had_rule=False,
        missed="an alarm costs a look, a floor would cost nearly all that 50 answers find: the row "
        "says *heavy gains that few have, and that 50 answers need not show, could outweigh it*",
    ),
    Verdict(
        "worse",
        "nothing is lost, unequal clusters",
        2.5,
        "gate-clusters",
        "worse",
        ("clusters", "shared variance"),
        missed="docs/gate.md says up to 2.9",
    ),
    Verdict(
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
        "metric not worse",
        "the margin is lost, unequal clusters",
        2.5,
        "gate-clusters",
        "metric not worse",
        ("clusters", "shared variance"),
        missed="docs/gate.md says up to 2.9",
    ),
    Verdict(
        "metric not worse, of harm",
        "losses are rare and heavy",
        2.5,
        "gate-rare-losses",
        "by betting",
        ("versions", "cases"),
        only=_loses,
    ),
    Verdict(
        "metric not worse, old scores near the best",
        "losses are rare and heavy",
        2.5,
        "gate-near-best",
        "now",
        _OLD_SCORES,
        only=lambda row: row["by the best value"] in {"85%", "100%"},
    ),
    Verdict(
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
        "cannot be: it says nothing (here where .05 is lost)",
        None,
        "gate-errors",
        "undecided",
        ("versions", "cases"),
        studies=4000,
        only=lambda row: row["true loss"] == "0.05",
    ),
    Verdict(
        "a system is worse, or its metric is not",
        "another system loses or gains",
        5,
        "gate-systems",
        "wrong row",
        ("systems", "cases"),
    ),
    Verdict(
        "comes first",
        "systems are equal, raters are not",
        5,
        "rater-adjusted",
        "now",
        ("allotment", "raters", "cases"),
        studies=2000,
        missed="by the level of its own test: boards go by adjusted means",
    ),
    Verdict(
        "two systems do not share a group",
        "they are equal",
        5,
        "plain-verdicts",
        "so without the mark",
        ("scores of six equal systems", "cases"),
        studies=2000,
        mark="groups",
    ),
    Verdict(
        "leads, and heavy losses could outweigh it",
        "systems are equal: one loses much, seldom",
        5,
        "plain-verdicts",
        "any two told apart",
        ("scores of six equal systems", "cases"),
        studies=2000,
        mark="groups",
        only=lambda row: row["scores of six equal systems"].startswith("one loses"),
        missed="where this can be, the sentence that says who leads says *heavy losses that few "
        "answers have, and 50 cases need not show, could outweigh it*; without that mark the row "
        "above",
    ),
    Verdict(
        "a target is reached",
        "the mean lies just short of it",
        2.5,
        "plain-verdicts",
        "one system",
        _TARGETS,
        studies=2000,
        mark="targets",
        missed="where a rare label comes in clumps or clusters are unequal; by an exact level else",
    ),
    Verdict(
        "some system reaches a target",
        "six lie just short of it",
        5,
        "plain-verdicts",
        "any of six",
        _TARGETS,
        studies=2000,
        mark="targets",
        missed="sentence and caption say *each system by itself*, the caption with this figure",
    ),
    Verdict(
        "this rater knows more often",
        "the other does",
        5,
        "mace-competence",
        "now",
        ("right in", "answers", "judged by all"),
        missed="a pair that shares a third of its errors does not show: each competence says *if "
        "raters err apart* in its own cell, and MACE is fitted only where study.toml names it",
    ),
    Verdict(
        "agreement lies between",
        "it does not, a label being rare",
        5,
        "rare-labels",
        "now",
        ("cases", "systems", "raters", "labels, %", "coefficient"),
        held=True,
        missed="of holes, measured by the middle 95 % of draws; the middle 98 % are taken now, "
        "which held in 95.3 % at least wherever they were measured",
    ),
    Verdict(
        "tau over cases lies between",
        "it does not",
        5,
        "coverage-case-tau",
        "now",
        ("true means", "systems", "spread"),
        held=True,
        missed="by an exact level",
    ),
)


def page() -> str:
    """Write the page."""
    lines = [
        "| verdict | wrong, because | goal | before | now | of all designs, the worst | met |",
        "| --- | --- | ---: | ---: | ---: | --- | --- |",
    ]
    told = []
    for verdict in VERDICTS:
        rate, error, row, before = worst(verdict)
        met = _met(rate, error, verdict.goal)
        design = ", ".join(_named(row, name) for name in verdict.named)
        link = f"[{design}]({verdict.page}.md)"
        lines.append(
            f"| {verdict.says} | {verdict.wrong} | {_goal(verdict)} | {before} | "
            f"{rate:.1f} ({error:.1f}) | {link} | {met} |"
        )
        if met in {"no", "within error"}:
            within = f"within its error of {_goal(verdict)}, " if met == "within error" else ""
            told.append(f"- **{verdict.says}**, {verdict.wrong}: {within}{verdict.missed}.")
            if not verdict.missed:
                message = f"{verdict.says}, {verdict.wrong}: the goal is missed and nobody is told"
                raise ValueError(message)
    return _PAGE.format(table="\n".join(lines), told="\n".join(told))


def _met(rate: float, error: float, goal: float | None) -> str:
    if goal is None:
        return "–"
    if rate + _ONE_SIDED * error <= goal:
        return "yes"
    return "within error" if rate - _ONE_SIDED * error <= goal else "no"


def _goal(verdict: Verdict) -> str:
    return "–" if verdict.goal is None else f"{verdict.goal:g}"


def _named(row: Row, column: str) -> str:
    value = row[column]
    bare = re.fullmatch(r"[\d.,]+", value)
    return f"{value} {column}" if bare else value


def worst(verdict: Verdict) -> tuple[float, float, Row, str]:
    """Give the highest rate of a verdict's rows, its error, its row, and the rate before."""
    rows = [row for row in _rows(verdict) if verdict.only(row) and _RATE.match(row[verdict.column])]
    rates = [(*_rate(row[verdict.column], verdict), row) for row in rows]
    rate, error, row = max(rates, key=lambda found: (found[0], found[1]))
    of_old = (name for name in row if "before" in name and _RATE.match(row[name]))
    before = next((row[name] for name in of_old if verdict.had_rule), "")
    if before and verdict.held:
        value, own = _rate(before, verdict)
        before = f"{value:.1f} ({own:.1f})"
    return rate, error, row, before or "–"


def _rate(text: str, verdict: Verdict) -> tuple[float, float]:
    found = _RATE.match(text)
    if found is None:
        raise ValueError(text)
    rate = float(found[1])
    share = rate / 100
    inside = 0 < share < 1
    own = 100 * ((share * (1 - share) / verdict.studies) ** 0.5 if inside else 3 / verdict.studies)
    error = float(found[2]) if found[2] and float(found[2]) > 0 else own
    return (100 - rate if verdict.held else rate), error


def _rows(verdict: Verdict) -> list[Row]:
    text = (DESIGN / f"{verdict.page}.md").read_text(encoding="utf-8")
    start = text.find(f"<!-- {verdict.mark} -->")
    end = text.find("<!-- end", max(start, 0))
    lines = [line for line in text[max(start, 0) : end].splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    width = len(cells[0])
    # The second "now" of a table is of what a good metric gets: the first is the error.
    titles = [t if t not in cells[0][:i] else f"{t} again" for i, t in enumerate(cells[0])]
    return [dict(zip(titles, row, strict=True)) for row in cells[2:] if len(row) == width]


_PAGE: Final = """\
# How often each verdict is wrong

The verdicts of medassay whose errors were simulated, each with the design that breaks it \
most. Percent of studies, Monte Carlo error in brackets; *before* is the rule of old in that \
same design, where it was measured. A goal is met when the rate and 1.64 times its error lie at \
or under it, and met within error where the rate less as much does: so it is with a test that has \
exactly its level. Each row links the page that measured it, whose bench makes its table again; \
this page is written from those by `python -m tools.make_verdicts_page`, and by `make endure` when \
its tests are done.

{table}

## Where a goal is missed or met within error, and what a reader is told

{told}

## What says nothing

*Undecided*, *too close to say* and that systems share a group say that nothing was shown, and \
cannot be wrong. How often the first is all that is said is in its row.

## Never promised

Certificates at 2 to 5 % harmful answers from 300; gates under twelve systems; *metric not worse* \
of harm under its floor; how often one of three raters knows. Verdicts that cannot hold there are \
not given: the report says *not to be had*, and `check` and `plan` say it before anybody is asked \
to judge.
"""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE.name}, {len(VERDICTS)} verdicts")
