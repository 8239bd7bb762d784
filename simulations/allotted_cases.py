"""Equal systems that met different cases: how often is one said to lead?

    python simulations/allotted_cases.py [STUDIES]

Each system has 100 cases of 275 (of 600 where none is shared); so many of them are the same for
all, the others are drawn for each. Values are right or wrong, or ratings from 1 to 5, cut from a
normal variable of which *alike* is the share that a case's answers have in common; *by system*: the
second half of the systems feels it turned round, and half as much, so that system and case
interact. *Before* tests pairs on the cases that both have (sign flips, Holm); *now* is
`compare_allotted`. One is better: the first system by so much that a paired test on 100 shared
cases would often see it; then a false lead is one of two others over one another. Harder: the first
system's own cases are the hardest that are not shared. The worst designs run again on fresh seeds.
"""

import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from page_table import percent, put_table
from scipy.stats import norm

from medassay.stats import compare_all_pairs, holm, pair_index
from medassay.stats.allotted import compare_allotted
from medassay.stats.rater_adjusted import Labels, adjust_for_raters

STUDIES: Final = 500
SEED: Final = 37_011
SLOW: Final = 6
QUICK: Final = 2
"""Systems that are simulated in fewer designs, and in all."""
EACH: Final = 100
CASES: Final = 275
APART: Final = 600
LEVEL: Final = 0.05
RATERS: Final = 4
SEVERITY: Final = 0.5
PERMUTATIONS: Final = 2000
PAGE: Final = Path(__file__).parents[1] / "simulations" / "allotted-cases.md"
RATINGS: Final = "1 to 5"
STEPS: Final = norm.ppf([0.1, 0.25, 0.5, 0.8])
RIGHT: Final = {"right or wrong, .01": 0.01, "right or wrong, .05": 0.05, "right or wrong, .5": 0.5}
VALUES: Final = (*RIGHT, RATINGS)
TABLES: Final = ("leads", "power", "harder", "again")
WORST: Final = 2
MORE: Final = 5
"""The worst designs of the first table, simulated again in so many times as many studies."""
BETTER: Final = {
    "right or wrong, .01": 1.05,
    "right or wrong, .05": 0.7,
    "right or wrong, .5": 0.55,
    RATINGS: 0.45,
}
"""What the better system has more, in standard deviations of the variable that is cut."""

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


class Design(NamedTuple):
    """Systems, and which cases they meet.

    Attributes:
        systems: How many.
        values: What their answers get.
        alike: The share of the variance that a case's answers have in common.
        by_system: Whether half of the systems feels the case the other way round.
        shared: Cases of 100 that are the same for all.
        better: What the first system has more.
        harder: Whether the first system's own cases are the harder half.
    """

    systems: int
    values: str
    alike: float
    by_system: bool
    shared: int
    better: float = 0.0
    harder: bool = False

    @property
    def cells(self) -> str:
        """Name it, in cells of a table."""
        alike = f"{self.alike:g}{', by system' if self.by_system else ''}"
        return f"{self.systems} | {self.values} | {alike} | {self.shared}"


