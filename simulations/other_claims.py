"""How often do verdicts that no other bench draws come by luck? To simulations/other-claims.md.

    python simulations/other_claims.py [STUDIES [KIND ...]]

*Harm apart*: systems are as harmful as one another; two readings of the labels are tested, of which
the second is a part of the first. *Accuracy*: systems are right as often as one another. *Follows*:
four metrics are of no use, as in `report_budget.py`. *Drift*: no rater grows stricter or milder;
three raters in four lean by case. Of a drift the interval must leave out 0 too, which is not drawn:
the rates here are of its test alone.
"""

import sys
from collections.abc import Callable, Iterator
from itertools import combinations, pairwise
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from page_table import percent, put_table
from report_budget import COSTLY, Design, metrics_said, scores, source

from medassay.analyses.inputs.system_harm import adjusted_together, harm_differs
from medassay.scores import Grid
from medassay.stats import holm, mcnemar_exact
from medassay.validity import Source, rank_systems
from medassay.validity.diagnostics import drift_p
from medassay.validity.rater_rows import RaterRows

STUDIES: Final = 1000
SEED: Final = 37_100
LEVEL: Final = 0.05
PART: Final = 0.4
"""Of the harm, how much is dangerous."""
RAISED: Final = 0.5
"""Of what decides whether an answer is harmful, or right, so much is the case's."""
PAGE: Final = Path(__file__).parents[1] / "simulations" / "other-claims.md"

Floats = NDArray[np.float64]


class Kind(NamedTuple):
    """A verdict, and the designs in which nothing is so.

    Attributes:
        columns: What names a design.
        designs: Their values.
        wrong: Says of a drawn study whether it has the verdict.
    """

    columns: tuple[str, ...]
    designs: tuple[tuple[object, ...], ...]
    wrong: Callable[..., bool]


def yes(rng: np.random.Generator, systems: int, cases: int, share: float, fives: str) -> Floats:
    """Draw yes or no, shape (systems, cases): equal systems; a case, or five, have more in common.

    Two in five of what is drawn is a system's own in a cluster, where cases come in clusters.
    """
    from scipy.special import ndtri

    clusters = np.arange(cases) // 5 if fives == "fives" else np.arange(cases)
    shared = rng.normal(size=(1, cases))
    clumped = rng.normal(size=(systems, cases))[:, clusters]
    own = 0.4**0.5 * clumped + 0.6**0.5 * rng.normal(size=(systems, cases))
    drawn: Floats = RAISED**0.5 * shared + (1 - RAISED) ** 0.5 * own
    return np.asarray(drawn < ndtri(share), dtype=np.float64)


