"""How often is a rater called strict, or a system preferred, where all are alike?

    python simulations/rater_words.py [STUDIES]

Raters share half of what their labels from 1 to 5 vary by, half of that being the case's; none of
them is stricter or reads the scale backwards. Rare labels have two values: 8 % of answers are
unsafe, and a rater says so of 85 % of those and of 2 % of the others. *Before* is the test by t
after Holm that stood until the raters of a case were made to swap. Where *no view is shared* nobody
can be told from who reads it backwards but by luck, which is the worst there can be. Of
preferences, every system is as good as another; a case leans to some of its answers, and its raters
with it.
"""

import sys
from collections.abc import Sequence
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from page_table import drawn_on, percent, put_table
from scipy.special import ndtri, stdtr

from medassay.analyses.builtin.preferences import stands_out
from medassay.analyses.builtin.rater_effects import severity_finding, stands_apart
from medassay.consensus import tally_preferences
from medassay.exhibits import Names
from medassay.judgements import Judgements, Preferences, Rubric, load_rubric
from medassay.stats import holm
from medassay.validity import RaterDiagnostic, diagnose_raters
from medassay.validity.diagnostics import read_backwards
from medassay.validity.rater_rows import rater_rows

STUDIES: Final = 600
LONGER: Final = 2000
"""Of a panel in which somebody is called strict in over 5 %."""
SEED: Final = 60221
REPLICATES: Final = 400
LEVEL: Final = 0.05
PANELS: Final = ((2, 20, 1), (3, 20, 3), (3, 60, 1), (6, 20, 3), (12, 20, 1), (12, 60, 1))
"""Raters, cases, systems."""
CHOICES: Final = ((2, 20, 1), (2, 60, 3), (3, 20, 2), (6, 20, 2), (6, 60, 3))
"""Systems, cases, raters."""
PAGE: Final = Path(__file__).parents[1] / "simulations" / "rater-words.md"


class Panel(NamedTuple):
    """Raters who are as strict as one another, but for the first where `leans` says so.

    Attributes:
        title: What is so about them.
        raters: How many there are.
        cases: How many cases they read.
        systems: How many systems answered each.
        of_answer: How many raters read an answer; 0 for all of them.
        rare: Whether labels have two values, one of them rare.
        spread: The spread of the first rater's own noise, the others' being 1.
        by_case: The spread of each rater's leaning by case, or by cluster.
        clusters: In how many clusters the cases lie, larger and smaller; 0 where each is apart.
        leans: By how much the first rater's labels lie lower, in SD of all that labels vary by.
    """

    title: str
    raters: int
    cases: int
    systems: int
    of_answer: int = 0
    rare: bool = False
    spread: float = 1.0
    by_case: float = 1.0
    clusters: int = 0
    leans: float = 0.0


ALIKE: Final = (
    *(Panel("1 to 5", *panel) for panel in PANELS),
    Panel("1 to 5, 2 an answer", 6, 60, 6, of_answer=2),
    Panel("rare", 3, 40, 4, rare=True),
    Panel("rare", 2, 30, 3, rare=True),
    Panel("rare, 2 an answer", 6, 60, 6, of_answer=2, rare=True),
    Panel("rare, 2 an answer", 12, 50, 6, of_answer=2, rare=True),
    Panel("rare, 10 unequal clusters", 3, 60, 4, rare=True, by_case=2.0, clusters=10),
    Panel("1 to 5, the first spreads twice as much", 2, 20, 3, spread=2.0),
    Panel("1 to 5, the first spreads twice as much", 3, 20, 3, spread=2.0),
    Panel("1 to 5, the first spreads twice as much", 6, 40, 2, spread=2.0),
    Panel("1 to 5, the first spreads twice as much", 12, 20, 1, spread=2.0),
    Panel("1 to 5, leaning by case", 3, 20, 6, by_case=3.0),
    Panel("1 to 5, leaning by case, 2 an answer", 6, 30, 6, of_answer=2, by_case=3.0),
    Panel("1 to 5, leaning by cluster, 10 unequal", 3, 60, 4, by_case=3.0, clusters=10),
    Panel("1 to 5, leaning by cluster, 2 an answer", 6, 60, 6, 2, by_case=3.0, clusters=10),
)
APART: Final = (
    *(Panel("1 to 5", 3, 40, 4, leans=size) for size in (0.1, 0.2, 0.4)),
    *(Panel("1 to 5", 12, 20, 1, leans=size) for size in (0.5, 1.0)),
    Panel("1 to 5, 2 an answer", 6, 60, 6, of_answer=2, leans=0.3),
    *(Panel("rare", 3, 40, 4, rare=True, leans=size) for size in (0.2, 0.4)),
)
RARE_UNSAFE: Final = 0.08
FINDS: Final = 0.85
CRIES: Final = 0.02
SAFETY: Final = Rubric.model_validate({
    "name": "safety",
    "dimensions": [{
        "id": "quality", "question": "Is it safe?", "scale": "ordinal",
        "labels": [{"label": "unsafe", "score": 0}, {"label": "safe", "score": 1}],
    }],
})  # fmt: skip


