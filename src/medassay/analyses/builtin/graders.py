"""How far does a model that grades by criteria agree with people, and they with each other?"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

import numpy as np
from numpy.typing import NDArray

from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.readable import Design, OnFile
from medassay.annotations import DesignName, RaterName, Tag, Words, record
from medassay.cases import Cases
from medassay.exhibits import (
    PROPORTION,
    Claim,
    Finding,
    Names,
    Table,
    VerdictKind,
    VerdictRow,
    shown,
    table_of,
)
from medassay.exhibits.claim import ReaderQuestion, implied_p
from medassay.exhibits.columns import Shown, counted, estimated, how
from medassay.exhibits.numbers import ci, count_of
from medassay.exhibits.table import Stands
from medassay.judgements import About, Rubric, Units, units
from medassay.stats import Interval, balanced_f1, balanced_f1_difference, holm, mean_balanced_f1

if TYPE_CHECKING:
    import polars as pl


@record(infers=True)
class GraderRow:
    """How far one rater's labels match those of physicians.

    Attributes:
        rater: Whose labels; empty for all physicians together.
        kind: A `model`, a `physician`, or `physicians`: each against the others, pooled.
        against: One physician; empty for all of them.
        pairs: Pairs of labels of one criterion of one answer; between physicians each counts once.
        cases: Cases with a pair.
        alike: The share of pairs with the same label.
        pooled: Balanced F1 over all pairs.
        pooled_interval: Over cases or clusters; None where it is undefined.
        by_category: The mean over categories of criteria of balanced F1 in each; None where
            criteria have no category.
        by_category_interval: Over cases or clusters; None where it is undefined.
        categories: Categories with a pair.
        reason: Why there is no balanced F1 or no interval; empty where both are there.
    """

    rater: RaterName
    kind: Literal["model", "physician", "physicians"]
    against: RaterName
    pairs: int
    cases: int
    alike: float | None
    pooled: float | None
    pooled_interval: Interval | None
    by_category: float | None
    by_category_interval: Interval | None
    categories: int
    reason: Words


@record(infers=True)
class GraderDifference:
    """A grader's balanced F1 against physicians, less that of people with each other.

    Attributes:
        rater: The grader.
        difference: On cases that either is known of; None where it is undefined.
        interval: Over cases or clusters; None where it is undefined.
        reason: Why there is no difference or no interval; empty where both are there.
    """

    rater: RaterName
    difference: float | None
    interval: Interval | None
    reason: Words


@record(infers=True)
class ByCategory:
    """Balanced F1 on the criteria of one category.

    Attributes:
        category: The criteria's tag.
        rater: The grader; empty for people with each other.
        pairs: Pairs of labels.
        value: Over these pairs; None where it is undefined.
        interval: Over cases or clusters; None where it is undefined.
        reason: Why there is no value or no interval.
    """

    category: Tag
    rater: RaterName
    pairs: int
    value: float | None
    interval: Interval | None
    reason: Words


@record(infers=True)
class GradersReport:
    """How far graders agree with physicians on whether criteria are met.

    Attributes:
        dimension: The dimension that asks whether a criterion is met.
        graders: Each model against all physicians, the best first.
        physicians: Physicians with each other; None where no two labelled the same criterion.
        differences: Each grader's lead over people with each other.
        each_physician: Each person against the others.
        against_each: Each model against each physician.
        categories: Each category of criteria.
    """

    dimension: DesignName
    graders: tuple[GraderRow, ...]
    physicians: GraderRow | None
    differences: tuple[GraderDifference, ...]
    each_physician: tuple[GraderRow, ...]
    against_each: tuple[GraderRow, ...]
    categories: tuple[ByCategory, ...]


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


_FINDING: Final = "graders"
_ABOUT: Final = "agreement of graders"

_PHYSICIANS: Final = "people with each other"
_ENOUGH: Final = 50
"""Under so many cases equals are said to differ too often (simulations/grader-f1.md)."""
_NO_CATEGORY: Final = "Criteria have no tag category: or cluster:."


def grader_tables(report: GradersReport, _: Names) -> list[Table]:
    """Show graders above physicians, then each physician, each pair, and each category."""
    first = [*report.graders, *([report.physicians] if report.physicians else [])]
    tables = [
        _rows(
            first,
            id="graders",
            title="Graders against people",
            caption="Over pairs of labels of a criterion of an answer. Balanced F1: the mean of "
            "F1 for met and for not met; guessing: 0.50. Pooled: by pair; by category: "
            "each category counts once.",
        )
    ]
    if report.differences:
        tables.append(_differences(report.differences))
    if report.categories:
        tables.append(_category_table(report.categories))
    if report.each_physician:
        tables.append(
            _rows(
                report.each_physician,
                id="graders-physicians",
                title="Each person against the others",
                caption="As in the table of graders; those with few labels say little.",
                stands="file",
            )
        )
    if report.against_each:
        tables.append(
            _rows(
                report.against_each,
                id="graders-pairs",
                title="Each grader against each person",
                caption="As in the table of graders, on what both labelled.",
                against=True,
                stands="file",
            )
        )
    return tables


def _who(row: GraderRow | ByCategory) -> str:
    return row.rater or _PHYSICIANS


def _rows(
    rows: Sequence[GraderRow],
    *,
    id: str,  # noqa: A002 - the word that a table has for it
    title: str,
    caption: str,
    against: bool = False,
    stands: Stands = "page",
) -> Table:
    physician: list[Shown[GraderRow]] = [shown("Person", "against")] if against else []
    return table_of(
        rows,
        (
            shown("Rater", _who, file="rater"),
            *physician,
            counted("Pairs", "pairs"),
            counted("Cases", "cases"),
            shown("Same label", "alike", PROPORTION),
            estimated("All pairs", "pooled", interval="pooled_interval", group="Balanced F1"),
            estimated(
                "Mean over categories",
                "by_category",
                interval="by_category_interval",
                why_not=lambda row: row.reason or _NO_CATEGORY,
                group="Balanced F1",
            ),
            counted("Categories", "categories"),
        ),
        id=id,
        title=title,
        caption=f"{caption} {how(row.pooled_interval for row in rows)}",
        empty="No grader and person labelled the same criterion.",
        stands=stands,
    )


def _differences(rows: Sequence[GraderDifference]) -> Table:
    return table_of(
        rows,
        (shown("Grader", "rater"), estimated("Lead over people", "difference")),
        id="graders-lead",
        title="Graders and people compared",
        caption="Balanced F1 of a grader with people, less that of people with each other. "
        f"{how(row.interval for row in rows)}",
    )


def _category_table(rows: Sequence[ByCategory]) -> Table:
    return table_of(
        ((row.category, row) for row in rows),
        (
            shown("Rater", _who, file="rater"),
            counted("Pairs", "pairs"),
            estimated("Balanced F1", "value"),
        ),
        id="graders-categories",
        title="Agreement by category of criteria",
        caption=f"Balanced F1 within each category. {how(row.interval for row in rows)}",
        grouped_by="category",
        stands="file",
    )


def grader_claims(report: GradersReport) -> Iterator[Claim]:
    """Claim that the best of the graders agrees more, or less, with people than they do."""
    p = _adjusted(report)
    if p and max(row.cases for row in report.graders) >= _ENOUGH:
        yield Claim.of(_FINDING, _ABOUT, VerdictKind.CLAIM, p.values(), row=VerdictRow.GRADER)


def _adjusted(report: GradersReport) -> Mapping[str, float]:
    """Give the p of each grader's lead, adjusted for all that there are."""
    known = [
        (row.rater, p)
        for row in report.differences
        if row.difference is not None and (p := implied_p(row.difference, row.interval)) is not None
    ]
    raters, p_values = [rater for rater, _ in known], [p for _, p in known]
    return dict(zip(raters, holm(p_values).tolist(), strict=True))


