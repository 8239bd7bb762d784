"""How often is a rater called strict, or a system preferred, where all are alike? To design/.

    python bench/rater_words.py

Raters share half of what their labels from 1 to 5 vary by, half of that being the case's; none of
them is stricter or reads the scale backwards. Where *no view is shared* nobody can be told from who
reads it backwards but by luck, which is the worst there can be. Of preferences, every system is as
good as another; a case leans to some of its answers, and its raters with it.
"""

from itertools import combinations
from pathlib import Path
from typing import Final

import numpy as np
from page_table import percent, put_table

from medassay.analyses.builtin.preferences.words import stands_out
from medassay.analyses.builtin.rater_effects.words import severity_finding
from medassay.consensus import tally_preferences
from medassay.exhibits import Names
from medassay.judgements import Judgements, Preferences, load_rubric
from medassay.validity import diagnose_raters
from medassay.validity.backwards import read_backwards
from medassay.validity.rater_rows import rater_rows

STUDIES: Final = 1000
SEED: Final = 60221
REPLICATES: Final = 400
PANELS: Final = ((2, 20, 1), (3, 20, 3), (3, 60, 1), (6, 20, 3), (12, 20, 1), (12, 60, 1))
"""Raters, cases, systems."""
CHOICES: Final = ((2, 20, 1), (2, 60, 3), (3, 20, 2), (6, 20, 2), (6, 60, 3))
"""Systems, cases, raters."""
PAGE: Final = Path(__file__).parents[1] / "design" / "rater-words.md"


def labels(
    rng: np.random.Generator, raters: int, cases: int, systems: int, shared: float
) -> Judgements:
    """Draw what alike raters say, `shared` being the share of variance that they have in common."""
    truth = rng.normal(size=(cases, systems)) + rng.normal(size=(cases, 1))
    own = rng.normal(size=(raters, cases, systems)) + rng.normal(size=(raters, cases, 1))
    drawn = 3 + (shared / 2) ** 0.5 * truth + ((1 - shared) / 2) ** 0.5 * own
    said = np.clip(np.rint(drawn), 1, 5).astype(np.int64)
    rows = [
        {
            "rater": f"r{rater}", "system": f"s{system}", "case": str(case),
            "dimension": "quality", "label": str(said[rater, case, system]),
        }
        for rater, case, system in np.ndindex(said.shape)
    ]  # fmt: skip
    return Judgements.from_rows(rows, load_rubric("likert5"))


def called_strict(rng: np.random.Generator, raters: int, cases: int, systems: int) -> bool:
    """Say whether somebody is called stricter or milder than the others."""
    effects = diagnose_raters(
        labels(rng, raters, cases, systems, 0.5), rng=rng, fits=(), replicates=REPLICATES
    )
    names = Names()
    names.cases = cases
    return severity_finding(effects, names) is not None


def called_backwards(rng: np.random.Generator, raters: int, cases: int, systems: int) -> bool:
    """Say whether somebody is said to read the scale backwards, where no view is shared."""
    judgements = labels(rng, raters, cases, systems, 0.0)
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


def main() -> None:
    """Simulate, and write both tables."""
    lines = [
        "| raters | cases | systems | called stricter or milder | called a reader backwards |",
        "| ---: | ---: | ---: | ---: | ---: |",
    ]
    for place, panel in enumerate(PANELS):
        rng = np.random.default_rng([SEED, place])
        strict = float(np.mean([called_strict(rng, *panel) for _ in range(STUDIES)]))
        turned = float(np.mean([called_backwards(rng, *panel) for _ in range(STUDIES)]))
        cells = [str(n) for n in panel] + [percent(rate, STUDIES) for rate in (strict, turned)]
        lines.append(f"| {' | '.join(cells)} |")
        print(lines[-1], flush=True)
    put_table(PAGE, lines)
    lines = ["| systems | cases | raters | called preferred |", "| ---: | ---: | ---: | ---: |"]
    for place, panel in enumerate(CHOICES):
        rng = np.random.default_rng([SEED, 100 + place])
        rate = float(np.mean([called_preferred(rng, *panel) for _ in range(STUDIES)]))
        lines.append(f"| {' | '.join(str(n) for n in panel)} | {percent(rate, STUDIES)} |")
        print(lines[-1], flush=True)
    put_table(PAGE, lines, "preferences")


if __name__ == "__main__":
    main()
