"""Which dimensions of a study were judged so that raters' severity can pass for quality."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

import numpy as np

from medassay.judgements import Judgements, Units, units
from medassay.stats.randomness import Rng
from medassay.study.folder import Study
from medassay.validity import (
    Allotment,
    JudgingOrder,
    Leaderboard,
    RaterAdjustment,
    allotment,
    judging_order,
    unranked,
)

_UNKNOWN: Final = JudgingOrder("unknown")


@dataclass(frozen=True, eq=False)
class RaterShares:
    """How the raters of one dimension fell to the systems, and what can be done about it.

    Attributes:
        allotment: Whether they fell as by chance.
        adjustment: What takes them out of the systems' means.
        order: Whether raters judged the systems mixed, or in blocks.
    """

    allotment: Allotment
    adjustment: RaterAdjustment
    order: JudgingOrder = _UNKNOWN

    @property
    def fair(self) -> bool:
        """Say whether chance alone may have dealt the raters out."""
        return self.allotment.kind == "even"

    @property
    def adjusts(self) -> bool:
        """Say whether systems are ranked by means adjusted for raters."""
        return self.allotment.adjusts and not self.adjustment.undefined

    @property
    def drifts(self) -> str:
        """Say why nothing ranks the systems: a rater's drift could; empty where none could."""
        return self.order.words

    def fairly_ranked(
        self, board: Leaderboard, *, of_means: bool, rng: Rng, replicates: int
    ) -> Leaderboard:
        """Take the raters' shares out of a ranking by labels, or the ranking itself.

        Args:
            board: Ranked as if all systems had met the same raters.
            of_means: Whether it ranks by means of these labels, which can be adjusted.
            rng: The source of randomness for ranges of ranks.
            replicates: How often cases are resampled for them.
        """
        if self.drifts:
            return unranked(board, self.drifts)
        if of_means and self.adjusts:
            return self.adjustment.reranked(board, rng=rng, replicates=replicates)
        return board if self.fair else unranked(board, self.allotment.words)


def rater_shares(study: Study, cases: Collection[str] | None = None) -> dict[str, RaterShares]:
    """Look at how raters fell to systems, for each judged dimension.

    Args:
        study: The study; labels that do not count are not read.
        cases: Only these cases; all if not given.
    """
    judged = set(study.judgements.current()["dimension"])
    shares = {}
    for name in study.rubric.ids:
        if name not in judged:
            continue
        read = units(study.judgements, name)
        read = read if cases is None else read.of_cases(cases)
        shares[name] = shares_of(study, study.judgements, read, cases)
    return shares


def shares_of(
    study: Study, judgements: Judgements, read: Units, cases: Collection[str] | None = None
) -> RaterShares:
    """Look at how raters fell to systems in these labels of one dimension.

    Args:
        study: Its clusters, and how its cases were allotted.
        judgements: What the labels were read from.
        read: The labels.
        cases: The only cases that they are of; None for all.
    """
    by_chance = study.config.ranking.allotted == "by-chance"
    adjustment = RaterAdjustment(read, study.clusters or None, by_chance=by_chance)
    return RaterShares(allotment(read), adjustment, _order(judgements, read.dimension, cases))


def _order(judgements: Judgements, dimension: str, cases: Collection[str] | None) -> JudgingOrder:
    """Look at the order of one dimension's labels: by position, or by time where none is known."""
    import polars as pl

    rows = judgements.current().filter(pl.col("dimension") == dimension)
    if cases is not None:
        rows = rows.filter(pl.col("case").is_in(list(cases)))
    place = pl.col("position" if rows["position"].count() else "time")
    rows = rows.with_columns(place=place.to_physical().cast(pl.Float64))
    sittings = list(rows.select("rater", "phase").iter_rows())
    return judging_order(
        sittings, rows["system"].to_list(), rows["place"].fill_null(np.nan).to_list()
    )


def describe_allotted(study: Study) -> list[str]:
    """Say of each such dimension what is wrong, and what to do."""
    lines = []
    for name, shares in rater_shares(study).items():
        if shares.drifts:
            lines.append(
                f"On {name} {shares.drifts}. No system is ranked on it. Let raters read the "
                "answers of all systems mixed (medassay campaign plans it)."
            )
        if shares.fair:
            continue
        uneven = shares.allotment
        who = f" (the rater is {uneven.rater})" if uneven.rater else ""
        so = (
            "Systems are ranked by means adjusted for raters."
            if shares.adjusts
            else f"No system is ranked on it: {_why_not(shares)}."
        )
        lines.append(
            f"On {name} {uneven.words}{who}. {so} Let each rater judge all systems of a case, or "
            "deal raters out by chance (medassay campaign plans it)."
        )
    return lines


def _why_not(shares: RaterShares) -> str:
    why = shares.adjustment.undefined
    return why or "means cannot be adjusted for it"
