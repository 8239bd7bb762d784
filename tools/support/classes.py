"""The classes of verdicts, in one order."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.models.nli import SupportVerdict

CLASSES: Final = (SupportVerdict.SUPPORTED, SupportVerdict.NOT_FOUND, SupportVerdict.CONTRADICTED)
Codes = NDArray[np.intp]
"""Places in CLASSES."""


def codes_of(verdicts: Sequence[SupportVerdict]) -> Codes:
    """Give each verdict's place among the classes."""
    return np.asarray([CLASSES.index(verdict) for verdict in verdicts], dtype=np.intp)
