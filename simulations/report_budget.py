"""How often does a report make a wrong claim, all of its claims together?

    python simulations/report_budget.py [STUDIES [POWER_STUDIES]]
    python simulations/report_budget.py strict [STUDIES]

Three dimensions are rated, the first is the primary question; four metrics and a control are tried,
and are of no use. What a report would claim is read off the records, without a page: who is ahead
of whom on each dimension, that a metric follows the raters (six systems and more), that a rater is
strict. *Before* is Holm's rule within each table, each at 5 %; *now* is the report's one budget:
the primary question 5 %, all other claims together 5 %, warnings apart. `strict` draws that
warning alone, on other seeds, of the designs in which systems differ most.
"""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from page_table import percent, put_table

from medassay.analyses.builtin.rater_effects import severity_finding
from medassay.exhibits import Claim, Names, VerdictKind
from medassay.exhibits.claim import LEVEL, shared_out
from medassay.judgements import Judgements, load_rubric
from medassay.scores import Grid
from medassay.stats import holm
from medassay.validity import (
    Leaderboard,
    Source,
    best_by_chance,
    diagnose_raters,
    rank_systems,
)
from medassay.validity.block import blocks

STUDIES: Final = 2000
POWER: Final = 2000
STRICT: Final = 2000
SEED: Final = 37_000
DIMENSIONS: Final = ("accuracy", "completeness", "safety")
METRICS: Final = 4
FEWEST: Final = 6
"""Systems under which nothing is said of a metric."""
COSTLY: Final = ((28, 2), (0, 1))
"""From so many systems on one study in so many is drawn, since each takes long."""
SD: Final = 1.0
"""Of a system's scores over cases, nearly: of case, answer and what raters leave."""
PAGE: Final = Path(__file__).parents[1] / "simulations" / "report-budget.md"

Floats = NDArray[np.float64]


class Design(NamedTuple):
    """A study whose systems differ as told.

    Attributes:
        title: What it is.
        cases: How many.
        raters: How many.
        each: How many of them read an answer.
        leads: How far each system is ahead, in SD.
        clusters: Sizes of clusters of cases that are alike; none where cases are apart.
        strict: By how much the first rater is stricter.
        lean: How far raters lean, in SD of raters.
        rare: Whether the last dimension has two labels, the worse one in 8 % of answers.
    """

    title: str
    cases: int
    raters: int
    each: int
    leads: tuple[float, ...]
    clusters: tuple[int, ...] = ()
    strict: float = 0.0
    lean: float = 0.0
    rare: bool = False


UNEQUAL: Final = (20, 12, 8, 5, 4, 3, 3, 2, 2, 1)
NULLS: Final = (
    Design("all equal", 20, 2, 2, (0,) * 3),
    Design("all equal", 40, 3, 3, (0,) * 4),
    Design("all equal, rare labels", 40, 3, 3, (0,) * 4, rare=True),
    Design("all equal, one rater is strict", 40, 3, 3, (0,) * 4, strict=0.5),
    Design("all equal, raters lean by .3", 200, 26, 2, (0,) * 4, lean=0.3),
    Design("all equal, 10 unequal clusters", 60, 6, 2, (0,) * 12, UNEQUAL),
    Design("all equal", 60, 3, 3, (0,) * 12),
    Design("all equal", 20, 2, 2, (0,) * 28),
    Design("one leads by half an SD", 40, 3, 3, (0.5, 0, 0, 0)),
    Design("half lead by half an SD", 60, 3, 3, (0.5,) * 6 + (0,) * 6),
    Design("half lead by an SD, 10 unequal clusters", 60, 6, 2, (1.0,) * 6 + (0,) * 6, UNEQUAL),
)
LEADS: Final = (
    Design("one leads by half an SD", 60, 2, 2, (0.5, 0, 0)),
    Design("one leads by half an SD", 40, 3, 3, (0.5, 0, 0, 0)),
    Design("one leads by half an SD", 100, 3, 3, (0.5, 0, 0, 0)),
    Design("one leads by half an SD", 60, 3, 3, (0.5, *(0,) * 11)),
    Design("one leads by half an SD, 10 unequal clusters", 60, 6, 2, (0.5, 0, 0, 0), UNEQUAL),
)


class Said(NamedTuple):
    """Whether a report says something, by the rule before and by the budget.

    Attributes:
        primary: On the primary question.
        others: On any other.
        strict: A warning of a strict or mild rater, outside.
    """

    primary: tuple[bool, bool]
    others: tuple[bool, bool]
    strict: bool = False


