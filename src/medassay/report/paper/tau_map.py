"""Figure 1: which metric ranks the systems as the raters do, by dimension and scheme."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from medassay.report.colours import OKABE_ITO, diverging, ink_on
from medassay.report.figures.style import INK, SOFT, WIDE, bare
from medassay.report.names import Names
from medassay.report.numbers import PROPORTION, count_of, listed, shown_p
from medassay.report.paper.item import Item, missing_item, seen_on, signed
from medassay.report.paper.mark import blank
from medassay.report.tables import Cell, Column, Row, Table
from medassay.study.results import CorrelationResult, IntervalResult, Results

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["KINDS", "figure_1", "kind_of"]

_ID, _NUMBER, _TITLE = "figure-1", "Figure 1", "Metrics beside the raters' rankings"
SCHEMES: Final = {"label_sum": "Pyramid", "mace": "MACE"}
_SEMANTIC: Final = ("bertscore", "alignscore", "medcon")
KINDS: Final = {
    "Factuality": (OKABE_ITO[2], "s"),
    "Relevance, text": (OKABE_ITO[0], "o"),
    "Relevance, semantics": (OKABE_ITO[3], "D"),
    "Other": (SOFT, "^"),
    "Controls": (INK, "x"),
}
"""Kind of metric to its colour and its shape."""
_ROW, _GAP, _NAMES = 6.4, 0.9, 62


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


def figure_1(results: Results) -> Item:
    """Draw tau of every metric with every dimension under every scheme, with its interval."""
    found = [c for c in results.correlations if c.tau is not None]
    methods = [one for one in SCHEMES if any(c.method == one for c in found)]
    if not methods:
        methods = list(dict.fromkeys(c.method for c in found))[:1]
    found = [c for c in found if c.method in methods]
    if not found:
        needs = "scores by at least one metric and judgements of at least three systems"
        return missing_item(_ID, _NUMBER, _TITLE, needs)
    rows, columns = _rows(results, found, methods), _columns(results, found, methods)
    height = 34 + _ROW * (len(rows) + _GAP * (len({kind for kind, _ in rows}) - 1))
    width = min(WIDE, _NAMES + 20 * max(3, len(columns)))
    figure = blank(width, height, synthetic=results.study.synthetic)
    axes = figure.subplots()
    _panel(axes, results, rows, columns, {(c.metric, c.dimension, c.method): c for c in found})
    lost = _not_there(results, found)
    return Item(
        _ID, _NUMBER, _TITLE, _caption(results, found, methods, lost),
        signed(results, *(name for _, name in rows), *(c.consensus for c in found)),
        figure, _table(results, found, rows),
    )  # fmt: skip


def _rows(
    results: Results, found: Sequence[CorrelationResult], methods: Sequence[str]
) -> list[tuple[str, str]]:
    """Give kind and metric: kinds together, within them by tau of the first column."""
    first = next(iter(dict.fromkeys(c.dimension for c in found)))
    tau = {c.metric: c.tau or 0.0 for c in found if (c.dimension, c.method) == (first, methods[0])}
    control = {source.name: source.control for source in results.sources}
    listed_ = [
        (kind_of(name, control=control.get(name, False)), name)
        for name in dict.fromkeys(c.metric for c in found)
    ]
    order = list(KINDS)
    return sorted(listed_, key=lambda one: (order.index(one[0]), -tau.get(one[1], -2), one[1]))


def _columns(
    results: Results, found: Sequence[CorrelationResult], methods: Sequence[str]
) -> list[tuple[str, str]]:
    there = {c.dimension for c in found}
    return [(d.id, method) for d in results.dimensions if d.id in there for method in methods]


def _panel(
    axes: "Axes",
    results: Results,
    rows: Sequence[tuple[str, str]],
    columns: Sequence[tuple[str, str]],
    at: dict[tuple[str, str, str], CorrelationResult],
) -> None:
    names = Names(results)
    bare(axes)
    places, y, before = [], 0.0, ""
    schemes = len({method for _, method in columns})
    across = [i + 0.12 * (i // schemes) for i in range(len(columns))]
    for kind, metric in rows:
        y += _GAP if before and kind != before else 0.0
        if kind != before:
            axes.text(
                -0.62, y - 0.72, kind, color=SOFT, ha="right", va="center_baseline", style="italic"
            )
        before = kind
        colour, shape = KINDS[kind]
        axes.plot([-0.62], [y], shape, color=colour, markersize=4, clip_on=False)
        axes.text(-0.72, y, _short(names, metric), ha="right", va="center_baseline")
        for x, (dimension, method) in zip(across, columns, strict=True):
            _tile(axes, x, y, at.get((metric, dimension, method)))
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


def _short(names: Names, metric: str) -> str:
    """Leave out what every metric of the paper has in common, or what only a signature needs."""
    title = names.of_source(metric)
    for words in (
        ", rules archehr2025",
        ", limit 75, words blanks",
        ", baseline en, layer 4, model distilbert-base-uncased",
    ):
        title = title.replace(words, "")
    return title.replace("(gold ", "(")


def _tile(axes: "Axes", x: float, y: float, found: CorrelationResult | None) -> None:
    from matplotlib.patches import Rectangle

    if found is None or found.tau is None:
        axes.text(x, y, "none", ha="center", va="center_baseline", color=SOFT, style="italic")
        return
    ground = diverging(found.tau)
    ink = ink_on(ground)
    axes.add_patch(
        Rectangle((x - 0.49, y - 0.47), 0.98, 0.94, facecolor=ground, edgecolor=SOFT, linewidth=0.3)
    )
    axes.text(x, y - 0.14, PROPORTION(found.tau), ha="center", va="center_baseline", color=ink)
    around = found.over_both
    if around is None:
        return
    low, high, half = max(-1.0, around.low), min(1.0, around.high), 0.43
    axes.plot([x] * 2, [y + 0.22, y + 0.4], color=ink, lw=0.5)
    axes.plot([x + half * low, x + half * high], [y + 0.31] * 2, color=ink, lw=0.9)
    axes.plot([x + half * found.tau], [y + 0.31], "o", color=ink, markersize=1.9)


def _not_there(results: Results, found: Sequence[CorrelationResult]) -> str:
    known, names = {c.metric for c in found}, Names(results)
    lost = [s for s in results.sources if s.kind != "consensus" and s.name not in known]
    if not lost:
        return ""
    titles = listed([_short(names, s.name) for s in lost])
    why = listed(list(dict.fromkeys(reason for s in lost for reason in s.unscored)))
    return f" Not in the figure: {titles} ({why or 'no tau'})."


def _estimand(around: IntervalResult) -> str:
    return f"{round(100 * around.level, 3):g} % {around.method} for {around.estimand}"


def _caption(
    results: Results, found: Sequence[CorrelationResult], methods: Sequence[str], lost: str
) -> str:
    around = next((c.over_both for c in found if c.over_both is not None), None)
    scored = [c for c in found if c.p_adjusted is not None]
    held = sum(c.p_adjusted < 0.05 for c in scored if c.p_adjusted is not None)  # noqa: PLR2004 - the level that the caption names
    low = [c.reliability_consensus for c in found if c.reliability_consensus is not None]
    text = (
        f"Kendall's tau-b of the systems' means by each metric (rows) with those by the raters "
        f"(columns), −1 to 1; red-orange against, white at 0, blue for agreement. "
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
            f" {held} of {len(scored)} pairs of metric and column have p < .05 after Holm's "
            "correction within a scheme (permutation of systems, two-sided; families of systems "
            "are not accounted for in p). The largest tau of many is too large by luck: the trust "
            "table corrects for it."
        )
    if len(results.systems) < 10:  # noqa: PLR2004 - where the exact null takes over
        few = count_of(len(results.systems), "system")
        text += f" With {few}, an interval this wide is a warning, not a finding."
    return text + lost


def _table(
    results: Results, found: Sequence[CorrelationResult], rows: Sequence[tuple[str, str]]
) -> Table:
    names, place = Names(results), {name: i for i, (_, name) in enumerate(rows)}
    kind = {name: one for one, name in rows}
    ordered = sorted(found, key=lambda c: place[c.metric])
    made = []
    for c in ordered:
        cells = [
            Cell(_short(names, c.metric), (c.metric, kind[c.metric])),
            Cell(names.of_dimension(c.dimension), (c.dimension,)),
            Cell(SCHEMES.get(c.method, c.method), (c.method,)),
            Cell(PROPORTION(c.tau or 0.0), (c.tau,)),
        ]
        cells += [
            *(_ends(around) for around in (c.over_both, c.over_systems, c.over_cases)),
            Cell(shown_p(c.p) if c.p is not None else "–", (c.p,)),
            Cell(shown_p(c.p_adjusted) if c.p_adjusted is not None else "–", (c.p_adjusted,)),
            Cell(str(c.n_systems), (c.n_systems,)),
            Cell(str(c.n_cases), (c.n_cases,)),
        ]
        made.append(Row(tuple(cells)))
    numeric = [
        Column("tau", ("tau",), numeric=True),
        Column("New systems, new cases", ("both_low", "both_high"), numeric=True),
        Column("New systems, these cases", ("systems_low", "systems_high"), numeric=True),
        Column("These systems, new cases", ("cases_low", "cases_high"), numeric=True),
        Column("p", ("p",), numeric=True),
        Column("p, Holm", ("p_holm",), numeric=True),
        Column("Systems", ("n_systems",), numeric=True),
        Column("Cases", ("n_cases",), numeric=True),
    ]
    words = [
        Column("Metric", ("metric", "kind")),
        Column("Dimension", ("dimension",)),
        Column("Scheme", ("scheme",)),
    ]
    return Table(
        _ID, _TITLE, "The numbers of Figure 1.", (*words, *numeric), tuple(made),
        synthetic=results.study.synthetic,
    )  # fmt: skip


def _ends(around: IntervalResult | None) -> Cell:
    if around is None:
        return Cell("–", (None, None))
    return Cell(f"[{PROPORTION(around.low)}, {PROPORTION(around.high)}]", (around.low, around.high))
