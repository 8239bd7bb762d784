"""Whether a metric's tau holds inside groups of cases or of systems, as over all of them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.annotations import DesignName, Tag, TagName, Words, record
from medassay.stats import CaseAdjustment, tau_b
from medassay.validity.block import Block, blocks
from medassay.validity.source import Source

_FEWEST_SYSTEMS: Final = 3
_FEWEST_CASES: Final = 5


@record(infers=False)
class GroupTau:
    """One metric and one consensus inside one group.

    Attributes:
        metric: Name of the metric.
        consensus: Name of the consensus.
        by: What groups: `family`, or a tag of the cases.
        group: The family, or the tag's value.
        tau: tau-b of the system means inside the group, adjusted by case where not every system
            has every case; None where undefined.
        pooled: tau-b over all.
        n_systems: Systems inside.
        n_cases: Cases inside.
        trap: Whether this is Simpson's trap: the pooled tau has one sign, and tau in every group
            that has one is 0 or of the other.
        undefined: Why there is no tau; empty where there is one.
    """

    metric: DesignName
    consensus: DesignName
    by: TagName
    group: Tag
    tau: float | None
    pooled: float | None
    n_systems: int
    n_cases: int
    trap: bool
    undefined: Words = ""


def tau_in_groups(
    metrics: Sequence[Source],
    consensuses: Sequence[Source],
    *,
    families: Mapping[str, str] | None = None,
    tags: Mapping[str, Mapping[str, str]] | None = None,
) -> list[GroupTau]:
    """Does a metric order the systems of each family, and on each kind of case, as it does pooled?

    A metric can order families rightly and be blind, or wrong, within every one of them: then its
    pooled tau says nothing to who compares two variants of one pipeline. Groups with fewer than
    three systems or five cases have no tau.

    Args:
        metrics: The same systems and cases as every other source.
        consensuses: The columns to judge them by.
        families: System to family.
        tags: Name of a tag to its value for each case that has it.

    Source: Simpson (1951), doi:10.1111/j.2517-6161.1951.tb00088.x.

    Example:
        >>> from medassay.scores import Grid
        >>> values = np.array([[1.0], [2.0], [3.0], [7.0], [8.0], [9.0]]) + np.zeros((1, 5))
        >>> metric = np.array([[3.0], [2.0], [1.0], [9.0], [8.0], [7.0]]) + np.zeros((1, 5))
        >>> names = tuple("ABCDEF"), tuple("12345")
        >>> grids = [Grid(*names, v, v > 0) for v in (metric, values)]
        >>> sources = [Source(name, grid) for name, grid in zip("mh", grids)]
        >>> found = tau_in_groups(sources[:1], sources[1:], families=dict(zip("ABCDEF", "xxxyyy")))
        >>> [(one.group, one.tau, round(one.pooled, 2), one.trap) for one in found]
        [('x', -1.0, 0.2, True), ('y', -1.0, 0.2, True)]
    """
    by_pair: dict[tuple[int, int], list[GroupTau]] = {}
    for block in blocks(metrics, consensuses):
        groups = list(_groups(block, families or {}, tags or {}))
        for a, i in enumerate(block.metrics):
            for b, j in enumerate(block.consensuses):
                names = metrics[i].name, consensuses[j].name
                sides = block.values[a], block.values[len(block.metrics) + b]
                by_pair[i, j] = _flagged(
                    [_one(names, by, group, rows, sides) for by, group, rows in groups],
                    _tau(*sides, block.known),
                )
    return [
        group_tau
        for i in range(len(metrics))
        for j in range(len(consensuses))
        for group_tau in by_pair[i, j]
    ]


def _groups(
    block: Block, families: Mapping[str, str], tags: Mapping[str, Mapping[str, str]]
) -> list[tuple[str, str, NDArray[np.bool_]]]:
    """Mark the answers of each family and of each value of each tag."""
    made = []
    for by, of, names, axis in (
        ("family", families, block.systems, 0),
        *((tag, values, block.cases, 1) for tag, values in sorted(tags.items())),
    ):
        for group in sorted({of[name] for name in names if name in of}):
            inside = np.array([of.get(name) == group for name in names])
            marked = inside[:, None] if axis == 0 else inside[None, :]
            made.append((by, group, block.known & marked))
    return made


def _one(
    names: tuple[str, str],
    by: str,
    group: str,
    rows: NDArray[np.bool_],
    sides: tuple[NDArray[np.float64], NDArray[np.float64]],
) -> GroupTau:
    systems, cases = int(rows.any(axis=1).sum()), int(rows.any(axis=0).sum())
    why = ""
    if systems < _FEWEST_SYSTEMS:
        why = f"tau needs {_FEWEST_SYSTEMS} systems; this group has {systems}"
    elif cases < _FEWEST_CASES:
        why = f"this group has {cases} cases: too few"
    elif not CaseAdjustment(rows[rows.any(axis=1)]).linked:
        why = "the systems of this group share no case, directly or over others"
    tau = None if why else _tau(*sides, rows)
    if not why and tau is None:
        why = "all systems have the same mean"
    return GroupTau(*names, by, group, tau, None, systems, cases, trap=False, undefined=why)


def _tau(
    ours: NDArray[np.float64], theirs: NDArray[np.float64], known: NDArray[np.bool_]
) -> float | None:
    rows = known.any(axis=1)
    if rows.sum() < _FEWEST_SYSTEMS:
        return None
    adjustment = CaseAdjustment(known[rows])
    if not adjustment.linked:
        return None
    return tau_b(*adjustment.means(np.array([ours[rows], theirs[rows]])))


def _flagged(group_taus: list[GroupTau], pooled: float | None) -> list[GroupTau]:
    turned = {
        by: pooled is not None
        and pooled != 0
        and len(taus) > 1
        and all(tau * pooled <= 0 for tau in taus)
        for by in {group_tau.by for group_tau in group_taus}
        for taus in [
            [
                group_tau.tau
                for group_tau in group_taus
                if group_tau.by == by and group_tau.tau is not None
            ]
        ]
    }
    return [
        replace(group_tau, pooled=pooled, trap=turned[group_tau.by]) for group_tau in group_taus
    ]