def scores(rng: np.random.Generator, design: Design) -> tuple[Floats, NDArray[np.bool_]]:
    """Draw labels, shape (dimensions, raters, systems, cases), and who reads what."""
    systems, cases = len(design.leads), design.cases
    shape = (len(DIMENSIONS), design.raters, systems, cases)
    case = 0.5 * rng.normal(size=(len(DIMENSIONS), 1, 1, cases))
    if design.clusters:
        # Answers of a system to the cases of a cluster are alike: half of what an answer varies by.
        shared = rng.normal(size=(len(DIMENSIONS), 1, systems, len(design.clusters)))
        shared = np.repeat(shared, design.clusters, axis=3)
        own = rng.normal(size=(len(DIMENSIONS), 1, systems, cases))
        answer = 0.7 * (np.sqrt(0.5) * shared + np.sqrt(0.5) * own)
    else:
        answer = 0.7 * rng.normal(size=(len(DIMENSIONS), 1, systems, cases))
    lead = SD * np.array(design.leads, dtype=np.float64)[None, None, :, None]
    lean = design.lean * rng.normal(size=(len(DIMENSIONS), design.raters, 1, 1))
    lean[:, 0] -= design.strict
    said = np.rint(3 + case + answer + lead + lean + 0.6 * rng.normal(size=shape)).clip(1, 5)
    if design.rare:
        seen = answer[-1] + 0.5 * rng.normal(size=shape[1:])
        said[-1] = 1 + 4.0 * (seen > -1.405 * np.sqrt(0.49 + 0.25))
    read = np.zeros(shape[1:], dtype=np.bool_)
    for at in range(cases):
        # One group of raters reads all answers of a case, as allotted by chance.
        read[rng.choice(design.raters, design.each, replace=False), :, at] = True
    return said, read


def source(name: str, values: Floats, dimension: str = "") -> Source:
    """Lay values out, shape (systems, cases)."""
    systems = tuple(f"s{at:02}" for at in range(len(values)))
    cases = tuple(f"{at:03}" for at in range(values.shape[1]))
    return Source(name, Grid(systems, cases, values, np.isfinite(values)), dimension=dimension)


def told(board: Leaderboard, p: list[float], level: float, wanted: Callable[..., bool]) -> bool:
    """Say whether some pair that is wanted is told apart."""
    return any(
        own <= level and wanted(int(pair.system_a[1:]), int(pair.system_b[1:]), pair.difference)
        for pair, own in zip(board.comparisons, p, strict=True)
    )


def of_cases(design: Design) -> list[int]:
    """Give the cluster of each case; none where cases are apart."""
    return np.repeat(np.arange(len(design.clusters)), design.clusters).tolist()


def strictness(said: Floats, read: NDArray[np.bool_], design: Design) -> bool:
    """Say whether a rater is called strict or mild."""
    raters, systems, cases = read.shape
    rows = [
        {
            "rater": f"r{r}", "system": f"s{s}", "case": str(c),
            "dimension": "quality", "label": str(int(said[-1, r, s, c])),
        }
        for r, s, c in np.ndindex(raters, systems, cases)
        if read[r, s, c]
    ]  # fmt: skip
    judgements = Judgements.from_rows(rows, load_rubric("likert5"))
    clusters = {str(c): f"g{g}" for c, g in enumerate(of_cases(design))}
    effects = diagnose_raters(judgements, rng=1, fits=(), replicates=200, clusters=clusters or None)
    names = Names()
    names.cases = design.cases
    return severity_finding(effects, names) is not None


def study(
    rng: np.random.Generator, design: Design, wanted: Callable[..., bool], *, raters: bool
) -> Said:
    """Draw a study, and say what its report claims."""
    said, read = scores(rng, design)
    with np.errstate(invalid="ignore"):
        means = np.where(read, said, 0.0).sum(axis=1) / read.sum(axis=0)
    joined = [source(f"mean {d}", m, d) for d, m in zip(DIMENSIONS, means, strict=True)]
    cases = joined[0].grid.cases
    groups = of_cases(design)
    clusters = {c: str(g) for c, g in zip(cases, groups, strict=True)} if groups else None
    boards = [rank_systems(one, rng=rng, clusters=clusters, replicates=2) for one in joined]
    adjusted = [[pair.p_adjusted or 0.0 for pair in board.comparisons] for board in boards]
    before = [holm([pair.p or 0.0 for pair in board.comparisons]).tolist() for board in boards]
    kinds = [VerdictKind.PRIMARY, VerdictKind.CLAIM, VerdictKind.CLAIM]
    claims = [
        Claim.of("leaders", d, k, p) for d, k, p in zip(DIMENSIONS, kinds, adjusted, strict=True)
    ]
    old, share = metrics_said(rng, design, joined)
    if share is not None:
        claims.append(Claim.of("validity", "metrics", VerdictKind.CLAIM, [share, 1.0]))
    levels = [claim.level or 0.0 for claim in shared_out({"report": claims})["report"]]
    was = [told(b, p, LEVEL, wanted) for b, p in zip(boards, before, strict=True)]
    now = [told(b, p, a, wanted) for b, p, a in zip(boards, adjusted, levels[:3], strict=True)]
    if wanted is leads_first:
        return Said((was[0], now[0]), (was[1], now[1]))
    new = share is not None and share <= levels[-1]
    return Said(
        (was[0], now[0]),
        (any(was[1:]) or old, any(now[1:]) or new),
        raters and strictness(said, read, design),
    )


