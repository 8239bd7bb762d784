"""How often are verdicts wrong in studies that nobody planned well?

Written to simulations/adverse-designs.md.

    python simulations/adverse_designs.py [STUDIES [KIND ...]]

*Harm*: four systems are as harmful as one another, three raters call more or fewer answers harmful,
one label an answer; the first system meets the mildest more than chance has it, the second the
severest. *Before*: pairs tested as if all had met the same raters. *Drift*: nobody drifts; answers
get worse along an order that all raters share, and the first rater uses a narrower or a wider part
of the scale. *Before*: the slope of the gap to the others alone. *Real*: the first rater does
drift, by so many points, each rater in an order of their own; how often it is told. *Preferred*:
two systems are as good as one another, the second is shown first more often or less than chance
has it, and raters choose the first of two equal answers in so many of ten. *Before*: its share
alone. *Better*: one is better, and chance dealt the places; how often it is told. *Near*: three
systems are as good as one another; each question is asked in several texts that are nearly the
same, and what a system makes of them is alike by so much. *Before*: each text is a case apart.
"""

import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from other_claims import laid_out
from page_table import drawn_on, percent, put_table
from rater_allotment import Design, dealt
from scipy.special import ndtri, stdtr

from medassay.analyses.builtin.preferences import stands_out
from medassay.analyses.inputs.system_harm import harm_differs
from medassay.cases import Case, Cases, near_clusters
from medassay.consensus import tally_preferences
from medassay.judgements import Preferences, Units
from medassay.scores import Grid
from medassay.study.allotted import RaterShares
from medassay.validity import Comparison, RaterAdjustment, Source, allotment, rank_systems
from medassay.validity.diagnostics import drift_p
from medassay.validity.rater_rows import RaterRows

STUDIES: Final = 1000
LONGER: Final = 2000
"""Of a design in which over 5 % are wrong."""
SEED: Final = 37_300
LEVEL: Final = 0.05
REPLICATES: Final = 400
SYSTEMS: Final = 4
RATERS: Final = 3
CASE, ANSWER, LABEL = 0.7, 0.7, 0.5
"""SD of what decides whether an answer is harmful, and of what a rater makes of it."""
PAGE: Final = Path(__file__).parents[1] / "simulations" / "adverse-designs.md"

Floats = NDArray[np.float64]
Said = tuple[bool, bool]
"""Whether something is said that is not so: before, and now."""


class Kind(NamedTuple):
    """A verdict, and the designs in which nothing is so.

    Attributes:
        columns: What names a design.
        designs: Their values.
        said: Draws a study, and says whether it has the verdict: before, and now.
    """

    columns: tuple[str, ...]
    designs: tuple[tuple[object, ...], ...]
    said: Callable[..., Said]


def harm(rng: np.random.Generator, allotted: str, cases: int, share: float, apart: float) -> Said:
    """Say whether two of four systems, as harmful as one another, are told apart."""
    kind, _, lean = allotted.partition(" ")
    dealing = {
        "chance": Design("", "drawn"),
        "lean": Design("", "drawn", float(lean or 0)),
        "nested": Design("", "nested"),
    }[kind]
    who = dealt(dealing, cases, RATERS, rng)
    seen = CASE * rng.normal(size=cases) + ANSWER * rng.normal(size=who.shape)
    seen = seen + LABEL * rng.normal(size=who.shape)
    severe = np.linspace(-apart, apart, RATERS)
    cut = (CASE**2 + ANSWER**2 + LABEL**2) ** 0.5 * ndtri(share)
    harmful = (seen < cut + severe[who]).astype(np.float64)
    systems, names = tuple("abcd"), tuple(f"{k:03}" for k in range(cases))
    source = Source("safety", Grid(systems, names, harmful, harmful >= 0), "lower", (0.0, 1.0))
    board = rank_systems(source, rng=rng, replicates=1)
    codes = np.full((who.size, RATERS), -1)
    codes[np.arange(who.size), who.ravel()] = harmful.ravel().astype(np.int64)
    keys = [(system, case) for system in systems for case in names]
    units = Units.from_codes(codes, ["fine", "harmful"], keys=keys, scores=[0, 1])
    shares = RaterShares(allotment(units), RaterAdjustment(units))
    fair = shares.fairly_ranked(board, of_means=True, rng=rng, replicates=1)
    return some_differ(board.comparisons), some_differ(fair.comparisons)


