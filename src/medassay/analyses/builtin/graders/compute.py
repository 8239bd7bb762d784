"""Pairs of labels of one criterion, counted by rater, case and category."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

import numpy as np
from numpy.typing import NDArray

from medassay.analyses.builtin.graders.record import (
    ByCategory,
    GraderDifference,
    GraderRow,
    GradersReport,
)
from medassay.cases import Cases
from medassay.judgements import About, Units
from medassay.stats import balanced_f1, balanced_f1_difference, mean_balanced_f1

if TYPE_CHECKING:
    import polars as pl

__all__ = ["graders_of"]

_CATEGORY: Final = ("category", "cluster")
"""Tags of criteria that name a category, the first that any criterion has."""
_COUNTS: Final = ("tp", "fp", "fn", "tn")


@dataclass(frozen=True)
class _Pairs:
    """Counts of pairs, and where they belong.

    Attributes:
        counts: Columns rater, other, case, category (places), and the four counts.
        raters: Their names.
        cases: Ids of the cases that have a pair.
        categories: Names of the categories.
        clusters: For each case the label of its cluster.
    """

    counts: "pl.DataFrame"
    raters: tuple[str, ...]
    cases: tuple[str, ...]
    categories: tuple[str, ...]
    clusters: tuple[str, ...] | None

    def of(self, rows: "pl.DataFrame") -> NDArray[np.float64]:
        """Lay pairs out, shape (cases, categories, 4); the last category is that of none."""
        laid = np.zeros((len(self.cases), len(self.categories) + 1, len(_COUNTS)))
        place = (rows["case"].to_numpy(), rows["category"].to_numpy())
        np.add.at(laid, place, rows.select(_COUNTS).to_numpy().astype(np.float64))
        return laid


def graders_of(
    read: Units, models: Collection[str], cases: Cases, clusters: Mapping[str, str]
) -> GradersReport | None:
    """Hold each grader against physicians, and physicians against each other.

    Every label of a model is paired with each physician's of the same criterion of the same answer,
    and every physician's with each other physician's, the latter both ways round.

    Returns:
        None where no two labels, one of them a physician's, are of the same thing.
    """
    import polars as pl

    pairs = _pairs(read, models, cases, clusters)
    if not pairs.counts.height:
        return None
    is_model = [rater in models for rater in read.raters]
    of_models = pl.col("rater").is_in([i for i, model in enumerate(is_model) if model])
    people = pairs.counts.filter(~of_models)
    both = pairs.of(people)
    physicians = _row(pairs, both, "", "physicians", "") if people.height else None
    graders: list[GraderRow] = []
    differences: list[GraderDifference] = []
    laid: dict[str, NDArray[np.float64]] = {}
    against_each: list[GraderRow] = []
    for (rater,), rows in _groups(pairs.counts.filter(of_models), ["rater"]):
        name = read.raters[rater]
        laid[name] = pairs.of(rows)
        graders.append(_row(pairs, laid[name], name, "model", ""))
        against_each += [
            _row(pairs, pairs.of(own), name, "model", read.raters[other])
            for (other,), own in _groups(rows, ["other"])
        ]
        if people.height:
            estimate = balanced_f1_difference(
                laid[name].sum(axis=1), both.sum(axis=1), pairs.clusters
            )
            differences.append(
                GraderDifference(name, estimate.value, estimate.interval, estimate.undefined)
            )
    return GradersReport(
        dimension=read.dimension,
        graders=tuple(sorted(graders, key=lambda row: (-(row.pooled or 0), row.rater))),
        physicians=physicians,
        differences=tuple(differences),
        each_physician=tuple(
            _row(pairs, pairs.of(rows), read.raters[rater], "physician", "")
            for (rater,), rows in _groups(people, ["rater"])
        ),
        against_each=tuple(against_each),
        categories=tuple(_categories(pairs, {**laid, **({"": both} if people.height else {})})),
    )


def _groups(frame: "pl.DataFrame", by: list[str]) -> "list[tuple[tuple[int, ...], pl.DataFrame]]":
    if not frame.height:
        return []
    parts = frame.sort(by).partition_by(by, as_dict=True, maintain_order=True)
    return [(tuple(map(int, key)), rows) for key, rows in parts.items()]


def _pairs(
    read: Units, models: Collection[str], cases: Cases, clusters: Mapping[str, str]
) -> _Pairs:
    import polars as pl

    labels = pl.DataFrame({"unit": read.unit, "rater": read.rater, "yes": read.code == _yes(read)})
    people = [i for i, rater in enumerate(read.raters) if rater not in models]
    truths = labels.filter(pl.col("rater").is_in(people)).rename({"rater": "other", "yes": "truth"})
    pairs = labels.join(truths, on="unit").filter(pl.col("rater") != pl.col("other"))
    places = pairs["unit"].unique().sort().to_list()
    names = sorted({read.keys[place].case for place in places})
    of_case = {name: i for i, name in enumerate(names)}
    category_of, categories = _category_of(cases)
    of_category = {name: i for i, name in enumerate(categories)}
    units = pl.DataFrame(
        {
            "unit": places,
            "case": [of_case[read.keys[place].case] for place in places],
            "category": [
                of_category.get(category_of.get((key.case, key.about), ""), len(categories))
                for key in (read.keys[place] for place in places)
            ],
        },
        schema={"unit": pl.Int64(), "case": pl.Int64(), "category": pl.Int64()},
    )
    yes, truth = pl.col("yes"), pl.col("truth")
    counts = (
        pairs.join(units, on="unit")
        .group_by("rater", "other", "case", "category")
        .agg(
            tp=(yes & truth).sum(),
            fp=(yes & ~truth).sum(),
            fn=(~yes & truth).sum(),
            tn=(~yes & ~truth).sum(),
        )
        .sort("rater", "other", "case", "category")
    )
    named = tuple(clusters.get(name, name) for name in names) if clusters else None
    return _Pairs(counts, read.raters, tuple(names), categories, named)


def _yes(read: Units) -> int:
    """Give the code of the label that says that a criterion is met."""
    return 0 if read.scores is None else int(np.argmax(read.scores))


def _category_of(cases: Cases) -> tuple[dict[tuple[str, str], str], tuple[str, ...]]:
    """Give the category of each criterion, and all categories; none where no tag names one."""
    for kind in _CATEGORY:
        categories = {
            (case.case, About("criterion", criterion.id).written): tag.partition(":")[2]
            for case in cases
            for criterion in case.criteria
            for tag in criterion.tags
            if tag.startswith(f"{kind}:")
        }
        if categories:
            return categories, tuple(sorted(set(categories.values())))
    return {}, ()


def _row(
    pairs: _Pairs,
    laid: NDArray[np.float64],
    rater: str,
    kind: Literal["model", "physician", "physicians"],
    against: str,
) -> GraderRow:
    whole = laid.sum(axis=1)
    sums = whole.sum(axis=0)
    pooled = balanced_f1(whole, pairs.clusters)
    mean = mean_balanced_f1(laid[:, :-1], pairs.clusters) if pairs.categories else None
    n = int(sums.sum())
    return GraderRow(
        rater=rater,
        kind=kind,
        against=against,
        pairs=n // 2 if kind == "physicians" else n,
        cases=int(whole.any(axis=1).sum()),
        alike=float((sums[0] + sums[3]) / n),
        pooled=pooled.value,
        pooled_interval=pooled.interval,
        by_category=mean.value if mean else None,
        by_category_interval=mean.interval if mean else None,
        categories=int(laid[:, :-1].any(axis=(0, 2)).sum()),
        reason=pooled.undefined,
    )


def _categories(pairs: _Pairs, laid: Mapping[str, NDArray[np.float64]]) -> Sequence[ByCategory]:
    made = []
    for at, category in enumerate(pairs.categories):
        for rater, counts in laid.items():
            own = counts[:, at]
            n = int(own.sum())
            if n:
                f1 = balanced_f1(own, pairs.clusters)
                made.append(
                    ByCategory(
                        category=category,
                        rater=rater,
                        pairs=n if rater else n // 2,
                        value=f1.value,
                        interval=f1.interval,
                        reason=f1.undefined,
                    )
                )
    return made
