"""Where a fit of MACE says less than it seems to."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.judgements import Units

__all__ = ["lonely_restart", "nobody_knows", "unread_controls"]

_NOBODY: Final = 0.2
_COMMON: Final = 0.7
_FEWEST_RESTARTS: Final = 3
_AS_LIKELY: Final = 1.0
"""In nats: likelihoods no further apart stand for one solution, reached from two starts."""


def nobody_knows(units: Units, competence: Sequence[float], posterior: NDArray[np.float64]) -> str:
    """Say that the model explains every label as a guess, or nothing.

    Said where no rater's competence reaches .2. Where nearly all labels are alike, a panel of
    guessers with one and the same habit is as good an explanation as a panel that knows, and needs
    no truth: competences fall to 0 and posteriors to the priors, whoever the raters are. The bound
    of .2 is ours.

    Example:
        >>> units = Units.from_codes([[0, 0]] * 96 + [[0, 1], [1, 0]] * 2, ["no", "yes"])
        >>> said = nobody_knows(units, [0.0, 0.0], np.full((100, 2), 0.5))
        >>> said.partition(":")[0]
        'MACE found nobody who knows'
        >>> nobody_knows(units, [0.0, 0.9], np.full((100, 2), 0.5))
        ''
    """
    highest = max(competence, default=1.0)
    if highest >= _NOBODY:
        return ""
    shares = np.bincount(units.code, minlength=len(units.labels)) / len(units.code)
    common = int(np.argmax(shares))
    sure = float(np.median(posterior.max(axis=1)))
    finding = (
        f"MACE found nobody who knows: no competence is above {highest:.2f}, and on the median "
        f"answer its most probable label has a probability of {sure:.2f}"
    )
    if shares[common] < _COMMON:
        return (
            f"{finding}. The labels look as if every rater guessed: look at agreement and at the "
            "rubric before any consensus is read"
        )
    return (
        f"{finding}. {100 * shares[common]:.0f} % of the labels are "
        f'"{units.labels[common]}", and raters who say that by habit explain such labels as well '
        "as raters who know. So these competences say nothing of the raters, and one differing "
        "label decides an answer: read the majority, and specific agreement on each label, instead"
    )


def lonely_restart(restarts: Sequence[float]) -> str:
    """Say that no second start found the solution that was kept, or nothing.

    Example:
        >>> lonely_restart([-109.8, -54.7, -109.8])
        'only 1 of 3 restarts of MACE found the likeliest solution, the next is 55.1 nats below: \
take more restarts, such as mace(restarts=50)'
        >>> lonely_restart([-54.8, -54.7, -109.8])
        ''
    """
    if len(restarts) < _FEWEST_RESTARTS:
        return ""
    best, second = sorted(restarts, reverse=True)[:2]
    if best - second <= _AS_LIKELY:
        return ""
    more = 50 if len(restarts) < 50 else 5 * len(restarts)  # noqa: PLR2004 - the oracle's number
    return (
        f"only 1 of {len(restarts)} restarts of MACE found the likeliest solution, the next is "
        f"{best - second:.1f} nats below: take more restarts, such as mace(restarts={more})"
    )


def unread_controls(controls: int, read: int) -> str:
    """Say that some control items were judged by nobody, or nothing.

    Example:
        >>> unread_controls(10, 7)
        '3 of 10 control items have no label of any rater and teach the model nothing'
    """
    if read == controls:
        return ""
    return (
        f"{controls - read} of {controls} control items have no label of any rater and teach the "
        "model nothing"
    )
