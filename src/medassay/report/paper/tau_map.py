"""Figure 1: which metric ranks the systems as the raters do, by dimension and scheme."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from medassay.analyses.builtin.correlations import correlations_in
from medassay.analyses.results import Results, SourceResult
from medassay.exhibits.columns import celled, named_column, shown, table_of
from medassay.exhibits.drawing import INK, OKABE_ITO, SOFT, WIDE, bare, diverging, ink_on
from medassay.exhibits.numbers import PROPORTION, Style, count_of, listed, number_word, shown_p
from medassay.exhibits.table import Cell, Table
from medassay.report.imported import imported_words
from medassay.report.names import Names
from medassay.report.paper.item import Item, blank, missing_item, seen_on, signed
from medassay.scores import Name
from medassay.stats import Interval
from medassay.validity import Validity

if TYPE_CHECKING:
    from matplotlib.axes import Axes

KINDS: Final = {
    "Factuality": (OKABE_ITO[2], "s"),
    "Relevance, text": (OKABE_ITO[0], "o"),
    "Relevance, semantics": (OKABE_ITO[3], "D"),
    "Other": (SOFT, "^"),
    "Controls": (INK, "x"),
}
"""Kind of metric to its colour and its shape."""
_SEMANTIC: Final = ("bertscore", "alignscore", "medcon")


@dataclass(frozen=True, slots=True)
class FigureRow:
    """One row.

    Attributes:
        kind: One of `KINDS`.
        metric: Name of the source; empty where the study has none.
        label: What the figure calls it.
        missing: Why there is no tau; empty where there is one.
    """

    kind: str
    metric: str
    label: str
    missing: str = ""


def kind_of(name: str, *, control: bool) -> str:
    """Sort a metric into the kinds of the paper.

    Example:
        >>> kind_of("citation_f1(gold=strict)", control=False), kind_of("length", control=True)
        ('Factuality', 'Controls')
    """
    if control:
        return "Controls"
    if name.startswith("citation_"):
        return "Factuality"
    if "ref=human" in name or "ref=note" in name:
        return "Relevance, semantics" if name.startswith(_SEMANTIC) else "Relevance, text"
    return "Other"


def short(names: Names, metric: str) -> str:
    """Leave out what every metric of the paper has in common, or what only a signature needs."""
    title = names.of_source(metric)
    for words in (
        ", rules archehr2025",
        ", limit 75",
        ", words blanks",
        ", rule compat",
        ", baseline en, layer 4",
        ", model distilbert-base-uncased",
    ):
        title = title.replace(words, "")
    return title.replace("(gold ", "(")


def figure_rows(
    results: Results, correlations: Sequence[Validity], methods: Sequence[str]
) -> list[FigureRow]:
    """Give the rows: kinds together, within them by tau of the first column, those without last.

    Each row that the protocol wants is there, with a tau or with the reason why there is none. Of
    other metrics those have a row that have a tau.
    """
    first = next(iter(dict.fromkeys(c.dimension for c in correlations)))
    tau = {c.metric: c.tau for c in correlations if (c.dimension, c.method) == (first, methods[0])}
    names, known = Names(results), dict.fromkeys(c.metric for c in correlations)
    rows = []
    # A metric without a value has no row of its own beside what was imported in its place.
    replaced = {s.stands_for for s in results.sources if s.stands_for} - {
        s.name for s in results.sources if s.kind == "imported" or s.scored
    }
    for source in results.sources:
        if source.name in replaced:
            continue
        kind = kind_of(source.stands_for or source.name, control=source.control)
        if source.name in known:
            rows.append(FigureRow(kind, source.name, short(names, source.name)))
        elif source.kind != "consensus" and kind not in {"Other", "Controls"}:
            why = _reason(results, source)
            rows.append(FigureRow(kind, source.name, short(names, source.name), why))
    there = [
        Name.parse(source_result.name)
        for source_result in results.sources
        if source_result.kind == "metric"
    ]
    there += [
        Name.parse(source_result.stands_for)
        for source_result in results.sources
        if source_result.stands_for
    ]
    rows += [
        FigureRow(
            kind_of(wanted.metric, control=False), "", wanted.title,
            "not among the study's metrics",
        )
        for wanted in results.study.figure_rows
        if not any(_is_of(name, Name.parse(wanted.metric)) for name in there)
    ]  # fmt: skip
    times = Counter(row.label for row in rows)
    rows = [
        replace(row, label=names.of_source(row.metric)) if times[row.label] > 1 else row
        for row in rows
    ]
    order = list(KINDS)

    def place(row: FigureRow) -> tuple[int, bool, float, str]:
        size = tau.get(row.metric)
        return order.index(row.kind), bool(row.missing), 2.0 if size is None else -size, row.label

    return sorted(rows, key=place)


def _is_of(metric: Name, wanted: Name) -> bool:
    """Say whether a metric is a row's: of its base, with its arguments among others."""
    return metric.base == wanted.base and set(wanted.arguments) <= set(metric.arguments)


