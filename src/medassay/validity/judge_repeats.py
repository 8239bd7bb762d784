"""Does a judge say the same when asked again?"""

from collections.abc import Mapping
from typing import Final

import numpy as np

from medassay.judgements import Units
from medassay.stats import clustered_share
from medassay.validity.judge_estimate import ESTIMAND, JudgeEstimate

__all__ = ["judge_repeats"]

_OCCASIONS: Final = 2


def judge_repeats(repeats: Units, *, clusters: Mapping[str, str] | None = None) -> JudgeEstimate:
    """Which share of the answers that were judged twice got another label the second time?

    0: none flipped. The interval is Clopper-Pearson's, with cases, or their clusters, as units.

    Args:
        repeats: As `repeat_units` lays them out, of one rater or several.
        clusters: Case to cluster; a case without one is its own.

    Example:
        >>> keys = [("A", "1"), ("A", "2"), ("A", "3"), ("A", "4")]
        >>> codes = [[0, 0], [1, 1], [0, 1], [1, 1]]
        >>> found = judge_repeats(Units.from_codes(codes, "ab", keys=keys))
        >>> found.value, round(found.interval.low, 3), round(found.interval.high, 3)
        (0.25, 0.006, 0.806)
    """
    twice = np.flatnonzero(repeats.sizes == _OCCASIONS)
    if len(repeats.raters) != _OCCASIONS or not twice.size:
        return JudgeEstimate(None, None, 0, 0, "no answer was judged again in the phase repeat")
    codes = repeats.codes
    flipped = codes[twice, 0] != codes[twice, 1]
    cases = [repeats.keys[i].case for i in twice]
    known = clusters or {}
    of_case = [(case in known, known.get(case, case)) for case in cases]
    interval, why = clustered_share(flipped, of_case, estimand=ESTIMAND)
    return JudgeEstimate(float(flipped.mean()), interval, len(cases), len(set(cases)), why)