def metrics_said(
    rng: np.random.Generator, design: Design, joined: list[Source]
) -> tuple[bool, float | None]:
    """Say whether useless metrics are told to follow the raters, before; and what now decides."""
    systems = len(design.leads)
    if systems < FEWEST:
        return False, None
    drawn = rng.normal(size=(METRICS, systems, design.cases))
    drawn += 0.4 * rng.normal(size=(METRICS, systems, 1))  # each has a style of its own
    tried = [source(f"m{at}", values) for at, values in enumerate(drawn)]
    [block] = blocks(tried, joined)
    taus = np.abs(block.taus)
    on = int(taus.max(axis=0).argmax())
    [best] = blocks(tried, [joined[on]])
    p, _ = best.permutation_p(int(rng.integers(2**31)))
    old = holm(p[:, 0])[int(taus[:, on].argmax())] <= LEVEL
    chance = best_by_chance(tried, joined, rng=rng, orders=1000)
    return bool(old), None if chance is None else chance.share


def wrong_in(leads: tuple[float, ...]) -> Callable[..., bool]:
    """Say of a pair that is told apart whether it is equal, or the other one leads."""

    def wrong(a: int, b: int, difference: float) -> bool:
        true = leads[a] - leads[b]
        return true == 0 or true * difference < 0

    return wrong


def leads_first(a: int, b: int, difference: float) -> bool:
    """Say whether the first system, which leads, is found ahead of another."""
    return (a == 0 and difference > 0) or (b == 0 and difference < 0)


def heads(design: Design) -> str:
    """Give the cells that name a design."""
    some = f"{design.each} of " if design.each < design.raters else ""
    raters = f"{some}{design.raters}"
    return f"| {design.title} | {len(design.leads)} | {design.cases} | {raters}"


def rates(design: Design, place: int, studies: int, *, power: bool) -> Iterator[str]:
    """Simulate a design, and give its cells for each table."""
    rng = np.random.default_rng([SEED, int(power), place])
    wanted = leads_first if power else wrong_in(design.leads)
    few = design.raters * len(design.leads) * design.cases <= 6 * 12 * 60  # as time allows
    raters = few and not power and not design.strict and not design.lean
    said = [study(rng, design, wanted, raters=raters) for _ in range(studies)]

    def cell(count: Callable[[Said], bool]) -> str:
        return percent(sum(map(count, said)) / studies, studies)

    for cells in (
        [cell(lambda s: s.primary[0]), cell(lambda s: s.primary[1])],
        [cell(lambda s: s.others[0]), cell(lambda s: s.others[1])],
    ):
        yield f"{heads(design)} | {' | '.join(cells)} | {studies} |"
    strict = cell(lambda s: s.strict) if raters else "–"
    any_before = cell(lambda s: s.primary[0] or s.others[0] or s.strict)
    any_now = cell(lambda s: s.primary[1] or s.others[1])
    yield f"{heads(design)} | {any_before} | {any_now} | {strict} | {studies} |"


def _head(*columns: str) -> list[str]:
    titles = ["reports in which", "systems", "cases", "raters", *columns, "studies"]
    return [f"| {' | '.join(titles)} |", f"| --- |{' ---: |' * (len(titles) - 1)}"]


def strict(studies: int) -> None:
    """Simulate the warning of a strict rater alone, where half of twelve systems lead."""
    lines = _head("strict rater")
    for place, design in enumerate(NULLS):
        if design.title.startswith("half lead"):
            rng = np.random.default_rng([SEED, 2, place])
            wrong = sum(strictness(*scores(rng, design), design) for _ in range(studies))
            lines.append(f"{heads(design)} | {percent(wrong / studies, studies)} | {studies} |")
            print(lines[-1], flush=True)
    put_table(PAGE, lines, "strict")


def main(studies: int, power_studies: int) -> None:
    """Simulate, and write the tables as far as they are done."""
    two = _head("before", "now")
    three = _head("before", "now", "strict rater")
    for designs, marks, power, n in (
        (NULLS, ("primary", "claims", "report"), False, studies),
        (LEADS, ("power", "power of others"), True, power_studies),
    ):
        tables = {mark: [*(three if mark == "report" else two)] for mark in marks}
        for place, design in enumerate(designs):
            many = n // next(part for least, part in COSTLY if len(design.leads) >= least)
            for mark, line in zip(marks, rates(design, place, many, power=power), strict=False):
                tables[mark].append(line)
                print(f"{mark}: {line}", flush=True)
            for mark, lines in tables.items():
                put_table(PAGE, lines, mark)


if __name__ == "__main__":
    asked = [int(text) for text in sys.argv[1:] if text != "strict"]
    if "strict" in sys.argv:
        strict(*(asked or [STRICT]))
    else:
        main(*(asked + [STUDIES, POWER][len(asked) :]))