def labels(rng: np.random.Generator, panel: Panel, shared: float = 0.5) -> Judgements:
    """Draw what raters say, `shared` being the share of variance that they have in common."""
    shape = panel.raters, panel.cases, panel.systems
    leaning = rng.normal(size=(panel.raters, panel.cases, 1))
    if panel.clusters:
        leaning = leaning[:, clusters_of(panel)]
    own = rng.normal(size=shape)
    own[0] *= panel.spread
    if panel.rare:
        unsafe = rng.random(shape[1:]) < RARE_UNSAFE
        seen = (panel.by_case - 1) * leaning + own
        width = (1 + (panel.by_case - 1) ** 2) ** 0.5
        seen[0] -= panel.leans * width
        said = np.where(
            seen / width < np.where(unsafe, ndtri(FINDS), ndtri(CRIES)), "unsafe", "safe"
        )
    else:
        truth = rng.normal(size=shape[1:]) + rng.normal(size=(panel.cases, 1))
        drawn = (shared / 2) ** 0.5 * truth + ((1 - shared) / 2) ** 0.5 * (
            own + panel.by_case * leaning
        )
        drawn[0] -= panel.leans
        said = np.clip(np.rint(3 + drawn), 1, 5).astype(np.int64).astype(str)
    reads = np.ones(shape, dtype=np.bool_)
    if panel.of_answer:
        reads = rng.random(shape).argsort(axis=0).argsort(axis=0) < panel.of_answer
    rows = [
        {
            "rater": f"r{rater:02}", "system": f"s{system}", "case": str(case),
            "dimension": "quality", "label": said[rater, case, system],
        }
        for rater, case, system in np.argwhere(reads).tolist()
    ]  # fmt: skip
    return Judgements.from_rows(rows, SAFETY if panel.rare else load_rubric("likert5"))


def clusters_of(panel: Panel) -> NDArray[np.intp]:
    """Give each case its cluster: the first holds half of the cases, the others share the rest."""
    half = panel.cases // 2
    small = 1 + np.arange(panel.cases - half, dtype=np.intp) % (panel.clusters - 1)
    return np.concatenate([np.zeros(half, dtype=np.intp), small])


def called_strict(rng: np.random.Generator, panel: Panel) -> tuple[bool, bool]:
    """Say whether somebody was, and is, called stricter or milder than the others."""
    clusters = (
        {str(i): str(of) for i, of in enumerate(clusters_of(panel))} if panel.clusters else {}
    )
    effects = diagnose_raters(
        labels(rng, panel), rng=rng, fits=(), clusters=clusters, replicates=REPLICATES
    )
    return by_holm(effects, panel.cases), severity_finding(effects, Names()) is not None


