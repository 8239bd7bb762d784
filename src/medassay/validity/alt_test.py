"""May a model judge stand in for a human rater?"""

from collections.abc import Mapping, Sequence
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from medassay.errors import InvalidInput, Problem
from medassay.judgements import Units
from medassay.marks import PValue, RaterName, Words, record
from medassay.stats import moments

__all__ = ["AltTest", "AltTestRater", "alt_test"]

Alignment = Literal["accuracy", "neg_rmse"]
_FEWEST_RATERS: Final = 3
_FEWEST_ANSWERS: Final = 30
_ALPHA: Final = 0.05
_WINS: Final = 0.5
_ROUNDING: Final = 1e-12


@record(infers=True)
class AltTestRater:
    """The judge against one rater, each held against the others.

    Attributes:
        rater: The rater left out.
        answers: Answers that both rated and some other person too.
        judge_as_good: Share of them where the judge is at least as near to the others.
        rater_as_good: Share where the rater is.
        p: Published: paired t over answers as if they were independent; None where undefined.
        p_clustered: The same with clusters of cases as the independent units.
        beaten: Whether p is rejected by Benjamini-Yekutieli.
        beaten_clustered: Whether p_clustered is.
    """

    rater: RaterName
    answers: int
    judge_as_good: float
    rater_as_good: float
    p: PValue | None
    p_clustered: PValue | None
    beaten: bool
    beaten_clustered: bool


@record(infers=True)
class AltTest:
    """The alternative-annotator test.

    Attributes:
        epsilon: What a person's judgement may be better and still be replaced, for its cost.
        alignment: `accuracy`, the share of the others with the same label; or `neg_rmse`, minus the
            root mean squared distance of scores.
        raters: One for each person with enough answers.
        winning_rate: Share of people beaten, as published; None where the test is undefined.
        winning_rate_clustered: The same, answers of one case counted as one.
        advantage: Mean share of answers where the judge is at least as near as the person.
        passes: Whether winning_rate_clustered reaches .5.
        reason: Why there is no test; empty where there is one.
    """

    epsilon: float
    alignment: Alignment
    raters: tuple[AltTestRater, ...]
    winning_rate: float | None
    winning_rate_clustered: float | None
    advantage: float | None
    passes: bool
    reason: Words = ""


