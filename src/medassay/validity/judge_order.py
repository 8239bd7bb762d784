"""Does a judge mind which of two answers it reads first?"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import numpy as np

from medassay.judgements import Preferences
from medassay.marks import DesignName, record
from medassay.stats import clustered_share
from medassay.validity.judge_estimate import ESTIMAND, JudgeEstimate, mean_of

if TYPE_CHECKING:
    import polars as pl

__all__ = ["JudgeOrder", "judge_order"]

_FIRST: Final = 0.5


@record(infers=True)
class JudgeOrder:
    """What became of a judge's preferences when the two answers changed places.

    Attributes:
        dimension: The preferences' dimension.
        pairs: Pairs of answers judged in both orders.
        kept: The same answer, or a tie, was preferred in both.
        first_twice: Whichever stood first was preferred, both times.
        second_twice: Whichever stood second was.
        with_tie: One order gave a tie and the other did not.
        flips: Share of the pairs whose verdict changed.
        lean: Share of all verdicts that went to the first answer, ties half, less one half: above 0
            the judge leans to what it reads first, at most .5.
        same_order: Share of flips among pairs that were judged again in the same order.
    """

    dimension: DesignName
    pairs: int
    kept: int
    first_twice: int
    second_twice: int
    with_tie: int
    flips: JudgeEstimate
    lean: JudgeEstimate
    same_order: JudgeEstimate


def judge_order(
    preferences: Preferences,
    judge: str,
    dimension: str = "overall",
    *,
    clusters: Mapping[str, str] | None = None,
) -> JudgeOrder:
    """How often does the verdict on two answers change when they change places?

    A pair counts that the judge compared once in the phase main (or calibration) and again in the
    phase repeat with system_a and system_b exchanged. Every answer then stood first once, so the
    share of verdicts for the first answer is one half for a judge that does not mind. Pairs
    compared again in the same order show what chance alone flips.

    Args:
        preferences: What raters preferred.
        judge: The judge.
        dimension: The preferences' dimension.
        clusters: Case to cluster; a case without one is its own.

    Source: Zheng et al. (2023), Judging LLM-as-a-judge with MT-Bench and Chatbot Arena,
    arXiv:2306.05685.

    Example:
        >>> def row(case, a, b, choice, phase):
        ...     return {"rater": "m", "case": case, "system_a": a, "system_b": b,
        ...             "choice": choice, "phase": phase}
        >>> said = Preferences.from_rows([
        ...     row("1", "X", "Y", "a", "main"), row("1", "Y", "X", "b", "repeat"),
        ...     row("2", "X", "Y", "a", "main"), row("2", "Y", "X", "a", "repeat"),
        ... ])
        >>> found = judge_order(said, "m")
        >>> found.pairs, found.kept, found.first_twice, found.flips.value, found.lean.value
        (2, 1, 1, 0.5, 0.25)
    """
    import polars as pl

    mine = (pl.col("rater") == judge) & (pl.col("dimension") == dimension)
    key = ["case", "first", "second"]
    first, again = (
        preferences.in_phases(phases)
        .filter(mine)
        .drop_nulls("choice")
        .select(*key, "system_a", "choice", "winner")
        for phases in (("calibration", "main"), ("repeat",))
    )
    both = first.join(again, on=key, suffix="_again").sort(key)
    changed = (pl.col("winner") != pl.col("winner_again")).fill_null(
        pl.col("winner").is_null() != pl.col("winner_again").is_null()
    )
    both = both.with_columns(
        swapped=pl.col("system_a") != pl.col("system_a_again"),
        changed=changed,
        tied=(pl.col("choice") == "tie") | (pl.col("choice_again") == "tie"),
    )
    known = dict(clusters or {})
    swapped, same = both.filter("swapped"), both.filter(~pl.col("swapped"))
    worth = {"a": 1.0, "tie": 0.5, "b": 0.0}
    verdicts = [
        (case, worth[choice])
        for case, *choices in swapped.select("case", "choice", "choice_again").iter_rows()
        for choice in choices
    ]
    nothing = "no pair of answers was judged in both orders"
    cases = [case for case, _ in verdicts]
    flipped = swapped.filter("changed")
    return JudgeOrder(
        dimension=dimension,
        pairs=swapped.height,
        kept=swapped.height - flipped.height,
        first_twice=flipped.filter((pl.col("choice") == "a") & ~pl.col("tied")).height,
        second_twice=flipped.filter((pl.col("choice") == "b") & ~pl.col("tied")).height,
        with_tie=flipped.filter("tied").height,
        flips=_flips(swapped, known, nothing),
        lean=mean_of(
            np.array([share for _, share in verdicts]) - _FIRST,
            cases,
            [(case in known, known.get(case, case)) for case in cases],
            nothing,
        ),
        same_order=_flips(same, known, "no pair of answers was judged again in the same order"),
    )


def _flips(pairs: "pl.DataFrame", known: Mapping[str, str], nothing: str) -> JudgeEstimate:
    if not pairs.height:
        return JudgeEstimate(None, None, 0, 0, nothing)
    cases = pairs["case"].to_list()
    of_case = [(case in known, known.get(case, case)) for case in cases]
    flipped = pairs["changed"].to_numpy()
    interval, why = clustered_share(flipped, of_case, estimand=ESTIMAND)
    return JudgeEstimate(float(flipped.mean()), interval, len(cases), len(set(cases)), why)
