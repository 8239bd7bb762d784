"""How often is a sound criterion called one that worse answers meet, and is a wrong one found?

    python simulations/item_analysis.py

A seeded simulation. A study has conversations of eleven criteria, eight with
positive points. An answer has a quality in its conversation; a sound criterion is met more often by
better answers (a slope of one on the logit scale, or of a half), each from a level of its own. In
the last rows some criteria are the wrong way round, or every criterion follows nothing at all, or a
trait of the system that has no part in quality and is shared by its repeated answers.
"""

import os
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import polars as pl
from page_table import percent, put_table

from medassay.analyses.builtin.criteria import items_of
from medassay.cases import Case, Cases, Criterion, Turn

POINTS: Final = (10, 8, 7, 5, 5, 4, 3, 2, -8, -6, -4)
CONVERSATIONS: Final = 20
STUDIES: Final = 1000
SEED: Final = 2026
PAGE: Final = Path(__file__).parents[1] / "simulations" / "item-analysis.md"
_NOTHING: Final = 1e-9
_WRONG: Final = "met by worse answers"
_NAMES: Final = tuple(f"criterion:k{at}" for at in range(len(POINTS)))


class Setting(NamedTuple):
    """One row: answers are systems times samples of each."""

    name: str
    systems: int
    samples: int = 1
    slope: float = 1.0
    wrong: float = 0.0
    trait: float = 0.0


SETTINGS: Final = (
    Setting("sound", 10),
    Setting("sound", 30),
    Setting("sound", 60),
    Setting("sound, weakly so", 30, slope=0.5),
    Setting("sound, weakly so", 60, slope=0.5),
    Setting("sound, three samples of a system", 10, 3),
    Setting("1 % the wrong way round", 30, wrong=0.01),
    Setting("1 % the wrong way round", 60, wrong=0.01),
    Setting("1 % the wrong way round", 120, wrong=0.01),
    Setting("5 % the wrong way round", 60, wrong=0.05),
    Setting("follows nothing", 30, slope=0.0),
    Setting("follows a trait, three samples of a system", 10, 3, slope=0.0, trait=2.0),
    Setting("follows a trait, twelve samples of a system", 10, 12, slope=0.0, trait=2.0),
)


def drawn(rng: np.random.Generator, setting: Setting) -> tuple[pl.DataFrame, set[tuple[str, str]]]:
    """Draw which answer meets which criterion, and which criteria are the wrong way round."""
    shape = CONVERSATIONS, setting.systems, setting.samples, len(POINTS)
    ability = rng.normal(0, 0.7, (1, setting.systems, 1, 1))
    quality = ability + rng.normal(0, 0.7, (*shape[:3], 1))
    trait = setting.trait * rng.normal(size=(CONVERSATIONS, setting.systems, 1, len(POINTS)))
    turned = rng.random((CONVERSATIONS, 1, 1, len(POINTS))) < setting.wrong
    slope = setting.slope * np.sign(POINTS) * np.where(turned, -1, 1)
    level = rng.normal(0, 1, (CONVERSATIONS, 1, 1, len(POINTS)))
    met = rng.random(shape) < 1 / (1 + np.exp(-(level + slope * quality + trait)))
    case, system, sample, about = (axis.ravel() for axis in np.indices(shape))
    frame = pl.DataFrame({
        "case": [f"c{at}" for at in case], "system": [f"s{at}" for at in system],
        "sample": sample, "about": [_NAMES[at] for at in about],
        "value": met.ravel().astype(np.float64),
    })  # fmt: skip
    places = np.argwhere(turned[:, 0, 0])
    return frame, {(f"c{case}", _NAMES[about]) for case, about in places.tolist()}


def conversations() -> Cases:
    """Make the conversations, whose criteria have texts that name them."""
    criteria = tuple(
        Criterion(id=f"k{at}", text=f"criterion:k{at}", points=points)
        for at, points in enumerate(POINTS)
    )
    asked = (Turn(role="user", text="?"),)
    return Cases.of(
        Case(case=f"c{number}", turns=asked, criteria=criteria) for number in range(CONVERSATIONS)
    )


def row(setting: Setting, cases: Cases) -> list[str]:
    """Simulate one row of the table."""
    negative, sound, named, false, some, hit, wrong = 0, 0, 0, 0, 0, 0, 0
    for study in range(STUDIES):
        rng = np.random.default_rng([SEED, SETTINGS.index(setting), study])
        frame, turned = drawn(rng, setting)
        shown, counts, _ = items_of(frame, cases, {})
        flagged = {(item.case, item.criterion) for item in shown if item.problem == _WRONG}
        if len(flagged) != counts[_WRONG]:
            message = "a report shows too few of them to count them"
            raise RuntimeError(message)
        sound += CONVERSATIONS * len(POINTS) - len(turned)
        wrong += len(turned)
        named += len(flagged)
        false += len(flagged - turned)
        hit += len(flagged & turned)
        some += bool(flagged - turned)
        negative += _below(frame)
    return [
        setting.name,
        f"{setting.systems * setting.samples}",
        f"{100 * negative / (sound + wrong):.1f}",
        f"{100 * false / sound:.3f}",
        percent(some / STUDIES, STUDIES),
        f"{100 * false / named:.1f}" if named else "none named",
        percent(hit / wrong, wrong) if wrong else "",
    ]


def _below(frame: pl.DataFrame) -> int:
    """Count criteria whose plain correlation with the others' points lies below 0."""
    size = frame.height // CONVERSATIONS // len(POINTS)
    values = frame["value"].to_numpy().reshape(CONVERSATIONS, size, len(POINTS))
    worth = np.array(POINTS, dtype=np.float64)
    rest = (values @ worth)[..., None] - values * worth
    centred = values - values.mean(axis=1, keepdims=True)
    covariance = (centred * rest).sum(axis=1) * np.sign(worth)
    return int((covariance < -_NOTHING).sum())


def main() -> None:
    """Write the table between the page's marks."""
    head = ["criteria", "answers", "correlation below 0, %", "sound ones named, %"]
    head += ["studies that name a sound one", "of those named, sound, %", "wrong ones found"]
    lines = [f"| {' | '.join(head)} |", f"| {' | '.join(['---'] * len(head))} |"]
    cases = conversations()
    for setting in SETTINGS:
        lines.append(f"| {' | '.join(row(setting, cases))} |")
        print(lines[-1], flush=True)
    put_table(PAGE, lines)


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