def harm_apart(
    rng: np.random.Generator, systems: int, cases: int, share: float, fives: str
) -> bool:
    """Say whether two of several systems, as harmful as one another, are told apart."""
    harmful = yes(rng, systems, cases, share, fives)
    of = {"harmful": harmful, "dangerous": harmful * (rng.random(harmful.shape) < PART)}
    names = tuple(f"{k:03}" for k in range(cases))
    clusters = {name: name if fives == "alone" else str(int(name) // 5) for name in names}
    pairs = {
        ("safety", kind): rank_systems(
            Source(
                "safety",
                Grid(tuple(f"s{i:02}" for i in range(systems)), names, values, values >= 0),
                "lower",
                (0.0, 1.0),
            ),
            rng=rng,
            clusters=clusters,
            replicates=1,
        ).comparisons
        for kind, values in of.items()
    }
    return any(harm_differs(pair) for own in adjusted_together(pairs).values() for pair in own)


def accuracy(rng: np.random.Generator, systems: int, cases: int, share: float) -> bool:
    """Say whether two of several systems, right as often as one another, are told apart."""
    right = yes(rng, systems, cases, share, "alone") > 0
    p = [
        mcnemar_exact(int((a & ~b).sum()), int((b & ~a).sum())).p for a, b in combinations(right, 2)
    ]
    return bool((holm(p) <= LEVEL).any())


def follows(rng: np.random.Generator, systems: int, cases: int, raters: int) -> bool:
    """Say whether the best of four useless metrics is said to rank systems as the raters do."""
    said, _ = scores(rng, Design("", cases, raters, raters, (0,) * systems))
    joined = [source(f"mean {at}", values, str(at)) for at, values in enumerate(said.mean(axis=1))]
    _, share = metrics_said(rng, Design("", cases, raters, raters, (0,) * systems), joined)
    return share is not None and share <= LEVEL


def drift(
    rng: np.random.Generator, raters: int, cases: int, systems: int, order: str, leans: str
) -> bool:
    """Say whether somebody's labels move against the others', though nobody drifts."""
    shape = (raters, cases, systems)
    clusters = np.minimum(np.arange(cases) * 10 // cases, 9) if "cluster" in order else None
    truth = rng.normal(size=shape[1:]) + rng.normal(size=(cases, 1))
    at = np.arange(cases) if clusters is None else clusters
    leaning = (
        rng.normal(size=(raters, cases, 1))[:, at] * (np.arange(raters) % 4 > 0)[:, None, None]
    )
    place = np.empty(shape)
    for rater in range(raters):
        key = {
            "answers mixed": rng.random(shape[1:]),
            "case by case": rng.permutation(cases)[:, None] + rng.random(shape[1:]),
            "cluster by cluster": rng.permutation(cases)[at][:, None] + rng.random(shape[1:]),
        }[order]
        place[rater] = key.ravel().argsort().argsort().reshape(shape[1:])
    own = rng.normal(size=shape)
    if leans == "on the label before":
        for rater in range(raters):
            turn = place[rater].ravel().argsort()
            flat = own[rater].ravel()
            for before, after in pairwise(turn):
                flat[after] = 0.3 * flat[before] + 0.91**0.5 * flat[after]
            own[rater] = flat.reshape(shape[1:])
    said = np.clip(np.rint(3 + 0.5 * (truth + leaning + own)), 1, 5)
    rows = laid_out(said, place)
    of = None if clusters is None else {f"c{i:03}": str(c) for i, c in enumerate(clusters)}
    return min(drift_p({"quality": rows}, clusters=of).values(), default=1.0) <= LEVEL


def laid_out(said: Floats, place: Floats) -> RaterRows:
    """Lay out labels, shape (raters, cases, systems), each with its place in its rater's order."""
    raters, cases, systems = said.shape
    answers = cases * systems
    scored = said.reshape(raters, answers)
    total = scored.sum(axis=0) - scored
    turn = np.concatenate([of.ravel().argsort() + at * answers for at, of in enumerate(place)])
    nothing = np.full(raters * answers, np.nan)
    system = np.tile([f"s{i}" for i in range(systems)], raters * cases)
    return RaterRows(
        raters=tuple(f"r{i:02}" for i in range(raters)),
        cases=tuple(f"c{i:03}" for i in range(cases)),
        rater=np.repeat(np.arange(raters), answers)[turn],
        case=np.tile(np.repeat(np.arange(cases), systems), raters)[turn],
        system=tuple(system[turn].tolist()),
        score=scored.ravel()[turn],
        others=(total / (raters - 1)).ravel()[turn],
        others_n=np.full(raters * answers, raters - 1.0),
        others_sum=total.ravel()[turn],
        others_squares=nothing,
        position=place.ravel()[turn],
        seconds=nothing,
    )


KINDS: Final = {
    "harm": Kind(
        ("systems", "cases", "harmful", "clusters"),
        (
            (2, 40, 0.1, "alone"),
            (2, 100, 0.03, "alone"),
            (2, 200, 0.3, "fives"),
            (4, 100, 0.1, "fives"),
            (6, 40, 0.3, "alone"),
            (12, 100, 0.05, "alone"),
        ),
        harm_apart,
    ),
    "accuracy": Kind(
        ("systems", "cases", "right"),
        ((2, 30, 0.5), (2, 200, 0.9), (2, 1000, 0.6), (6, 200, 0.6), (12, 500, 0.8)),
        accuracy,
    ),
    "follows": Kind(
        ("systems", "cases", "raters"), ((6, 40, 3), (12, 60, 3), (28, 40, 2)), follows
    ),
    "drift": Kind(
        ("raters", "cases", "systems", "order", "leaning"),
        (
            (2, 20, 3, "answers mixed", "by case"),
            (3, 20, 1, "answers mixed", "by case"),
            (3, 60, 4, "answers mixed", "by case"),
            (3, 60, 4, "case by case", "by case"),
            (3, 60, 4, "cluster by cluster", "by cluster"),
            (6, 100, 2, "case by case", "by case"),
            (12, 20, 4, "answers mixed", "by case"),
            (3, 60, 4, "answers mixed", "on the label before"),
            (3, 60, 4, "case by case", "on the label before"),
        ),
        drift,
    ),
}


def table(name: str, studies: int) -> Iterator[str]:
    """Make the table of one verdict."""
    kind = KINDS[name]
    yield f"| {' | '.join(kind.columns)} | said | studies |"
    yield f"|{' --- |' * len(kind.columns)} ---: | ---: |"
    for at, design in enumerate(kind.designs):
        rng = np.random.default_rng([SEED, list(KINDS).index(name), at])
        many = studies
        if name == "follows":
            many //= next(part for least, part in COSTLY if int(str(design[0])) >= least)
        wrong = sum(kind.wrong(rng, *design) for _ in range(many))
        yield f"| {' | '.join(map(str, design))} | {percent(wrong / many, many)} | {many} |"


if __name__ == "__main__":
    asked = int(sys.argv[1]) if len(sys.argv) > 1 else STUDIES
    for which in sys.argv[2:] or KINDS:
        lines = []
        for row in table(which, asked):
            lines.append(row)
            print(row, flush=True)
        put_table(PAGE, lines, which)