def _reason(results: Results, source: SourceResult) -> str:
    """Say shortly why a metric has no tau: what the scores lack, else what the correlation does."""
    for left_out in results.left_out:
        if source.name in left_out.metrics:
            return f"needs {left_out.lacks}"
    if not source.scored and source.unscored:
        return max(source.unscored, key=lambda reason: source.unscored[reason])
    reasons = (
        c.undefined
        for c in correlations_in(results.analyses)
        if c.metric == source.name and c.undefined
    )
    return next(reasons, "no tau")


_ID, _NUMBER, _TITLE = "figure-1", "Figure 1", "Metrics beside the raters' rankings"
SCHEMES: Final = {"label_sum": "Pyramid", "mace": "MACE"}
_ROW, _GAP, _NAMES = 6.4, 0.9, 62
_MOST_ROWS: Final = 32
"""So many stand on one page and can be read; the others are in the file."""


def figure_1(results: Results) -> Item:
    """Draw tau of every metric with every dimension under every scheme, with its interval."""
    correlations = [c for c in correlations_in(results.analyses) if c.tau is not None]
    methods = [scheme for scheme in SCHEMES if any(c.method == scheme for c in correlations)]
    if not methods:
        methods = list(dict.fromkeys(c.method for c in correlations))[:1]
    correlations = [c for c in correlations if c.method in methods]
    if not correlations:
        needs = "scores by at least one metric and judgements of at least three systems"
        return missing_item(_ID, _NUMBER, _TITLE, needs)
    rows, columns = (
        figure_rows(results, correlations, methods),
        _columns(results, correlations, methods),
    )
    at = {(c.metric, c.dimension, c.method): c for c in correlations}
    shown = _on_a_page(rows, columns[0], at)
    height = 34 + _ROW * (len(shown) + _GAP * (len({row.kind for row in shown}) - 1))
    width = min(WIDE, _NAMES + 20 * max(3, len(columns)))
    figure = blank(width, height, synthetic=results.study.synthetic)
    axes = figure.subplots()
    _panel(axes, results, shown, columns, at)
    lost = _left_to_file(rows, shown) + _not_there(results, rows)
    return Item(
        _ID, _NUMBER, _TITLE, _caption(results, correlations, methods, lost),
        signed(results, *(row.metric for row in rows), *(c.consensus for c in correlations)),
        figure, _table(results, correlations, rows),
    )  # fmt: skip


def _columns(
    results: Results, correlations: Sequence[Validity], methods: Sequence[str]
) -> list[tuple[str, str]]:
    there = {c.dimension for c in correlations}
    return [(d.id, method) for d in results.dimensions if d.id in there for method in methods]


def _on_a_page(
    rows: Sequence[FigureRow],
    first: tuple[str, str],
    at: dict[tuple[str, str, str], Validity],
) -> list[FigureRow]:
    """Give the rows that fit: of the metrics with a tau those highest in the first column.

    Controls stay, since metrics are read against them, and so does what the protocol wants.
    """
    tau = {
        row.metric: c.tau
        for row in rows
        if (c := at.get((row.metric, *first))) is not None and c.tau is not None
    }
    free = [row for row in rows if not row.missing and row.kind != "Controls"]
    room = max(1, _MOST_ROWS - (len(rows) - len(free)))
    highest = sorted(free, key=lambda row: -tau.get(row.metric, -2.0))[:room]
    kept = {row.metric for row in highest}
    return [row for row in rows if row not in free or row.metric in kept]