def alt_test(
    units: Units,
    judge: str,
    *,
    epsilon: float = 0.2,
    fewest_answers: int = _FEWEST_ANSWERS,
    clusters: Mapping[str, str] | None = None,
    models: Sequence[str] = (),
) -> AltTest:
    """May this judge replace a rater picked at random?

    Person j is left out: on each answer that j, the judge and another person rated, S is how near a
    label is to the others'. W^f = [S_judge >= S_j], W^h = [S_j >= S_judge]. Rejected is
    H0: mean(W^f) <= mean(W^h) − ε, by a one-sided paired t, Benjamini-Yekutieli at .05 over people.
    The judge passes if it beats at least half of them. As published answers count as independent;
    they are nested in cases, so the same test with cases as units stands beside it, and decides.

    Args:
        units: What raters said, the judge among them.
        judge: The judge.
        epsilon: .2 against experts, .15 against skilled raters, .1 against a crowd.
        fewest_answers: People with fewer are left out.
        clusters: Case to cluster; a case without one is its own.
        models: Other model raters: no people, so left out.

    Raises:
        InvalidInput: The judge rated nothing, or epsilon is no share.

    Source: Calderon, Reichart & Dror (2025), The alternative annotator test, arXiv:2501.10970.
    """
    if judge not in units.raters:
        got = f'"{judge}", who rated nothing on {units.dimension}'
        raise InvalidInput(Problem("the judge", "be a rater of the study", got))
    if not 0 <= epsilon < 1:
        raise InvalidInput(Problem("--epsilon", "be 0 or more and below 1", f"{epsilon:g}"))
    alignment: Alignment = "accuracy" if units.scores is None else "neg_rmse"
    if units.scale == "nominal":
        alignment = "accuracy"
    people = [name for name in units.raters if name != judge and name not in models]
    codes = units.codes
    own = codes[:, units.raters.index(judge)]
    others = codes[:, [units.raters.index(name) for name in people]]
    labels = [(clusters or {}).get(unit.case, f"\0{unit.case}") for unit in units.keys]
    lines = []
    for place, name in enumerate(people):
        rest = np.delete(others, place, axis=1)
        used = (own >= 0) & (others[:, place] >= 0) & (rest >= 0).any(axis=1)
        if used.sum() < fewest_answers:
            continue
        judge_near = _near(own[used], rest[used], units.scores, alignment)
        rater_near = _near(others[used, place], rest[used], units.scores, alignment)
        lines.append(
            (name, judge_near >= rater_near, rater_near >= judge_near,
             [label for label, taken in zip(labels, used, strict=True) if taken])
        )  # fmt: skip
    why = ""
    if len(lines) < _FEWEST_RATERS:
        why = (
            f"the test needs {_FEWEST_RATERS} people with {fewest_answers} answers that the judge "
            f"and another person rated too; got {len(lines)}"
        )
    gaps = [
        (rater.astype(float) - model.astype(float) - epsilon, of) for _, model, rater, of in lines
    ]
    plain = [_p(gap, None) for gap, _ in gaps]
    clustered = [_p(gap, of) for gap, of in gaps]
    beaten, apart = _by(plain), _by(clustered)
    rows = tuple(
        AltTestRater(
            name, len(of), float(model.mean()), float(rater.mean()), plain[i], clustered[i],
            beaten[i], apart[i],
        )
        for i, (name, model, rater, of) in enumerate(lines)
    )  # fmt: skip
    rates = [None if why else float(np.mean(won)) for won in (beaten, apart)]
    return AltTest(
        epsilon=epsilon,
        alignment=alignment,
        raters=rows,
        winning_rate=rates[0],
        winning_rate_clustered=rates[1],
        advantage=None if why else float(np.mean([row.judge_as_good for row in rows])),
        passes=rates[1] is not None and rates[1] >= _WINS,
        reason=why,
    )


def _near(
    own: NDArray[np.int64],
    rest: NDArray[np.int64],
    scores: NDArray[np.float64] | None,
    alignment: Alignment,
) -> NDArray[np.float64]:
    there = rest >= 0
    if alignment == "accuracy" or scores is None:
        off = (rest != own[:, None]).astype(np.float64)
    else:
        off = (scores[rest] - scores[own][:, None]) ** 2
    mean = np.where(there, off, 0.0).sum(axis=1) / there.sum(axis=1)
    near: NDArray[np.float64] = -mean if alignment == "accuracy" else -np.sqrt(mean)
    # Sums of the same numbers in another order differ in their last bits.
    rounded: NDArray[np.float64] = np.round(near, 12)
    return rounded


def _p(gap: NDArray[np.float64], clusters: list[str] | None) -> float:
    """Give the one-sided p of a mean below 0; without any spread the sign decides."""
    from scipy.special import stdtr

    estimates = moments(gap[None, :], np.ones((1, len(gap)), dtype=np.bool_), clusters)
    mean, error = float(estimates.mean[0]), float(estimates.error[0])
    if not np.isfinite(error):
        return 1.0
    if error <= _ROUNDING:
        return 0.0 if mean < 0 else 1.0
    return float(stdtr(float(estimates.freedom[0]), mean / error))


def _by(p: list[float]) -> list[bool]:
    """Reject by Benjamini & Yekutieli (2001), doi:10.1214/aos/1013699998."""
    m = len(p)
    if not m:
        return []
    order = np.argsort(p, kind="stable")
    bars = np.arange(1, m + 1) / m * _ALPHA / (1 / np.arange(1, m + 1)).sum()
    under = np.flatnonzero(np.array(p)[order] <= bars)
    rejected = np.zeros(m, dtype=np.bool_)
    if under.size:
        rejected[order[: under[-1] + 1]] = True
    return [bool(is_rejected) for is_rejected in rejected]
