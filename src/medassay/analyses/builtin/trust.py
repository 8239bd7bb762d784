"""What can each metric be used for instead of raters?"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.metric_controls import MARK_SAYS, as_no_better, called
from medassay.analyses.inputs.metric_uses import TrustOn
from medassay.analyses.inputs.metric_uses_unjudged import UnjudgedTrust, with_unjudged
from medassay.analyses.permit_words import GRANTS, grants_of, permit_words, uses_words
from medassay.analyses.results.whole import Records
from medassay.exhibits import Claim, Names, VerdictKind, VerdictRow
from medassay.exhibits.claim import Finding, ReaderQuestion
from medassay.exhibits.columns import NONE, Shown, missing, no_such, table_of
from medassay.exhibits.numbers import (
    PROPORTION,
    bounds,
    count_of,
    listed,
    listed_few,
    number_word,
    outward,
    reliability,
    shown_p,
)
from medassay.exhibits.sentences import adjusted_words, as_sentence, stopped, upper_first
from medassay.exhibits.table import Cell, Column, Dot, Table
from medassay.validity import (
    BETWEEN_SYSTEMS,
    BETWEEN_VERSIONS,
    GATE_SYSTEMS,
    TrustEntry,
    UnjudgedRank,
    at_best,
)

GATES_SAY: Final = (
    " Gate from a loss of: the smallest loss in the metric behind which raters see one (95% "
    "prediction interval for two new systems); beside it the loss, in the raters' unit, that it "
    "may hide. Gate between versions from: the same for two versions of one system, by changes "
    "within families alone."
)


def gate_columns() -> tuple[Column, Column]:
    """Give both columns."""
    return (
        Column(
            "Gate from a loss of",
            (
                "gate_threshold",
                "gate_threshold_loss",
                "gate_not_excluded",
                "gate_slope",
                "gate_p",
                "gate_p_adjusted",
                "gate_systems",
                "gate_why",
            ),
            numeric=True,
        ),
        Column(
            "Gate between versions from",
            (
                "version_threshold",
                "version_threshold_loss",
                "version_not_excluded",
                "version_slope",
                "version_p",
                "version_p_adjusted",
                "version_p_clustered",
                "version_pairs",
                "version_families",
                "version_why",
            ),
            numeric=True,
        ),
    )


def gate_cells(entry: TrustEntry) -> tuple[Cell, Cell]:
    """Give both cells of a metric."""
    return _gate(entry), _between_versions(entry)


def no_gates() -> tuple[Cell, Cell]:
    """Give both cells of what is no metric."""
    return no_such(8), no_such(10)


def gate_scope(entry: TrustEntry) -> str:
    """Say what a permit to gate is for, where it is not for both."""
    if len(entry.scopes) != 1:
        return ""
    return f"gate {entry.scopes[0]} only"


def _gate(entry: TrustEntry) -> Cell:
    line = entry.surrogacy
    if line is None:
        return no_such(8)
    raw = (
        *(line.threshold, line.threshold_loss, line.not_excluded, line.slope),
        *(line.p, line.p_adjusted, line.systems, entry.why_gate),
    )
    if BETWEEN_SYSTEMS not in entry.scopes or line.threshold is None or line.not_excluded is None:
        return Cell("–", raw, detail=as_sentence(entry.why_gate))
    return Cell(f"{line.threshold:.3g}", raw, aside=f"may hide {line.not_excluded:.3g}")


def _between_versions(entry: TrustEntry) -> Cell:
    line = entry.versions
    if line is None:
        return no_such(10)
    raw = (
        *(line.threshold, line.threshold_loss, line.not_excluded, line.slope),
        *(line.p, line.p_adjusted, line.p_clustered),
        *(line.pairs, line.families, entry.why_versions),
    )
    if BETWEEN_VERSIONS not in entry.scopes or line.threshold is None or line.not_excluded is None:
        return Cell("–", raw, detail=as_sentence(entry.why_versions))
    return Cell(f"{line.threshold:.3g}", raw, aside=f"may hide {line.not_excluded:.3g}")


_ROWS: Final = 9
"""Metrics on the first screen, over all dimensions."""
_FEWEST: Final = 2
_MARK: Final = "*"
"""Beside an interval that may hold less than it says; the line of the dimension says why."""
_EMPTY: Final = "No metric could be tested: that needs a metric and a consensus of raters."
_USES: Final = f"{uses_words()} Never: none of these has been shown."
_GATES: Final = 7
"""The place of the first of the gate's two columns."""


