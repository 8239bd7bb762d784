"""Where people part most evenly: what a judge is asked to know where no label is of harm."""

from collections.abc import Sequence
from typing import Literal

import numpy as np

from medassay.judgements import Units

__all__ = ["even_cut"]


def even_cut(
    units: Units,
    judge: str,
    *,
    better: Literal["higher", "lower"] = "higher",
    models: Sequence[str] = (),
) -> tuple[str, tuple[str, ...]] | None:
    """Which labels do most people give to the nearest to half of the answers that the judge saw?

    Of a scale with an order its worse end, cut where most people lie on either side as often as can
    be; of labels without an order one label. Chosen by what people say alone, so that no judge
    gains by the choice.

    Args:
        units: What raters said, the judge among them.
        judge: The judge.
        better: Which end of the scores is the good one.
        models: Other model raters: no people.

    Returns:
        A name and the labels; None where people never part.

    Example:
        >>> codes = [[0, 0, 0], [1, 1, 1], [2, 2, 2], [2, 2, 2]]
        >>> units = Units.from_codes(codes, "abc", scale="ordinal", scores=[1, 2, 3])
        >>> even_cut(units, units.raters[-1])
        ('b or worse', ('a', 'b'))
    """
    if judge not in units.raters:
        return None
    people = [i for i, name in enumerate(units.raters) if name != judge and name not in models]
    codes = units.codes
    theirs = codes[codes[:, units.raters.index(judge)] >= 0][:, people]
    counts = np.stack([(theirs == code).sum(axis=1) for code in range(len(units.labels))], axis=1)
    cuts = []
    for name, chosen in _cuts(units, better):
        calls = counts[:, chosen].sum(axis=1)
        total = counts.sum(axis=1)
        fewer = min(int((2 * calls > total).sum()), int((2 * calls < total).sum()))
        cuts.append((fewer, name, tuple(units.labels[code] for code in chosen)))
    best = max(cuts, key=lambda cut: cut[0], default=(0, "", ()))
    return (best[1], best[2]) if best[0] else None


def _cuts(units: Units, better: Literal["higher", "lower"]) -> list[tuple[str, list[int]]]:
    size = len(units.labels)
    if units.scale == "nominal":
        return [(label, [code]) for code, label in enumerate(units.labels)]
    scores = np.arange(size) if units.scores is None else units.scores
    order = np.argsort(scores if better == "higher" else -scores, kind="stable").tolist()
    return [(f"{units.labels[order[k - 1]]} or worse", sorted(order[:k])) for k in range(1, size)]
