"""The share of bad answers that people would find, from a flag with known errors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.annotations import DesignName, SystemName, Words, record
from medassay.scores import Grid
from medassay.stats import Combined, Interval, clustered_share, moments, rogan_gladen
from medassay.stats.intervals import group_labels
from medassay.stats.judged_means import FEWEST_OTHERWISE, share_over_sensitivities, worth
from medassay.validity.bad_answers import Target
from medassay.validity.source import in_canonical_order

_OWN: Final = 20
"""From so many of this system's answers of either kind, the flag's errors are its own."""
_ESTIMAND: Final = "this system, new cases"


@dataclass(frozen=True, slots=True, eq=False)
class Flag:
    """Who calls answers bad.

    Attributes:
        name: A metric with a threshold, or a model judge.
        role: `metric` or `judge`.
        grid: 1 where it calls an answer bad, 0 where not.
    """

    name: str
    role: str
    grid: Grid


@record(infers=True)
class JudgedShare:
    """One system's share of bad answers by people, by a flag, and by the flag corrected.

    Attributes:
        dimension: The dimension judged.
        kind: `unacceptable`, `harmful` or `dangerous`.
        system: The system.
        flag: Name of the flag.
        role: `metric` or `judge`.
        judged: Answers that people judged.
        people: The share of them that is bad; None where none is judged.
        people_interval: For this system on new cases.
        scored: Answers that the flag speaks of.
        plain: The share of them that it flags, as it is; None where there is none.
        plain_interval: The same; it says nothing of the flag's errors.
        sensitivity: Of the answers that people call bad, hits and how many.
        specificity: Of the others, answers not flagged and how many.
        errors_of: `this system` or `all systems`: whose judged answers those two rest on.
        corrected: Rogan-Gladen over the answers that people did not judge; without an interval
            where the two rates are those of all systems.
        borrowed_low: Where they are: the least share, if the flag finds all of this system's bad
            answers; None elsewhere, and where no range can be had.
        borrowed_high: The same: the greatest, if it finds half of them.
    """

    dimension: DesignName
    kind: Words
    system: SystemName
    flag: DesignName
    role: Words
    judged: int
    people: float | None
    people_interval: Interval | None
    scored: int
    plain: float | None
    plain_interval: Interval | None
    sensitivity: tuple[int, int]
    specificity: tuple[int, int]
    errors_of: Words
    corrected: Combined
    borrowed_low: float | None = None
    borrowed_high: float | None = None


def judged_shares(
    targets: Sequence[Target],
    flags: Mapping[tuple[str, str], Sequence[Flag]],
    *,
    clusters: Mapping[str, str] | None = None,
    level: float = 0.95,
) -> list[JudgedShare]:
    """What share of a system's answers would people call bad, by a flag whose errors are known?

    Sensitivity and specificity are counted on answers that both people and the flag judged: this
    system's own where there are 20 of each kind, else every system's, which supposes that the flag
    errs alike on all. The share is corrected over the answers that people did not judge, so that
    the two parts are independent. Answers of one cluster are not: every count enters with the
    number of independent answers that its clustered error is worth, and never with more.

    Args:
        targets: What is bad, by people.
        flags: Dimension and kind to those who call answers so.
        clusters: Case to cluster; answers to one case count as one cluster in any event.
        level: Nominal coverage.

    Source: Rogan & Gladen (1978), doi:10.1093/oxfordjournals.aje.a112510; for model judges Lee
        (2025), arXiv:2511.21140; the effective number as in Korn & Graubard (1998).

    Example:
        >>> rng = np.random.default_rng(1)
        >>> bad = (rng.random((1, 600)) < 0.3).astype(float)
        >>> names = ("A",), tuple(f"{i:03}" for i in range(600))
        >>> called = np.where(rng.random((1, 600)) < 0.1, 1 - bad, bad)
        >>> people = Target("d", "dangerous", Grid(*names, bad, np.arange(600)[None] < 200))
        >>> flag = Flag("judge", "judge", Grid(*names, called, bad >= 0))
        >>> [one] = judged_shares([people], {("d", "dangerous"): [flag]})
        >>> one.errors_of, one.corrected.no_help
        ('this system', 'the judgements of this system alone tell as much')
    """
    shares = []
    for target in targets:
        theirs = in_canonical_order(target.grid)
        labels = group_labels(theirs.cases, clusters)
        for flag in flags.get((target.dimension, target.kind), ()):
            ours = in_canonical_order(flag.grid)
            shares += [
                _one(target, flag, (theirs, ours), labels, at, level)
                for at in range(len(theirs.systems))
            ]
    return shares


def _one(
    target: Target,
    flag: Flag,
    grids: tuple[Grid, Grid],
    labels: list[tuple[bool, str]],
    at: int,
    level: float,
) -> JudgedShare:
    theirs, ours = grids
    bad, called = theirs.values > 0, ours.values > 0
    both = theirs.known & ours.known
    judged, scored = theirs.known[at], ours.known[at]
    own = np.zeros_like(both)
    own[at] = both[at]
    fewest = min(int((own & bad).sum()), int((own & ~bad).sum()))
    used = own if fewest >= _OWN else both
    people, people_interval = _share(bad[at], judged, labels, level)
    plain, plain_interval = _share(called[at], scored, labels, level)
    counts = [(called, used & bad), (~called, used & ~bad)]
    sensitivity, specificity = (_count(hits, mask) for hits, mask in counts)
    open_ = np.zeros_like(both)
    open_[at] = scored & ~judged
    rest = _effective(called, open_, labels)
    left = int(open_.sum())
    if left < FEWEST_OTHERWISE:
        why = (
            f"{left} of the answers that it speaks of are not judged: below {FEWEST_OTHERWISE} "
            "there is no share to correct"
            if left
            else "every answer that it speaks of is judged: the judgements say it"
        )
        corrected = Combined(
            "Rogan-Gladen", None, None, None, int(judged.sum()), undefined=why, no_help=why
        )
    else:
        corrected = rogan_gladen(
            rest[0],
            rest[1],
            _effective(*counts[0], labels),
            _effective(*counts[1], labels),
            level=level,
        )
        corrected = _against_people(corrected, bad[at, judged], people)
    between = None
    if used is not own and corrected.estimate is not None:
        # Rates of other systems: an interval would close on the wrong place.
        corrected = replace(corrected, interval=None, worth=None, no_help="")
        between = share_over_sensitivities(
            rest[0], rest[1], _effective(*counts[1], labels), level=level
        )
    return JudgedShare(
        target.dimension,
        target.kind,
        theirs.systems[at],
        flag.name,
        flag.role,
        int(judged.sum()),
        people,
        people_interval,
        int(scored.sum()),
        plain,
        plain_interval,
        sensitivity,
        specificity,
        "this system" if used is own else "all systems",
        corrected,
        *(between or (None, None)),
    )


def _against_people(corrected: Combined, bad: NDArray[np.bool_], people: float | None) -> Combined:
    """Say what the correction is worth beside this system's own judgements."""
    n = bad.size
    if corrected.estimate is None:
        return replace(corrected, n=n)
    if people is None:
        return replace(corrected, n=0, worth=None, no_help="")
    alone = float(np.sqrt(people * (1 - people) / n))
    like = worth(n, None, corrected.error, alone)
    no_help = ""
    if like is None or like <= n:
        no_help = "the judgements of this system alone tell as much"
    return replace(corrected, n=n, worth=like, no_help=no_help)


