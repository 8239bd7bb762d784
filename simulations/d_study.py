"""How often does the interval of a reliability miss it, and of the raters it takes? To design/.

    python simulations/d_study.py [STUDIES]

Systems are the same in each study, with so many points of variance between their true means; cases
and raters are new. Labels rest on what system, case, answer, rater, rater by system, rater by case
and the label itself add, and are rounded to 1 to 5, or are two of which one is rare. What is true
is that of labels so made by 200 raters of 2,000 cases, by the analysis of variance; the noise of
means in a layout is what they vary by from study to study.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from page_table import percent, put_table
from scipy.special import ndtri

from medassay.stats import LongLabels, g_study

STUDIES: Final = 120
LONGER: Final = 400
HOLDS: Final = 0.925
"""Where an interval held in fewer, more studies are drawn."""
DRAWS: Final = 400
SEED: Final = 90_334
TARGET: Final = 0.8
HELD: Final = ("of means", "held", "of an answer", "held, answer", "held, raters", "not settled",
               "studies")  # fmt: skip
MEANS: Final = 4000
"""Studies whose means alone are drawn, for what they vary by."""
MANY: Final = 80
"""Tables of 200 cases and raters that the systems' true means are taken from."""
A_TENTH: Final = 0.1
PAGE: Final = Path(__file__).parents[1] / "simulations" / "d-study.md"

Floats = NDArray[np.float64]


class Design(NamedTuple):
    """A study whose components are known.

    Attributes:
        title: What is so about it.
        systems: How many systems there are.
        cases: How many cases.
        raters: How many raters.
        apart: Variance of the systems' true means, of what labels rest on.
        leaning: Variance of a rater's leaning to a system.
        severity: Variance of raters' severity.
        of_answer: How many raters read an answer; 0 for all.
        rare: The share of the rare one of two labels; 0 for labels from 1 to 5.
        clusters: In how many clusters the cases lie, the first of them half; 0 where each is apart.
        odd: Whether one rater in ten is far off, and the others are alike.
        idle: Whether the last rater read only a tenth of the answers.
    """

    title: str
    systems: int
    cases: int
    raters: int
    apart: float = 0.3
    leaning: float = 0.05
    severity: float = 0.2
    of_answer: int = 0
    rare: float = 0.0
    clusters: int = 0
    odd: bool = False
    idle: bool = False


DESIGNS: Final = (
    Design("1 to 5", 4, 40, 3),
    Design("1 to 5", 4, 40, 2),
    Design("1 to 5", 2, 40, 3),
    Design("1 to 5", 4, 10, 3),
    Design("1 to 5", 12, 60, 3, apart=0.1),
    Design("1 to 5", 4, 100, 10),
    Design("1 to 5, raters lean to no system", 4, 40, 3, leaning=0.0),
    Design("1 to 5, raters lean much", 4, 100, 3, leaning=0.3),
    Design("1 to 5, raters lean much", 2, 100, 2, leaning=0.3),
    Design("1 to 5, systems nearly equal", 4, 40, 3, apart=0.02),
    Design("1 to 5, 2 an answer", 4, 60, 6, of_answer=2, leaning=0.2),
    Design("1 to 5, 2 an answer", 4, 200, 26, of_answer=2, leaning=0.2),
    Design("1 to 5, the last rater read a tenth", 4, 60, 3, idle=True, leaning=0.2),
    Design("1 to 5, one rater in ten is odd", 4, 40, 3, odd=True, severity=0.5, leaning=0.2),
    Design("1 to 5, 10 unequal clusters", 4, 60, 3, clusters=10),
    Design("10 % rare", 4, 100, 3, rare=0.1),
    Design("5 % rare", 4, 60, 3, rare=0.05),
    Design("5 % rare, 2 an answer", 4, 100, 6, of_answer=2, rare=0.05, leaning=0.2),
    Design("10 % rare, 10 unequal clusters", 4, 60, 3, rare=0.1, clusters=10),
)


