"""Print how often verdicts are wrong, before and now: each with its studies and its command.

    python -m tools.print_rates [--all] [PART ...]

The rates are those that the simulations wrote into their pages; nothing is simulated. A part is a
group of verdicts, such as `strict`; without one all are printed. Of each verdict the worst design
now is printed, and the worst before where that is another; `--all` prints every design.
"""

import argparse
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

from tools.make_verdicts_page import SIMULATIONS, Rate, named, rates
from tools.verdict import Verdict
from tools.verdict_rows import VERDICTS
from tools.verdict_rows_of_allotted import DESIGN as ALLOTTED
from tools.verdict_rows_of_reports import DESIGN

_MADE: Final = re.compile(r"`(?:python )?(simulations/\w+\.py(?: \w+)*)`")


class Line(NamedTuple):
    """A line of the table, as it is printed.

    Attributes:
        part: The group of verdicts.
        verdict: What is said, and what makes it wrong.
        design: The simulated studies.
        before: Percent of studies by the rule of old; – where it was not measured.
        now: Percent of studies today.
        error: The Monte Carlo error of that.
        studies: How many there were.
        command: Makes the page's table again.
    """

    part: str
    verdict: str
    design: str
    before: str
    now: str
    error: str
    studies: str
    command: str


def _page(*pages: str) -> Callable[[Verdict], bool]:
    return lambda verdict: verdict.page in pages


def _row(*rows: str) -> Callable[[Verdict], bool]:
    return lambda verdict: verdict.row in rows and verdict.page != "worst-designs"


_LEAD: Final = "the first leads"
_NOBODY: Final = "the first is found ahead of nobody"
_BUDGET: Final = (_LEAD, "report-budget", "now", DESIGN, 2000)
LOST: Final = tuple(
    Verdict("leads", f"{_NOBODY}{on}", wrong, None, page, column, named, studies, mark, held=True)
    for on, (wrong, page, column, named, studies), mark in (
        (" on the primary question", _BUDGET, "power"),
        (" on another question", _BUDGET, "power of others"),
        (", cases allotted by chance", (_LEAD, "allotted-cases", "found now", ALLOTTED, 200),
         "power"),
    )
)  # fmt: skip
"""What a budget, or a test of all cases, may cost: leads that are not found."""
PARTS: Final[dict[str, Callable[[Verdict], bool]]] = {
    "report": lambda verdict: (
        verdict.page == "report-budget" and verdict.row != "strict" and verdict not in LOST
    ),
    "claims": _page("other-claims", "adverse-designs"),
    "gate": lambda verdict: verdict.page == "gate-permits",
    "strict": _row("strict"),
    "certificates": _row("certificate"),
    "targets": _row("target"),
    "competence": _row("competence"),
    "borrowed": _row("borrowed"),
    "drift": _page("judging-order"),
    "topics": lambda verdict: verdict.mark == "topics",
    "reliability": _row("reliability"),
    "ranks": _row("ranks"),
    "searched": _page("worst-designs"),
    "allotted": lambda verdict: verdict.page == "allotted-cases" and verdict not in LOST,
    "lost": lambda verdict: verdict in LOST,
    "others": lambda verdict: (
        not any(has(verdict) for part, has in PARTS.items() if part != "others")
    ),
}
"""Groups of verdicts; *others* are in no other."""


def command(verdict: Verdict) -> str:
    """Give the command that makes a verdict's table: the page names it, before or below the table.

    Example:
        >>> from tools.verdict_rows import VERDICTS
        >>> command(VERDICTS[0])
        'python simulations/rank_permits.py'
    """
    text = (SIMULATIONS / f"{verdict.page}.md").read_text(encoding="utf-8")
    start = text.index(f"<!-- {verdict.mark} -->")
    above = _MADE.findall(text, 0, start)
    below = _MADE.findall(text, start)
    return f"python {above[-1] if above else below[0]}"


def lines(parts: Iterable[str] = (), *, every: bool = False) -> Iterator[Line]:
    """Give the table, a line a design."""
    for part in tuple(parts) or PARTS:
        for verdict in filter(PARTS[part], (*VERDICTS, *LOST)):
            measured = rates(verdict)
            worst = max(measured, key=lambda rate: (rate.now, rate.error))
            of_old = max(measured, key=lambda rate: (rate.before or (-1.0, 0.0), rate is worst))
            shown = measured if every else [worst, *([] if of_old is worst else [of_old])]
            for rate in shown:
                yield _line(part, verdict, rate)


def _line(part: str, verdict: Verdict, rate: Rate) -> Line:
    return Line(
        part,
        f"{verdict.says}: {verdict.wrong}",
        ", ".join(named(rate.row, name) for name in verdict.named),
        rate.of_old,
        f"{rate.now:.1f}",
        f"{rate.error:.1f}",
        f"{rate.studies}",
        command(verdict),
    )


def main() -> None:
    """Print the table."""
    asked = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    asked.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    asked.add_argument("--all", action="store_true", help="every design, not the worst alone")
    options = asked.parse_args()
    if unknown := sorted(set(options.parts) - set(PARTS)):
        asked.error(f"a part is one of {', '.join(PARTS)}; got {', '.join(unknown)}")
    print(f"| {' | '.join(Line._fields)} |\n| --- | --- | --- |{' ---: |' * 4} --- |")
    for line in lines(options.parts, every=options.all):
        print(f"| {' | '.join(line)} |")


if __name__ == "__main__":
    main()
