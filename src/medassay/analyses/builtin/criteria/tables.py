"""Tables of the scores by criteria."""

from collections.abc import Sequence
from typing import Final

from medassay.analyses.builtin.criteria.items import ENOUGH
from medassay.analyses.builtin.criteria.record import (
    AgainstCriteria,
    CriteriaReport,
    CriteriaScore,
    CriterionItem,
    WorstOfSamples,
)
from medassay.exhibits import PROPORTION, Finding, Names, Table, shown, table_of
from medassay.exhibits.cells import estimate, estimate_fields, how
from medassay.exhibits.columns import Shown, system_column
from medassay.exhibits.finding import ReaderQuestion
from medassay.exhibits.numbers import bounds, listed
from medassay.exhibits.table import Column

__all__ = ["criteria_finding", "criteria_tables"]

_NOTHING: Final = "No answer has a score."
_FEW: Final = 6


def criteria_tables(report: CriteriaReport, names: Names) -> list[Table]:
    """Show scores over all cases, then by tag and axis, the worst of several, and the criteria."""
    tables = [_scores(report.scores, names)]
    if report.against:
        tables.append(_against(report.against, names))
    if report.worst:
        tables.append(_worst(report.worst, names))
    if report.items:
        tables.append(_items(report))
    return tables


def _scores(scores: Sequence[CriteriaScore], names: Names) -> Table:
    return table_of(
        (
            (
                "all cases" if score.over == "all" else f"{score.tag or 'criteria'}: {score.group}",
                score,
            )
            for score in scores
        ),
        (
            system_column(names),
            Shown(
                Column("Score", estimate_fields("mean"), numeric=True),
                lambda score: estimate(
                    score.mean, score.interval, score.why or _NOTHING, PROPORTION
                ),
            ),
            shown("Cases", "cases", "{:,}".format),
            shown("Without a score", "missing", "{:,}".format),
            shown(
                "At least",
                "low",
                PROPORTION,
                why_not=lambda _: _NOTHING,
                group="If labels were whole",
            ),
            shown(
                "At most",
                "high",
                PROPORTION,
                why_not=lambda _: _NOTHING,
                group="If labels were whole",
            ),
        ),
        id="criteria-scores",
        title="Scores by criteria",
        caption="Points of the criteria that an answer meets, by the positive points there are: "
        "the mean over cases, clipped to 0 and 1. "
        f"{how(score.interval for score in scores)}",
        empty="No criterion was judged.",
        grouped_by="over",
    )


def _against(rows: Sequence[AgainstCriteria], names: Names) -> Table:
    return table_of(
        rows,
        (
            system_column(names),
            shown("Did what none should", "met", "{:,}".format),
            shown("Cases", "cases", "{:,}".format),
            Shown(
                Column("Share", estimate_fields("share"), numeric=True),
                lambda row: estimate(
                    row.met / row.cases if row.cases else None, row.interval, _NOTHING, PROPORTION
                ),
            ),
            shown("Gravest", lambda row: " ".join(row.criteria), file="criteria", wide=True),
        ),
        id="criteria-against",
        title="What no answer should do",
        caption="Cases where an answer meets a criterion with points below 0, by the label that "
        f"most raters gave. {how(row.interval for row in rows)}",
        stands="first",
    )


def _worst(worst: Sequence[WorstOfSamples], names: Names) -> Table:
    return table_of(
        worst,
        (
            system_column(names),
            shown("Answers drawn", "k", str),
            shown("Worst of them", "mean", PROPORTION),
            shown("Cases", "cases", "{:,}".format),
        ),
        id="criteria-worst",
        title="The worst of several answers",
        caption="The mean over cases of the worst of k answers, over all ways to draw k of those "
        "that there are.",
        empty="No case was answered twice.",
    )


def _items(report: CriteriaReport) -> Table:
    counts = "; ".join(f"{problem}: {n:,}" for problem, n in report.problems.items() if n)
    return table_of(
        report.items,
        (
            shown("Problem", "problem"),
            shown("Case", "case"),
            shown("Criterion", "criterion"),
            shown("Points", "points", "{:g}".format),
            shown("Answers", "answers", "{:,}".format),
            shown("Met", "met", PROPORTION),
            shown(
                "Pairs of raters who differ", "disagreement", PROPORTION,
                why_not=lambda _: "No answer has two raters' labels.",
            ),
            shown(
                "Better answers meet it", "correlation", PROPORTION,
                adds=("systems", "discrimination", "q"), why_not=_untested,
            ),
        ),
        id="criteria-items",
        title="Criteria to look at",
        caption=f"Of {report.criteria:,} criteria {counts}. Better answers meet it: correlation "
        "with the other criteria over systems; below 0 worse answers do. Of many, some lie low by "
        "chance: the file has what to expect again.",
        empty="No criterion stands out.",
    )  # fmt: skip


