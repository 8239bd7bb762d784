"""How often does which judge get a certificate? Seeded simulations.

    python simulations/judge_verdicts.py [STUDIES]

Three people and a judge say of every answer whether it is harmful. People find harm and pass what
is harmless with a known chance, each on their own. `JUDGES` says what each judge does. *Before* is
the rule that asked for the alternative-annotator test and for nothing that fails; *now* is the rule
of `medassay judge --certify`, with its controls. Both are the functions of the package itself.
"""

import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from page_table import put_table

from medassay.judgements import Units
from medassay.study.certificates.checks import knows_labels
from medassay.validity import alt_test, control_judges, judge_gaps, judge_label, judge_severity

STUDIES: Final = 2000
SEED: Final = 2718
PEOPLE: Final = 3
MARGIN: Final = 0.1
PAGE: Final = Path(__file__).parents[1] / "simulations" / "judge-verdicts.md"
_NAMES: Final = ("none", "harm")

Calls = NDArray[np.bool_]


class Design(NamedTuple):
    """A study.

    Attributes:
        title: Its name in the table.
        answers: How many.
        harmful: How many of them are.
        called: How many most people call so: studies are drawn until it is this; None: whatever.
        finds: A person's sensitivity.
        passes: A person's specificity.
        a_case: Answers to one case; harm is alike in a case where there are several.
    """

    title: str
    answers: int
    harmful: int
    called: int | None = None
    finds: float = 0.8
    passes: float = 0.97
    a_case: int = 1


DESIGNS: Final = (
    Design("300 answers, 27 harmful", 300, 27),
    Design("300 answers, 30 harmful", 300, 30),
    Design("300 answers, 34 harmful, 30 called so", 300, 34, 30),
    Design("300 answers, 60 harmful", 300, 60),
    Design("150 answers, 45 harmful", 150, 45),
    Design("300 answers, 100 harmful", 300, 100),
    Design("300 answers in cases of 3, 40 harmful", 300, 40, a_case=3),
    Design("300 answers, 60 harmful, people find .6", 300, 60, finds=0.6, passes=0.95),
)

Judge = Callable[[np.random.Generator, Calls, Design, NDArray[np.int64]], Calls]


def _with(finds: float, passes: float) -> Judge:
    def judge(rng: np.random.Generator, truth: Calls, _: Design, __: NDArray[np.int64]) -> Calls:
        u = rng.random(truth.shape)
        return np.asarray(np.where(truth, u < finds, u >= passes), dtype=np.bool_)

    return judge


def _as_people(
    rng: np.random.Generator, truth: Calls, design: Design, _: NDArray[np.int64]
) -> Calls:
    return _with(design.finds, design.passes)(rng, truth, design, _)


def _permuted(
    rng: np.random.Generator, truth: Calls, design: Design, _: NDArray[np.int64]
) -> Calls:
    return rng.permutation(_as_people(rng, truth, design, _))


def _half_of_people(
    rng: np.random.Generator, truth: Calls, design: Design, _: NDArray[np.int64]
) -> Calls:
    return _with(design.finds / 2, design.passes)(rng, truth, design, _)


def _half_of_harm(
    rng: np.random.Generator, truth: Calls, design: Design, _: NDArray[np.int64]
) -> Calls:
    return _with(0.5, design.passes)(rng, truth, design, _)


def _denies(rng: np.random.Generator, truth: Calls, design: Design, _: NDArray[np.int64]) -> Calls:
    return _with(0.0, design.passes)(rng, truth, design, _)


def _by_length(_: np.random.Generator, truth: Calls, __: Design, words: NDArray[np.int64]) -> Calls:
    return np.asarray(words >= np.sort(words)[-max(1, int(truth.sum()))], dtype=np.bool_)


JUDGES: Final[dict[str, Judge]] = {
    "says none": _with(0.0, 1.0),
    "permuted": _permuted,
    "by length": _by_length,
    "denies harm": _denies,
    "half of what people find": _half_of_people,
    "half of all harm": _half_of_harm,
    "half of all harm, no false alarm": _with(0.5, 1.0),
    "like a person": _as_people,
    "finds .9, passes .98": _with(0.9, 0.98),
    "finds all, passes .7": _with(1.0, 0.7),
}


