"""Whether a metric orders systems as the raters do, beyond two of them and beyond luck."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from medassay.marks import PValue, Words, record
from medassay.stats import FEWEST_WITHOUT_TWO, dense_ranks, holm, tau_p_without_any_two
from medassay.stats.clusters import group_labels
from medassay.validity.block import Block
from medassay.validity.family_points import family_means
from medassay.validity.rank_bar import rank_bar

__all__ = ["OrderTest", "order_test", "order_tests_over_all"]

_RAREST: Final = 1e-9


@record(infers=True)
class OrderTest:
    """What the order of the systems shows, families of variants counted once.

    Attributes:
        systems: Systems; those of one family are one, their mean.
        tests: Metrics times dimensions of the study that have such a test.
        p: Two-sided, of tau: the largest over leaving out none, any one and any two; 1 where what
            is left is ordered against the raters.
        p_adjusted: After Holm over all metrics and dimensions.
        bar: A metric that ranks has a tau above it: what the best of `tests` metrics with a true
            tau of .50 reaches in 95 % of studies. None where no tau is above it.
        undefined: Why there is no p; empty where there is one.
    """

    systems: int
    tests: int = 0
    p: PValue | None = None
    p_adjusted: PValue | None = None
    bar: float | None = None
    undefined: Words = ""


def order_test(
    block: Block, metric: int, consensus: int, families: Mapping[str, str] | None
) -> OrderTest:
    """Does a metric order the systems as the raters do whichever two are left out?

    See `stats.tau_p_without_any_two`. `p_adjusted`, `tests` and `bar` are still empty: they count
    what is not in a block.

    Args:
        block: The answers that both know; higher is better in each.
        metric: The metric's position in the block.
        consensus: The consensus's.
        families: System to family; a system that is not named is a family alone.
    """
    labels = group_labels(block.systems, families)
    count = len(set(labels))
    if not block.adjustment.linked:
        return OrderTest(count, undefined=block.adjustment.undefined)
    kind = "systems" if count == len(block.systems) else "families of systems"
    if count < FEWEST_WITHOUT_TWO:
        why = f"not to be had under {FEWEST_WITHOUT_TWO} {kind}; there are {count}"
        return OrderTest(count, undefined=why)
    at = metric, len(block.metrics) + consensus
    points = family_means(block.means[list(at)], labels)
    scales = np.abs(block.values[list(at)]).max(axis=(1, 2), initial=0.0).tolist()
    ranks = [dense_ranks(own, scale=scale) for own, scale in zip(points, scales, strict=True)]
    p = tau_p_without_any_two(*ranks)
    if p is None:
        why = block.why_no_order(metric, consensus, ("it gives", "the raters give"))
        return OrderTest(count, undefined=why or "the families do not differ in both")
    return OrderTest(count, p=max(p, _RAREST))


def order_tests_over_all(tests: Sequence[OrderTest]) -> list[OrderTest]:
    """Adjust the p of tests by Holm over all that have one, and give each its bar.

    Who picks a metric picks it from all metrics and dimensions of a study.

    Example:
        >>> tests = [OrderTest(16, p=p) for p in (0.01, 0.03)] + [OrderTest(4)]
        >>> [(test.p_adjusted, test.bar) for test in order_tests_over_all(tests)]
        [(0.02, 0.7833333333333333), (0.03, 0.7833333333333333), (None, None)]
    """
    known = [test.p for test in tests if test.p is not None]
    adjusted = iter(holm(known).tolist())
    return [
        test
        if test.p is None
        else replace(
            test,
            tests=len(known),
            p_adjusted=next(adjusted),
            bar=rank_bar(test.systems, len(known)),
        )
        for test in tests
    ]
