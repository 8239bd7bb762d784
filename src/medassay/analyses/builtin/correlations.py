"""Which metrics rank the systems as the raters do?"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from textwrap import fill
from typing import TYPE_CHECKING, Final, Literal

from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.answer_choices import Choices
from medassay.analyses.inputs.readable import Columns, Design, Leading, OnFile, Randomness
from medassay.analyses.results.whole import Records
from medassay.annotations import DesignName, record
from medassay.answers import Answers
from medassay.exhibits import Claim, Names, VerdictKind, VerdictRow
from medassay.exhibits.claim import Finding, ReaderQuestion
from medassay.exhibits.columns import NONE, Shown, missing, named_column, shown, table_of
from medassay.exhibits.drawing import SOFT, WIDE, Picture, bare, diverging, ink_on, new_figure
from medassay.exhibits.names import slug
from medassay.exhibits.numbers import (
    PROPORTION,
    bounds,
    ci,
    level,
    listed,
    listed_few,
    number_word,
    p_value,
    p_way,
    reliability,
    shown_p,
)
from medassay.exhibits.sentences import adjusted_words, as_sentence, stopped
from medassay.exhibits.table import Cell, Column, Heat, Table
from medassay.stats import Interval
from medassay.validity import BestByChance, Validity, best_by_chance

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FEWEST_TOLD: Final = 6
"""Systems under which no tau is told: of four one metric in twelve orders them as raters do."""

Lacks = Literal[
    "",
    "metrics",
    "ratings",
    "ratings of people",
    "ratings, gold decides",
    "systems",
    "texts",
    "references",
]


@record(infers=True)
class Correlations:
    """Whether each metric ranks the systems as the raters do.

    Attributes:
        tried: Every metric and control with every consensus.
        method: The consensus method that is told: the leaderboard's, else the first.
        dimension: The dimension that orders the leaderboard; empty where none does.
        lacks: What the study lacks, so that no metric could be tested by raters; empty where it
            lacks nothing. It lacks texts where it has none of any answer, and no metric a value;
            references where every metric reads one, and none has a value.
        by_chance: What the best of the metrics reaches by chance, by the method that is told; None
            with fewer than six systems, of which no tau tells anything.
    """

    tried: tuple[Validity, ...]
    method: DesignName = ""
    dimension: DesignName = ""
    lacks: Lacks = ""
    by_chance: BestByChance | None = None

    @property
    def methods(self) -> list[str]:
        """List the consensus methods, the one that is told first."""
        there = dict.fromkeys(validity.method for validity in self.tried)
        return sorted(there, key=lambda method: method != self.method)

    @property
    def metrics(self) -> list[Validity]:
        """Give the metrics, by the consensus method that is told."""
        return [v for v in self.tried if v.method == self.method and not v.control]

    @property
    def controls(self) -> list[Validity]:
        """Give the controls, by the consensus method that is told."""
        return [v for v in self.tried if v.method == self.method and v.control]


ALPHA: Final = 0.05
METRICS, CONTROLS = "Metrics", "Controls"
_EMPTY = "Nothing could be compared: there must be three systems or more, a metric and a consensus."


def _metrics(correlations: Correlations) -> list[str]:
    """List the metrics, then the controls, each in the order of the columns."""
    controls = {validity.metric: validity.control for validity in correlations.tried}
    return sorted(controls, key=lambda name: controls[name])


def _kind(*, control: bool) -> str:
    return CONTROLS if control else METRICS


def tau_maps(correlations: Correlations, names: Names) -> list[Table]:
    """Lay tau out as heat maps: metrics down, dimensions across, one map a consensus method.

    The method of the leaderboard comes first; its map is the table `tau`.
    """
    return [
        replace(
            _map(correlations, names, method, "tau" if first else f"tau-{slug(method)}"),
            stands="page" if first and len(names.system) >= FEWEST_TOLD else "file",
        )
        for method in correlations.methods
        for first in [method == correlations.method]
    ]


def _words(method: str) -> str:
    return method.replace("_", " ")


def _map(correlations: Correlations, names: Names, method: str, table_id: str) -> Table:
    chosen = [c for c in correlations.tried if c.method == method]
    across = list(dict.fromkeys(c.dimension for c in chosen))
    of = {(c.metric, c.dimension): c for c in chosen}
    controls = {validity.metric: validity.control for validity in correlations.tried}
    return table_of(
        ((_kind(control=controls[metric]), metric) for metric in _metrics(correlations)),
        (
            named_column("Metric", str, names.of_source, file="metric"),
            *(
                Shown(
                    Column(names.of_dimension(dimension), (f"{method}_{dimension}",), numeric=True),
                    _heats(names, of, dimension),
                )
                for dimension in across
            ),
        ),
        id=table_id,
        title=f"Tau of every metric, consensus by {_words(method)}",
        caption="Kendall's tau-b between the rankings by metric and by raters, over "
        f"{sample_sizes(chosen)}. 1: the same ranking; −1: the reverse. {_unit(chosen)} "
        "Point at a cell for intervals and p.",
        empty=_EMPTY,
        grouped_by="kind",
        figure="tau" if table_id == "tau" else "",
    )


def _heats(
    names: Names, of: Mapping[tuple[str, str], Validity], dimension: str
) -> Callable[[str], Cell]:
    return lambda metric: _heat(names, of.get((metric, dimension)))


def sample_sizes(chosen: Sequence[Validity]) -> str:
    """Say on how many systems, cases and answers the correlations rest that have any."""
    there = [c for c in chosen if c.n_systems]
    systems = _span(sorted({c.n_systems for c in there}))
    cases = _span(sorted({c.n_cases for c in there}))
    answers = _span(sorted({c.n_answers for c in there}))
    counts = ((systems, "system"), (cases, "case"), (answers, "answer"))
    return listed([f"{n} {noun if n == '1' else f'{noun}s'}" for n, noun in counts])


def _unit(chosen: Sequence[Validity]) -> str:
    over = "Means are over the answers that both have a value for."
    if len({c.n_answers for c in chosen}) > 1:
        over = f"{over.rstrip('.')}; their number differs by dimension and metric."
    return f"{over} {_by_case(chosen)}".strip()


def _by_case(chosen: Sequence[Validity]) -> str:
    return adjusted_words(c.adjusted for c in chosen if c.tau is not None)


def _span(values: list[int]) -> str:
    if not values:
        return "no"
    return str(values[0]) if len(values) == 1 else f"{values[0]} to {values[-1]}"


def _heat(names: Names, correlation: Validity | None) -> Cell:
    if correlation is None:
        return missing("Not compared.")
    if correlation.tau is None:
        return missing(correlation.undefined)
    detail = "\n".join(tau_details(names, correlation))
    return Cell(
        PROPORTION(correlation.tau), (correlation.tau,), detail=detail, draw=Heat(correlation.tau)
    )


def tau_details(names: Names, correlation: Validity) -> list[str]:
    """Say all about one tau in a few lines: what, the intervals, p."""
    head = f"{names.of_source(correlation.metric)} and {names.of_dimension(correlation.dimension)}"
    if correlation.tau is None:
        return [f"{head}: {NONE}. {as_sentence(correlation.undefined)}"]
    lines = [f"{head} ({_words(correlation.method)}): tau {PROPORTION(correlation.tau)}"]
    for label, interval in (
        ("over cases", correlation.over_cases),
        ("over systems", correlation.over_systems),
        ("over both", correlation.over_both),
    ):
        lines += [f"{level(interval)} {label}: {bounds(interval)}"] if interval else []
    if correlation.p is not None:
        adjusted = correlation.p_adjusted
        after = (
            f"; after Holm over its dimension {p_value(adjusted)}" if adjusted is not None else ""
        )
        lines.append(f"{p_value(correlation.p)} ({p_way(correlation.p_method)}){after}")
    lines += [as_sentence(correlation.no_interval)] if correlation.no_interval else []
    by_case = "; means adjusted by case" if correlation.adjusted else ""
    return [*lines, f"n = {sample_sizes([correlation])}{by_case}"]


def tau_table(record: Correlations, names: Names) -> Table:
    """List every tau with its three intervals, p and reliabilities."""
    place = {name: i for i, name in enumerate(_metrics(record))}
    methods = record.methods
    chosen = sorted(record.tried, key=lambda c: (place[c.metric], methods.index(c.method)))
    lines: list[str] = sorted({c.p_method or "" for c in chosen if c.p is not None})
    how_p = f" ({p_way(lines[0])})" if len(lines) == 1 else ""

    def undefined(c: Validity) -> str:
        return c.undefined or c.no_interval

    return table_of(
        ((_kind(control=c.control), c) for c in chosen),
        (
            named_column("Metric", "metric", names.of_source),
            shown(
                "Raters on", "dimension", says=lambda c: names.of_dimension(c.dimension),
                adds=("method", "consensus"), aside=lambda c: _words(c.method),
            ),
            shown(
                "Tau", "tau", PROPORTION, why_not="undefined",
                adds={"reason": "undefined", "systems": "n_systems", "cases": "n_cases",
                      "answers": "n_answers", "adjusted": "adjusted"},
            ),
            *(
                Shown(
                    Column(title, (f"{field}_low", f"{field}_high"), numeric=True, group="95% CI"),
                    _ends(field, undefined),
                )
                for title, field in (
                    ("over cases", "over_cases"),
                    ("over systems", "over_systems"),
                    ("over both", "over_both"),
                )
            ),
            shown(
                "p", "p", shown_p, why_not="undefined",
                adds={"p_method": lambda c: c.p_method or ""},
                aside=lambda c: p_way(c.p_method) if len(lines) > 1 else "",
            ),
            *(
                shown(title, field, shown_p, why_not=_no_adjusted, group="p after Holm")
                for title, field in (
                    ("over its dimension", "p_adjusted"),
                    ("over all dimensions", "p_adjusted_everywhere"),
                )
            ),
            *(
                shown(
                    title, f"{field}.value", reliability, file=name,
                    why_not=lambda _: "Not estimated.", group="Reliability",
                )
                for title, field, name in (
                    ("Metric", "metric_reliability", "reliability_metric"),
                    ("Raters", "consensus_reliability", "reliability_consensus"),
                )
            ),
        ),
        id="correlations",
        title="Tau in full",
        caption=f"Kendall's tau-b over {sample_sizes(record.tried)}. Intervals are over cases, "
        "over systems and over both, each for one tau alone; those of the trust table hold for all "
        "metrics of a dimension together. Over cases: tau of what these systems' means would be on "
        "endless cases, wide enough to include tau itself. "
        f"p: two-sided, of no relation{how_p}; adjusted by Holm "
        "without the controls, over the metrics of the dimension, as in the trust table, and over "
        "all metrics and dimensions of a consensus, for readers who pick from the whole list. "
        "Reliability: the share of the spread between system means that is not due to the choice "
        "of cases; 1: new cases would give the same means; 0 or below: the spread could be chance. "
        f"{_by_case(record.tried)}{_estimands(record.tried)}{_stand(record)}",
        empty=_EMPTY,
        grouped_by="kind",
        stands="file",
    )  # fmt: skip


def _no_adjusted(c: Validity) -> str:
    return c.undefined if c.tau is None else "Controls take no part in the adjustment."


def _stand(correlations: Correlations) -> str:
    text = significant_pairs(correlations.metrics)
    return f" {as_sentence(text)}" if text else ""


def _estimands(correlations: Sequence[Validity]) -> str:
    known = [i for c in correlations for i in (c.over_cases, c.over_systems, c.over_both) if i]
    lines = list(dict.fromkeys(f"{i.estimand} ({i.method})" for i in known))
    return f" Estimands: {'; '.join(lines)}." if lines else ""


def _ends(field: str, undefined: Callable[[Validity], str]) -> Callable[[Validity], Cell]:
    def cell(c: Validity) -> Cell:
        interval: Interval | None = getattr(c, field)
        if interval is None:
            return missing(undefined(c) or "No interval was computed.", 2)
        return Cell(bounds(interval), (interval.low, interval.high))

    return cell


def significant_pairs(correlations: Sequence[Validity]) -> str:
    """Say how many of the pairs tested are significant; empty where one was tested, or none."""
    tested = [c.p for c in correlations if c.tau is not None and c.p is not None]
    adjusted = [
        c.p_adjusted for c in correlations if c.tau is not None and c.p_adjusted is not None
    ]
    if len(tested) < 2 or not adjusted:  # noqa: PLR2004 - said already of the one
        return ""
    stand = sum(p <= ALPHA for p in adjusted)
    verb = "is" if stand < 2 else "are"  # noqa: PLR2004 - one or none: singular
    of = f"{stand or 'none'} of {len(tested)} pairs of metric and dimension"
    return f"{of} {verb} significant at 5% (Holm-corrected over the metrics of a dimension)"


_FINDING: Final = "validity"
_ABOUT: Final = "metrics and raters"

_BASIS: Final = ("tau", "correlations")
_ONLY_CONTROLS: Final = "Only controls were compared with the raters, so no metric was tested."
_UNRATED: Final = "Without ratings, this report cannot tell which metric is right."
_NEED_NOT: Final = "The system that a metric puts first need not be the better."
_NO_PERSON: Final = (
    "No person rated these answers, and ratings by models are in no score. "
    'To count them, set models = "counted" under [raters] in study.toml.'
)
_LACKS: Final = {
    "metrics": "No metric was computed, so none was compared with the raters.",
    "ratings": f"Nobody rated these answers. {_UNRATED} {_NEED_NOT}",
    "ratings of people": f"{_NO_PERSON} {_UNRATED} {_NEED_NOT}",
    "ratings, gold decides": f"{_UNRATED} Accuracy needs no rater: gold answers decide it.",
    "systems": "One system makes no ranking, so no metric was compared with the raters.",
    "texts": "The texts of the answers are not held, so no metric of text could be tested.",
    "references": "No reference answers were given, so no automatic metric could be tested.",
    "": "No metric was compared with the raters.",
}
_UNSURE: Final = 0.5
"""A reliability below: more than half of the spread between means is luck of the cases."""
_ALIKE: Final = 1e-12
"""Two values of tau nearer than this are the same fraction, computed in another order."""


def correlation_claims(correlations: Correlations, _: Names) -> Iterator[Claim]:
    """Claim that some metric ranks the systems as the raters do, the best of all tried."""
    chance = correlations.by_chance
    if chance is not None and any(c.tau is not None for c in correlations.metrics):
        each = (c.p_adjusted_everywhere for c in correlations.metrics)
        yield Claim.of(
            _FINDING, _ABOUT, VerdictKind.CLAIM, [chance.share, *each], row=VerdictRow.FOLLOWS
        )


def correlation_findings(correlations: Correlations, names: Names) -> list[Finding]:
    """Say which metric goes furthest with the raters, and whether a control does as well."""
    # What may be done with a metric comes first; what its tau is stands behind.
    question = ReaderQuestion.FURTHER if correlations.metrics else ReaderQuestion.METRICS
    if correlations.lacks in {"ratings", "ratings of people"}:
        # Whoever reads who is highest by a metric has to know that first.
        question = ReaderQuestion.WHOSE
    texts = (
        (_FINDING, _sentence(correlations, names)),
        ("controls", _controls(correlations, names)),
    )
    return [Finding(name, text, _BASIS, question) for name, text in texts if text]


def _sentence(correlations: Correlations, names: Names) -> str:
    """Say which metric goes furthest with the raters, and all that p and interval leave open."""
    if not correlations.metrics:
        return (
            _LACKS[correlations.lacks]
            if correlations.lacks or not correlations.controls
            else _ONLY_CONTROLS
        )
    valued = [c for c in correlations.metrics if c.tau is not None]
    if not valued and correlations.lacks in {"texts", "references"}:
        return _LACKS[correlations.lacks]
    if not valued:
        first = max(correlations.metrics, key=lambda own: own.n_systems)
        if first.n_systems == 2:  # noqa: PLR2004 - what most small studies have
            return ""  # what the metrics may be used for says so
        why = stopped(first.undefined)
        return f"No metric could be tested against the raters: {why}".strip()
    if max(c.n_systems for c in valued) < FEWEST_TOLD:
        return ""  # what the metrics may be used for says that so few systems tell nothing
    strongest = _strongest(correlations, valued)
    on = names.of_dimension(strongest[0].dimension)
    text = f"On {on}, {_ways(names, strongest)} ({_numbers(strongest)})."
    text = f"{text} {_verdict(correlations, strongest, names)}."
    elsewhere = [c for c in valued if c.dimension != strongest[0].dimension]
    rest = [_unsure(names, strongest), _by_case_sentence(strongest), _range(elsewhere)]
    return " ".join(filter(None, [text, *rest]))


def _controls(correlations: Correlations, names: Names) -> str:
    """Say on which dimensions a control goes with the raters more closely than every metric."""
    lines = []
    chance = correlations.by_chance
    if chance is None:
        return ""
    shares = {own.dimension: own.share for own in chance.controls}
    metrics = [c for c in correlations.metrics if c.tau is not None]
    controls = [c for c in correlations.controls if c.tau is not None]
    for dimension in dict.fromkeys(c.dimension for c in correlations.metrics):
        own = [_strength(c) for c in metrics if c.dimension == dimension]
        against = [c for c in controls if c.dimension == dimension]
        if not own or not against:
            continue
        best = max(against, key=_strength)
        if _strength(best) > max(own) + _ALIKE:
            lines.append(
                (
                    dimension,
                    best,
                    f"tau {PROPORTION(_tau(best))}; metrics up to {PROPORTION(max(own))}"
                    + (f"; {_percent(shares[dimension])} by chance" if dimension in shares else ""),
                )
            )
    if not lines:
        return ""
    first = _dimension(correlations, correlations.metrics)
    lines.sort(key=lambda item: item[0] != first)
    (dimension, best, numbers), *more = lines
    control, on = names.of_source(best.metric), names.of_dimension(dimension)
    knows = f"The control {control} knows nothing of what an answer says"
    text = f"{knows}, yet its tau on {on} is as strong as that of any metric ({numbers})."
    if more:
        others = listed_few([names.of_dimension(name) for name, _, _ in more])
        text += f" On {others} a control is as strong too."
    return text


def _dimension(correlations: Correlations, validities: list[Validity]) -> str:
    """Take the dimension of the leaderboard where it has one, else the first compared."""
    known = list(dict.fromkeys(c.dimension for c in validities))
    return correlations.dimension if correlations.dimension in known else next(iter(known), "")


def _tau(correlation: Validity) -> float:
    return correlation.tau if correlation.tau is not None else 0.0


def _strength(correlation: Validity) -> float:
    return abs(_tau(correlation))


def _interval(correlation: Validity) -> tuple[str, Interval | None]:
    """Choose the widest honest interval: over systems and cases, where it can be had."""
    kinds = (
        ("over systems and cases", correlation.over_both),
        ("over systems", correlation.over_systems),
        ("over cases", correlation.over_cases),
    )
    return next(((label, i) for label, i in kinds if i is not None), ("", None))


def _contradicts(correlation: Validity, interval: Interval) -> bool:
    """Say whether a bootstrap of few systems claims what the test of all orders does not."""
    without_zero = not interval.low <= 0 <= interval.high
    return without_zero and correlation.p is not None and correlation.p > ALPHA


def _strongest(correlations: Correlations, valued: list[Validity]) -> list[Validity]:
    """Choose the metrics with the largest tau in size: several where they are alike.

    Of dimensions that are alike the leaderboard's is told, else the first.
    """
    largest = max(map(_strength, valued))
    alike = [c for c in valued if _strength(c) >= largest - _ALIKE]
    dimension = _dimension(correlations, alike)
    return [c for c in alike if c.dimension == dimension]


def _range(elsewhere: list[Validity]) -> str:
    if not elsewhere:
        return ""
    low, high = min(map(_tau, elsewhere)), max(map(_tau, elsewhere))
    count = len({c.dimension for c in elsewhere})
    span = f"{PROPORTION(low)} to {PROPORTION(high)}"
    if count == 1:
        return f"On the other dimension, tau is {span}."
    return f"On the other {number_word(count)} dimensions, tau is {span}."


def _ways(names: Names, strongest: list[Validity]) -> str:
    """Say how many pairs of systems each metric puts in the raters' order."""
    parts: list[str] = []
    by_order: dict[tuple[int, int], list[Validity]] = {}
    for c in sorted(strongest, key=_tau, reverse=True):
        by_order.setdefault((c.pairs_alike or 0, c.pairs_reversed or 0), []).append(c)
    pairs = strongest[0].n_systems * (strongest[0].n_systems - 1) // 2
    for (same, opposite), own in by_order.items():
        who = listed([names.of_source(c.metric) for c in own])
        alone = len(own) == 1
        whole = abs(_tau(own[0])) > 1 - _ALIKE
        if parts:
            parts.append(f"{who} the other way round" if whole else f"{who} {same}")
        elif whole:
            way = "as the raters do" if _tau(own[0]) > 0 else "against the raters"
            systems = _systems(strongest[0].n_systems)
            parts.append(f"{who} {'ranks' if alone else 'rank'} the {systems} {way}")
        else:
            rest = f" and {opposite} the other way" if same + opposite < pairs else ""
            of = f"{same} of {pairs} pairs of systems"
            parts.append(f"{who} {'orders' if alone else 'order'} {of} as the raters do{rest}")
    return ", ".join(parts)


