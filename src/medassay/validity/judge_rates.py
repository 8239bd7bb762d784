"""Which share of what people call so does a judge call so too?"""

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from medassay.marks import record
from medassay.stats import cluster_index
from medassay.stats.clusters import blown_up

__all__ = ["JudgeRate", "judge_rate"]


@record(infers=True)
class JudgeRate:
    """A judge's sensitivity or specificity.

    Attributes:
        hits: Answers on which the judge says what most people say.
        n: Answers.
        share: The weighted share of hits; the plain one where all answers count alike.
        worth: Independent answers that it is worth: fewer where cases hold several, or where
            chances differ.
        low: It is at least this, 97.5 %, one-sided.
    """

    hits: int
    n: int
    share: float
    worth: float
    low: float

    def at_least(self, error: float) -> float:
        """Give the lower bound that errs in this share: Clopper-Pearson on what it is worth."""
        return _lower(self.share, self.worth, error)

    def at_most(self, error: float) -> float:
        """Give the upper bound that errs in this share."""
        return 1 - _lower(1 - self.share, self.worth, error)


def judge_rate(
    hits: NDArray[np.bool_],
    clusters: Sequence[Hashable],
    weights: NDArray[np.float64] | None = None,
    *,
    error: float = 0.025,
) -> JudgeRate | None:
    """How large is a share at least, where answers of a case are alike and some weigh more?

    p̂ = Σ w h/Σ w, SE by linearisation over the C clusters; worth n* = p̂(1 − p̂)/SE² · (t_{n−1}/
    t_ν)², never more than (Σ w)²/Σ w², with SE and degrees of freedom ν of `bias_reduced`: C − 1
    where clusters weigh alike. Where all are hits, or none is, no error can be seen,
    and n* is (Σ W)²/Σ W² over the weights W of clusters. Where every answer is a cluster and all
    weigh alike, n* = n. The bound is Clopper and Pearson's of p̂n* in n*.

    Args:
        hits: One an answer.
        clusters: The cluster of each.
        weights: One over the chance of each; None: all alike.
        error: How often the bound may fail, one-sided.

    Returns:
        None where there is no answer.

    Source: Korn & Graubard (1998), Survey Methodology 24, 193-201.

    Example:
        >>> found = judge_rate(np.array([True] * 24 + [False]), range(25))
        >>> found.share, round(found.low, 3)
        (0.96, 0.796)
    """
    from scipy.special import stdtrit

    n = hits.size
    if not n:
        return None
    weight = np.ones(n) if weights is None else weights
    index = cluster_index(list(clusters), n)
    total = float(weight.sum())
    share = float(weight[hits].sum() / total) if not hits.all() else 1.0
    masses = np.bincount(index, weights=weight)
    most = total**2 / float((weight**2).sum())
    if masses.size == n and np.ptp(weight) == 0:
        worth = float(n)
    elif share in {0.0, 1.0} or masses.size == 1:
        worth = total**2 / float((masses**2).sum())
    else:
        off = np.bincount(index, weights=weight * (hits - share)).astype(np.float64)
        sums, freedom = blown_up(off, masses.astype(np.float64))
        variance = float((sums**2).sum()) / total**2
        ratio = stdtrit(n - 1, 1 - error) / stdtrit(freedom, 1 - error)
        seen = share * (1 - share) / variance * float(ratio) ** 2 if variance > 0 else most
        worth = min(most, seen)
    return JudgeRate(int(hits.sum()), n, share, worth, _lower(share, worth, error))


def _lower(share: float, worth: float, error: float) -> float:
    from scipy.special import betaincinv

    k = share * worth
    return 0.0 if share <= 0 else float(betaincinv(k, worth - k + 1, error))