def _left_to_file(rows: Sequence[FigureRow], shown: Sequence[FigureRow]) -> str:
    left = len(rows) - len(shown)
    if not left:
        return ""
    others = f"other {count_of(left, 'metric')}" if left > 1 else "other metric"
    return (
        f" Drawn are the metrics with the highest tau in the first column; the {others} "
        f"{'are' if left > 1 else 'is'} in {_ID}.csv."
    )


def _panel(
    axes: "Axes",
    results: Results,
    rows: Sequence[FigureRow],
    columns: Sequence[tuple[str, str]],
    at: dict[tuple[str, str, str], Validity],
) -> None:
    names = Names(results)
    bare(axes)
    places, y, before = [], 0.0, ""
    schemes = len({method for _, method in columns})
    across = [i + 0.12 * (i // schemes) for i in range(len(columns))]
    for row in rows:
        kind = row.kind
        y += _GAP if before and kind != before else 0.0
        if kind != before:
            axes.text(
                -0.62, y - 0.72, kind, color=SOFT, ha="right", va="center_baseline", style="italic"
            )
        before = kind
        colour, shape = KINDS[kind]
        axes.plot(
            [-0.62],
            [y],
            shape,
            color=colour,
            markersize=4,
            clip_on=False,
            fillstyle="none" if row.missing else "full",
        )
        axes.text(
            -0.72, y, row.label, ha="right", va="center_baseline",
            color=SOFT if row.missing else INK,
        )  # fmt: skip
        if row.missing:
            _not_computed(axes, across[0] - 0.49, across[-1] + 0.49, y, row.missing)
        else:
            for x, (dimension, method) in zip(across, columns, strict=True):
                _tile(axes, x, y, at.get((row.metric, dimension, method)))
        places.append(y)
        y += 1
    axes.set_yticks([])
    axes.set_xticks([])
    axes.set_ylim(y - 0.4, -3.1)
    axes.set_xlim(-0.55, across[-1] + 0.55)
    for place, (dimension, method) in zip(across, columns, strict=True):
        axes.text(place, -1.45, SCHEMES.get(method, method), ha="center", va="center_baseline")
        if place == across[(across.index(place) // schemes) * schemes]:
            middle = place + (schemes - 1) / 2
            axes.text(
                middle, -2.5, names.of_dimension(dimension), ha="center", va="center_baseline",
                fontweight="bold",
            )  # fmt: skip
            axes.plot([place - 0.45, middle * 2 - place + 0.45], [-2.05] * 2, color=INK, lw=0.6)


def _not_computed(axes: "Axes", left: float, right: float, y: float, why: str) -> None:
    from matplotlib.patches import Rectangle

    box = Rectangle(
        (left, y - 0.47), right - left, 0.94, facecolor="white", edgecolor=SOFT, linewidth=0.5,
        linestyle=(0, (3, 2)),
    )  # fmt: skip
    axes.add_patch(box)
    axes.text(
        (left + right) / 2, y, f"not computed: {why}", ha="center", va="center_baseline",
        color=SOFT, style="italic", fontsize=7,
    )  # fmt: skip


def _tile(axes: "Axes", x: float, y: float, correlation: Validity | None) -> None:
    from matplotlib.patches import Rectangle

    if correlation is None or correlation.tau is None:
        axes.text(x, y, "none", ha="center", va="center_baseline", color=SOFT, style="italic")
        return
    ground = diverging(correlation.tau)
    ink = ink_on(ground)
    axes.add_patch(
        Rectangle((x - 0.49, y - 0.47), 0.98, 0.94, facecolor=ground, edgecolor=SOFT, linewidth=0.3)
    )
    axes.text(
        x, y - 0.14, PROPORTION(correlation.tau), ha="center", va="center_baseline", color=ink
    )
    around = correlation.over_both
    if around is None:
        return
    low, high, half = max(-1.0, around.low), min(1.0, around.high), 0.43
    axes.plot([x] * 2, [y + 0.22, y + 0.4], color=ink, lw=0.5)
    axes.plot([x + half * low, x + half * high], [y + 0.31] * 2, color=ink, lw=0.9)
    axes.plot([x + half * correlation.tau], [y + 0.31], "o", color=ink, markersize=1.9)


def _not_there(results: Results, rows: Sequence[FigureRow]) -> str:
    """Name what has no tau: rows without numbers, and other metrics of the study."""
    empty = [row for row in rows if row.missing]
    known, names = {row.metric for row in rows}, Names(results)
    rest = [s for s in results.sources if s.kind != "consensus" and s.name not in known]
    text = ""
    if empty:
        text += (
            f" {number_word(len(empty)).capitalize()} of the {len(rows)} rows "
            f"{'is' if len(empty) == 1 else 'are'} not computed, each with its reason."
        )
    if rest:
        titles = listed([short(names, source.name) for source in rest])
        text += f" Not in the figure, for want of a tau: {titles}."
    return text


def _estimand(around: Interval) -> str:
    return f"{round(100 * around.level, 3):g}% {around.method} for {around.estimand}"


def _caption(
    results: Results, correlations: Sequence[Validity], methods: Sequence[str], lost: str
) -> str:
    around = next((c.over_both for c in correlations if c.over_both is not None), None)
    scored = [p for c in correlations if (p := c.p_adjusted_everywhere) is not None]
    held = sum(p < 0.05 for p in scored)  # noqa: PLR2004 - the level that the caption names
    low = [r for c in correlations if (r := c.consensus_reliability.value) is not None]
    text = (
        f"Kendall's tau-b of the systems' means by each metric (rows) with those by the raters "
        f"(columns), −1 to 1; red-orange against, white at 0, blue for agreement. "
        "The paper's Figure 1 has these colours turned round: blue is −1 there, and red +1. "
        f"{seen_on(results)}. Rows are grouped by kind of metric (shape and colour) and ordered by "
        f"the first column."
    )
    if "label_sum" in methods:
        text += " Pyramid is the paper's name for the sum of an answer's label scores."
    if around:
        text += (
            f" The line in each cell is the interval on −1 to 1, its tick at 0: "
            f"{_estimand(around)}, {around.replicates} replicates. The raters' consensus is held "
            "fixed: its own error is in no interval."
        )
    if low:
        text += (
            f" Reliability of the raters' means runs from {PROPORTION(min(low))} to "
            f"{PROPORTION(max(low))}; the lower, the smaller any tau."
        )
    if scored:
        text += (
            f" {held} of {len(scored)} pairs of metric and column have p < 0.05 after Holm's "
            "correction over all of a scheme (permutation of systems, two-sided; families of "
            "systems are not accounted for in p). The largest tau of many is too large by luck: "
            "the trust table corrects for it."
        )
    if len(results.systems) < 10:  # noqa: PLR2004 - where the exact null takes over
        few = count_of(len(results.systems), "system")
        text += f" With {few}, an interval this wide is a warning, not a finding."
    return text + imported_words(results, [c.metric for c in correlations]) + lost


def _table(results: Results, correlations: Sequence[Validity], rows: Sequence[FigureRow]) -> Table:
    names, place = Names(results), {row.metric: i for i, row in enumerate(rows)}
    of = {row.metric: row for row in rows}
    ordered = sorted(correlations, key=lambda c: place[c.metric])
    return table_of(
        ordered,
        (
            shown("Metric", "metric", says=lambda c: of[c.metric].label,
                  adds={"kind": lambda c: of[c.metric].kind}),
            named_column("Dimension", "dimension", names.of_dimension),
            shown("Scheme", "method", lambda method: SCHEMES.get(method, method), file="scheme",
                  numeric=False),
            shown("tau", "tau", Style(2)),
            celled("New systems, new cases", ("both_low", "both_high"),
                   lambda c: _ends(c.over_both), numeric=True),
            celled("New systems, these cases", ("systems_low", "systems_high"),
                   lambda c: _ends(c.over_systems), numeric=True),
            celled("These systems, new cases", ("cases_low", "cases_high"),
                   lambda c: _ends(c.over_cases), numeric=True),
            shown("p", "p", shown_p),
            shown("p, Holm, its dimension", "p_adjusted", shown_p, file="p_holm"),
            shown("p, Holm, its scheme", "p_adjusted_everywhere", shown_p,
                  file="p_holm_everywhere"),
            shown("Systems", "n_systems", str),
            shown("Cases", "n_cases", str),
        ),
        id=_ID, title=_TITLE, caption="The numbers of Figure 1.", synthetic=results.study.synthetic,
    )  # fmt: skip


def _ends(around: Interval | None) -> Cell:
    if around is None:
        return Cell("–", (None, None))
    return Cell(f"[{PROPORTION(around.low)}, {PROPORTION(around.high)}]", (around.low, around.high))