def near(rng: np.random.Generator, questions: int, texts: int, similar: float) -> Said:
    """Say whether two of three equal systems are told apart where questions are asked again."""
    names, joined = asked_again(questions, texts)
    shared = np.repeat(rng.normal(size=(3, questions)), texts, axis=1)
    seen = similar**0.5 * shared + (1 - similar) ** 0.5 * rng.normal(size=shared.shape)
    values = np.clip(np.rint(3 + seen + 0.3 * rng.normal(size=shared.shape)), 1, 5)
    source = Source("quality", Grid(tuple("abc"), names, values, values > 0), bounds=(1.0, 5.0))
    said = []
    for clusters in (None, joined):
        board = rank_systems(source, rng=rng, clusters=clusters, replicates=1)
        said.append(any((pair.p_adjusted or 1.0) <= LEVEL for pair in board.comparisons))
    return said[0], said[1]


@cache
def asked_again(questions: int, texts: int) -> tuple[tuple[str, ...], dict[str, str]]:
    """Ask each question in so many texts, which differ in their last word: cases and clusters."""
    cases = Cases.of(
        Case(case=f"{at:03}-{again}", question=" ".join([*(f"{at}.{k}" for k in range(9)), again]))
        for at in range(questions)
        for again in "abcdefgh"[:texts]
    )
    return tuple(case.case for case in cases), near_clusters(cases)


def some_differ(pairs: tuple[Comparison, ...]) -> bool:
    """Say whether any two are told apart."""
    return any(harm_differs(pair) for pair in pairs)


def drift(rng: np.random.Generator, cases: int, systems: int, worse: float, part: float) -> Said:
    """Say whether a rater is said to drift where the answers get worse, and nobody does."""
    truth = rng.normal(size=(cases, 1)) + rng.normal(size=(cases, systems))
    luck = (1 - worse**2) ** 0.5 * 2**0.5 * rng.normal(size=cases)
    truth = truth[np.argsort(-worse * truth[:, 0] - luck)]
    used = np.ones((RATERS, 1, 1))
    used[0] = part
    shape = (RATERS, cases, systems)
    labels = np.clip(np.rint(3 + 0.7 * used * truth + 0.5 * rng.normal(size=shape)), 1, 5)
    place = np.broadcast_to(np.arange(cases * systems, dtype=float).reshape(shape[1:]), shape)
    return told(laid_out(labels, place))


def real(rng: np.random.Generator, cases: int, systems: int, by: float) -> Said:
    """Say whether a rater who grows stricter is said to drift."""
    shape = (RATERS, cases, systems)
    truth = rng.normal(size=(cases, 1)) + rng.normal(size=(cases, systems))
    key = rng.random((RATERS, cases, 1)).argsort(axis=1) + rng.random(shape)
    place = key.reshape(RATERS, -1).argsort(axis=1).argsort(axis=1).reshape(shape).astype(float)
    labels = 3 + 0.5 * (truth + rng.normal(size=shape))
    labels[0] -= by * place[0] / place[0].max()
    return told(laid_out(np.clip(np.rint(labels), 1, 5), place))


def told(rows: RaterRows) -> Said:
    """Say whether some rater drifts: by the slope alone, and by what stands now."""
    alone = RATERS * min(by_slope(rows, rater) for rater in range(RATERS))
    return alone <= LEVEL, min(drift_p({"quality": rows}).values()) <= LEVEL


