"""Whether raters agree more often than MACE can explain: some of them then err together."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.consensus.mace_known import FEWEST_SHARED
from medassay.judgements import Units

__all__ = ["errors_shared"]

_EXPECTED: Final = 1.5
"""So many pairs would lie above the bar by luck, were these labels new to the fit. It has seen them
and explains more: of panels that err apart up to three in ten are refused, and two raters alike on
three answers of ten stand first in 5 % at most (simulations/mace-competence.md)."""

_ROUNDING: Final = 1e-9


def errors_shared(
    units: Units,
    posterior: NDArray[np.float64],
    competence: NDArray[np.float64],
    guesses: NDArray[np.float64],
) -> str:
    """Say that two raters agree more often than raters who err apart would; empty where none do.

    By the model raters j and k agree on a share e = Σ_l π_l Σ_a P_j(a | l) P_k(a | l) of the
    answers that both judged, π being the mean posterior of these. Two raters who err together draw
    the consensus to themselves; then it is the others who agree more often than the model expects.
    So nothing says which of them it is, and no competence of the dimension is told. Each pair with
    30 answers in common is held to z = (observed − e)/√(e(1 − e)/n) above the normal quantile at 1
    − 1.5 / pairs, but at one half at least.

    Args:
        units: Who said what.
        posterior: Probability of each label, shape (units, labels).
        competence: How often each rater knows.
        guesses: What each says when guessing, shape (raters, labels).

    Example:
        >>> rng = np.random.default_rng(1)
        >>> codes = rng.integers(2, size=(200, 2))[:, [0, 0, 1, 1]]  # two pairs who copy
        >>> units = Units.from_codes(codes, ["no", "yes"])
        >>> believed = np.eye(2)[codes[:, 0]]
        >>> knows, habit = np.array([1.0, 1.0, 0.0, 0.0]), np.full((4, 2), 0.5)
        >>> errors_shared(units, believed, knows, habit).partition(":")[0]
        'some raters err together'
    """
    from scipy.special import ndtri

    pairs = _pairs(units)
    if not pairs:
        return ""
    bar = float(ndtri(max(0.5, 1 - _EXPECTED / len(pairs))))
    of_rater = {j: units.rater == j for pair in pairs for j in pair}
    code_of = {
        j: dict(zip(units.unit[mine].tolist(), units.code[mine].tolist(), strict=True))
        for j, mine in of_rater.items()
    }
    says = {
        j: (1 - competence[j]) * guesses[j][None, :] + competence[j] * np.eye(len(units.labels))
        for j in of_rater
    }
    for j, k in pairs:
        both = sorted(code_of[j].keys() & code_of[k].keys())
        expected = float(posterior[both].mean(axis=0) @ (says[j] * says[k]).sum(axis=1))
        agreed = float(np.mean([code_of[j][unit] == code_of[k][unit] for unit in both]))
        spread = (max(expected * (1 - expected), 0.0) / len(both)) ** 0.5
        if agreed - expected > bar * spread + _ROUNDING:
            return (
                f"some raters err together: two of them agree on {100 * agreed:.0f} % of their "
                f"answers, where raters who err apart would on {100 * expected:.0f} %"
            )
    return ""


def _pairs(units: Units) -> list[tuple[int, int]]:
    """List the raters who have enough answers in common."""
    from scipy.sparse import csr_array

    shape = len(units), len(units.raters)
    gave = csr_array((np.ones(len(units.unit)), (units.unit, units.rater)), shape=shape)
    common = (gave.T @ gave).tocoo()
    return sorted(
        (j, k)
        for j, k, n in zip(
            common.row.tolist(), common.col.tolist(), common.data.tolist(), strict=True
        )
        if j < k and n >= FEWEST_SHARED
    )
