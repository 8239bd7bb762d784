"""Write design/verdicts.md: how often each verdict is wrong, from the pages that measured it.

    python -m tools.make_verdicts_page

Each row names a verdict, what makes it wrong and the page whose table has the rates; the row of
that table with the highest rate is the one that is shown. A test writes the page again, and
compares.
"""

import re
from pathlib import Path
from typing import Final, NamedTuple

from tools.verdict import Row, Verdict
from tools.verdict_rows import VERDICTS

DESIGN: Final = Path(__file__).parents[1] / "design"
SIMULATIONS: Final = DESIGN.parent / "simulations"
PAGE: Final = DESIGN / "verdicts.md"
_RATE: Final = re.compile(r"^(\d+(?:\.\d+)?)(?: \((\d+(?:\.\d+)?)\))?$")
_ONE_SIDED: Final = 1.64


class Rate(NamedTuple):
    """How often a verdict is wrong in one simulated design, in percent.

    Attributes:
        now: By today's rule.
        error: Its Monte Carlo error.
        before: By the rule of old, with its error; None where it was not measured.
        row: The page's row.
        studies: How many were drawn.
    """

    now: float
    error: float
    before: tuple[float, float] | None
    row: Row
    studies: int

    @property
    def of_old(self) -> str:
        """The rate before, as it is printed."""
        return "–" if self.before is None else "{:.1f} ({:.1f})".format(*self.before)


def page() -> str:
    """Write the page."""
    lines = [
        "| row | verdict | wrong, because | goal | before | now | the worst of all designs | met |",
        "| --- | --- | --- | ---: | ---: | ---: | --- | --- |",
    ]
    told = []
    for verdict in VERDICTS:
        rate = worst(verdict)
        met = _met(rate.now, rate.error, verdict.goal)
        design = ", ".join(named(rate.row, name) for name in verdict.named)
        link = f"[{design}](../simulations/{verdict.page}.md)"
        lines.append(
            f"| {verdict.row} | {verdict.says} | {verdict.wrong} | {_goal(verdict)} | "
            f"{rate.of_old} | {rate.now:.1f} ({rate.error:.1f}) | {link} | {met} |"
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


def named(row: Row, column: str) -> str:
    """Give what a row has in a column that names its design."""
    value = row[column]
    bare = re.fullmatch(r"[\d.,]+", value)
    return f"{value} {column}" if bare else value


def rates(verdict: Verdict) -> list[Rate]:
    """Give the rate of each design that the verdict's table has."""
    return [
        Rate(*_rate(row[verdict.column], verdict, row), _before(row, verdict), row,
             _studies(row, verdict))
        for row in _rows(verdict)
        if verdict.only(row) and _RATE.match(row[verdict.column])
    ]  # fmt: skip


def worst(verdict: Verdict) -> Rate:
    """Give the highest rate of a verdict's designs."""
    return max(rates(verdict), key=lambda rate: (rate.now, rate.error))


def _before(row: Row, verdict: Verdict) -> tuple[float, float] | None:
    of_old = (name for name in row if "before" in name and _RATE.match(row[name]))
    text = next((row[name] for name in of_old if verdict.had_rule), None)
    return None if text is None else _rate(text, verdict, row)


def _studies(row: Row, verdict: Verdict) -> int:
    return int(row.get("studies", verdict.studies))


def _rate(text: str, verdict: Verdict, row: Row) -> tuple[float, float]:
    found = _RATE.match(text)
    if found is None:
        raise ValueError(text)
    rate = float(found[1])
    share = rate / 100
    inside = 0 < share < 1
    studies = _studies(row, verdict)
    own = 100 * ((share * (1 - share) / studies) ** 0.5 if inside else 3 / studies)
    error = float(found[2]) if found[2] and float(found[2]) > 0 else own
    return (100 - rate if verdict.held else rate), error


def _rows(verdict: Verdict) -> list[Row]:
    text = (SIMULATIONS / f"{verdict.page}.md").read_text(encoding="utf-8")
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
exactly its level. Each row links the page that measured it, whose script makes its table again. A \
sentence of a report that carries a verdict names its *row* in report.json (`claims`), and on the \
page where a pointer rests on it. `python -m tools.print_rates` prints the rates before and now \
with their studies and the command that draws them, `--all` of every design. This page is written \
by `python -m tools.make_verdicts_page`, and by `make endure` when its tests are done.

{table}

## Where a goal is missed or met within error, and what a reader is told

{told}

## What says nothing

*Undecided*, *too close to say* and that systems share a group say that nothing was shown, and \
cannot be wrong. How often the first is all that is said is in its row.

## What it costs

*Leads* is not said where so few cases could hide rare losses that reverse the difference, or \
more of a tail of losses than they show: said all the same, it was wrong in 32% of studies of a \
known design, and a verdict that is wrong so often is not said. The price is of small studies: a \
lead of half an SD, on labels of five steps, is said in 31.8% of studies of three systems and 20 \
cases where tests alone find it in 41.3%; from 30 cases on the price is 1 to 4 points. \
([The studies](../simulations/plain-verdicts.md))

## What its share of a rate leaves open

Claims share rates ([how](../simulations/report-budget.md)). One whose test would pass at 5% \
alone, and does not at its share, is printed with its estimate and interval as *undecided at 1%, \
its share of 5%*. *Not tested* was weighed: it was tested, and whoever reads that it was not looks \
for a test that somebody left out. Those words stay for what no test was made of.

## Never promised

Certificates at 2 to 5% harmful answers from 300; gates under twelve systems; *metric not worse* \
of harm under its floor; how often one of three raters knows. Verdicts that cannot hold there are \
not given: the report says *not to be had*, and `check` and `plan` say it before anybody is asked \
to judge.
"""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE.name}, {len(VERDICTS)} verdicts")