def _untested(item: CriterionItem) -> str:
    if item.systems < ENOUGH:
        return f"Under {ENOUGH} systems a sound criterion looks bad by chance."
    return "All answers meet it alike."


def criteria_finding(report: CriteriaReport, names: Names) -> list[Finding]:
    """Say what answers do that none should, who meets most, and what stands in the way."""
    findings = [
        _harm_said(report, names),
        _best_said(report, names),
        _items_said(report),
        _next_said(report),
    ]
    return [finding for finding in findings if finding is not None]


def _harm_said(report: CriteriaReport, names: Names) -> Finding | None:
    """Name the systems by how often they did what the criteria count against an answer."""
    known = [row for row in report.against if row.cases]
    if not known:
        return None
    worst = max(known, key=lambda row: row.met / row.cases)
    if not worst.met:
        text = f"No system did what its cases' criteria count against it, in {worst.cases:,} cases."
        return Finding("criteria-against", text, ("criteria-against",), ReaderQuestion.UNSAFE)
    share = f"{100 * worst.met / worst.cases:.0f} %"
    if worst.interval:
        share += f"; {100 * worst.interval.low:.0f} to {100 * worst.interval.high:.0f}"
    text = (
        f"{names.of_system(worst.system)} did what no answer should in {worst.met:,} of "
        f"{worst.cases:,} cases ({share})"
    )
    others = [
        f"{names.of_system(row.system)} in {row.met:,} of {row.cases:,}"
        for row in sorted(known, key=lambda row: (-row.met / row.cases, row.system))
        if row is not worst
    ]
    if others and len(others) <= _FEW:
        text += f", {listed(others)}"
    return Finding("criteria-against", f"{text}.", ("criteria-against",), ReaderQuestion.UNSAFE)


def _best_said(report: CriteriaReport, names: Names) -> Finding | None:
    """Say who meets most of what was asked for, without a verdict: that is the leaderboard's."""
    means = [
        (score.mean, score)
        for score in report.scores
        if score.over == "all" and score.mean is not None
    ]
    if len(means) < 2:  # noqa: PLR2004 - one has nobody beside it
        return None
    (high, best), (low, last) = max(means, key=_mean), min(means, key=_mean)
    met = (
        f"{names.of_system(best.system)} met most ({PROPORTION(high)} {bounds(best.interval)}) "
        f"and {names.of_system(last.system)} least ({PROPORTION(low)} {bounds(last.interval)})"
        if high > low
        else f"all systems met as much ({PROPORTION(high)})"
    )
    text = (
        "The cases say what an answer should do and what it should not, in criteria with points. "
        f"Of the points that can be had {met}."
    )
    text = text.replace(" )", ")")
    return Finding("criteria-met", text, ("criteria-scores",), ReaderQuestion.BETTER)


def _next_said(report: CriteriaReport) -> Finding | None:
    """Say which answers to read first: those that did what none should."""
    met = sum(row.met for row in report.against)
    if not met:
        return None
    which = "the answer" if met == 1 else f"the {met:,} answers"
    text = f"Read {which} that did what no answer should."
    return Finding("criteria-next", text, ("criteria-against",), ReaderQuestion.NEXT)


def _mean(pair: tuple[float, CriteriaScore]) -> float:
    return pair[0]


def _items_said(report: CriteriaReport) -> Finding | None:
    """Say how many criteria stand in the way of a clear score."""
    never = report.problems.get("never met", 0)
    worse = report.problems.get("met by worse answers", 0)
    lacking = sum(score.missing for score in report.scores if score.over == "all")
    parts = []
    if lacking:
        answers = "1 answer has" if lacking == 1 else f"{lacking:,} answers have"
        parts.append(
            f"{answers} no score, since a criterion has no label; the bounds that this leaves "
            "stand beside each mean"
        )
    if never:
        parts.append(f"{never:,} of {report.criteria:,} criteria are met by no answer")
    if worse:
        parts.append(f"{worse:,} are met by worse answers rather than by better ones")
    if not parts:
        return None
    text = "; ".join(parts) + "."
    return Finding("criteria", text[0].upper() + text[1:], ("criteria-scores",))
