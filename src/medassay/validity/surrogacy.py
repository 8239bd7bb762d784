"""What a change between versions of one system in a metric foretells of the raters' change."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from medassay.annotations import PValue, Words, record
from medassay.stats import SystemLine, holm, p_without_any_two, system_line
from medassay.stats.intervals import group_labels
from medassay.stats.lines import version_line
from medassay.validity.block import Block
from medassay.validity.order_test import family_means

VERSION_PAIRS: Final = 8
VERSION_FAMILIES: Final = 3
"""Pairs of versions, a family of three giving two, and families with a pair, under which no metric
may gate between versions (simulations/gate-permits.md)."""


@record(infers=True)
class VersionSurrogacy:
    """The line through changes between versions of one system: the metric's and the raters'.

    Attributes:
        pairs: Versions less families: a family of three gives two pairs.
        families: Families of two versions or more.
        slope: How much the raters' mean changes, toward their better end, for one unit of the
            metric toward its own; None where undefined.
        p: One-sided, of a slope of 0 or less: the largest of that over all families and those with
            each one family left out.
        p_adjusted: After Holm over all metrics and dimensions.
        p_clustered: The same with errors clustered by family, where four families or more are
            there; of three none is left out. For this metric and dimension alone.
        threshold: The surrogate threshold effect: the smallest drop in the metric at which the
            95% prediction interval of the change in quality lies below 0. In the metric's unit;
            None where no drop as large was observed between versions.
        threshold_loss: What loss the line expects there, in the raters' unit.
        not_excluded: The loss by the raters, in their unit, that the same interval leaves open
            between two versions that the metric puts on a level.
        undefined: Why there is no slope or no threshold; empty where both are there.
    """

    pairs: int
    families: int
    slope: float | None = None
    p: PValue | None = None
    p_adjusted: PValue | None = None
    p_clustered: PValue | None = None
    threshold: float | None = None
    threshold_loss: float | None = None
    not_excluded: float | None = None
    undefined: Words = ""


def version_surrogacy(
    block: Block, metric: int, consensus: int, families: Mapping[str, str] | None
) -> VersionSurrogacy:
    """How much must a metric drop between two versions of a system before raters see a loss?

    A gate compares versions of one system. What families differ in, the kind of a system above all,
    is no evidence for it: only changes within a family are. See `stats.version_line`.

    Args:
        block: The answers that both know; higher is better in each.
        metric: The metric's position in the block.
        consensus: The consensus's.
        families: System to family; a system that is not named is a family alone.

    Returns:
        What the line says; `p_adjusted` is still empty, since Holm counts what is not in a block.

    Source: Burzykowski & Buyse (2006), doi:10.1002/pst.207.
    """
    labels = group_labels(block.systems, families)
    counts = [labels.count(label) for label in dict.fromkeys(labels)]
    several = [count for count in counts if count > 1]
    pairs, count = sum(several) - len(several), len(several)
    if not block.adjustment.linked:
        return VersionSurrogacy(pairs, count, undefined=block.adjustment.undefined)
    if pairs < VERSION_PAIRS or count < VERSION_FAMILIES:
        return VersionSurrogacy(
            pairs,
            count,
            undefined=f"not to be had under {VERSION_PAIRS} pairs of versions from "
            f"{VERSION_FAMILIES} families; there are {pairs} from {count}",
        )
    means = block.means[[metric, len(block.metrics) + consensus]]
    line = version_line(means[0], means[1], labels)
    if line is None:
        why = block.why_no_order(metric, consensus, ("it gives", "the raters give"))
        return VersionSurrogacy(pairs, count, undefined=why or "versions do not differ in both")
    threshold = line.threshold()
    return VersionSurrogacy(
        pairs,
        count,
        line.slope,
        line.p,
        None,
        line.p_clustered,
        threshold,
        None if threshold is None else threshold * line.slope,
        -line.lower(0.0),
        ""
        if threshold is not None
        else f"no drop of it up to {line.span:.3g}, the largest between versions here, is so large "
        "that the raters surely see a loss",
    )


def strength_between_versions(
    block: Block, metric: int, consensus: int, families: Mapping[str, str] | None
) -> float:
    """Give the p of a column that has no better end: the smaller of both directions; 1 for none."""
    means = block.means[[metric, len(block.metrics) + consensus]]
    labels = group_labels(block.systems, families)
    lines = (version_line(sign * means[0], means[1], labels) for sign in (1, -1))
    return min(1.0 if line is None else line.p for line in lines)


GATE_SYSTEMS: Final = 12
"""Systems, families of variants counted once, under which no metric may gate: what a new version
does is told from the versions there are, and under twelve a good metric seldom shows it
(simulations/gate-permits.md)."""


@record(infers=True)
class Surrogacy:
    """The line through one point a system: the metric's mean and the raters'.

    Attributes:
        systems: Points on it; systems of one family are one, their mean.
        slope: How much the raters' mean grows, toward their better end, for one unit of the
            metric toward its own; None where undefined.
        p: One-sided, of a slope of 0 or less: the largest over leaving out none, any one and any
            two of the points.
        p_adjusted: After Holm over all metrics and dimensions.
        threshold: The surrogate threshold effect: the smallest loss in the metric behind which the
            95% prediction interval for two new systems shows a loss by the raters. In the
            metric's unit; None where no difference that was observed is as large.
        threshold_loss: What loss the line expects there, in the raters' unit.
        not_excluded: The loss by the raters, in their unit, that the same interval leaves open for
            two new systems that the metric puts on a level.
        undefined: Why there is no slope or no threshold; empty where both are there.
    """

    systems: int
    slope: float | None = None
    p: PValue | None = None
    p_adjusted: PValue | None = None
    threshold: float | None = None
    threshold_loss: float | None = None
    not_excluded: float | None = None
    undefined: Words = ""


def surrogacy(
    block: Block, metric: int, consensus: int, families: Mapping[str, str] | None
) -> Surrogacy:
    """How much must a metric lose before the raters of two new systems see a loss?

    A gate is used on a version that was not there when the metric was tried, so the systems are
    what is drawn: one point each, and what is foretold is the difference between two further ones
    of the same kind, over as many cases as here. See `stats.system_line` for slope, threshold
    and loss not excluded, and `stats.p_without_any_two` for the p.

    Args:
        block: The answers that both know; higher is better in each.
        metric: The metric's position in the block.
        consensus: The consensus's.
        families: System to family; a system that is not named is a family alone.

    Returns:
        What the line says; `p_adjusted` is still empty, since Holm counts what is not in a block.

    Source: Burzykowski & Buyse (2006), doi:10.1002/pst.207.
    """
    labels = group_labels(block.systems, families)
    count = len(set(labels))
    if not block.adjustment.linked:
        return Surrogacy(count, undefined=block.adjustment.undefined)
    if count < GATE_SYSTEMS:
        kind = "systems" if count == len(block.systems) else "families of systems"
        why = f"not to be had under {GATE_SYSTEMS} {kind}; there are {count}"
        return Surrogacy(count, undefined=why)
    points = family_means(block.means[[metric, len(block.metrics) + consensus]], labels)
    line, p = system_line(*points), p_without_any_two(*points)
    if line is None or p is None:
        why = block.why_no_order(metric, consensus, ("it gives", "the raters give"))
        return Surrogacy(count, undefined=why or "the families do not differ in both")
    threshold, why = _threshold(line)
    return Surrogacy(
        count,
        line.slope,
        p,
        None,
        threshold,
        None if threshold is None else threshold * line.slope,
        line.loss_not_excluded(),
        why,
    )


_Line = TypeVar("_Line", Surrogacy, VersionSurrogacy)


def adjusted_over_all(lines: Sequence[_Line]) -> list[_Line]:
    """Adjust the p of lines by Holm, over all that have one.

    Who gates by a metric guards all that raters judge, so one family holds all metrics and all
    dimensions of a study.

    Example:
        >>> lines = [Surrogacy(12, 1.0, p) for p in (0.01, 0.03)] + [Surrogacy(6)]
        >>> [line.p_adjusted for line in adjusted_over_all(lines)]
        [0.02, 0.03, None]
    """
    adjusted = iter(holm([line.p for line in lines if line.p is not None]).tolist())
    return [line if line.p is None else replace(line, p_adjusted=next(adjusted)) for line in lines]


def _threshold(line: SystemLine) -> tuple[float | None, str]:
    threshold = line.threshold()
    if threshold is None:
        return None, "no loss of it is so large that the raters surely see one"
    if threshold > line.span:
        return None, (
            f"only behind a loss of {threshold:.3g} would the raters surely see one, and no two "
            f"systems differ by more than {line.span:.3g}"
        )
    return threshold, ""
