"""Where the variance comes from: one component a factor, from tables with holes."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Components", "variance_components"]

_ALIASED = 1e-9


@dataclass(frozen=True, slots=True)
class Components:
    """Variance by where it comes from, in the squared unit of the values.

    Attributes:
        estimates: A component for each factor, and "residual"; below 0 where chance has it so, as
            an unbiased estimate of something small must be at times.
        aliased: Factors that the design cannot tell from the others; they have no component.
        n: Number of values.
    """

    estimates: Mapping[str, float]
    aliased: tuple[str, ...]
    n: int

    def of(self, factor: str) -> float:
        """Give a component, at least 0; 0 where the design cannot tell it from the others."""
        return max(self.estimates.get(factor, 0.0), 0.0)


def variance_components(
    values: NDArray[np.float64], factors: Mapping[str, Sequence[Hashable]]
) -> Components:
    """How much of the variance goes with each factor, and how much with nothing that was noted?

    The model is y = μ + Σ_f u_f + e with independent effects of variance σ²_f. Minimum variance
    quadratic unbiased estimates at prior weight 0 (MIVQUE0): with M = I − 11'/n and indicators Z_f,
    the quadratic forms y'M Z_f Z_f' M y and y'M y are set equal to their expectations,
    E q_f = Σ_g σ²_g tr(M Z_f Z_f' M Z_g Z_g'). Unbiased whatever is missing; with complete balanced
    data the estimates of the analysis of variance. The traces need only counts, so n values cost
    O(n), never n².

    A factor whose effects the design cannot separate from those before it, or from the residual
    (each level seen once), is left out and named: its variance is then in the others.

    Args:
        values: Shape (n,).
        factors: Name to the level of each value, in the order in which they are kept.

    Source: Hartley, Rao & LaMotte (1978), doi:10.2307/2530156.

    Example:
        >>> found = variance_components(  # MS_rows = 4.5, MS_residual = 0.5, two columns
        ...     np.array([1.0, 2.0, 4.0, 4.0]), {"row": [0, 0, 1, 1]}
        ... )
        >>> {name: round(value, 3) for name, value in found.estimates.items()}
        {'row': 3.0, 'residual': 0.25}
    """
    n = len(values)
    codes = {name: np.unique(_codes(levels), return_inverse=True)[1] for name, levels in
             factors.items()}  # fmt: skip
    codes["residual"] = np.arange(n)
    names = list(codes)
    centred = values - values.mean() if n else values
    forms = {name: float((np.bincount(codes[name], centred) ** 2).sum()) for name in names}
    sizes = {name: np.bincount(codes[name])[codes[name]].astype(np.float64) for name in names}
    traces = {
        (f, g): _trace(codes[f], codes[g], sizes[f], sizes[g])
        for i, f in enumerate(names)
        for g in names[i:]
    }
    determined: list[str] = ["residual"]
    for name in names[:-1]:
        if _independent(traces, [*determined, name], names):
            determined.append(name)
    aliased = tuple(name for name in names if name not in determined)
    order = [name for name in names if name in determined]
    if n < 2:  # noqa: PLR2004 - one value has no variance
        return Components({}, tuple(names[:-1]), n)
    system = _matrix(traces, order, names)
    solved = np.linalg.solve(system, np.array([forms[name] for name in order]))
    return Components(dict(zip(order, solved.tolist(), strict=True)), aliased, n)


def _codes(levels: Sequence[Hashable]) -> NDArray[np.int64]:
    position = {level: i for i, level in enumerate(dict.fromkeys(levels))}
    return np.array([position[level] for level in levels], dtype=np.int64)


def _trace(
    first: NDArray[np.int64],
    other: NDArray[np.int64],
    size: NDArray[np.float64],
    other_size: NDArray[np.float64],
) -> float:
    """Give tr(M A M B) = tr(AB) − 2·1'AB1/n + (1'A1)(1'B1)/n² for A = ZZ', B = WW'."""
    n = len(first)
    cells = np.unique(first * (int(other.max(initial=0)) + 1) + other, return_counts=True)[1]
    shared = float((cells.astype(np.float64) ** 2).sum())
    crossed = float((size * other_size).sum())
    return shared - 2 * crossed / n + float(size.sum()) * float(other_size.sum()) / n**2


def _matrix(
    traces: Mapping[tuple[str, str], float], order: Sequence[str], names: Sequence[str]
) -> NDArray[np.float64]:
    place = {name: i for i, name in enumerate(names)}
    rows = [[traces[(f, g) if place[f] <= place[g] else (g, f)] for g in order] for f in order]
    return np.array(rows)


def _independent(
    traces: Mapping[tuple[str, str], float], order: Sequence[str], names: Sequence[str]
) -> bool:
    matrix = _matrix(traces, order, names)
    scale = np.sqrt(np.diag(matrix))
    if not (scale > _ALIASED).all():
        return False
    least: float = np.linalg.eigvalsh(matrix / np.outer(scale, scale))[0]
    return least > _ALIASED
