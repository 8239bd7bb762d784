"""The trust table: what each metric may be used for in place of the raters."""

from collections.abc import Mapping, Sequence
from typing import Final

from medassay.analyses.results import TrustResult
from medassay.exhibits.cells import NONE, missing, no_such
from medassay.exhibits.numbers import PROPORTION, bounds, count_of, listed, reliability, shown_p
from medassay.exhibits.sentences import as_sentence
from medassay.exhibits.table import Cell, Column, Dot, Row, Table
from medassay.report.tables.by_case import adjusted_words
from medassay.report.tables.sentinel_marks import MARK_SAYS, as_no_better
from medassay.validity import TrustEntry

__all__ = ["trust", "trust_summary"]

_ROWS: Final = 9
"""Metrics on the first screen, over all dimensions."""
_FEWEST: Final = 2
_MARK: Final = "*"
"""Beside an interval that may hold less than it says; the line of the dimension says why."""
_EMPTY: Final = "Nothing could be held against the raters: there must be a metric and a consensus."
_USES: Final = (
    "Rank: order systems in the raters' place. Screen: choose whom the raters see. Gate: stop a "
    "change that makes answers worse. Never: none of these is shown."
)


def trust_summary(found: Sequence[TrustResult], *, synthetic: bool) -> Table:
    """Show the best metrics of each dimension, with what chance and sentinels reach.

    One screen: the full table is `trust`.
    """
    most = max(_FEWEST, _ROWS // max(1, len(found)))
    left_out = sum(max(0, len(_of(one, "metric")) - most) for one in found)
    rest = f" The full table has {count_of(left_out, 'more row')}." if left_out else ""
    rows = [
        Row(tuple(cells[at] for at in (0, 1, 2, 3, 6)), one.title, _about(one))
        for one in found
        for cells in _rows(one, most)
    ]
    return Table(
        "trust-summary",
        "What each metric may be used for",
        f"{_USES}{_marks(found)}{_intervals(found)}{rest}",
        tuple(_columns()[at] for at in (0, 1, 2, 3, 6)),
        tuple(rows),
        group_field="dimension",
        empty=_EMPTY,
        synthetic=synthetic,
    )


def trust(found: Sequence[TrustResult], *, synthetic: bool) -> Table:
    """Show every metric and every sentinel of each dimension."""
    methods = list(dict.fromkeys(one.method.replace("_", " ") for one in found))
    return Table(
        "trust",
        "What each metric may be used for, in full",
        f"{_USES} Tau: Kendall's tau-b of the system means, the raters' consensus "
        f"({listed(methods)}) held fixed.{_by_case(found)}{_marks(found)}{_intervals(found)} "
        "P(best): how often it has the highest tau when systems and cases are drawn anew. "
        "p after Holm: two-sided, adjusted "
        "over the metrics of the dimension. Within cases: mean tau over the answers to one "
        "case. Would change with: answers still to be judged before the next use is allowed, if "
        "tau stays where it is. Halves of the raters: tau between two random halves of the raters, "
        "a reference and no ceiling. Reliability: the share of the spread of their means that is "
        "no luck of the cases.",
        _columns(),
        tuple(Row(cells, one.title, _about(one)) for one in found for cells in _rows(one, None)),
        group_field="dimension",
        empty=_EMPTY,
        synthetic=synthetic,
    )


def _columns() -> tuple[Column, ...]:
    return (
        Column("Metric", ("metric", "role", "systems", "cases", "answers", "adjusted")),
        Column("Use", ("uses", "why")),
        Column(
            "Tau with the raters",
            ("tau", "tau_low", "tau_high", "reason", "interval_warning"),
            numeric=True,
            axis=("−1", "1"),
        ),
        Column("P(best)", ("p_best",), numeric=True),
        Column("p after Holm", ("p_adjusted", "p", "p_fdr"), numeric=True),
        Column("Within cases", ("within", "within_low", "within_high"), numeric=True),
        Column(
            "Would change with",
            ("towards", "more_answers", "more_cases", "more_systems", "more_why"),
            numeric=True,
        ),
    )


def _by_case(found: Sequence[TrustResult]) -> str:
    said = adjusted_words(e.adjusted for one in found for e in one.entries if e.tau is not None)
    return f" {said}" if said else ""


def _marks(found: Sequence[TrustResult]) -> str:
    """Explain the mark where one is there."""
    return (
        f"{MARK_SAYS}, or than chance."
        if any(e.beaten_by for t in found for e in t.entries)
        else ""
    )


def _intervals(found: Sequence[TrustResult]) -> str:
    known = [e.interval for one in found for e in one.entries if e.interval]
    if not known:
        return ""
    return (
        " Intervals are made to hold for all metrics of a dimension together "
        f"({100 * found[0].level:g} %, {known[0].method}, {known[0].estimand}): "
        "the best may be read like any other."
        + (
            f" Where simulated ones of such a study held less, {_MARK} says so."
            if any(one.interval_warning for one in found)
            else ""
        )
    )


def _of(one: TrustResult, role: str) -> list[TrustEntry]:
    return [entry for entry in one.entries if entry.role == role]


def _rows(one: TrustResult, most: int | None) -> list[tuple[Cell, ...]]:
    metrics, sentinels = _of(one, "metric"), _of(one, "sentinel")
    if most is not None:
        metrics, sentinels = metrics[:most], _strongest(sentinels)
    warning = one.interval_warning
    rows = [_metric(entry, warning, one.titles) for entry in metrics]
    if one.noise is not None:
        count = sum(e.tau is not None for e in _of(one, "metric"))
        rows.append(_chance(one.noise, count))
    return [*rows, *(_sentinel(entry, warning, one.titles) for entry in sentinels)]


def _strongest(sentinels: Sequence[TrustEntry]) -> list[TrustEntry]:
    known = [entry for entry in sentinels if entry.tau is not None]
    return sorted(known, key=lambda entry: -abs(entry.tau or 0.0))[:1]


def _about(one: TrustResult) -> str:
    """Say what the raters' own order is worth: the noise beside every tau."""
    widest = max(one.entries, key=lambda entry: entry.n_answers, default=None)
    parts = []
    if widest is not None:
        parts.append(f"{count_of(widest.n_systems, 'system')}, {count_of(widest.n_cases, 'case')}")
    if one.raters is not None and one.raters_low is not None and one.raters_high is not None:
        ends = f"[{PROPORTION(one.raters_low)}, {PROPORTION(one.raters_high)}]"
        parts.append(f"halves of the raters: tau {PROPORTION(one.raters)} {ends}")
    else:
        parts.append(f"raters among themselves: {one.raters_reason}")
    if one.reliability is not None:
        parts.append(f"their reliability {reliability(one.reliability)}")
    if widest is not None and any(e.adjusted for e in one.entries if e.tau is not None):
        parts.append("means adjusted by case where not every system has a value on every case")
    if one.unjudged_note:
        parts.append(one.unjudged_note)
    if one.interval_warning:
        parts.append(f"{_MARK} {one.interval_warning}")
    return "; ".join(parts) + "."


def _metric(entry: TrustEntry, warning: str, titles: Mapping[str, str]) -> tuple[Cell, ...]:
    rivals = [titles.get(name, name) for name in entry.beaten_by]
    sizes = (entry.n_systems, entry.n_cases, entry.n_answers, entry.adjusted)
    return (
        as_no_better(Cell(titles[entry.metric], (entry.metric, entry.role, *sizes)), rivals),
        Cell(
            ",\u00a0".join(entry.uses),
            (" ".join(entry.uses), entry.why),
            detail=as_sentence(entry.why),
        ),
        _tau(entry, warning),
        _share(entry.p_best, entry.reason),
        _p(entry),
        _within(entry),
        _more(entry),
    )


def _tau(entry: TrustEntry, warning: str) -> Cell:
    low, high = (entry.interval.low, entry.interval.high) if entry.interval else (None, None)
    if entry.tau is None:
        raw = (None, None, None, entry.reason, "")
        return Cell(NONE, raw, detail=as_sentence(entry.reason), missing=True)
    told = [as_sentence(why) for why in (entry.reason, warning if entry.interval else "") if why]
    mark = f"\u00a0{_MARK}" if warning else ""
    return Cell(
        PROPORTION(entry.tau),
        (entry.tau, low, high, entry.reason, warning if entry.interval else ""),
        aside=f"{bounds(entry.interval)}{mark}" if entry.interval else "",
        detail=" ".join(told),
        draw=Dot(entry.tau, low, high, -1.0, 1.0),
    )


def _share(share: float | None, reason: str) -> Cell:
    return missing(reason) if share is None else Cell(PROPORTION(share), (share,))


def _p(entry: TrustEntry) -> Cell:
    raw = (entry.p_adjusted, entry.p, entry.p_fdr)
    if entry.p_adjusted is None:
        return Cell(NONE, raw, detail=as_sentence(entry.reason), missing=True)
    return Cell(shown_p(entry.p_adjusted), raw)


def _within(entry: TrustEntry) -> Cell:
    low, high = (
        (entry.within_interval.low, entry.within_interval.high)
        if entry.within_interval
        else (None, None)
    )
    if entry.within is None:
        why = "No case has answers that differ in both."
        return Cell(NONE, (None, None, None), detail=why, missing=True)
    return Cell(
        PROPORTION(entry.within), (entry.within, low, high), aside=bounds(entry.within_interval)
    )


def _more(entry: TrustEntry) -> Cell:
    more = entry.more
    if more is None:
        return no_such(5)
    raw = (more.towards, more.answers, more.cases or None, more.systems or None, more.why)
    if more.answers is None:
        text = "no number" if more.towards else "–"
        return Cell(text, raw, detail=as_sentence(more.why), missing=bool(more.towards))
    where = (
        f"{count_of(more.cases, 'case')} more for every system"
        if more.cases
        else f"{count_of(more.systems, 'system')} more on every case"
    )
    detail = f"To {more.towards}: {where}, {more.why}."
    return Cell(f"{_rounded(more.answers):,} answers", raw, detail=detail)


def _chance(noise: float, count: int) -> tuple[Cell, ...]:
    title = f"Chance: the best of {count} random metrics" if count > 1 else "Chance"
    return (
        Cell(title, ("chance", "sentinel", None, None, None, None)),
        no_such(2),
        Cell(
            PROPORTION(noise),
            (noise, None, None, "", ""),
            aside="in 95 % of draws at most",
            draw=Dot(noise, None, None, -1.0, 1.0),
        ),
        no_such(),
        no_such(3),
        no_such(3),
        no_such(5),
    )


def _sentinel(entry: TrustEntry, warning: str, titles: Mapping[str, str]) -> tuple[Cell, ...]:
    sizes = (entry.n_systems, entry.n_cases, entry.n_answers, entry.adjusted)
    return (
        Cell(
            f"{titles[entry.metric]} (sentinel)",
            (entry.metric, entry.role, *sizes),
            detail="A sentinel knows nothing of what an answer says.",
        ),
        Cell("–", (" ".join(entry.uses), entry.why)),
        _tau(entry, warning),
        no_such(),
        no_such(3),
        _within(entry),
        no_such(5),
    )


def _rounded(count: int) -> int:
    """Round up to two digits: a plan is no count."""
    step: int = 10 ** max(0, len(str(count)) - 2)
    return -(-count // step) * step