def trust_summary(trusts: Sequence[TrustOn], names: Names) -> Table:
    """Show the best metrics of each dimension, with what chance and controls reach.

    One screen: the full table is `trust_table`.
    """
    most = max(_FEWEST, _ROWS // max(1, len(trusts)))
    left_out = sum(max(0, len(_of(on, "metric")) - most) for on in trusts)
    rest = f" The full table has {count_of(left_out, 'more row')}." if left_out else ""
    gates = any("gate" in entry.uses for on in trusts for entry in on.table.entries)
    shown = (0, 1, 2, 3, *((_GATES, _GATES + 1) if gates else ()), _GATES + 2)
    return table_of(
        [
            (names.of_dimension(on.dimension), _Line(on, cells))
            for on in trusts
            for cells in _rows(on, names, most)
        ],
        [column for at, column in enumerate(_columns()) if at in shown],
        id="trust-summary",
        title="What each metric may be used for",
        caption=f"{_USES}{_explored(trusts)}{GATES_SAY if gates else ''}{_marks(trusts)}"
        f"{_intervals(trusts)}{rest}",
        grouped_by="dimension",
        about=lambda line: _about(line.on, names),
        empty=_EMPTY,
        whole="trust",
        stands="page" if _testable(trusts) else "file",
    )


class _Line(NamedTuple):
    """A metric, a control or chance on one dimension, a cell for each column."""

    on: TrustOn
    cells: tuple[Cell, ...]


def _testable(trusts: Sequence[TrustOn]) -> bool:
    """Say whether there is more to read than 'never': one sentence says that of few systems."""
    return any(
        entry.n_systems >= GATE_SYSTEMS or {"gate", "rank", "screen"} & {*entry.uses}
        for on in trusts
        for entry in on.table.entries
    )


def _explored(trusts: Sequence[TrustOn]) -> str:
    """Say what exploratory means, where a study names what it was made to test."""
    entries = [entry for on in trusts for entry in on.table.entries]
    if not any("exploratory" in entry.uses for entry in entries):
        return ""
    return (
        " exploratory: study.toml names other metrics or dimensions as primary; Holm counts those "
        "alone, and this one is permitted nothing."
    )


def trust_table(trusts: Sequence[TrustOn], names: Names) -> Table:
    """Show every metric and every control of each dimension."""
    methods = list(dict.fromkeys(on.method.replace("_", " ") for on in trusts))
    return table_of(
        [
            (names.of_dimension(on.dimension), _Line(on, cells))
            for on in trusts
            for cells in _rows(on, names, None)
        ],
        _columns(),
        id="trust",
        title="What each metric may be used for, in full",
        caption=f"{_USES}{_explored(trusts)} "
        "Tau: Kendall's tau-b of the system means, the raters' consensus "
        f"({listed(methods)}) held fixed.{_by_case(trusts)}{_marks(trusts)}{_intervals(trusts)} "
        "P(best): how often it has the highest tau when systems and cases are resampled. "
        "p after Holm: two-sided, adjusted "
        "over the metrics of the dimension. p without any two: the largest p of tau whichever two "
        "systems are left out, a family counted once, adjusted over all metrics and dimensions; "
        "screening and ranking rest on it. Within cases: mean tau over the answers to one "
        f"case.{GATES_SAY} "
        "Would change with: answers still to be judged before the next use is allowed, if tau "
        "stays where it is. Halves of the raters: tau between two random halves of the raters, "
        "a reference and no ceiling. Reliability: the share of the spread of their means that does "
        "not come from the choice of cases.",
        grouped_by="dimension",
        about=lambda line: _about(line.on, names),
        empty=_EMPTY,
        stands="file",
    )


def _columns() -> list[Shown[_Line]]:
    columns = (
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
        Column(
            "p without any two",
            ("order_p_adjusted", "order_p", "order_systems", "order_tests", "rank_bar"),
            numeric=True,
        ),
        Column("Within cases", ("within", "within_low", "within_high"), numeric=True),
        *gate_columns(),
        Column(
            "Would change with",
            ("towards", "more_answers", "more_cases", "more_systems", "more_why"),
            numeric=True,
        ),
    )
    return [Shown(column, _in(place)) for place, column in enumerate(columns)]


def _in(place: int) -> Callable[[_Line], Cell]:
    return lambda line: line.cells[place]


def _by_case(trusts: Sequence[TrustOn]) -> str:
    text = adjusted_words(
        e.adjusted for on in trusts for e in on.table.entries if e.tau is not None
    )
    return f" {text}" if text else ""


def _marks(trusts: Sequence[TrustOn]) -> str:
    """Explain the mark where one is there."""
    return (
        f"{MARK_SAYS}, or than chance."
        if any(e.beaten_by for t in trusts for e in t.table.entries)
        else ""
    )


def _intervals(trusts: Sequence[TrustOn]) -> str:
    known = [e.interval for on in trusts for e in on.table.entries if e.interval]
    if not known:
        return ""
    return (
        " Intervals are made to hold for all metrics of a dimension together "
        f"({100 * trusts[0].table.level:g}%, {known[0].method}, {known[0].estimand}): "
        "the best may be read like any other. Tau in full has the narrower ones of each tau alone."
        + (
            f" Where simulated ones of such a study held less, {_MARK} says so."
            if any(on.interval_warning for on in trusts)
            else ""
        )
    )


def _of(on: TrustOn, role: str) -> list[TrustEntry]:
    return [entry for entry in on.table.entries if entry.role == role]


def _rows(on: TrustOn, names: Names, most: int | None) -> list[tuple[Cell, ...]]:
    metrics, controls = _of(on, "metric"), _of(on, "control")
    if most is not None:
        metrics, controls = metrics[:most], _strongest(controls)
    warning = on.interval_warning
    rows = [_metric(entry, warning, names) for entry in metrics]
    if on.table.noise is not None:
        count = sum(e.tau is not None for e in _of(on, "metric"))
        rows.append(_chance(on.table.noise, count))
    return [*rows, *(_control(entry, warning, names) for entry in controls)]


def _strongest(controls: Sequence[TrustEntry]) -> list[TrustEntry]:
    known = [entry for entry in controls if entry.tau is not None]
    return sorted(known, key=lambda entry: -abs(entry.tau or 0.0))[:1]


def _about(on: TrustOn, names: Names) -> str:
    """Say what the raters' own order is worth: the noise beside every tau."""
    widest = max(on.table.entries, key=lambda entry: entry.n_answers, default=None)
    parts = []
    if widest is not None:
        parts.append(f"{count_of(widest.n_systems, 'system')}, {count_of(widest.n_cases, 'case')}")
    if on.raters.halves is not None and on.raters.low is not None and on.raters.high is not None:
        ends = f"[{PROPORTION(on.raters.low)}, {PROPORTION(on.raters.high)}]"
        parts.append(f"halves of the raters: tau {PROPORTION(on.raters.halves)} {ends}")
    else:
        parts.append(f"raters among themselves: {on.raters.undefined}")
    if on.table.reliability.value is not None:
        # Without halves "their" would be read as of raters, whom nobody was beside.
        whose = (
            "their reliability"
            if on.raters.halves is not None
            else ("over the cases the systems' means have a reliability of")
        )
        parts.append(f"{whose} {reliability(on.table.reliability.value)}")
    if widest is not None and any(e.adjusted for e in on.table.entries if e.tau is not None):
        parts.append("means adjusted by case where not every system has a value on every case")
    if on.unjudged:
        parts.append(_unjudged(on, names))
    if on.interval_warning:
        parts.append(f"{_MARK} {on.interval_warning}")
    return "; ".join(parts) + "."


def _unjudged(on: TrustOn, names: Names) -> str:
    many = on.unjudged
    answers = f"the {many} answers that nobody judged" if many > 1 else "the unjudged answer"
    if not on.ruled:
        return f"no verdict depends on what becomes of {answers}"
    changed = ", ".join(called(names, metric) for metric in on.ruled)
    return f"what becomes of {answers} decides the verdict on {changed}"


def _metric(entry: TrustEntry, warning: str, names: Names) -> tuple[Cell, ...]:
    rivals = [called(names, name) for name in entry.beaten_by]
    sizes = (entry.n_systems, entry.n_cases, entry.n_answers, entry.adjusted)
    return (
        as_no_better(Cell(called(names, entry.metric), (entry.metric, entry.role, *sizes)), rivals),
        Cell(
            ",\u00a0".join(entry.uses),
            (" ".join(entry.uses), entry.why),
            aside=gate_scope(entry),
            detail=f"{as_sentence(entry.why)} Gate between systems: {stopped(entry.why_gate)} "
            f"Between versions: {stopped(entry.why_versions)}",
        ),
        _tau(entry, warning),
        _share(entry.p_best, entry.reason),
        _p(entry),
        _order(entry),
        _within(entry),
        *gate_cells(entry),
        _more(entry),
    )


def _tau(entry: TrustEntry, warning: str) -> Cell:
    low, high = (entry.interval.low, entry.interval.high) if entry.interval else (None, None)
    if entry.tau is None:
        raw = (None, None, None, entry.reason, "")
        return Cell(NONE, raw, detail=as_sentence(entry.reason), missing=True)
    lines = [as_sentence(why) for why in (entry.reason, warning if entry.interval else "") if why]
    mark = f"\u00a0{_MARK}" if warning else ""
    return Cell(
        PROPORTION(entry.tau),
        (entry.tau, low, high, entry.reason, warning if entry.interval else ""),
        aside=f"{bounds(entry.interval)}{mark}" if entry.interval else "",
        detail=" ".join(lines),
        draw=Dot(entry.tau, low, high, -1.0, 1.0),
    )


def _share(share: float | None, reason: str) -> Cell:
    return missing(reason) if share is None else Cell(PROPORTION(share), (share,))


def _p(entry: TrustEntry) -> Cell:
    raw = (entry.p_adjusted, entry.p, entry.p_fdr)
    if entry.p_adjusted is None:
        return Cell(NONE, raw, detail=as_sentence(entry.reason), missing=True)
    return Cell(shown_p(entry.p_adjusted), raw)


def _order(entry: TrustEntry) -> Cell:
    order = entry.order
    if order is None or order.p_adjusted is None:
        why = entry.why if order is None else order.undefined
        return missing(as_sentence(why), 5)
    reached = "any tau" if order.bar is None else f"a tau of {PROPORTION(order.bar)}"
    return Cell(
        shown_p(order.p_adjusted),
        (order.p_adjusted, order.p, order.systems, order.tests, order.bar),
        detail=f"Over {count_of(order.systems, 'system')} chance reaches {reached} from a true one "
        "of 0.50.",
    )


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
        Cell(title, ("chance", "control", None, None, None, None)),
        no_such(2),
        Cell(
            PROPORTION(noise),
            (noise, None, None, "", ""),
            aside="in 95% of draws at most",
            draw=Dot(noise, None, None, -1.0, 1.0),
        ),
        no_such(),
        no_such(3),
        no_such(5),
        no_such(3),
        *no_gates(),
        no_such(5),
    )