def _numbers(alike: list[Validity]) -> str:
    """Print tau; with one metric also its interval, unless the test does not bear it out."""
    values = list(dict.fromkeys(PROPORTION(_tau(c)) for c in sorted(alike, key=_tau, reverse=True)))
    each = " each" if len(alike) > len(values) == 1 else ""
    parts = [f"tau {listed(values)}{each}"]
    label, interval = _interval(alike[0])
    if len(alike) == 1 and interval is not None and not _contradicts(alike[0], interval):
        parts.append(f"{ci(interval)} for this tau alone, {label}")
    return "; ".join(parts)


def _unsure(names: Names, strongest: list[Validity]) -> str:
    """Name the metrics whose own means would come out otherwise on new cases."""
    known = ((c, c.metric_reliability.value) for c in strongest)
    low = [(c, value) for c, value in known if value is not None and value < _UNSURE]
    if not low:
        return ""
    who = listed([names.of_source(c.metric) for c, _ in low])
    values = listed(list(dict.fromkeys(reliability(value) for _, value in low)))
    return f"The means of {who} are themselves unsure (reliability {values})."


def _by_case_sentence(strongest: list[Validity]) -> str:
    if not any(c.adjusted for c in strongest):
        return ""
    return "Not every system answered every case, so means are adjusted for case difficulty."


