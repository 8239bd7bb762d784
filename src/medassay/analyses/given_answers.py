"""Which answers there are."""

import numpy as np
from numpy.typing import NDArray

from medassay.scores import Grid
from medassay.study.folder import Study

__all__ = ["given_answers"]


def given_answers(study: Study, grid: Grid) -> NDArray[np.bool_]:
    """Mark the answers that were given; all asked for where the study holds ratings alone."""
    if not len(study.answers):
        return study.asked.mask(grid.systems, grid.cases)
    return np.array(
        [[study.answers.gave(s, c) for c in grid.cases] for s in grid.systems],
        dtype=np.bool_,
    ).reshape(grid.values.shape)