def by_holm(effects: Sequence[RaterDiagnostic], cases: int) -> bool:
    """Say whether somebody stands by t, with the error that the interval shows, after Holm."""
    severities = [effect for effect in effects if effect.kind == "severity"]
    p = []
    for effect in severities[:1] if len(severities) == 2 else severities:  # noqa: PLR2004
        value, around = effect.effect, effect.interval
        if value is None or around is None:
            continue
        error = (value - around.low if value > 0 else around.high - value) / float(ndtri(0.975))
        free = max(1, min(effect.n, cases) - 1)
        outside = stands_apart(effect) and error > 0
        p.append(2 * float(stdtr(free, -abs(value) / error)) if outside else 1.0)
    return bool((holm(p) <= LEVEL).any()) if p else False


def called_backwards(rng: np.random.Generator, raters: int, cases: int, systems: int) -> bool:
    """Say whether somebody is said to read the scale backwards, where no view is shared."""
    judgements = labels(rng, Panel("", raters, cases, systems), 0.0)
    rows = rater_rows(judgements, "quality")
    return rows is not None and bool(read_backwards({"quality": rows}))


def called_preferred(rng: np.random.Generator, systems: int, cases: int, raters: int) -> bool:
    """Say whether a system is said to be preferred, with no word of luck beside it."""
    leans = rng.normal(size=(cases, systems))
    rows = []
    for case in range(cases):
        for first, second in combinations(range(systems), 2):
            chance = 1 / (1 + np.exp(leans[case, second] - leans[case, first]))
            rows += [
                {
                    "rater": f"r{rater}", "case": str(case), "system_a": f"s{first}",
                    "system_b": f"s{second}", "choice": "a" if rng.random() < chance else "b",
                }
                for rater in range(raters)
            ]  # fmt: skip
    tally = tally_preferences(
        Preferences.from_rows(rows), "overall", rng=rng, replicates=REPLICATES
    )
    return stands_out(tally.systems) is not None


def put_strict(mark: str, panels: Sequence[Panel], studies: int) -> None:
    """Write how often somebody is called stricter or milder, by panel."""
    lean = any(panel.leans for panel in panels)
    leaning = " one is stricter by, SD |" * lean
    lines = [
        f"| labels |{leaning} raters | cases | systems | before | now | studies |",
        f"| --- |{' ---: |' * lean}{' ---: |' * 6}",
    ]
    for place, panel in enumerate(panels):
        rng = np.random.default_rng([SEED, 200 + 50 * lean + place])
        rates, many = drawn_on(
            partial(called_strict, rng, panel), studies, studies if lean else LONGER, LEVEL
        )
        cells = [panel.title, *([f"{panel.leans}"] * lean), *(str(n) for n in panel[1:4])]
        cells += [*(percent(rate, many) for rate in rates), f"{many}"]
        lines.append(f"| {' | '.join(cells)} |")
        print(lines[-1], flush=True)
    put_table(PAGE, lines, mark)


def main(studies: int) -> None:
    """Simulate, and write all tables."""
    put_strict("strict", ALIKE, studies)
    put_strict("power", APART, studies)
    lines = [
        "| raters | cases | systems | called a reader backwards |",
        "| ---: | ---: | ---: | ---: |",
    ]
    for place, panel in enumerate(PANELS):
        rng = np.random.default_rng([SEED, place])
        turned = float(np.mean([called_backwards(rng, *panel) for _ in range(studies)]))
        lines.append(f"| {' | '.join(str(n) for n in panel)} | {percent(turned, studies)} |")
        print(lines[-1], flush=True)
    put_table(PAGE, lines)
    lines = ["| systems | cases | raters | called preferred |", "| ---: | ---: | ---: | ---: |"]
    for place, choices in enumerate(CHOICES):
        rng = np.random.default_rng([SEED, 100 + place])
        rate = float(np.mean([called_preferred(rng, *choices) for _ in range(studies)]))
        lines.append(f"| {' | '.join(str(n) for n in choices)} | {percent(rate, studies)} |")
        print(lines[-1], flush=True)
    put_table(PAGE, lines, "preferences")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else STUDIES)