def _systems(count: int) -> str:
    return f"{number_word(count)} {'system' if count == 1 else 'systems'}"


def _verdict(correlations: Correlations, strongest: list[Validity], names: Names) -> str:
    """Say what follows: the strongest of all was picked, so what all reach by chance decides."""
    chance = correlations.by_chance
    if chance is None:
        return "What the metrics reach by chance is not known, so this is not tested"
    tried = "the one metric tried" if chance.metrics == 1 else f"the best of {chance.metrics:,}"
    luck = f"{tried} reaches as much by chance in {_percent(chance.share)} of such studies"
    if chance.share > names.level(_FINDING, _ABOUT):
        open_ = names.undecided(_FINDING, _ABOUT, chance.share)
        return f"Whether this is more than chance is {open_} ({luck})"
    intervals = [i for _, i in map(_interval, strongest) if i is not None]
    but = "; yet the interval includes 0" if any(i.low <= 0 <= i.high for i in intervals) else ""
    return f"This is more than chance ({luck}{but})"


def _percent(share: float) -> str:
    """Print a share of studies, and never as none."""
    return "under 1%" if share < 0.005 else f"{100 * share:.0f}%"  # noqa: PLR2004


_GAP = 0.75
"""Rows of white between metrics and controls."""
_UPRIGHT = 6
"""So many headings stand side by side; more are turned."""
_HEAD = 13
"""Letters in a line of a heading."""
_LETTER = 1.5
"""Millimetres of a letter in a metric's name."""
_MOST_ROWS = 36
"""So many can be read in one picture; the table has all."""
_NARROWEST = 100
"""Millimetres that the line below needs."""