def _control(entry: TrustEntry, warning: str, names: Names) -> tuple[Cell, ...]:
    sizes = (entry.n_systems, entry.n_cases, entry.n_answers, entry.adjusted)
    return (
        Cell(
            f"{called(names, entry.metric)} (control)",
            (entry.metric, entry.role, *sizes),
            detail="A control knows nothing of what an answer says.",
        ),
        Cell("–", (" ".join(entry.uses), entry.why)),
        _tau(entry, warning),
        no_such(),
        no_such(3),
        no_such(5),
        _within(entry),
        *no_gates(),
        no_such(5),
    )


def _rounded(count: int) -> int:
    """Round up to two digits: a plan is no count."""
    step: int = 10 ** max(0, len(str(count)) - 2)
    return -(-count // step) * step


def trust_claims(trusted: Sequence[TrustOn], _: Names) -> Iterator[Claim]:
    """Claim what metrics may be used for, by the rates of their permits."""
    if any(_metrics(trust) for trust in trusted):
        yield Claim.of("uses", "permits of metrics", VerdictKind.OWN_RATE, row=VerdictRow.PERMIT)


def trust_finding(trusted: Sequence[TrustOn], names: Names) -> Finding | None:
    """Say which metric may be used for what, or why none can be tested here.

    Nothing where no metric, or none that a system's answers have a score of, was tested: the
    sentence about tau says why.
    """
    text = _sentence(trusted, names)
    return Finding("uses", text, ("trust",), ReaderQuestion.METRICS) if text else None


def _sentence(trusted: Sequence[TrustOn], names: Names) -> str:
    tested = [(trust, entry) for trust in trusted for entry in _metrics(trust)]
    systems = max((entry.n_systems for _, entry in tested), default=0)
    if not systems:
        return ""
    permitted = list(_permitted(names, tested))
    metrics = len({entry.metric for _, entry in tested})
    if permitted:
        return f"{' '.join(permitted)} No other metric has been shown to be usable."
    nearest = f"None of {count_of(metrics, 'metric')} has been shown to replace raters."
    nearest += _nearest(names, tested)
    if systems < GATE_SYSTEMS and at_best(systems, len(tested), 1).tau is not None:
        few = f"{upper_first(number_word(systems))} systems are few"
        return f"{nearest} {few}; plan for {number_word(GATE_SYSTEMS)} or more."
    if systems < GATE_SYSTEMS:
        few = "system is" if systems == 1 else "systems are"
        return (
            f"{upper_first(number_word(systems))} {few} too few to test an automatic metric; "
            f"plan for {number_word(GATE_SYSTEMS)} or more."
            " Until then, no metric can replace raters."
        )
    return nearest


def _metrics(trust: TrustOn) -> list[TrustEntry]:
    return [entry for entry in trust.table.entries if entry.role == "metric"]


def _permitted(names: Names, tested: list[tuple[TrustOn, TrustEntry]]) -> Iterator[str]:
    for grant in GRANTS:
        where: dict[str, list[str]] = {}
        for trust, entry in tested:
            if grant in grants_of(entry.uses, entry.scopes):
                where.setdefault(names.of_source(entry.metric), []).append(
                    names.of_dimension(trust.dimension)
                )
        if where:
            yield permit_words(upper_first(_who(where)), grant)


def _who(where: Mapping[str, list[str]]) -> str:
    """Join metrics that may be used on the same dimensions."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for metric, dimensions in where.items():
        alike.setdefault(tuple(dimensions), []).append(metric)
    return "; ".join(
        f"on {listed_few(dimensions, 3)} {listed_few(metrics, 4)}"
        for dimensions, metrics in alike.items()
    )


def _nearest(names: Names, tested: list[tuple[TrustOn, TrustEntry]]) -> str:
    """Name the metric that agrees best with the raters' order of systems."""
    valued = [(entry.tau, trust, entry) for trust, entry in tested if entry.tau is not None]
    if not valued:
        return ""
    tau, trust, entry = max(valued, key=lambda item: item[0])
    metric, dimension = names.of_source(entry.metric), names.of_dimension(trust.dimension)
    around = ""
    if entry.interval is not None:
        low, high = outward(entry.interval)
        level, for_what = f"{100 * trust.table.level:g}% CI", entry.interval.estimand
        around = f"; {level} {low} to {high} for all metrics together, {for_what}"
    return (
        f" {metric} is nearest to the raters' order on {dimension} (tau {PROPORTION(tau)}{around})."
    )


@analysis(
    Declaration(
        id="trust",
        title="What each metric may be used for",
        question="Can a metric rank, screen or gate instead of raters, and what would change that?",
        section="validity",
        part="validity-raters",
        infers=True,
        reader="developer",
        place=10,
        finding_place=75,
        tables=lambda trusted, names: [trust_summary(trusted, names), trust_table(trusted, names)],
        finding=trust_finding,
        verdicts=(VerdictKind.OWN_RATE,),
        claims=trust_claims,
    )
)
def trust(
    trusted: tuple[TrustOn, ...],
    unjudged: tuple[UnjudgedRank, ...],
    ruled: tuple[UnjudgedTrust, ...],
) -> tuple[TrustOn, ...]:
    """Give the verdicts, dimension by dimension, and which of them hang on unjudged answers."""
    return with_unjudged(trusted, unjudged, ruled)


def trusted_in(records: Records) -> tuple[TrustOn, ...]:
    """Give the verdicts of a run; nothing where it was not asked."""
    return records.of(trust) or ()
