"""All that a fitted model of the raters holds beside the scores."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Model"]


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """A fitted model of the raters of one dimension.

    Attributes:
        posterior: Probability of each label, shape (units, labels).
        log_likelihood: Of the fit that was kept.
        restarts: Log likelihood of every start; one where nothing is drawn.
        steps: Steps of the fit that was kept.
        shares: How often each label is true by the model, shape (labels,); None where the model
            takes it from `priors`.
        priors: Each label's share before anything was said, by label; None for equal shares.
        confusion: P(rater says | truth), shape (raters, true, said); None where the model has none.
        guesses: What each rater says when guessing, shape (raters, labels); None where the model
            knows no guessing.
        kept: For each unit whether it is certain enough to have a score.
        threshold: The highest entropy that is certain enough, in nats; None where all are kept.
        known: The label that each control unit was known to have; empty for the others.
        unknown: For each rater why the labels do not show how good they are; empty where they do.
        notes: What a reader must know of this fit.
    """

    posterior: NDArray[np.float64]
    log_likelihood: float
    restarts: tuple[float, ...]
    steps: int
    shares: NDArray[np.float64] | None = None
    priors: dict[str, float] | None = None
    confusion: NDArray[np.float64] | None = None
    guesses: NDArray[np.float64] | None = None
    kept: tuple[bool, ...] = ()
    threshold: float | None = None
    known: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