def tau_picture(correlations: Correlations, names: Names) -> dict[str, Picture]:
    """Draw the table `tau`, by the leaderboard's consensus: metrics down, controls apart."""
    if not correlations.tried:
        return {}
    whole = tau_maps(correlations, names)[0]
    table = _highest(whole)
    across = len(table.columns) - 1
    longest = max(len(row.cells[0].text) for row in table.rows)
    width = min(WIDE, max(_NARROWEST, 8 + _LETTER * longest + 25 * across))
    height = 32 + 7 * len(table.rows)
    figure = new_figure(width, height, synthetic=names.synthetic)
    axes = figure.subplots()
    _panel(axes, table, across)
    over = sample_sizes([c for c in correlations.tried if c.method == correlations.method])
    method = correlations.method.replace("_", " ")
    text = f"Kendall's tau-b, −1 to 1; consensus by {method}\nOver {over}"
    if left := len(whole.rows) - len(table.rows):
        text += f"\nThe metrics highest in the first column; {left} more are in the table"
    # From the right edge, so that it runs out below the names and not out of the figure.
    axes.set_xlabel(text, color=SOFT, loc="right")
    return {"tau": Picture("Which metrics agree with the raters", figure)}


def _highest(table: Table) -> Table:
    """Keep the controls, and as many metrics as can be read: the highest in the first column."""
    metrics = [row for row in table.rows if row.group != CONTROLS]
    room = max(1, _MOST_ROWS - (len(table.rows) - len(metrics)))
    order = sorted(metrics, key=lambda row: -_value(row.cells[1]))
    left_out = set(map(id, order[room:]))
    return replace(table, rows=tuple(row for row in table.rows if id(row) not in left_out))


