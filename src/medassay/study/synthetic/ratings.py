"""Who said what in the made-up study."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.study.synthetic.patterns import LABELS, PATTERNS

__all__ = ["CASES", "RATERS", "SYSTEMS", "World", "judgement_rows", "make_world"]

SYSTEMS: Final = 28
CASES: Final = 100
RATERS: Final = 26
PANEL: Final = 3

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class World:
    """What is true in the made-up study.

    Attributes:
        skill: How good each system is, shape (systems,).
        ease: How easy each case is, shape (cases,).
        quality: How well each answer answers the question, shape (systems, cases).
        grounding: How well it uses the evidence, the same shape.
        knowledge: How much general knowledge it brings in, the same shape.
    """

    skill: Floats
    ease: Floats
    quality: Floats
    grounding: Floats
    knowledge: Floats


def make_world(rng: np.random.Generator) -> World:
    """Draw the systems, the cases, and how good each answer is."""
    skill = rng.normal(size=SYSTEMS)
    ease = rng.normal(size=CASES)
    common = 0.35 * skill[:, None] + 0.7 * ease[None, :]

    def drawn(weight: float) -> Floats:
        noise = rng.normal(size=(SYSTEMS, CASES))
        return weight * common + noise

    grounding_skill = 0.3 * rng.normal(size=SYSTEMS)
    knowledge_skill = 0.5 * rng.normal(size=SYSTEMS)
    return World(
        skill,
        ease,
        drawn(1.0),
        drawn(0.3) + grounding_skill[:, None],
        drawn(0.1) + knowledge_skill[:, None],
    )


def judgement_rows(world: World, rng: np.random.Generator) -> list[dict[str, str]]:
    """Give every judgement: three raters an answer, each with an order of their own.

    The better an answer is, the better the pattern of labels it gets, with noise; within a pattern
    the severer rater tends to the lower label. The counts of patterns are fixed, so the margins
    come out exactly as published whatever is drawn.
    """
    panels = _panels(rng)
    severity = rng.normal(size=RATERS)
    latent = {
        "answers-question": world.quality,
        "uses-evidence": world.grounding,
        "uses-knowledge": world.knowledge,
    }
    labels_of = {
        dimension: _labels(dimension, latent[dimension], panels, severity, rng)
        for dimension in LABELS
    }
    position = _positions(panels, rng)
    return [
        {
            "rater": f"R{panels[answer, seat] + 1:02}",
            "system": system_name(answer // CASES),
            "case": case_name(answer % CASES),
            "dimension": dimension,
            "label": LABELS[dimension][labels_of[dimension][answer, seat]],
            "position": str(position[answer, seat]),
        }
        for answer in range(SYSTEMS * CASES)
        for seat in range(PANEL)
        for dimension in LABELS
    ]


def system_name(place: int) -> str:
    """Name a system by its place."""
    return f"S{place + 1:02}"


def case_name(place: int) -> str:
    """Name a case by its place."""
    return f"{place + 1:03}"


def _panels(rng: np.random.Generator) -> NDArray[np.int64]:
    """Give each answer three different raters, every rater nearly the same number of answers."""
    answers = SYSTEMS * CASES
    panels = np.empty((answers, PANEL), dtype=np.int64)
    load = np.zeros(RATERS)
    for answer in range(answers):
        # The least busy raters, ties at random.
        order = np.lexsort((rng.random(RATERS), load))[:PANEL]
        panels[answer] = rng.permutation(order)
        load[order] += 1
    return panels


def _positions(panels: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """Give each rater an order of their own over the answers that they judge."""
    position = np.zeros(panels.shape, dtype=np.int64)
    for rater in range(RATERS):
        mine = np.argwhere(panels == rater)
        for place, (answer, seat) in enumerate(mine[rng.permutation(len(mine))], start=1):
            position[answer, seat] = place
    return position


def _labels(
    dimension: str,
    latent: Floats,
    panels: NDArray[np.int64],
    severity: Floats,
    rng: np.random.Generator,
) -> NDArray[np.int64]:
    """Give each answer of each seat the position of its label."""
    points = _points(dimension)
    patterns = sorted(
        (pattern for pattern, count in PATTERNS[dimension].items() for _ in range(count)),
        key=lambda pattern: (-sum(n * p for n, p in zip(pattern, points, strict=True)), pattern),
    )
    order = np.argsort(-(latent.ravel() + 0.5 * rng.normal(size=latent.size)), kind="stable")
    labels = np.empty(panels.shape, dtype=np.int64)
    for answer, pattern in zip(order.tolist(), patterns, strict=True):
        # Best label first; the mildest rater of the panel gets it most often.
        points_down = sorted(
            (k for k, n in enumerate(pattern) for _ in range(n)), key=lambda k: -points[k]
        )
        mild = np.argsort(severity[panels[answer]] + 1.5 * rng.normal(size=PANEL), kind="stable")
        labels[answer, mild] = points_down
    return labels


def _points(dimension: str) -> tuple[int, int, int]:
    """Give the labels the scores of the rubric."""
    return (2, 1, 0) if dimension == "answers-question" else (1, 0, -1)
