"""From a posterior over labels to scores."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.consensus.label_scores import no_scores
from medassay.consensus.labels_alone import entropies
from medassay.judgements import Units
from medassay.scores import Reason, Score, Unscored

__all__ = ["PARTS", "VALUES", "least_certain", "posterior_scores"]

PARTS: Final = ("entropy of the posterior in nats", "probability of the most probable label")

VALUES: Final = ("label", "expected")
"""The score of the most probable label, or the mean of the scores under the posterior."""

_TIE: Final = 1e-9
"""Probabilities no further apart than this are equal: a fit stops short of its limit."""


def posterior_scores(
    units: Units, posterior: NDArray[np.float64], value: str
) -> list[Score | Unscored]:
    """Score each unit by its most probable label, or by the mean under the posterior.

    Args:
        units: What was judged.
        posterior: Shape (units, labels).
        value: One of `VALUES`.

    Example:
        >>> units = Units.from_codes([[0], [1]], ["no", "yes"], scores=[0, 2])
        >>> shares = np.array([[0.75, 0.25], [0.5, 0.5]])
        >>> [score.value for score in posterior_scores(units, shares, "expected")]
        [0.5, 1.0]
        >>> print(posterior_scores(units, shares, "label")[1])
        raters tied: no, yes are equally probable
    """
    if units.scores is None:
        return no_scores(units)
    top = posterior.max(axis=1, keepdims=True)
    leaders = posterior >= top - _TIE
    means = (posterior @ units.scores).tolist()
    made: list[Score | Unscored] = []
    rows = zip(entropies(posterior), top[:, 0].tolist(), leaders, means, strict=True)
    for entropy, highest, leading, mean in rows:
        first = int(np.argmax(leading))
        if value == "expected":
            made.append(Score(mean, parts=(entropy, highest)))
        elif leading.sum() > 1:
            names = ", ".join(units.labels[i] for i in np.flatnonzero(leading))
            made.append(Unscored(Reason.TIE, f"{names} are equally probable"))
        else:
            made.append(Score(float(units.scores[first]), parts=(entropy, highest)))
    return made


def least_certain(
    scores: list[Score | Unscored], entropy: tuple[float, ...], keep: float
) -> list[Score | Unscored]:
    """Keep the scores of the `keep` % most certain units; equally certain ones stay together."""
    if not entropy:
        return scores
    place = max(0, int(np.ceil(len(entropy) * keep / 100)) - 1)
    limit = sorted(entropy)[place] + _TIE
    why = Unscored(
        Reason.UNDEFINED, f"not among the {keep:g} % of answers that are the most certain"
    )
    return [score if doubt <= limit else why for score, doubt in zip(scores, entropy, strict=True)]
