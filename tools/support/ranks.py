"""How well one number tells claims that are borne out from others: the area under the ROC curve."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.answers import Answer, Statement
from medassay.cases import Case, Evidence
from medassay.metrics import resolve
from medassay.models.nli import SupportVerdict
from medassay.scores import Score
from medassay.stats import bootstrap_counts, percentile_interval
from tools.support.data import Claim
from tools.support.figures import REPLICATES, Figure

METRIC: Final = "lexical_support"


def lexical_support(told: Sequence[Claim]) -> NDArray[np.float64]:
    """Score each claim by the metric itself, held against the sentences of its answer."""
    pairs = [
        (
            Case(case="1", evidence=tuple(
                Evidence(id=str(i), text=text) for i, text in enumerate(one.evidence))),
            Answer(system="A", case="1", statements=(Statement(text=one.text),)),
        )
        for one in told
    ]  # fmt: skip
    scores = resolve(METRIC).score_batch(pairs)
    return np.asarray([one.value for one in scores if isinstance(one, Score)])


def area(
    values: NDArray[np.float64], right: NDArray[np.bool_], weights: NDArray[np.int64]
) -> float:
    """Give the chance that a right one has the higher value than a wrong one; a tie counts half.

    Example:
        >>> area(np.array([3.0, 2.0, 2.0]), np.array([True, True, False]), np.array([1, 1, 2]))
        0.75
    """
    places = np.unique(values, return_inverse=True)[1]
    good = np.bincount(places, weights=weights * right)
    bad = np.bincount(places, weights=weights * ~right)
    below = np.cumsum(bad) - bad
    return float((good * (below + bad / 2)).sum() / (good.sum() * bad.sum()))


def areas(
    told: Sequence[Claim], values: dict[str, NDArray[np.float64]], seed: int
) -> dict[str, tuple[Figure, Figure]]:
    """Measure each column of values, and how far the first lies above it, on the same resamples."""
    right = np.array([one.label is SupportVerdict.SUPPORTED for one in told])
    rng = np.random.default_rng(seed)
    counts = bootstrap_counts(len(told), REPLICATES, rng, [one.question for one in told])
    each = np.ones(len(told), dtype=np.int64)
    found = {
        name: (area(column, right, each), np.asarray([area(column, right, w) for w in counts]))
        for name, column in values.items()
    }
    first, drawn = next(iter(found.values()))
    return {
        name: (_figure(value, replicates), _figure(first - value, drawn - replicates))
        for name, (value, replicates) in found.items()
    }


def area_rows(found: dict[str, tuple[Figure, Figure]]) -> list[str]:
    """Lay them out as a table."""
    lines = ["| number | AUC | lexical support less it |", "| :--- | ---: | ---: |"]
    for place, (name, (own, less)) in enumerate(found.items()):
        cells = [name, _say(own), _say(less, "+") if place else ""]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def _say(one: Figure, sign: str = "") -> str:
    return f"{one.value:{sign}.2f} ({one.low:.2f} to {one.high:.2f})"


def _figure(value: float, replicates: NDArray[np.float64]) -> Figure:
    interval = percentile_interval(replicates, estimand="these claims, new questions")
    return Figure(value, interval.low, interval.high)