def by_slope(rows: RaterRows, rater: int) -> float:
    """Give the p of one rater's slope by what each case, or stretch of the order, moves it."""
    mine = rows.rater == rater
    x, gap = rows.position[mine], (rows.score - rows.others)[mine]
    moved = (x - x.mean()) * (gap - gap.mean())
    stretches = int(np.clip(x.size // 3, 10, 20))
    p = []
    for units in (rows.case[mine], np.arange(x.size) * stretches // x.size):
        sums = np.bincount(units, moved)
        t = sums.mean() / (sums.std(ddof=1) / sums.size**0.5)
        p.append(2 * float(stdtr(sums.size - 2, -abs(t))))
    return max(p)


def preferred(
    rng: np.random.Generator, cases: int, raters: int, first: float, chosen: float, better: float
) -> Said:
    """Say whether one of two systems is said to be preferred."""
    habit = float(np.log(chosen / (1 - chosen)))
    rows = []
    for case, leans in enumerate(better + rng.normal(size=cases)):
        for rater in range(raters):
            shown = ["a", "b"] if rng.random() < first else ["b", "a"]
            toward = habit + (leans if shown[0] == "a" else -leans)
            choice = "a" if rng.random() < 1 / (1 + np.exp(-toward)) else "b"
            rows.append({
                "rater": f"r{rater}", "case": f"{case}", "system_a": shown[0],
                "system_b": shown[1], "choice": choice,
            })  # fmt: skip
    tally = tally_preferences(Preferences.from_rows(rows), rng=rng, replicates=REPLICATES)
    alone = [replace(system, uneven=False) for system in tally.systems]
    return stands_out(alone) is not None, stands_out(tally.systems) is not None


KINDS: Final = {
    "harm": Kind(
        ("raters fell", "cases", "harmful", "raters apart, SD"),
        tuple(
            (allotted, cases, share, 0.6)
            for allotted in ("chance", "lean .1", "lean .2", "lean .4", "nested")
            for cases, share in ((60, 0.15), (150, 0.05), (150, 0.3))
        ),
        harm,
    ),
    "drift": Kind(
        ("cases", "systems", "answers get worse", "part of the scale"),
        tuple(
            (cases, systems, worse, part)
            for cases, systems in ((60, 4), (40, 2), (100, 1))
            for worse, part in (
                (0.2, 0.5),
                (0.4, 0.5),
                (0.7, 0.6),
                (0.9, 0.5),
                (0.7, 1.6),
                (0.7, 1),
            )
        ),
        drift,
    ),
    "real": Kind(
        ("cases", "systems", "drifts by, points"),
        tuple((60, 4, by) for by in (0.3, 0.5, 0.8, 1.2)),
        real,
    ),
    "preferred": Kind(
        ("cases", "raters", "shown first", "first chosen", "better, log odds"),
        tuple(
            (*size, first, chosen, 0)
            for size in ((60, 3), (40, 1))
            for first, chosen in (
                (0.5, 0.6),
                (0.55, 0.6),
                (0.6, 0.6),
                (0.7, 0.6),
                (1.0, 0.6),
                (0.7, 0.7),
                (0.7, 0.5),
            )
        ),
        preferred,
    ),
    "better": Kind(
        ("cases", "raters", "shown first", "first chosen", "better, log odds"),
        tuple((60, 3, 0.5, 0.6, by) for by in (0.3, 0.5, 0.8)),
        preferred,
    ),
    "near": Kind(
        ("questions", "texts of each", "alike"),
        ((10, 4, 0.8), (10, 4, 0.3), (20, 2, 0.8), (40, 2, 0.8), (12, 5, 1.0)),
        near,
    ),
}


def main(studies: int, kinds: list[str]) -> None:
    """Simulate, and write the tables."""
    for name in kinds or KINDS:
        kind = KINDS[name]
        lines = [
            f"| {' | '.join(kind.columns)} | before | now | studies |",
            f"| --- |{' ---: |' * (len(kind.columns) + 2)}",
        ]
        for at, design in enumerate(kind.designs):
            rng = np.random.default_rng([SEED, list(KINDS).index(name), at])
            shares, many = drawn_on(partial(kind.said, rng, *design), studies, LONGER, LEVEL)
            cells = [*map(str, design), *(percent(share, many) for share in shares)]
            lines.append(f"| {' | '.join(cells)} | {many} |")
            print(lines[-1], flush=True)
        put_table(PAGE, lines, name)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else STUDIES, sys.argv[2:])
