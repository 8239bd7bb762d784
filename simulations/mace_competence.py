"""How often does MACE put a worse rater before a better one, and of whom does it say nothing now?

    python simulations/mace_competence.py [STUDIES]

Raters are right as often as the row says, and else say any other label. *Wrong order*: the worst
rater has a higher competence than the best. *Now*: and both competences are printed. *Refused*: a
study whose raters err apart has no competence because they seem to err together. The table is
written into simulations/mace-competence.md.
"""

import sys
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from page_table import percent, put_table

from medassay.consensus import fit_mace, no_competence
from medassay.judgements import Units

STUDIES: Final = 1000
SEED: Final = 90_210
PAGE: Final = Path(__file__).parents[1] / "simulations" / "mace-competence.md"


class Design(NamedTuple):
    """Raters who are right so often, and how many answers all of them judge."""

    right: tuple[float, ...]
    answers: int
    shared: int
    """Of the answers; the rest are judged by one rater each, in turn."""
    together: float = 0.0
    """On so many answers the second rater says what the first says, right or wrong."""
    steps: int = 0
    """Labels in an order: the first rater then says the label below the true one, always."""

    def __str__(self) -> str:
        right = ", ".join(f"{share:g}".lstrip("0") for share in self.right)
        if self.steps:
            return f"strict by one of {self.steps} labels, {right.partition(', ')[2]}"
        return f"{right}; first two alike on {self.together:.0%}" if self.together else right


class Rates(NamedTuple):
    """Shares of studies: the worst rater first, printed so now, and with both printed now."""

    before: float
    now: float
    printed: float


DESIGNS: Final = (
    Design((0.85, 0.55), 60, 60),
    Design((0.85, 0.55), 200, 200),
    Design((0.85, 0.85, 0.55), 60, 0),
    Design((0.85, 0.85, 0.55), 60, 20),
    Design((0.85, 0.85, 0.55), 60, 60),
    Design((0.85, 0.85, 0.85, 0.55), 60, 10),
    Design((0.85, 0.85, 0.85, 0.55), 60, 20),
    Design((0.85, 0.85, 0.85, 0.55), 60, 30),
    Design((0.85, 0.85, 0.85, 0.55), 150, 150),
    Design((0.85, 0.85, 0.85, 0.55), 200, 200),
    Design((0.85, 0.85, 0.85, 0.85, 0.85, 0.55), 60, 60),
    Design((0.75, 0.75, 0.85), 60, 60, together=0.5),
    Design((0.75, 0.75, 0.85), 200, 200, together=0.5),
    Design((0.75, 0.75, 0.85, 0.85), 60, 60, together=0.5),
    Design((0.75, 0.75, 0.85, 0.85), 150, 150, together=0.3),
    Design((0.75, 0.75, 0.85, 0.85), 150, 150, together=0.5),
    Design((0.75, 0.75, 0.85, 0.85), 200, 200, together=0.5),
    Design((0.75, 0.75, 0.85, 0.85), 60, 60, together=1.0),
    Design((0.75, 0.75, 0.85, 0.85, 0.85), 60, 60, together=0.5),
    Design((0.75, 0.75, 0.85, 0.85, 0.85), 150, 150, together=0.5),
    Design((0.75, 0.75, 0.85, 0.85, 0.85, 0.85), 60, 60, together=1.0),
    Design((1.0, 0.85, 0.85, 0.55), 60, 60, steps=5),
    Design((1.0, 0.85, 0.85, 0.55), 200, 200, steps=3),
)


def simulate(design: Design, studies: int, seed: int = SEED) -> Rates:
    """Draw studies, fit them, and count how often the worst rater stands before the best."""
    rng = np.random.default_rng(seed)
    wrong = told = printed = 0
    best, worst = (-1, 0) if design.together else (0, -1)
    for _ in range(studies):
        units = draw(design, rng)
        fitted = fit_mace(units, rng=rng)
        why = no_competence(units, fitted)
        false = fitted.competence[worst] > fitted.competence[best]
        shown = not (why[best] or why[worst])
        wrong, told, printed = wrong + false, told + (false and shown), printed + shown
    return Rates(wrong / studies, told / studies, printed / studies)


def draw(design: Design, rng: np.random.Generator) -> Units:
    """Draw one study."""
    labels, raters = design.steps or 2, len(design.right)
    truth = rng.integers(labels, size=design.answers)
    right = rng.random((design.answers, raters)) < np.array(design.right)
    other = rng.integers(1, labels, size=right.shape)
    codes = np.where(right, truth[:, None], (truth[:, None] + other) % labels)
    if design.steps:
        codes[:, 0] = np.maximum(truth - 1, 0)
    alike = rng.random(design.answers) < design.together
    codes[alike, 1] = codes[alike, 0]
    alone = np.arange(design.answers)[:, None] % raters != np.arange(raters)
    alone[: design.shared] = False
    return Units.from_codes(
        np.where(alone, -1, codes),
        list("abcde")[:labels],
        scale="ordinal" if design.steps else "nominal",
    )


def table(studies: int) -> list[str]:
    """Make the page's table."""
    lines = [
        "| right in | answers | judged by all | wrong order before | now | printed now |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for design in DESIGNS:
        cells = " | ".join(percent(share, studies) for share in simulate(design, studies))
        lines.append(f"| {design} | {design.answers} | {design.shared} | {cells} |")
        print(lines[-1], flush=True)
    return lines


if __name__ == "__main__":
    put_table(PAGE, table(int(sys.argv[1]) if len(sys.argv) > 1 else STUDIES))
