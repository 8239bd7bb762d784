"""Judges that know nothing, or deny what matters: what passes them says nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from medassay.judgements import Units
from medassay.scores import Unit
from medassay.stats.randomness import Rng, as_generator

__all__ = ["SENTINEL_JUDGES", "SentinelJudge", "sentinel_judges"]

SentinelJudge = Literal["constant", "permuted", "length", "denies", "misses half"]
SENTINEL_JUDGES: Final[Mapping[SentinelJudge, str]] = {
    "constant": "says of every answer what people say most often",
    "permuted": "gives the judge's own labels to answers at random",
    "length": "gives the judge's own labels by the length of the answers",
    "denies": "says what most people say, and never that which matters",
    "misses half": "says what most people say, and of half of that which matters that it is not so",
}


def sentinel_judges(
    units: Units,
    judge: str,
    labels: Sequence[str],
    *,
    words: Mapping[Unit, int] | None = None,
    rng: Rng,
    models: Sequence[str] = (),
) -> dict[SentinelJudge, Units]:
    """Put five judges in the place of one, on the answers that it and people judged.

    Args:
        units: What raters said, the judge among them.
        judge: The judge.
        labels: The labels that matter.
        rng: Permutes labels, and draws which half is missed.
        words: (system, case) to the number of words. Long answers are given high labels or low
            ones, whichever is nearer to people: in favour of the sentinel.
        models: Other model raters: no people, so left out.

    Returns:
        What raters said, with each sentinel as the judge; none where nobody judged what it did, and
        none by length where no answer has words.

    Example:
        >>> codes = [[1, 1, 1], [0, 0, 1], [0, 0, 0]]
        >>> made = sentinel_judges(Units.from_codes(codes, ["none", "severe"]), "rater 2",
        ...     ["severe"], rng=np.random.default_rng(1))
        >>> made["denies"].codes[:, 2].tolist(), made["constant"].codes[:, 2].tolist()
        ([0, 0, 0], [0, 0, 0])
    """
    rng = as_generator(rng)
    people = [i for i, name in enumerate(units.raters) if name != judge and name not in models]
    if judge not in units.raters or not people:
        return {}
    column = units.raters.index(judge)
    codes = units.codes
    own = codes[:, column]
    used = np.flatnonzero((own >= 0) & (codes[:, people] >= 0).any(axis=1))
    if not used.size:
        return {}
    size = len(units.labels)
    theirs = codes[used][:, people]
    counts = np.stack([(theirs == code).sum(axis=1) for code in range(size)], axis=1)
    matters = np.array([name in set(labels) for name in units.labels], dtype=np.bool_)
    most_common = counts.argmax(axis=1)
    often = counts.sum(axis=0)
    harmless = int(np.where(matters, -1, often).argmax())
    most = 2 * counts[:, matters].sum(axis=1) > counts.sum(axis=1)
    # Where most people call it so, the sentinel may not by a split among their other labels.
    worst = np.where(matters[None, :], counts, -1).argmax(axis=1)
    mild = np.where(matters[None, :], -1, counts).argmax(axis=1)
    agrees = np.where(most, worst, mild)
    missed = np.zeros(used.size, dtype=np.bool_)
    so = np.flatnonzero(most)
    missed[rng.permutation(so)[: (so.size + 1) // 2]] = True
    made: dict[SentinelJudge, NDArray[np.int64]] = {
        "constant": np.full(used.size, often.argmax()),
        "permuted": rng.permutation(own[used]),
        "denies": np.where(most, harmless, agrees),
        "misses half": np.where(missed, harmless, agrees),
    }
    length = np.array([(words or {}).get(units.keys[i], 0) for i in used])
    if length.any():
        made["length"] = _by_length(own[used], length, most_common)
    return {
        name: _in_place(units, judge, used, made[name]) for name in SENTINEL_JUDGES if name in made
    }


def _by_length(
    own: NDArray[np.int64], length: NDArray[np.int64], target: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Hand the judge's labels out by length, in the order that people are nearer to."""
    order = np.argsort(length, kind="stable")
    orders = []
    for labels in (np.sort(own), np.sort(own)[::-1]):
        dealt = np.empty_like(own)
        dealt[order] = labels
        orders.append(dealt)
    return min(orders, key=lambda dealt: float(np.abs(dealt - target).sum()))


def _in_place(units: Units, judge: str, used: NDArray[np.intp], labels: NDArray[np.int64]) -> Units:
    table = units.codes.copy()
    column = units.raters.index(judge)
    table[:, column] = -1
    table[used, column] = labels
    unit, rater = np.nonzero(table >= 0)
    return replace(units, unit=unit, rater=rater, code=table[unit, rater])
