"""Pairs of the jury's mean and people's ratings, and of people's ratings, on one dimension."""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from medassay.analyses.builtin.jury.record import Agreeing, JuryOn
from medassay.judgements import Units
from medassay.stats import pair_icc, pair_icc_difference, pair_sums

if TYPE_CHECKING:
    import polars as pl

__all__ = ["jury_on"]


def jury_on(read: Units, models: Collection[str], clusters: Mapping[str, str]) -> JuryOn | None:
    """Pair the jury's mean with each person's rating, and every two people's ratings.

    The jury's mean stands where every model of it rated the answer.

    Returns:
        None where no person rated what the whole jury rated.
    """
    import polars as pl

    if read.scores is None:
        return None
    jury = [i for i, rater in enumerate(read.raters) if rater in models]
    rated = pl.DataFrame({"unit": read.unit, "rater": read.rater, "score": read.scores[read.code]})
    of_jury = pl.col("rater").is_in(jury)
    means = (
        rated.filter(of_jury)
        .group_by("unit")
        .agg(mean=pl.col("score").mean(), n=pl.len())
        .filter(pl.col("n") == len(jury))
    )
    people = rated.filter(~of_jury)
    with_jury = people.join(means, on="unit").sort("unit", "rater")
    if not with_jury.height:
        return None
    pairs = people.join(people, on="unit", suffix="_other").filter(
        pl.col("rater") < pl.col("rater_other")
    ).sort("unit", "rater", "rater_other")  # fmt: skip
    named = [clusters.get(case, case) for case in read.cases] if clusters else None
    sums = [_sums(read, with_jury, "mean"), _sums(read, pairs, "score_other")]
    gain = pair_icc_difference(sums[0], sums[1], named)
    return JuryOn(
        dimension=read.dimension,
        models=len(jury),
        people=people["rater"].n_unique(),
        jury=_agreeing(sums[0], with_jury, named),
        among=_agreeing(sums[1], pairs, named),
        difference=gain.value,
        difference_interval=gain.interval,
    )


def _sums(read: Units, pairs: "pl.DataFrame", other: str) -> NDArray[np.float64]:
    case = read.case[pairs["unit"].to_numpy()]
    x, y = (pairs[name].to_numpy().astype(np.float64) for name in ("score", other))
    return pair_sums(x, y, case, len(read.cases))


def _agreeing(
    sums: NDArray[np.float64], pairs: "pl.DataFrame", clusters: list[str] | None
) -> Agreeing:
    icc = pair_icc(sums, clusters)
    return Agreeing(
        pairs=pairs.height,
        answers=pairs["unit"].n_unique(),
        cases=int((sums[:, 0] > 0).sum()),
        icc=icc.value,
        interval=icc.interval,
        reason=icc.undefined if pairs.height else "no two people rated the same answer",
    )