def clusters_of(design: Design, cases: int) -> NDArray[np.int64]:
    """Give each case its cluster, of many cases as of few."""
    if not design.clusters:
        return np.arange(cases, dtype=np.int64)
    size = (design.cases - design.cases // 2) // (design.clusters - 1)
    if cases > design.cases:
        return np.arange(cases, dtype=np.int64) // size
    half = cases // 2
    rest = 1 + np.arange(cases - half) % (design.clusters - 1)
    return np.concatenate([np.zeros(half, np.int64), rest.astype(np.int64)])


def labels(rng: np.random.Generator, design: Design, cases: int, raters: int) -> Floats:
    """Draw every rater's label of every answer, shape (systems, cases, raters)."""
    shape = design.systems, cases, raters
    means = np.linspace(-1, 1, design.systems)
    seen = (means * (design.apart / means.var(ddof=1)) ** 0.5)[:, None, None]
    case, answer = rng.normal(size=(1, cases, 1)), rng.normal(size=(design.systems, cases, 1))
    if design.clusters:
        of_case = clusters_of(design, cases)
        many = int(of_case.max()) + 1
        case = (case + rng.normal(size=(1, many, 1))[:, of_case]) / 2**0.5
        answer = (answer + rng.normal(size=(design.systems, many, 1))[:, of_case]) / 2**0.5
    off = rng.random((1, 1, raters)) < A_TENTH if design.odd else np.ones((1, 1, raters))
    size = off * (10**0.5 if design.odd else 1.0)
    severity = design.severity**0.5 * size * rng.normal(size=(1, 1, raters))
    leaning = design.leaning**0.5 * size * rng.normal(size=(design.systems, 1, raters))
    own = 0.5 * rng.normal(size=(1, cases, raters)) + rng.normal(size=shape)
    said = seen + case + 0.7 * answer + severity + leaning + own
    if design.rare:
        width = (1 + 0.49 + design.severity + design.leaning + 0.25 + 1) ** 0.5
        return np.asarray(said / width > ndtri(design.rare), dtype=np.float64)
    return np.asarray(np.clip(np.rint(3 + 0.7 * said), 1, 5))


class Known(NamedTuple):
    """What is true: points of variance by where they come from."""

    system: float
    system_case: float
    system_rater: float
    residual: float
    answer: float
    of_label: float


def truth(design: Design) -> Known:
    """Take the variance of a large table apart, as by the analysis of variance."""
    rng = np.random.default_rng([SEED, 1, DESIGNS.index(design)])
    s, c, r = design.systems, 2000, 200
    y = labels(rng, design, c, r)
    centred = y - y.mean()
    by = {axes: centred.mean(axis=axes, keepdims=True) for axes in
          ((1, 2), (0, 2), (0, 1), (2,), (1,), (0,))}  # fmt: skip
    of_s, of_c, of_r, of_sc, of_sr, of_cr = by.values()
    left = centred - of_sc - of_sr - of_cr + of_s + of_c + of_r
    ms = float((left**2).sum()) / ((s - 1) * (c - 1) * (r - 1))
    ms_sr = c * float(((of_sr - of_s - of_r) ** 2).sum()) / ((s - 1) * (r - 1))
    ms_sc = r * float(((of_sc - of_s - of_c) ** 2).sum()) / ((s - 1) * (c - 1))
    ms_cr = s * float(((of_cr - of_c - of_r) ** 2).sum()) / ((c - 1) * (r - 1))
    ms_r = c * s * float((of_r**2).sum()) / (r - 1)
    ms_c = r * s * float((of_c**2).sum()) / (c - 1)
    parts = {"sr": (ms_sr - ms) / c, "sc": (ms_sc - ms) / r, "cr": (ms_cr - ms) / s}
    rater = (ms_r - ms_sr - ms_cr + ms) / (c * s)
    case = (ms_c - ms_sc - ms_cr + ms) / (r * s)
    means = np.mean([labels(rng, design, 200, 200).mean(axis=(1, 2)) for _ in range(MANY)], axis=0)
    system = float(means.var(ddof=1))
    answer = system + case + parts["sc"]
    return Known(
        system, parts["sc"], parts["sr"], ms, answer, rater + parts["sr"] + parts["cr"] + ms
    )


def rated(rng: np.random.Generator, design: Design) -> LongLabels:
    """Draw one study."""
    y = labels(rng, design, design.cases, design.raters)
    read = np.ones(y.shape, dtype=np.bool_)
    if design.of_answer:
        read = rng.random(y.shape).argsort(axis=2).argsort(axis=2) < design.of_answer
    if design.idle:
        read[:, :, -1] = rng.random(y.shape[:2]) < A_TENTH
    system, case, rater = (at.astype(np.int64) for at in np.nonzero(read))
    return LongLabels(y[read], system, case, rater, clusters_of(design, design.cases)[case])


def noise_of(design: Design) -> float:
    """Give what the means of studies vary by, apart from what all of a study have in common."""
    rng = np.random.default_rng([SEED, 2, DESIGNS.index(design)])
    means = np.empty((MEANS, design.systems))
    for at in range(MEANS):
        study = rated(rng, design)
        means[at] = np.bincount(study.system, study.values) / np.bincount(study.system)
    moved = means - means.mean(axis=1, keepdims=True)
    return float(moved.var(axis=0, ddof=1).sum()) / (design.systems - 1)


def rates(design: Design, studies: int) -> list[str]:
    """Say how often intervals hold what they are of, and how often so few raters settle it."""
    rng = np.random.default_rng([SEED, DESIGNS.index(design)])
    known = truth(design)
    raters = design.of_answer or design.raters
    now = known.system / (known.system + noise_of(design))
    answer = known.answer / (known.answer + known.of_label / raters)
    true = np.array([now, answer, np.ceil(_raters(known, design.cases))])
    found = [intervals(rng, design, raters) for _ in range(studies)]
    if holding(found, true).min() < HOLDS:
        found += [intervals(rng, design, raters) for _ in range(studies, LONGER)]
    n = len(found)
    held = [percent(float(share), n) for share in holding(found, true)]
    low, high = np.array(found)[:, 0].T
    open_ = float(((low < TARGET) & (high >= TARGET)).mean())
    if design.clusters:
        held[2] = "–"
    of = f"{now:.2f}", f"{answer:.2f}"
    return [of[0], held[0], of[1], held[1], held[2], percent(open_, n), str(n)]


def holding(found: Sequence[Floats], true: Floats) -> Floats:
    """Give the share of studies whose intervals hold each of what is true."""
    low, high = np.array(found).transpose(2, 0, 1)
    return np.asarray(((low <= true) & (true <= high)).mean(axis=0))


def intervals(rng: np.random.Generator, design: Design, raters: int) -> Floats:
    """Draw a study, and give both ends of what is printed of it, shape (3, 2)."""
    drawn = g_study(rated(rng, design), rng=rng, draws=DRAWS)
    if drawn.undefined:
        raise ValueError(drawn.undefined)
    ways = (
        drawn.of_systems_now,
        drawn.of_answer(raters),
        drawn.raters_for_systems(TARGET, design.cases),
    )
    ends = np.array([np.quantile(way[1:], [0.025, 0.975], method="nearest") for way in ways])
    ends[2] = np.ceil(ends[2])  # as printed
    return ends


def _raters(known: Known, cases: int) -> float:
    room = known.system * (1 - TARGET) / TARGET - known.system_case / cases
    return (known.system_rater + known.residual / cases) / room if room > 0 else np.inf


def main(studies: int) -> None:
    """Write the table."""
    lines = [
        f"| labels | systems | cases | raters | {' | '.join(HELD)} |",
        f"| --- |{' ---: |' * (3 + len(HELD))}",
    ]
    for design in DESIGNS:
        row = [design.title, str(design.systems), str(design.cases), str(design.raters)]
        lines.append(f"| {' | '.join([*row, *rates(design, studies)])} |")
        print(lines[-1], flush=True)
    put_table(PAGE, lines)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else STUDIES)
