"""How often may a useless metric gate between versions, and a good one?

Written to simulations/gate-permits.md.

    python simulations/version_permits.py [STUDIES]

A study has three dimensions, five metrics, 100 cases, two raters and labels 0, 1, 2, as in
gate_permits.py. Its systems are versions: each family is of one of two kinds, which lie 1.6 SD of a
label apart in quality; families differ with SD .4 and versions of a family with SD .3. Metrics that
know the kind know nothing else. The good metric knows the versions of each family with a
correlation of .5, .8 or .95 on one dimension; the other four are useless. *Before* is the permit of
the gate with no scope: one point a system.
"""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from gate_permits import sources
from numpy.typing import NDArray
from page_table import drawn_on, percent, put_table

from medassay.validity import Evidence, permit
from medassay.validity.block import Block, blocks
from medassay.validity.order_test import OrderTest
from medassay.validity.surrogacy import adjusted_over_all, surrogacy, version_surrogacy

STUDIES: Final = 400
LONGER: Final = 4000
GOAL: Final = 0.025
"""Over it so many more studies are drawn."""
SEED: Final = 20_060
DIMENSIONS: Final = 3
METRICS: Final = 5
CASES: Final = 100
LAYOUTS: Final = ((3, 5), (4, 3), (8, 2), (6, 4), (14, 2), (12, 3))
"""Families, and versions of each."""
PAGE: Final = Path(__file__).parents[1] / "simulations" / "gate-permits.md"

_KINDS: Final = 0.8
_FAMILIES: Final = 0.4
_VERSIONS: Final = 0.3
_ANSWERS: Final = 0.7
_RATERS: Final = 0.5
_CUTS: Final = (-0.5, 0.5)
_GARBAGE: Final = -3.0

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Design:
    """What a study's metrics know.

    Attributes:
        title: In words.
        style: The SD of the metrics' offsets between versions, in SDs of an answer.
        kind: How much of the two kinds' difference every metric knows.
        garbage: Versions of the first family that are far worse, which every metric knows.
        one_family: Whether every metric follows quality in the first family, and there alone.
        by_family: Whether every metric follows quality in each family, or runs against it, by luck.
        good: The first metric's correlation with the versions' quality; None where it is useless.
    """

    title: str
    style: float = 0.3
    kind: float = 0.0
    garbage: int = 0
    one_family: bool = False
    by_family: bool = False
    good: float | None = None


DESIGNS: Final = (
    Design("noise", style=0.0),
    Design("an offset a version, SD .3"),
    Design("an offset a version, SD .6", style=0.6),
    Design("knows the kind, offsets SD .3", kind=1.0),
    Design("knows the kind, offsets SD .6", kind=1.0, style=0.6),
    Design("knows one garbage version", garbage=1),
    Design("follows quality in one family", one_family=True),
    Design("follows quality or its reverse, by family", by_family=True),
)
GOOD: Final = tuple(
    Design(f"one of five is good: {rho:g} between versions", kind=1.0, good=rho)
    for rho in (0.5, 0.8, 0.95)
)


def study(
    design: Design, families: int, versions: int, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Draw metrics and raters' means, shape (metrics or dimensions, systems, cases)."""
    family = np.repeat(np.arange(families), versions)
    kind = np.where(np.arange(families) % 2, 1.0, -1.0)[family]
    between = _FAMILIES * rng.normal(size=(DIMENSIONS, families))[:, family]
    within = _VERSIONS * rng.normal(size=(DIMENSIONS, family.size))
    quality = _KINDS * kind + between + within
    quality[:, : design.garbage] += _GARBAGE
    worth = rng.normal(size=(DIMENSIONS, family.size, CASES))
    latent = quality[:, :, None] + _ANSWERS * worth + rng.normal(size=(1, 1, CASES)) / 2
    heard = latent + _RATERS * rng.normal(size=(2, *latent.shape))
    judged = np.digitize(heard, _CUTS).mean(axis=0)
    known = design.style * rng.normal(size=(METRICS, family.size)) + design.kind * kind
    known[:, : design.garbage] += _GARBAGE
    if design.one_family:
        known[:, family == 0] += 3 * within[0, family == 0]
    if design.by_family:
        known += 3 * rng.normal(size=(METRICS, families))[:, family] * within[0]
    if design.good is not None:
        luck = _VERSIONS * rng.normal(size=family.size)
        known[0] = design.kind * kind + design.good * within[0] + (1 - design.good**2) ** 0.5 * luck
    return known[:, :, None] + rng.normal(size=(METRICS, family.size, CASES)), judged


def permitted(block: Block, of_family: dict[str, str]) -> tuple[NDArray[np.bool_], ...]:
    """Say which metric may gate on which dimension: before, and between versions."""
    at = list(np.ndindex(len(block.metrics), len(block.consensuses)))
    lines = adjusted_over_all([surrogacy(block, i, j, None) for i, j in at])
    changes = adjusted_over_all([version_surrogacy(block, i, j, of_family) for i, j in at])
    scopes = [
        permit(Evidence(None, None, None, OrderTest(0), None, (), line, versions=change)).scopes
        for line, change in zip(lines, changes, strict=True)
    ]
    shape = len(block.metrics), len(block.consensuses)
    return tuple(
        np.array([scope in one for one in scopes]).reshape(shape)
        for scope in ("between systems", "between versions")
    )


def rates(
    design: Design, families: int, versions: int, studies: int, longer: int
) -> tuple[list[float], int]:
    """Give in which shares of studies the good one is permitted, and any useless: before and now.

    And how many studies were drawn.
    """
    rng = np.random.default_rng([SEED, (*DESIGNS, *GOOD).index(design), families])
    of_family = {f"{i:03}": f"f{i // versions}" for i in range(families * versions)}

    def said() -> list[bool]:
        metrics, judged = study(design, families, versions, rng)
        [block] = blocks(sources("metric", metrics), sources("dimension", judged))
        given = permitted(block, of_family)
        good = [design.good is not None and bool(own[0, 0]) for own in given]
        return good + [bool(own[int(design.good is not None) :].any()) for own in given]

    return drawn_on(said, studies, longer, GOAL)


def main(studies: int) -> None:
    """Write the table."""
    titles = ["metrics", "families", "versions", "any useless, before", "now"]
    titles += ["good, before", "now", "studies"]
    lines = [f"| {' | '.join(titles)} |", f"| --- |{' ---: |' * (len(titles) - 1)}"]
    for design in (*DESIGNS, *GOOD):
        for families, versions in LAYOUTS:
            shares, many = rates(design, families, versions, studies, LONGER)
            good, useless = (
                [percent(share, many) for share in part] for part in (shares[:2], shares[2:])
            )
            cells = useless + (["–", "–"] if design.good is None else good)
            lines.append(
                f"| {design.title} | {families} | {versions} | {' | '.join(cells)} | {many} |"
            )
            print(lines[-1], flush=True)
    put_table(PAGE, lines, "versions")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else STUDIES)
