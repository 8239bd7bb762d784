"""Who rates what where not everybody may rate everything: specialties, and systems of one's own."""

from collections import deque
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Protocol

from medassay.judgements.campaign.assignment import Item
from medassay.judgements.campaign.secret import Draws

__all__ = ["Fit", "fitted_panels"]


class Fit(Protocol):
    """Who may rate what."""

    def may(self, item: Item, rater: str) -> bool:
        """Say whether a rater may see an item at all."""

    def knows(self, item: Item, rater: str) -> bool:
        """Say whether an item should go to this rater."""


def fitted_panels(
    groups: Sequence[int],
    allowed: Sequence[Collection[int]],
    sizes: Sequence[int],
    raters: int,
    draws: Draws,
    before: Sequence[Sequence[int]] = (),
) -> list[tuple[int, ...]]:
    """Give each item a panel of raters who may rate it, as evenly loaded as that can be.

    Items that few may rate are dealt first, each to the least loaded; then an item passes from one
    rater to the next, along the shortest chain of raters who may take one over, from whoever has
    most to whoever has least, for as long as that evens out the loads. No other allotment has a
    lower highest load (semi-matchings, Harvey et al. 2006, https://doi.org/10.1016/j.jalgor.2005.01.005).

    Args:
        groups: For each item the number of its group, such as its system.
        allowed: For each item the raters who may rate it.
        sizes: For each item how many raters it gets; at most as many as are allowed.
        raters: How many raters there are.
        draws: Break ties.
        before: For each rater how many items of each group they have already; none if not given.

    Returns:
        For each item the positions of its raters, ascending.

    Example:
        >>> from medassay.judgements.campaign import Secret
        >>> draws = Secret(bytes(32)).draws("panels")
        >>> panels = fitted_panels([0] * 4, [{0}, {0, 1}, {0, 1}, {0, 1}], [1] * 4, 2, draws)
        >>> panels[0], sorted(panels[1:])
        ((0,), [(0,), (1,), (1,)])
    """
    seen = [list(counts) for counts in before]
    seen = seen or [[0] * (max(groups, default=0) + 1) for _ in range(raters)]
    loads = [sum(counts) for counts in seen]
    panels: list[set[int]] = [set() for _ in groups]
    turns = sorted(
        draws.permutation(len(groups)),
        key=lambda item: (len(allowed[item]) - sizes[item], groups[item]),
    )
    for item in turns:
        turn = [rater for rater in draws.permutation(raters) if rater in allowed[item]]
        for rater in sorted(
            turn, key=lambda candidate: (loads[candidate], seen[candidate][groups[item]])
        ):
            if len(panels[item]) == sizes[item]:
                break
            panels[item].add(rater)
            loads[rater] += 1
            seen[rater][groups[item]] += 1
    while _pass_on(panels, allowed, loads):
        pass
    return [tuple(sorted(panel)) for panel in panels]


def _pass_on(panels: list[set[int]], allowed: Sequence[Collection[int]], loads: list[int]) -> bool:
    """Move one item along a chain from a rater with much to one with at least two less."""
    takes: dict[int, dict[int, int]] = {}
    for item, panel in enumerate(panels):
        for giver in panel:
            for taker in allowed[item]:
                if taker not in panel:
                    takes.setdefault(giver, {}).setdefault(taker, item)
    for start in sorted(range(len(loads)), key=lambda rater: -loads[rater]):
        chain = _chain(start, takes, loads)
        if not chain:
            continue
        for giver, taker in pairwise(chain):
            panels[takes[giver][taker]].remove(giver)
            panels[takes[giver][taker]].add(taker)
        loads[chain[0]] -= 1
        loads[chain[-1]] += 1
        return True
    return False


def _chain(start: int, takes: dict[int, dict[int, int]], loads: list[int]) -> list[int]:
    """Find the shortest chain to a rater with at least two less; each link passes on one item."""
    came: dict[int, int] = {start: start}
    waiting = deque([start])
    while waiting:
        giver = waiting.popleft()
        for taker in sorted(takes.get(giver, {}), key=lambda rater: loads[rater]):
            if taker in came:
                continue
            came[taker] = giver
            if loads[taker] <= loads[start] - 2:
                chain = [taker]
                while chain[-1] != start:
                    chain.append(came[chain[-1]])
                return chain[::-1]
            waiting.append(taker)
    return []
