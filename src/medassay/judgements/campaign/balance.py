"""Who rates what where not everyone rates everything."""

from collections.abc import Sequence
from itertools import combinations, pairwise
from typing import Final

from medassay.judgements.campaign.secret import Draws

__all__ = ["balanced_panels"]

_ROUNDS: Final = 30


def balanced_panels(
    groups: Sequence[int], raters: int, overlap: int, draws: Draws
) -> list[tuple[int, ...]]:
    """Give each item a panel of `overlap` raters, as even as can be.

    First, no rater has more than one item more than another. Then, as far as that allows, each
    rater sees each group (each system) equally often, so that a severe rater is no system's fate;
    and each pair of raters shares equally many items, so that every pair can be compared.

    Args:
        groups: For each item the number of its group, such as its system.
        raters: How many raters there are.
        overlap: How many raters an item gets; at most `raters`.
        draws: Break ties.

    Returns:
        For each item the positions of its raters, ascending.

    Example:
        >>> from medassay.judgements.campaign import Secret
        >>> panels = balanced_panels([0, 1] * 3, 3, 2, Secret(bytes(32)).draws("panels"))
        >>> sorted(panels)
        [(0, 1), (0, 1), (0, 2), (0, 2), (1, 2), (1, 2)]
    """
    if overlap == raters:
        return [tuple(range(raters))] * len(groups)
    loads = [0] * raters
    seen = [[0] * (max(groups, default=0) + 1) for _ in range(raters)]
    shared = [[0] * raters for _ in range(raters)]
    panels: list[tuple[int, ...]] = [()] * len(groups)
    # Group after group: where loads are even before one, what raters see of it comes out even.
    turns = sorted(draws.permutation(len(groups)), key=lambda item: groups[item])
    for item in turns:
        group, panel = groups[item], list[int]()
        turn = draws.permutation(raters)
        for _ in range(overlap):
            best = min(
                (rater for rater in turn if rater not in panel),
                key=lambda rater: (
                    loads[rater],
                    seen[rater][group],
                    sum(shared[rater][other] for other in panel),
                ),
            )
            for other in panel:
                shared[best][other] += 1
                shared[other][best] += 1
            panel.append(best)
            loads[best] += 1
            seen[best][group] += 1
        panels[item] = tuple(panel)
    _even_pairs(panels, groups, shared, draws)
    return [tuple(sorted(panel)) for panel in panels]


def _even_pairs(
    panels: list[tuple[int, ...]],
    groups: Sequence[int],
    shared: list[list[int]],
    draws: Draws,
) -> None:
    """Let two raters change places between two items of a group where that evens out the pairs.

    Neither the load of a rater nor what they see of a group changes by it.
    """
    of_group: dict[int, list[int]] = {}
    for item, group in enumerate(groups):
        of_group.setdefault(group, []).append(item)
    for _ in range(_ROUNDS):
        counts = [shared[a][b] for a, b in combinations(range(len(shared)), 2)]
        if max(counts) - min(counts) <= 1:
            return
        for items in of_group.values():
            turn = [items[i] for i in draws.permutation(len(items))]
            for first, other in pairwise(turn):
                _swap_if_better(panels, first, other, shared)


def _swap_if_better(
    panels: list[tuple[int, ...]], first: int, other: int, shared: list[list[int]]
) -> None:
    here, there = panels[first], panels[other]
    for a in sorted(set(here) - set(there)):
        for b in sorted(set(there) - set(here)):
            with_a = [rater for rater in here if rater != a]
            with_b = [rater for rater in there if rater != b]
            # The sum of squares falls by twice this, less two for each pair that changes.
            gain = sum(shared[a][r] - shared[b][r] for r in with_a)
            gain += sum(shared[b][r] - shared[a][r] for r in with_b)
            if gain <= len(with_a) + len(with_b):
                continue
            for left, joined, rest in ((a, b, with_a), (b, a, with_b)):
                for rater in rest:
                    for x, y, step in ((left, rater, -1), (joined, rater, 1)):
                        shared[x][y] += step
                        shared[y][x] += step
            panels[first] = (*with_a, b)
            panels[other] = (*with_b, a)
            return