def _value(cell: Cell) -> float:
    return cell.draw.value if isinstance(cell.draw, Heat) else -2.0


def _panel(axes: "Axes", table: Table, across: int) -> None:
    bare(axes)
    places: list[float] = []
    labels: list[str] = []
    y = 0.0
    for group, _, rows in table.groups:
        y += _GAP if places else 0.0
        if group == CONTROLS:
            axes.text(
                -0.55, y - _GAP / 2 - 0.5, "controls", color=SOFT, ha="right", va="center_baseline"
            )
        for row in rows:
            places.append(y)
            labels.append(row.cells[0].text)
            for x, cell in enumerate(row.cells[1:]):
                _tile(axes, x, y, cell)
            y += 1
    axes.set_yticks(places, labels)
    axes.set_ylim(y - 0.5, -0.5)
    axes.set_xlim(-0.5, across - 0.5)
    titles = [column.title for column in table.columns[1:]]
    axes.set_xticks(range(len(titles)), [fill(title, _HEAD) for title in titles])
    if len(titles) > _UPRIGHT:
        axes.tick_params(axis="x", labelrotation=90)
    axes.tick_params(axis="x", length=0, top=False, labeltop=True, bottom=False, labelbottom=False)


def _tile(axes: "Axes", x: int, y: float, cell: Cell) -> None:
    from matplotlib.patches import Rectangle

    if not isinstance(cell.draw, Heat):
        axes.text(x, y, cell.text, ha="center", va="center_baseline", color=SOFT, style="italic")
        return
    ground = diverging(cell.draw.value)
    axes.add_patch(
        Rectangle((x - 0.48, y - 0.46), 0.96, 0.92, facecolor=ground, edgecolor=SOFT, linewidth=0.3)
    )
    axes.text(x, y, cell.text, ha="center", va="center_baseline", color=ink_on(ground))


