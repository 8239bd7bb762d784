"""The rows of Figure 1: every metric with a tau, and why the others have none."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from medassay.analyses.builtin.correlations import correlations_in
from medassay.analyses.results import Results, SourceResult
from medassay.exhibits.colours import OKABE_ITO
from medassay.exhibits.drawing import INK, SOFT
from medassay.report.names import Names
from medassay.scores import Name
from medassay.validity import Validity

__all__ = ["KINDS", "FigureRow", "figure_rows", "kind_of", "short"]

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
