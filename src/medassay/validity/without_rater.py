"""Does the ranking survive without any one rater?"""

from collections.abc import Sequence
from typing import Final, TypedDict

import numpy as np

from medassay.annotations import DesignName, RaterName, SystemName, Words, record
from medassay.consensus import find_method
from medassay.judgements import Units
from medassay.stats import ranks, tau_b
from medassay.stats.randomness import Rng, as_generator, drawn_seed
from medassay.validity.budget import SystemMeans, system_means

_FEWEST_SYSTEMS: Final = 2


@record(infers=True)
class WithoutRater:
    """The ranking without one rater, beside that of the whole panel.

    Attributes:
        rater: Who is left out.
        dimension: The dimension.
        method: The consensus method, by its canonical name.
        answers: Answers that still have a label.
        lost: Answers that only this rater judged.
        tau: Kendall's tau-b of the two rankings; None where undefined.
        same_order: Whether every system keeps its place.
        same_best: Whether the same systems stand first.
        largest_move: Most places that a system moves; None where no ranking is left.
        moved: The system that does, the first by name; empty where none moves.
        reason: Why there is no tau; empty where there is one.
    """

    rater: RaterName
    dimension: DesignName
    method: DesignName
    answers: int
    lost: int
    tau: float | None
    same_order: bool
    same_best: bool
    largest_move: int | None
    moved: SystemName
    reason: Words = ""


def leave_one_rater_out(
    units: Units, methods: Sequence[str] = ("mean", "mace"), *, rng: Rng
) -> list[WithoutRater]:
    """Does the ranking of systems hang on one rater?

    Systems are ranked by their mean consensus over their answers, with and without the rater. An
    answer that only this rater judged leaves with them. That a ranking survives says that no single
    rater makes it; it says nothing about new raters or new cases.

    Args:
        units: What the raters said.
        methods: Canonical names.
        rng: One number is drawn from it, which seeds every fit.

    Example:
        >>> keys = [("A", "1"), ("B", "1")]
        >>> units = Units.from_codes([[0, 1, 1], [2, 0, 1]], "abc", keys=keys, scores=[0, 1, 2])
        >>> for one in leave_one_rater_out(units, ["mean"], rng=np.random.default_rng(1)):
        ...     print(one.rater, one.tau, one.same_order)
        rater 0 -1.0 False
        rater 1 1.0 True
        rater 2 1.0 True
    """
    rng = as_generator(rng)
    seed = drawn_seed(rng)
    systems = sorted({unit.system for unit in units.keys})
    labelled = int(np.count_nonzero(units.counts.sum(axis=1)))
    without_raters = []
    for method in (str(find_method(name)[1]) for name in methods):
        whole = system_means(units, systems, method, seed)
        for place, rater in enumerate(units.raters):
            rest = units.only(units.rater != place)
            answers = int(np.count_nonzero(rest.counts.sum(axis=1)))
            without = system_means(rest, systems, method, seed)
            without_raters.append(
                WithoutRater(
                    rater=rater,
                    dimension=units.dimension,
                    method=method,
                    answers=answers,
                    lost=labelled - answers,
                    **_compared(systems, whole, without),
                )
            )
    return without_raters


class _Compared(TypedDict):
    tau: float | None
    same_order: bool
    same_best: bool
    largest_move: int | None
    moved: str
    reason: str


def _compared(systems: list[str], with_all: SystemMeans, with_rest: SystemMeans) -> _Compared:
    whole, without = with_all.means, with_rest.means
    lost = [s for s, gone in zip(systems, np.isnan(without), strict=True) if gone]
    why = with_all.undefined or with_rest.undefined
    if why or lost or np.isnan(whole).any() or len(systems) < _FEWEST_SYSTEMS:
        left = f"no score is left of {', '.join(lost)}" if lost else "a ranking needs two systems"
        why = why or left
        return _Compared(
            tau=None, same_order=False, same_best=False, largest_move=None, moved="", reason=why
        )
    before, after = ranks(whole), ranks(without)
    moves = np.abs(before - after)
    tau = tau_b(whole, without)
    return _Compared(
        tau=tau,
        same_order=bool((moves == 0).all()),
        same_best=bool(((before == 1) == (after == 1)).all()),
        largest_move=int(moves.max()),
        moved=systems[int(moves.argmax())] if moves.any() else "",
        reason="" if tau is not None else "all systems have the same mean",
    )