def grader_finding(report: GradersReport, names: Names) -> Finding | None:
    """Say of the grader that agrees most how it does beside people with each other."""
    best = next((row for row in report.graders if row.pooled is not None), None)
    if best is None or best.pooled is None:
        return None
    f1, around = PROPORTION(best.pooled), _brackets(best.pooled_interval)
    text = f"The grader {best.rater} agrees with people by a balanced F1 of {f1}{around}."
    people = report.physicians
    if people is None or people.pooled is None:
        text += " No two people labelled the same criterion, so their own agreement is not known."
        return Finding(_FINDING, text, ("graders",), ReaderQuestion.METRICS)
    f1, around = PROPORTION(people.pooled), _brackets(people.pooled_interval)
    lead = next(
        (difference for difference in report.differences if difference.rater == best.rater), None
    )
    verdict = _compared(lead, best.cases, _adjusted(report), names)
    text += f" People agree with each other by {f1}{around}. {verdict}"
    return Finding(_FINDING, text, ("graders",), ReaderQuestion.METRICS)


def _brackets(interval: Interval | None) -> str:
    return f" ({ci(interval)})" if interval else ""


def _compared(
    lead: GraderDifference | None, cases: int, adjusted: Mapping[str, float], names: Names
) -> str:
    if lead is None or lead.interval is None or cases < _ENOUGH:
        return f"Which is higher is undecided with {count_of(cases, 'case')}."
    if adjusted.get(lead.rater, 1.0) > names.level(_FINDING, _ABOUT):
        open_ = names.undecided(_FINDING, _ABOUT, adjusted.get(lead.rater))
        return f"Which is higher is {open_}."
    if (lead.difference or 0.0) > 0:
        return "The grader agrees with them more than they do with each other."
    return "The grader agrees with them less than they do with each other."


@analysis(
    Declaration(
        id="graders",
        title="Graders against people",
        question="How far does a model that grades by criteria agree with people, and how far "
        "do they with each other?",
        section="judges",
        infers=True,
        reader="methodologist",
        place=9,
        tables=grader_tables,
        finding=grader_finding,
        verdicts=(VerdictKind.CLAIM,),
        claims=lambda report, _: grader_claims(report),
        finding_place=60,
    )
)
def graders(rubric: Rubric, on_file: OnFile, cases: Cases, design: Design) -> GradersReport | None:
    """Compare labels of criteria pair by pair, on the first dimension of yes or no about them."""
    asked = [
        dimension
        for dimension in rubric.dimensions
        if dimension.about == "criterion" and len(dimension.labels) == 2  # noqa: PLR2004 - yes or no
    ]
    if not asked:
        return None
    read = units(on_file.judgements, asked[0].id)
    left_out = {rater.rater for rater in on_file.raters.excluded}
    read = read.of_raters(rater for rater in read.raters if rater not in left_out)
    return graders_of(read, on_file.models, cases, design.clusters)
