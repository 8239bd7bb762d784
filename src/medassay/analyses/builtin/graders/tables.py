"""Tables and the sentence on how far graders agree with physicians."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from medassay.analyses.builtin.graders.record import (
    ByCategory,
    GraderDifference,
    GraderRow,
    GradersReport,
)
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
from medassay.exhibits.cells import how
from medassay.exhibits.claim import implied_p
from medassay.exhibits.columns import Shown, counted, estimated
from medassay.exhibits.finding import ReaderQuestion
from medassay.exhibits.numbers import bounds, count_of
from medassay.exhibits.table import Stands
from medassay.stats import holm

__all__ = ["grader_claims", "grader_finding", "grader_tables"]

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
            caption="Pairs of labels of one criterion of one answer. Balanced F1 is the mean of "
            "that of met and of not met: 1 where all agree, .50 by guessing. Pooled counts each "
            "pair alike, the mean over categories each category.",
        )
    ]
    if report.differences:
        tables.append(_differences(report.differences))
    if report.categories:
        tables.append(_categories(report.categories))
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
        caption="Balanced F1 of a grader with physicians, less that of people with each other: "
        f"above 0, it agrees with them more than they do. {how(row.interval for row in rows)}",
    )


def _categories(rows: Sequence[ByCategory]) -> Table:
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
    text = (
        f"The grader {best.rater} agrees with people by a balanced F1 of "
        f"{PROPORTION(best.pooled)} {bounds(best.pooled_interval)}".rstrip()
    )
    people = report.physicians
    lead = next(
        (difference for difference in report.differences if difference.rater == best.rater), None
    )
    if people is None or people.pooled is None:
        text += "; no two people labelled the same criterion, so it is not known how far they "
        text += "agree themselves"
    else:
        text += f", they with each other by {PROPORTION(people.pooled)} "
        text += f"{bounds(people.pooled_interval)}".rstrip()
        text = f"{text.rstrip()}: {_compared(lead, best.cases, _adjusted(report), names)}"
    return Finding(_FINDING, f"{text}.", ("graders",), ReaderQuestion.METRICS)


def _compared(
    lead: GraderDifference | None, cases: int, adjusted: Mapping[str, float], names: Names
) -> str:
    if lead is None or lead.interval is None or cases < _ENOUGH:
        return f"whether these differ is undecided ({count_of(cases, 'case')})"
    if adjusted.get(lead.rater, 1.0) > names.level(_FINDING, _ABOUT):
        return "which is higher is undecided"
    which = "more" if (lead.difference or 0.0) > 0 else "less"
    return f"it agrees with them {which} than they do"