def _share(
    hits: NDArray[np.bool_], use: NDArray[np.bool_], labels: list[tuple[bool, str]], level: float
) -> tuple[float | None, Interval | None]:
    if not use.any():
        return None, None
    own = [label for label, used in zip(labels, use, strict=True) if used]
    interval, _ = clustered_share(hits[use], own, estimand=_ESTIMAND, level=level)
    return float(hits[use].mean()), interval


def _count(hits: NDArray[np.bool_], mask: NDArray[np.bool_]) -> tuple[int, int]:
    return int((hits & mask).sum()), int(mask.sum())


def _effective(
    hits: NDArray[np.bool_], mask: NDArray[np.bool_], labels: list[tuple[bool, str]]
) -> tuple[int, int]:
    """Count as if answers were independent: p(1 − p)/SE² of them, at most as many as there are."""
    n = int(mask.sum())
    where = np.broadcast_to(np.arange(len(labels)), mask.shape)[mask]
    own = [labels[case] for case in where.tolist()]
    groups = len(set(own))
    if n in {0, groups}:
        return _count(hits, mask)
    share = float(hits[mask].mean())
    estimates = moments(hits[mask][None].astype(np.float64), np.ones((1, n), dtype=np.bool_), own)
    error = float(estimates.error[0])
    # Where all are alike no error can be seen: a cluster counts once.
    size = groups if share in {0.0, 1.0} or not error > 0 else share * (1 - share) / error**2
    many = max(1, int(min(n, size)))
    return round(share * many), many