def drawn(design: Design, rng: np.random.Generator) -> tuple[Floats, Flags]:
    """Draw a study: values and which are known, shape (systems, cases)."""
    cases = CASES if design.shared else APART
    hard = rng.normal(size=cases)
    known = np.zeros((design.systems, cases), dtype=np.bool_)
    known[:, : design.shared] = True
    rest = np.arange(design.shared, cases)
    own = EACH - design.shared
    if design.shared:
        for row in known:
            row[rng.permutation(rest)[:own]] = True
    else:
        for row, mine in zip(known, rng.permutation(rest).reshape(-1, EACH), strict=False):
            row[mine] = True
    if design.harder:
        known[0, rest] = False
        known[0, rest[np.argsort(hard[rest])[:own]]] = True
    load = np.full(design.systems, design.alike**0.5)
    if design.by_system:
        load[design.systems // 2 :] *= -0.5
    noise = rng.normal(size=known.shape) * np.sqrt(1 - load**2)[:, None]
    seen = load[:, None] * hard + noise
    seen[0] += design.better
    if design.values in RIGHT:
        return (seen > -norm.ppf(RIGHT[design.values])).astype(np.float64), known
    return np.digitize(seen, STEPS) + 1.0, known


def apart(values: Floats, known: Flags, rng: np.random.Generator) -> tuple[Flags, Flags]:
    """Say of each pair whether it is told apart, and which way: paired, and by all cases.

    Returns:
        Signs of the differences that are significant, else 0; paired, and now.
    """
    paired = compare_all_pairs(values, known, rng=rng, permutations=PERMUTATIONS)
    adjusted = holm([1.0 if pair.p is None else pair.p for pair in paired])
    before = [
        np.sign(pair.difference or 0.0) * (p <= LEVEL)
        for pair, p in zip(paired, adjusted, strict=True)
    ]
    if known[:, known.any(axis=0)].all():
        return np.array(before), np.array(before)
    now = [
        np.sign(pair.difference) * (pair.p_adjusted is not None and pair.p_adjusted <= LEVEL)
        for pair in compare_allotted(values, known, rng=rng).differences
    ]
    return np.array(before), np.array(now)


def rates(design: Design, studies: int, table: int) -> tuple[float, float, float, float]:
    """Give shares of studies: a false lead before and now, the true one found before and now.

    Args:
        design: What is simulated.
        studies: How often.
        table: Where it stands, so that each table has studies of its own.
    """
    first, _ = pair_index(design.systems)
    equal = (first > 0) if design.better else np.ones(len(first), dtype=np.bool_)
    counts = np.zeros(4)
    place = [SEED, table, design.systems, VALUES.index(design.values), design.shared]
    rng = np.random.default_rng([*place, round(10 * design.alike), design.by_system])
    for _ in range(studies):
        for at, signs in enumerate(apart(*drawn(design, rng), rng)):
            counts[at] += bool((signs[equal] != 0).any())
            counts[2 + at] += bool(signs[0] > 0)
    before, now, found, found_now = (counts / studies).tolist()
    return before, now, found, found_now


def with_raters(design: Design, studies: int) -> tuple[float, float]:
    """Give shares of false leads where a rater judged the first system more often than the others.

    Before, means adjusted for raters took cases as random; now they do where the study says so.
    """
    rng = np.random.default_rng([SEED, len(TABLES), design.shared, design.harder])
    counts = np.zeros(2)
    for _ in range(studies):
        values, known = drawn(design, rng)
        system, case = np.nonzero(known)
        shares = np.full((design.systems, RATERS), 1 / RATERS)
        shares[0] = [0.4, *[0.6 / (RATERS - 1)] * (RATERS - 1)]
        rater = np.array([rng.choice(RATERS, p=shares[at]) for at in system.tolist()])
        given = values[known] + SEVERITY * rng.normal(size=RATERS)[rater]
        labels = Labels(
            given, np.arange(len(case)), rater, system, np.unique(case, return_inverse=True)[1]
        )
        for at, fixed in enumerate((False, True)):
            contrasts = adjust_for_raters(labels, fixed_cases=fixed).contrasts
            pairs = contrasts.differences(*pair_index(design.systems)) if contrasts else []
            p = [pair.p for pair in pairs if pair.p is not None]
            counts[at] += bool((holm(p) <= LEVEL).any())
    before, now = (counts / studies).tolist()
    return before, now


def write_raters(studies: int) -> None:
    """Write the table of boards adjusted for raters."""
    lines = ["| the first system's own cases | shared of 100 | before | now |",
             "| --- | ---: | ---: | ---: |"]  # fmt: skip
    for harder, shared in ((True, 25), (True, 50), (True, 75), (False, 50)):
        design = Design(3, RATINGS, 0.8, by_system=False, shared=shared, harder=harder)
        cells = " | ".join(percent(share, studies) for share in with_raters(design, studies))
        lines.append(f"| {'the hardest' if harder else 'drawn'} | {shared} | {cells} |")
        print("raters", lines[-1], flush=True)
    put_table(PAGE, lines, mark="raters")


def equal_designs() -> Iterator[Design]:
    """Give the designs in which nobody leads."""
    few = ((0.0, False, 50), *((0.8, False, shared) for shared in (0, 50, 90)), (0.8, True, 50))
    more = (
        *((0.0, False, shared) for shared in (0, 90)),
        (0.4, False, 50),
        *((0.8, False, shared) for shared in (25, 75, 100)),
        (0.8, True, 90),
    )
    for systems, values in product((2, 3, 6), VALUES):
        for design in few if systems == SLOW else (*few, *more):
            yield Design(systems, values, *design)


def better_designs() -> Iterator[Design]:
    """Give those in which the first system is better."""
    for systems, values in product((2, 3, 6), VALUES):
        few = ((0.8, 0), (0.8, 50), (0.8, 90))
        more = ((0.0, 0), (0.0, 50), (0.0, 90), (0.8, 25), (0.8, 75), (0.8, 100))
        for alike, shared in (*few, *more) if systems == QUICK else few:
            yield Design(systems, values, alike, by_system=False, shared=shared,
                         better=BETTER[values])  # fmt: skip


def row(mark: str, design: Design, studies: int) -> str:
    """Simulate one design, and give its row of a table."""
    before, now, found, found_now = rates(design, studies, TABLES.index(mark))
    shares = [before, now]
    if mark == "power":
        shares = [found, found_now, before, now]
    cells = " | ".join(percent(share, studies) for share in shares)
    return f"| {design.cells} | {cells} |"


def worst(designs: list[Design], rows: list[str]) -> list[Design]:
    """Give the designs whose rows have the highest rates in their last cell."""
    shares = [float(line.split("|")[-2].split()[0]) for line in rows]
    return [designs[at] for at in np.argsort(shares, kind="stable")[::-1][:WORST].tolist()]


def write(mark: str, heads: str, designs: list[Design], studies: int) -> list[str]:
    """Simulate every design and put the table between the page's marks of this name."""
    lines = [heads, "| ---: | --- | ---: | ---: | " + "---: | " * (heads.count("|") - 5)]
    for design in designs:
        lines.append(row(mark, design, studies))
        print(mark, lines[-1], flush=True)
    put_table(PAGE, [line.rstrip() for line in lines], mark=mark)
    return lines[2:]


def harder_designs() -> Iterator[Design]:
    """Give those in which the first system met the harder cases, by no draw."""
    for systems, values, shared in product((2, 3, 6), VALUES, (25, 50, 75)):
        if systems == QUICK or shared == EACH // 2:
            yield Design(systems, values, 0.8, by_system=False, shared=shared, harder=True)


def main(studies: int) -> None:
    """Write the tables."""
    design = "| systems | values | alike | shared of 100 |"
    heads, equal = f"{design} before | now |", list(equal_designs())
    rows = write("leads", heads, equal, studies)
    write("again", heads, worst(equal, rows), MORE * studies)
    heads = f"{design} found before | found now | others apart before | others apart now |"
    write("power", heads, list(better_designs()), studies // 2)
    heads = f"{design} not declared | declared, wrongly |"
    write("harder", heads, list(harder_designs()), studies // 2)
    write_raters(studies // 4)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else STUDIES)