def draw(rng: np.random.Generator, design: Design) -> tuple[Calls, Calls, NDArray[np.int64]]:
    """Draw which answers are harmful, what each person says, and how long the answers are."""
    cases = design.answers // design.a_case
    if design.a_case == 1:
        truth = rng.permutation(np.arange(design.answers) < design.harmful)
    else:
        # Harm gathers in a third of the cases.
        bad = rng.permutation(np.arange(cases) < cases // 3).repeat(design.a_case)
        place = rng.permutation(np.flatnonzero(bad))[: design.harmful]
        truth = np.zeros(design.answers, dtype=np.bool_)
        truth[place] = True
    u = rng.random((design.answers, PEOPLE))
    said = np.where(truth[:, None], u < design.finds, u >= design.passes)
    words = np.exp(rng.normal(4, 0.5, design.answers)).astype(np.int64) + 1
    return truth, said, words


def drawn(rng: np.random.Generator, design: Design) -> tuple[Calls, Calls, NDArray[np.int64]]:
    """Draw until as many are called harmful by most people as the design says."""
    while True:
        found = draw(rng, design)
        if design.called is None or (2 * found[1].sum(axis=1) > PEOPLE).sum() == design.called:
            return found


def verdicts(
    said: Calls, calls: Calls, words: NDArray[np.int64], design: Design, seed: int
) -> tuple[bool, bool, str]:
    """Say whether the judge passed before, whether it does now, and what stood in its way."""
    keys = [(f"s{i % design.a_case}", f"{i // design.a_case:04}") for i in range(said.shape[0])]
    codes = np.column_stack([said, calls]).astype(np.int64)
    units = Units.from_codes(codes, _NAMES, keys=keys, scale="ordinal", scores=[0, 1])
    judge = units.raters[-1]
    alt = alt_test(units, judge)
    gap = judge_severity(judge_gaps(units, judge)).interval
    severe = gap is not None and (gap.low > MARGIN or gap.high < -MARGIN)
    before = alt.passes and not severe
    label = judge_label(units, judge, "harmful", ["harm"])
    found = knows_labels([label])
    if not before or found.verdict != "passed":
        return before, False, "alt-test or severity" if not before else found.verdict
    lengths = dict(zip(units.keys, words.tolist(), strict=True))
    rng = np.random.default_rng(seed)
    for units_of in control_judges(units, judge, ["harm"], rng=rng, words=lengths).values():
        if alt_test(units_of, judge).passes and (
            knows_labels([judge_label(units_of, judge, "harmful", ["harm"])]).verdict == "passed"
        ):
            return before, False, "a control passes"
    return before, True, "passed"


def simulate(design: Design, judge: str, studies: int) -> tuple[int, int, Counter[str]]:
    """Count the studies in which the judge passed before, and passes now; and why not."""
    rng = np.random.default_rng([SEED, DESIGNS.index(design), list(JUDGES).index(judge)])
    old = new = 0
    why: Counter[str] = Counter()
    for seed in range(studies):
        truth, said, words = drawn(rng, design)
        one, other, reason = verdicts(
            said, JUDGES[judge](rng, truth, design, words), words, design, seed
        )
        old, new = old + one, new + other
        why[reason] += 1
    return old, new, why


def main() -> None:
    """Simulate every cell, print the table and put it into the page."""
    studies = int(sys.argv[1]) if len(sys.argv) > 1 else STUDIES
    lines = [
        "| study | judge | before | now | stopped by |",
        "| --- | --- | ---: | ---: | --- |",
    ]
    for design in DESIGNS:
        for judge in JUDGES:
            old, new, why = simulate(design, judge, studies)
            rates = [_rate(times, studies) for times in (old, new)]
            stopped = [(name, times) for name, times in why.most_common() if name != "passed"]
            reasons = ", ".join(f"{name} {100 * n / studies:.0f}" for name, n in stopped)
            lines.append(f"| {design.title} | {judge} | {rates[0]} | {rates[1]} | {reasons} |")
            print(lines[-1], flush=True)
    put_table(PAGE, lines)


def _rate(times: int, of: int) -> str:
    """Give a rate in percent with its Monte Carlo error; of none or all what 95 % leave open."""
    share = times / of
    if times in {0, of}:
        return f"{100 * share:.0f} ({100 * 3 / of:.2f})"
    return f"{100 * share:.1f} ({100 * (share * (1 - share) / of) ** 0.5:.1f})"


if __name__ == "__main__":
    main()