@analysis(
    Declaration(
        id="correlations",
        title="Tau of every metric",
        question="Does a metric put the systems in the order that the raters do?",
        section="validity",
        part="validity-raters",
        infers=True,
        reader="methodologist",
        place=20,
        finding_place=80,
        tables=lambda record, names: [*tau_maps(record, names), tau_table(record, names)],
        pictures=tau_picture,
        finding=correlation_findings,
        verdicts=(VerdictKind.CLAIM,),
        claims=correlation_claims,
    )
)
def correlations(
    validities: tuple[Validity, ...],
    leading: Leading,
    columns: Columns,
    design: Design,
    choices: Choices,
    on_file: OnFile,
    answers: Answers,
    randomness: Randomness,
) -> Correlations:
    """Give every tau, and which of them is told; or say what a study without any lacks."""
    lacks = _lacks(columns, design, gold=bool(choices.by_system))
    if lacks == "ratings" and on_file.models & set(on_file.judgements.current()["rater"]):
        lacks = "ratings of people"
    if not lacks and _no_texts(validities, answers):
        lacks = "texts"
    if not lacks and _no_references(validities, columns):
        lacks = "references"
    methods = list(dict.fromkeys(validity.method for validity in validities))
    method = leading.method if leading.method in methods else next(iter(methods), "")
    by_chance = _by_chance(columns, method, randomness)
    return Correlations(validities, method, leading.dimension, lacks, by_chance)


