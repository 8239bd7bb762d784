"""Who may have read a scale the other way round."""

from collections.abc import Mapping
from typing import Final

import numpy as np

from medassay.stats import holm
from medassay.validity.rater_rows import RaterRows

__all__ = ["read_backwards"]

_FEWEST: Final = 10
"""With fewer cases nothing short of the exact reverse could be told from luck."""
_TWO: Final = 2


def read_backwards(
    laid_out: Mapping[str, RaterRows], *, level: float = 0.95
) -> dict[tuple[str, str], float]:
    """Whose scores fall where the others' rise, on which dimension?

    For each rater r is Pearson's correlation of own scores with the mean of the others' on the same
    answers. t = r · √(f / (1 − r²)) with f = the cases less 2, though there are more answers, since
    answers to one case are alike. One stands whose two-sided p, after Holm over all raters and
    dimensions, is at most 1 less the level, and whose r is below 0. Raters who share fewer than 10
    cases with others are not tested. Of two raters both stand, or none: which of them it was
    cannot be told.

    Args:
        laid_out: Dimension to what each rater and the others gave.
        level: 1 less the chance that anybody is named where nobody read it so.

    Returns:
        Dimension and rater, and the adjusted p.

    Example:
        >>> from medassay.judgements import Judgements, load_rubric
        >>> from medassay.validity.rater_rows import rater_rows
        >>> said = {"ann": "1234512345", "ben": "1234412345", "eve": "5432154321"}
        >>> rows = [{"rater": who, "system": "A", "case": str(i), "dimension": "quality",
        ...          "label": label} for who, all_ in said.items() for i, label in enumerate(all_)]
        >>> judgements = Judgements.from_rows(rows, load_rubric("likert5"))
        >>> [*read_backwards({"quality": rater_rows(judgements, "quality")})]
        [('quality', 'eve')]
    """
    from scipy.special import stdtr

    keys, p, below = [], [], []
    for dimension, rows in laid_out.items():
        raters = [
            place
            for place in range(len(rows.raters))
            if (rows.others_n[rows.rater == place] > 0).any()
        ]
        # Two raters have one correlation.
        for place in raters[:1] if len(raters) == _TWO else raters:
            shared = (rows.rater == place) & (rows.others_n > 0)
            own, others = rows.score[shared], rows.others[shared]
            cases = len(np.unique(rows.case[shared]))
            if cases < _FEWEST or np.ptp(own) == 0 or np.ptp(others) == 0:
                continue
            r = float(np.corrcoef(own, others)[0, 1])
            t = abs(r) * (cases - 2) ** 0.5 / max(1 - r * r, 1e-12) ** 0.5
            whose = raters if len(raters) == _TWO else [place]
            keys.append([(dimension, rows.raters[one]) for one in whose])
            p.append(2 * float(stdtr(cases - 2, -t)))
            below.append(r < 0)
    found = zip(keys, holm(p) if p else (), below, strict=True)
    return {
        key: float(adjusted)
        for whose, adjusted, low in found
        if low and adjusted <= 1 - level
        for key in whose
    }
