"""How alike the columns of a table of means order its systems, where no answer was published."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.errors import InvalidInput, Problem, nearest
from medassay.stats import holm, permutation_p, tau_b
from medassay.stats.kendall import dense_ranks
from medassay.stats.randomness import Rng, as_generator
from medassay.tables import Sheet, decimal, number_hint

_SYSTEM: Final = "system"
_FEWEST: Final = 4
"""With three systems no order is rarer than one in six."""


@dataclass(frozen=True, slots=True)
class ColumnPair:
    """Two columns of means held against each other.

    Attributes:
        first: A column.
        second: Another.
        tau: Kendall's tau-b over the systems that have both; None where a column knows one value.
        p: Two-sided, of the permutation null; None where tau is.
        p_adjusted: After Holm over all pairs of the table.
        n_systems: Systems that have both.
    """

    first: str
    second: str
    tau: float | None
    p: float | None
    p_adjusted: float | None
    n_systems: int


@dataclass(frozen=True, slots=True)
class MeansOrder:
    """All pairs of the columns of a table of means.

    Attributes:
        systems: In the order of the table.
        columns: The columns of numbers.
        left_out: Columns that hold no number.
        pairs: Those that agree or disagree most first; undefined ones last.
    """

    systems: tuple[str, ...]
    columns: tuple[str, ...]
    left_out: tuple[str, ...]
    pairs: tuple[ColumnPair, ...]


def order_of_means(sheet: Sheet, *, rng: Rng) -> MeansOrder:
    """Do the columns of a table of means order the systems alike?

    Kendall's tau-b of each pair of columns over the systems that have both, its p that of the
    permutation null, adjusted by Holm over all pairs. A table of means holds no judgement of a
    person unless a column is one: tau says how far two columns agree, and not which is right.

    Args:
        sheet: A column `system`, each system once, and at least two columns of numbers; an empty
            cell is a mean that was not published.
        rng: The source of randomness; not touched where p is exact.

    Raises:
        InvalidInput: Every cell that is no number in a column of numbers, every system that comes
            twice, fewer than four systems or two columns.

    Example:
        >>> sheet = Sheet("means.csv", [2, 3, 4, 5], {"system": ["A", "B", "C", "D"],
        ...     "bleu": ["1", "2", "3", "4"], "experts": ["1", "2", "4", "3"]})
        >>> pair, = order_of_means(sheet, rng=1).pairs
        >>> pair.first, pair.second, round(pair.tau, 2), round(pair.p, 2)
        ('bleu', 'experts', 0.67, 0.33)
    """
    rng, problems = as_generator(rng), list[Problem]()
    systems = _systems(sheet, problems)
    means: dict[str, NDArray[np.float64]] = {}
    left_out = []
    for name, cells in sheet.columns.items():
        if name == _SYSTEM:
            continue
        values = [decimal(str(cell)) for cell in cells]
        filled = [cell is not None and str(cell).strip() != "" for cell in cells]
        if not any(value is not None for value in values):
            left_out.append(name)
            continue
        problems += [
            Problem(sheet.file, "be a number", f'"{cell}"', number_hint(str(cell)), row, name)
            for row, cell, value, is_filled in zip(sheet.rows, cells, values, filled, strict=True)
            if is_filled and value is None
        ]
        means[name] = np.array([np.nan if value is None else value for value in values])
    if len(means) < 2 and not problems:  # noqa: PLR2004 - a pair
        got = ", ".join(means) or "none"
        problems.append(Problem(sheet.file, "hold at least two columns of numbers", got))
    if problems:
        raise InvalidInput(problems)
    pairs = _adjusted(_pairs(means, rng))
    return MeansOrder(tuple(systems), tuple(means), tuple(left_out), tuple(pairs))


def _systems(sheet: Sheet, problems: list[Problem]) -> list[str]:
    if _SYSTEM not in sheet.columns:
        near = nearest(_SYSTEM, sheet.columns)
        hint = f'Rename "{near}" to system.' if near else "Name the column of the systems so."
        got = ", ".join(map(str, sheet.columns)) or "none"
        raise InvalidInput(Problem(sheet.file, "hold a column system", got, hint, sheet.header))
    names = [str(cell or "").strip() for cell in sheet.columns[_SYSTEM]]
    for row, name in zip(sheet.rows, names, strict=True):
        if not name:
            problems.append(Problem(sheet.file, "name a system", "nothing", "", row, _SYSTEM))
        elif names.count(name) > 1:
            must = "name each system once"
            problems.append(Problem(sheet.file, must, f'"{name}" again', "", row, _SYSTEM))
    if len(names) < _FEWEST:
        problems.append(Problem(sheet.file, f"hold at least {_FEWEST} systems", str(len(names))))
    return names


def _pairs(means: Mapping[str, NDArray[np.float64]], rng: np.random.Generator) -> list[ColumnPair]:
    """Hold each two columns against each other; pairs of the same systems share their draws."""
    pairs = list(combinations(means, 2))
    shared = {pair: np.isfinite(means[pair[0]]) & np.isfinite(means[pair[1]]) for pair in pairs}
    alike: dict[bytes, list[tuple[str, str]]] = {}
    for pair in pairs:
        alike.setdefault(shared[pair].tobytes(), []).append(pair)
    found: dict[tuple[str, str], ColumnPair] = {}
    for members in alike.values():
        systems = shared[members[0]]
        names = list(dict.fromkeys(name for pair in members for name in pair))
        if systems.sum() < 2:  # noqa: PLR2004 - one system has no order
            found |= {
                (a, b): ColumnPair(a, b, None, None, None, int(systems.sum())) for a, b in members
            }
            continue
        ranks = np.array([dense_ranks(means[name][systems]) for name in names])
        p, _ = permutation_p(ranks, ranks, rng=rng)
        for a, b in members:
            tau = tau_b(means[a][systems], means[b][systems])
            known = None if tau is None else float(p[names.index(a), names.index(b)])
            found[a, b] = ColumnPair(a, b, tau, known, None, int(systems.sum()))
    return [found[pair] for pair in pairs]


def _adjusted(pairs: Sequence[ColumnPair]) -> list[ColumnPair]:
    known = [pair for pair in pairs if pair.p is not None]
    adjusted = holm([pair.p for pair in known if pair.p is not None]).tolist()
    held = [replace(pair, p_adjusted=p) for pair, p in zip(known, adjusted, strict=True)]
    held.sort(key=lambda pair: -abs(pair.tau or 0))
    return held + [pair for pair in pairs if pair.p is None]
