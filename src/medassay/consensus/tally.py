"""Preferences counted: who wins how often, against whom."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from medassay.judgements import Preferences
from medassay.marks import SystemName, record
from medassay.stats import Interval, bootstrap_counts, group_labels, percentile_interval
from medassay.stats.randomness import Rng, as_generator
from medassay.surface import Brief, Draws, Level, checked

if TYPE_CHECKING:
    import polars as pl

__all__ = ["PreferenceTally", "SystemTally", "tally_preferences"]


@record(infers=True)
class SystemTally:
    """How one system fared.

    Attributes:
        system: The system.
        n: Comparisons that it took part in.
        wins: Comparisons that it won.
        losses: Comparisons that it lost.
        ties: Comparisons without a winner.
        n_cases: Cases that these comparisons belong to.
        win_share: (wins + ties / 2) / n. 0.5 is an even record; it depends on the opponents. None
            where no rater made a choice.
        interval: For the same systems on new cases; None without rng or where nothing varies.
    """

    system: SystemName
    n: int
    wins: int
    losses: int
    ties: int
    n_cases: int
    win_share: float | None
    interval: Interval | None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PreferenceTally(Brief):
    """All preferences of one dimension, counted.

    Attributes:
        dimension: What the answers were compared on.
        systems: One tally a system, sorted by name.
        wins: int, shape (systems, systems): how often the row's system won against the column's.
        ties: int, same shape and symmetric: how often the two tied.
        unlabelled: Comparisons where a rater gave a reason instead of a choice.
        raters: Raters who made a choice.
        n_cases: Cases with a choice.
    """

    dimension: str
    systems: tuple[SystemTally, ...]
    wins: NDArray[np.int64]
    ties: NDArray[np.int64]
    unlabelled: int
    raters: int
    n_cases: int


@checked
def tally_preferences(
    preferences: Preferences,
    dimension: str = "overall",
    *,
    phases: Sequence[str] | None = None,
    rng: Rng | None = None,
    clusters: Mapping[str, str] | None = None,
    replicates: Draws = 1000,
    level: Level = 0.95,
) -> PreferenceTally:
    """Count wins, losses and ties of each system, and of each pair of systems.

    Every rater's choice counts once. The interval resamples cases, or
    whole clusters of them (`clusters`: case to cluster; a case that is not named is one alone).

    Example:
        >>> rows = [("1", "A", "B", "a"), ("2", "A", "B", "tie"), ("3", "B", "C", "b")]
        >>> preferences = Preferences.from_rows(
        ...     {"rater": "r1", "case": case, "system_a": a, "system_b": b, "choice": choice}
        ...     for case, a, b, choice in rows
        ... )
        >>> tally = tally_preferences(preferences)
        >>> [(one.system, one.wins, one.losses, one.ties, one.win_share) for one in tally.systems]
        [('A', 1, 0, 1, 0.75), ('B', 0, 2, 1, 0.16666666666666666), ('C', 1, 0, 0, 1.0)]
        >>> tally.wins.tolist()
        [[0, 1, 0], [0, 0, 0], [0, 1, 0]]
    """
    rng = as_generator(rng)
    import polars as pl

    rows = preferences.in_phases(phases).filter(pl.col("dimension") == dimension)
    chosen = rows.drop_nulls("choice")
    names = sorted({*rows["first"], *rows["second"]})
    cases = sorted(set(chosen["case"]))
    first, second = _places(chosen["first"], names), _places(chosen["second"], names)
    case = _places(chosen["case"], cases)
    # What the alphabetically first system gets of each comparison: 1, 0, or half at a tie.
    tied = (chosen["choice"] == "tie").to_numpy()
    won = (chosen["winner"] == chosen["first"]).fill_null(value=False).to_numpy()
    points = np.where(tied, 0.5, won.astype(np.float64))
    wins = np.zeros((len(names), len(names)), dtype=np.int64)
    ties = np.zeros_like(wins)
    np.add.at(wins, (np.where(won, first, second)[~tied], np.where(won, second, first)[~tied]), 1)
    np.add.at(ties, (first[tied], second[tied]), 1)
    ties += ties.T
    # By case: points and comparisons of each system, so that resampling is a matrix product.
    gained, played = np.zeros((2, len(cases), len(names)))
    for side, share in ((first, points), (second, 1 - points)):
        np.add.at(gained, (case, side), share)
        np.add.at(played, (case, side), 1)
    weights = (
        bootstrap_counts(len(cases), replicates, rng, group_labels(cases, clusters))
        if rng is not None and cases
        else None
    )
    systems = tuple(
        SystemTally(
            system=name,
            n=int(played[:, i].sum()),
            wins=int(wins[i].sum()),
            losses=int(wins[:, i].sum()),
            ties=int(ties[i].sum()),
            n_cases=int(np.count_nonzero(played[:, i])),
            win_share=_share(gained[:, i], played[:, i]),
            interval=None
            if weights is None
            else _interval(weights, gained[:, i], played[:, i], level),
        )
        for i, name in enumerate(names)
    )
    return PreferenceTally(
        dimension=dimension,
        systems=systems,
        wins=wins,
        ties=ties,
        unlabelled=rows.height - chosen.height,
        raters=chosen["rater"].n_unique(),
        n_cases=len(cases),
    )


def _places(cells: "pl.Series", names: list[str]) -> NDArray[np.int64]:
    place = {name: i for i, name in enumerate(names)}
    return np.array([place[cell] for cell in cells], dtype=np.int64)


def _share(gained: NDArray[np.float64], played: NDArray[np.float64]) -> float | None:
    return float(gained.sum() / played.sum()) if played.any() else None


def _interval(
    weights: NDArray[np.float64] | None,
    gained: NDArray[np.float64],
    played: NDArray[np.float64],
    level: float,
) -> Interval | None:
    if weights is None:
        return None
    drawn = weights @ played
    shares = (weights @ gained)[drawn > 0] / drawn[drawn > 0]
    if not shares.size or np.ptp(shares) == 0:
        return None
    return percentile_interval(shares, estimand="these systems and raters, new cases", level=level)
