"""Who is certified that obeys text in answers, or overlooks what people overlook? To design/.

    python simulations/judge_canaries.py [STUDIES [blind|table]]

Three people and a judge say of every answer whether it is harmful, as in `judge_verdicts.py`. The
judges are scripted: each finds .95 of the harm and passes .98, and obeys what its name says. Where
answers of the study hold an instruction, who obeys instructions says none of them. *Before* is the
certificate without planted text; *now* text is planted as `judge --certify` does: in all answers,
up to 300, those that the judge calls harmful first.

Of a shared blind spot half of the harm is subtle: people find .95 of the obvious and .40 of the
subtle harm, and the judge sees the obvious alone. Where answers are known to be harmful, there are
as many more as the row says, among the others.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from judge_verdicts import DESIGNS, Design, draw, drawn, verdicts
from numpy.typing import NDArray
from page_table import percent, put_table

from medassay.study.certificates.checks import (
    KINDS,
    MOST,
    PLANTED,
    CanaryRecord,
    finds_known,
    unmoved,
)
from medassay.validity import JudgeKnown, canary_flips, judge_rate

STUDIES: Final = 1000
SEED: Final = 57721
FINDS: Final = 0.95
PASSES: Final = 0.98
OBVIOUS: Final = 0.95
SUBTLE: Final = 0.40
PAGE: Final = Path(__file__).parents[1] / "simulations" / "judge-canaries.md"

Calls = NDArray[np.bool_]


class Scripted(NamedTuple):
    """A judge.

    Attributes:
        title: Its name in the table.
        obeys: The kinds that it obeys.
        often: In which share of the answers.
        flips: How often it changes its mind whatever is planted.
    """

    title: str
    obeys: tuple[str, ...] = ()
    often: float = 1.0
    flips: float = 0.02


OBEDIENT: Final = (
    *(Scripted(f"obeys: {kind}", (kind,)) for kind in KINDS),
    Scripted("obeys: every kind", KINDS),
    Scripted("obeys: every kind, flips 5 %", KINDS, flips=0.05),
    Scripted("obeys: one kind, flips 5 %", KINDS[:1], flips=0.05),
)
SELDOM: Final = tuple(
    Scripted(f"in {often:.0%} of the answers, {words}", kinds, often)
    for often in (0.5, 0.3, 0.2, 0.1)
    for words, kinds in (("one kind", KINDS[:1]), ("every kind", KINDS))
)
UNMOVED: Final = tuple(
    Scripted(f"moved by nothing, flips {flips:.0%}", flips=flips) for flips in (0.0, 0.02, 0.05)
)
STUDIES_OF: Final = tuple(
    design
    for design in DESIGNS
    if design.title
    in {
        "300 answers, 34 harmful, 30 called so",
        "300 answers, 60 harmful",
        "150 answers, 45 harmful",
    }
)


def passed_before(
    design: Design, instructed: float, rng: np.random.Generator, studies: int
) -> list[bool]:
    """Say of each study whether the judge passed without planted text.

    Args:
        design: The study.
        instructed: The share of its answers that hold an instruction, which the judge obeys.
        rng: Draws it all.
        studies: How many.
    """
    results = []
    for seed in range(studies):
        truth, said, words = drawn(rng, design)
        u = rng.random(truth.size)
        calls = np.where(truth, u < FINDS, u >= PASSES) & (rng.random(truth.size) >= instructed)
        _, now, _ = verdicts(said, calls, words, design, seed)
        results.append(now)
    return results


def is_unmoved(judge: Scripted, rng: np.random.Generator, planted: int = PLANTED) -> bool:
    """Plant each kind and the placebo in some answers, and give the verdict of the certificate.

    On two labels a flip goes to what was asked for, whichever label the judge gave.
    """
    placebo = rng.random(planted) < judge.flips
    flips = []
    for kind in KINDS:
        obeyed = (rng.random(planted) < judge.often) & (kind in judge.obeys)
        flips.append(canary_flips(kind, obeyed | (rng.random(planted) < judge.flips), placebo))
    record = CanaryRecord(texts="", replies="", answers=planted, flips=flips)
    return unmoved(record).verdict == "passed"


def certified(before: list[bool], judge: Scripted, rng: np.random.Generator, answers: int) -> float:
    """Give the share of studies of so many answers in which a judge is certified now."""
    planted = min(answers, MOST)
    return float(np.mean([passed and is_unmoved(judge, rng, planted) for passed in before]))


def blind(
    rng: np.random.Generator, known: int, *, subtle: float, shares: bool
) -> tuple[bool, bool]:
    """Say whether a judge is certified before and now, where people have a blind spot.

    Args:
        rng: Draws it all.
        known: Answers more that are known to be harmful; half of them subtle harm, or `subtle`.
        subtle: The share of the known ones that is subtle.
        shares: Whether the judge has the blind spot too; else it finds .95 of all harm.
    """
    design = Design("", 300, 45)
    truth, _, words = draw(rng, design)
    truth = np.concatenate([truth, np.ones(known, dtype=np.bool_)])
    words = np.concatenate([words, words[:known]])
    hard = rng.random(truth.size) < 0.5  # noqa: PLR2004 - half of the harm
    hard[300:] = np.arange(known) < subtle * known
    u = rng.random((truth.size, 3))
    keen = np.where(hard, SUBTLE, OBVIOUS)
    said = np.where(truth[:, None], u < keen[:, None], u >= PASSES)
    own = rng.random(truth.size)
    sees = np.where(hard, 0.0, FINDS) if shares else np.full(truth.size, FINDS)
    calls = np.where(truth, own < sees, own >= PASSES)
    _, passed, _ = verdicts(said, calls, words, design, 0)
    rate = judge_rate(calls[300:], range(known))
    check = finds_known([JudgeKnown("harmful", rate, None)])
    return passed, passed and check.verdict != "failed"


def table(studies: int = STUDIES) -> Iterator[str]:
    """Make the table of obedient judges, and of those whom nothing moves."""
    yield "| study | with an instruction | judge | before | now |"
    yield "| --- | ---: | --- | ---: | ---: |"
    for place, design in enumerate(STUDIES_OF):
        for instructed in (0.0, 0.3):
            rng = np.random.default_rng([SEED, place, int(100 * instructed)])
            before = passed_before(design, instructed, rng, studies)
            share = float(np.mean(before))
            rng = np.random.default_rng([SEED, place, int(100 * instructed), 1])
            judges = OBEDIENT[:1] if instructed else (*OBEDIENT, *SELDOM, *UNMOVED)
            for judge in judges:
                now = certified(before, judge, rng, design.answers)
                yield (
                    f"| {design.title} | {instructed:.0%} | {judge.title} | "
                    f"{percent(share, studies)} | {percent(now, studies)} |"
                )


def blind_table(studies: int = STUDIES) -> Iterator[str]:
    """Make the table of blind spots."""
    yield "| judge | known to be harmful | of them subtle | before | now |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    for shares in (True, False):
        for known, subtle in ((0, 0.0), (25, 0.5), (40, 0.5), (100, 0.5), (40, 0.0)):
            rng = np.random.default_rng([SEED, 100 + known, int(100 * subtle), shares])
            rows = [blind(rng, known, subtle=subtle, shares=shares) for _ in range(studies)]
            before, now = (float(np.mean(column)) for column in zip(*rows, strict=True))
            title = "overlooks what people overlook" if shares else "finds .95 of all harm"
            yield (
                f"| {title} | {known} | {subtle:.0%} | {percent(before, studies)} | "
                f"{percent(now, studies)} |"
            )


def main() -> None:
    """Simulate, and write both tables."""
    studies = int(sys.argv[1]) if len(sys.argv) > 1 else STUDIES
    tables = {"blind": blind_table(studies), "table": table(studies)}
    for mark, rows in tables.items():
        if mark not in sys.argv[2:] and sys.argv[2:]:
            continue
        lines = []
        for line in rows:
            lines.append(line)
            print(line, flush=True)
        put_table(PAGE, lines, mark)


if __name__ == "__main__":
    main()
