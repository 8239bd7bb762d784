"""How often does raters' severity make a leader of one of four equal systems, and what stops it?

    python simulations/rater_allotment.py [STUDIES]

Four equal systems, one label an answer, raters of severity -.7 to .7; cases and answers vary too.
*False leader*: any pair stands after Holm at .05 (paired t tests, which are quick, and as good as a
leaderboard's sign-flip tests here). *Now* counts those that the test of allotment lets through. The
table is printed as it stands in simulations/rater-allotment.md.
"""

import sys
from itertools import combinations
from typing import Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from page_table import percent
from scipy.stats import t as student

from medassay.judgements import Units
from medassay.stats import holm
from medassay.validity import allotment

STUDIES: Final = 1000
SEED: Final = 20_263
SYSTEMS: Final = 4
SEVERITY: Final = 0.7
LEVEL: Final = 0.05


class Design(NamedTuple):
    """How raters are allotted, and how far the first two systems lean to a rater of their own."""

    title: str
    kind: Literal["case", "drawn", "nested"]
    lean: float = 0.0


class Rates(NamedTuple):
    """Shares of studies: with a false leader before and now, and stopped."""

    before: float
    now: float
    stopped: float


DESIGNS: Final = (
    Design("one rater a case, for all systems", "case"),
    Design("by chance", "drawn"),
    Design("leaning by .05", "drawn", 0.05),
    Design("leaning by .1", "drawn", 0.1),
    Design("leaning by .2", "drawn", 0.2),
    Design("leaning by .4", "drawn", 0.4),
    Design("each system its own rater", "nested"),
)
SIZES: Final = ((3, 50), (3, 200), (8, 200))
"""Raters and cases."""


def dealt(design: Design, cases: int, raters: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Give the rater of each answer, shape (systems, cases)."""
    if design.kind == "case":
        return np.broadcast_to(rng.integers(raters, size=cases), (SYSTEMS, cases))
    if design.kind == "nested":
        return np.broadcast_to(np.arange(SYSTEMS)[:, None] % raters, (SYSTEMS, cases))
    shares = np.full((SYSTEMS, raters), 1 / raters)
    # The first system leans to the mildest rater, the second to the severest.
    shares[0] = shares[0] * (1 - design.lean) + design.lean * np.eye(raters)[-1]
    shares[1] = shares[1] * (1 - design.lean) + design.lean * np.eye(raters)[0]
    edges = shares.cumsum(axis=1)
    drawn: NDArray[np.int64] = (rng.random((SYSTEMS, cases, 1)) > edges[:, None, :-1]).sum(axis=2)
    return drawn


def leads_falsely(values: NDArray[np.float64]) -> bool:
    """Say whether any pair of systems stands after Holm."""
    p = []
    for one, other in combinations(range(SYSTEMS), 2):
        gap = values[one] - values[other]
        error = gap.std(ddof=1) / np.sqrt(len(gap))
        p.append(float(2 * student.sf(abs(gap.mean()) / error, len(gap) - 1)))
    return bool((holm(p) <= LEVEL).any())


def units_of(who: NDArray[np.int64], raters: int) -> Units:
    """Lay out who judged what; all labels alike, since the test reads none."""
    systems, cases = who.shape
    codes = np.full((systems * cases, raters), -1)
    codes[np.arange(systems * cases), who.ravel()] = 0
    keys = [(f"S{s}", f"{c:04}") for s in range(systems) for c in range(cases)]
    return Units.from_codes(codes, ["given"], keys=keys)


def simulate(design: Design, raters: int, cases: int, studies: int, seed: int = SEED) -> Rates:
    """Draw studies of equal systems, and count false leaders."""
    rng = np.random.default_rng(seed)
    severity = np.linspace(-SEVERITY, SEVERITY, raters)
    before = now = stopped = 0
    for _ in range(studies):
        who = dealt(design, cases, raters, rng)
        truth = 0.7 * rng.standard_normal(cases) + rng.standard_normal((SYSTEMS, cases))
        false = leads_falsely(truth + severity[who])
        fair = allotment(units_of(who, raters)).kind == "even"
        before, now, stopped = before + false, now + (false and fair), stopped + (not fair)
    return Rates(before / studies, now / studies, stopped / studies)


def main(studies: int) -> None:
    """Print the table."""
    print("| allotment | raters | cases | false leader before | now | stopped |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for design in DESIGNS:
        for raters, cases in SIZES:
            found = simulate(design, raters, cases, studies)
            cells = " | ".join(percent(share, studies) for share in found)
            print(f"| {design.title} | {raters} | {cases} | {cells} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else STUDIES)
