"""How often does MACE put a worse rater before a better one, and of whom does it say nothing now?

    python bench/mace_competence.py [STUDIES]

Two labels, equally frequent; raters are right as often as the row says. *Wrong order*: the last,
worst rater has a higher competence than the first. *Now*: and both competences are printed. The
table is printed as it stands in design/mace-competence.md.
"""

import sys
from typing import Final, NamedTuple

import numpy as np
from page_table import percent

from medassay.consensus import fit_mace
from medassay.consensus.mace_known import not_identified
from medassay.judgements import Units

STUDIES: Final = 1000
SEED: Final = 90_210


class Design(NamedTuple):
    """Raters who are right so often, and how many answers all of them judge."""

    right: tuple[float, ...]
    answers: int
    shared: int
    """Of the answers; the rest are judged by one rater each, in turn."""


class Rates(NamedTuple):
    """Shares of studies: the worst rater first, printed so now, and with both printed now."""

    before: float
    now: float
    printed: float


DESIGNS: Final = (
    Design((0.85, 0.55), 60, 60),
    Design((0.85, 0.55), 200, 200),
    Design((0.85, 0.85, 0.55), 60, 0),
    Design((0.85, 0.85, 0.55), 60, 5),
    Design((0.85, 0.85, 0.55), 60, 10),
    Design((0.85, 0.85, 0.55), 60, 20),
    Design((0.85, 0.85, 0.55), 60, 30),
    Design((0.85, 0.85, 0.55), 60, 40),
    Design((0.85, 0.85, 0.55), 60, 60),
    Design((0.85, 0.85, 0.85, 0.55), 60, 30),
)


def simulate(design: Design, studies: int, seed: int = SEED) -> Rates:
    """Draw studies, fit them, and count how often the worst rater stands before the best."""
    rng = np.random.default_rng(seed)
    wrong = told = printed = 0
    raters = len(design.right)
    for _ in range(studies):
        truth = rng.integers(2, size=design.answers)
        right = rng.random((design.answers, raters)) < np.array(design.right)
        codes = np.where(right, truth[:, None], 1 - truth[:, None])
        alone = np.arange(design.answers)[:, None] % raters != np.arange(raters)
        alone[: design.shared] = False
        units = Units.from_codes(np.where(alone, -1, codes), ["a", "b"])
        found = fit_mace(units, rng=rng).competence
        why = not_identified(units)
        false = found[-1] > found[0]
        shown = not (why[0] or why[-1])
        wrong, told, printed = wrong + false, told + (false and shown), printed + shown
    return Rates(wrong / studies, told / studies, printed / studies)


def main(studies: int) -> None:
    """Print the table."""
    print("| right in | answers | judged by all | wrong order before | now | printed now |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for design in DESIGNS:
        found = simulate(design, studies)
        cells = " | ".join(percent(share, studies) for share in found)
        right = ", ".join(f"{one:g}".lstrip("0") for one in design.right)
        print(f"| {right} | {design.answers} | {design.shared} | {cells} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else STUDIES)