def _by_chance(columns: Columns, method: str, randomness: Randomness) -> BestByChance | None:
    """Ask what the best of the metrics reaches by chance; of few systems nothing is said."""
    of = {
        kind: [
            columns.sources[column.name]
            for column in columns.score_columns.columns
            if (column.kind == "consensus", column.control) == kind
            and (column.kind != "consensus" or column.method == method)
        ]
        for kind in ((False, False), (True, False), (False, True))
    }
    metrics, joined, controls = of.values()
    if not metrics or not joined or len(metrics[0].grid.systems) < FEWEST_TOLD:
        return None
    rng = randomness.stream("s70")
    return best_by_chance(metrics, joined, controls=controls, rng=rng)


def _lacks(columns: Columns, design: Design, *, gold: bool) -> Lacks:
    kinds = {
        (column.kind == "consensus", column.control) for column in columns.score_columns.columns
    }
    if (False, False) not in kinds:
        return "metrics"
    if not any(consensus for consensus, _ in kinds):
        return "ratings, gold decides" if gold else "ratings"
    return "systems" if len(design.systems) < 2 else ""  # noqa: PLR2004 - a ranking needs two


def _no_texts(validities: tuple[Validity, ...], answers: Answers) -> bool:
    """Say whether no metric has a tau, and no answer a text."""
    known = any(v.tau is not None and not v.control for v in validities)
    return not known and 0 < len(answers) == answers.tally.not_held.total()


def _no_references(validities: tuple[Validity, ...], columns: Columns) -> bool:
    """Say whether every metric reads a reference, and none has a value of any rated answer."""
    reading = [
        any("reference" in need.words for need in own.metric.declaration.needs)
        for own in columns.score_columns.columns
        if own.kind != "consensus" and not own.control and own.metric is not None
    ]
    valued = any(own.n_systems for own in validities if not own.control)
    imported = any(own.kind == "imported" for own in columns.score_columns.columns)
    return bool(reading) and all(reading) and not (valued or imported)


def correlations_in(records: Records) -> tuple[Validity, ...]:
    """Give every tau of a run; nothing where it was not asked."""
    record = records.of(correlations)
    return record.tried if record else ()
