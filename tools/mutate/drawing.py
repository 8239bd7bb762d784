"""Draw faults by seed, as many of each kind as there may be."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from random import Random
from typing import Final

from tools.mutate.mutant import Kind, Mutant

PER_FILE: Final = 3
"""More faults than these in one file would say much of few lines."""


def drawn(mutants: Iterable[Mutant], count: int, seed: int) -> list[Mutant]:
    """Draw `count` faults, an equal share of each kind, no two at one place.

    Where a kind has fewer than its share, the others take what is left.
    """
    by_kind: dict[Kind, list[Mutant]] = defaultdict(list)
    for one in sorted(mutants):
        by_kind[one.kind].append(one)
    for kind in sorted(by_kind):
        Random(f"{seed} {kind}").shuffle(by_kind[kind])  # noqa: S311 - a draw, no secret
    chosen: list[Mutant] = []
    in_file: Counter[str] = Counter()
    places: set[tuple[str, str, str, int]] = set()
    while len(chosen) < count and any(by_kind.values()):
        for kind in Kind:
            while by_kind[kind] and len(chosen) < count:
                one = by_kind[kind].pop()
                place = one.path, one.function, one.statement, one.nth
                if in_file[one.path] < PER_FILE and place not in places:
                    chosen.append(one)
                    in_file[one.path] += 1
                    places.add(place)
                    break
    return sorted(chosen)
