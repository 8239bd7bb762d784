"""A panel that describes only: queries as rows, every rater a dot, and no interval."""

from collections.abc import Iterator
from typing import Final

from medassay.analyses.builtin.alignment import STATED, alignments_in
from medassay.analyses.builtin.document_relevance import documents_in
from medassay.analyses.builtin.summaries import Summary, summaries_in
from medassay.analyses.results import AnswerResult, CaseResult, DimensionResult, Results
from medassay.exhibits.names import natural_order
from medassay.exhibits.numbers import count_of
from medassay.exhibits.overview import Lane, Links, Overview, OverviewRow, Spot, missing_spot
from medassay.report.names import Names
from medassay.report.objectives import RETRIEVAL
from medassay.scores import Name

_MOST: Final = 40
_STRIPS: Final = 2
_DOCUMENTS: Final = 10
"""Boxes that a cell has room for."""


def panel_overview(results: Results, names: Names) -> Overview | None:
    """Give the figure of queries; None where nobody rated anything."""
    cases = sorted(results.cases, key=lambda case: natural_order(case.case))
    asked = [
        (case, answer)
        for case in cases
        for answer in case.answers
        if answer.status != "never answered"
    ]
    dimensions = _dimensions(results)
    boxes = _boxes(results)
    levels = _levels(results)
    if not asked or not (dimensions or boxes or levels):
        return None
    shown = asked[:_MOST]
    several = len({answer.system for _, answer in asked}) > 1
    most = max((len(own) for own in boxes.values()), default=0)
    lanes = (
        *([Lane(f"First {most} documents", boxes=True)] if boxes else []),
        *(_lane(names, dimension) for dimension in dimensions),
        *([Lane("Confidence: system | experts")] if levels else []),
    )
    rows = tuple(
        OverviewRow(
            f"{case.case}, {names.of_system(answer.system)}" if several else case.case,
            tuple(_cells(results, case, answer, dimensions, boxes, levels)),
        )
        for case, answer in shown
    )
    raters = results.study.counts.raters
    return Overview(
        title=_title(results, boxes, levels, names),
        rows_are="Query",
        lanes=lanes,
        rows=rows,
        caption="Each query: a filled box is a document that most experts find relevant, an empty "
        f"one not, a dashed one a tie. A dot is as large as its share of the "
        f"{count_of(raters, 'expert')}.",
        more=len(asked) - len(shown),
    )


def _dimensions(results: Results) -> list[DimensionResult]:
    """Choose the dimensions with scores that raters gave on answers; two have room."""
    rated = [
        summary.name
        for summary in summaries_in(results.analyses)
        if (summary.kind, summary.over) == ("dimension", "judgements") and summary.n
    ]
    known = {dimension.id: dimension for dimension in results.dimensions}
    chosen = [known[name] for name in dict.fromkeys(rated) if name in known]
    scored = [d for d in chosen if sum(label.score is not None for label in d.labels) > 1]
    return scored[:_STRIPS]


def _lane(names: Names, dimension: DimensionResult) -> Lane:
    scores = [label.score for label in dimension.labels if label.score is not None]
    low, high = min(scores), max(scores)
    return Lane(names.of_dimension(dimension.id), (low, high), (f"{low:g}", f"{high:g} best"))


def _boxes(results: Results) -> dict[str, tuple[bool | None, ...]]:
    """Say of each query's documents, in their order, whether most experts find them relevant."""
    found: dict[str, list[tuple[int, bool | None]]] = {}
    for document in documents_in(results.analyses):
        relevant = None if document.consensus is None else bool(document.consensus)
        found.setdefault(document.case, []).append((document.rank or 0, relevant))
    first = _first(results)
    return {
        case: tuple(relevant for _, relevant in sorted(own, key=lambda item: item[0])[:first])
        for case, own in found.items()
    }


def _first(results: Results) -> int:
    """Give how many documents the protocol looks at."""
    names = [source.name for source in results.sources if source.name.startswith(RETRIEVAL)]
    return next((k for name in names if (k := Name.parse(name).k)), _DOCUMENTS)


def _levels(results: Results) -> dict[tuple[str, str], tuple[str, str, str]]:
    """Give each query's level by the system and by most experts, and why there is none."""
    return {
        (alignment.system, row.case): (
            row.system or "none", row.experts or "tie" if row.votes else "none",
            row.experts_reason,
        )
        for alignment in alignments_in(results.analyses)
        if alignment.rule == STATED
        for row in alignment.rows
    }  # fmt: skip


def _cells(
    results: Results,
    case: CaseResult,
    answer: AnswerResult,
    dimensions: list[DimensionResult],
    boxes: dict[str, tuple[bool | None, ...]],
    levels: dict[tuple[str, str], tuple[str, str, str]],
) -> Iterator[Spot]:
    leads = Links(answer.system, "" if results.study.texts == "none" else case.case)
    if boxes:
        own = boxes.get(case.case)
        if own is None:
            yield missing_spot("No expert labelled a document of this query.")
        else:
            yield Spot(f"{sum(box is True for box in own)} of {len(own)}", boxes=own, leads=leads)
    for dimension in dimensions:
        score = {label.label: label.score for label in dimension.labels}
        given = [
            value
            for judgement in answer.judgements
            if judgement.dimension == dimension.id and judgement.label is not None
            for value in [score.get(judgement.label)]
            if value is not None
        ]
        if not given:
            yield missing_spot("No expert labelled this answer.", leads)
            continue
        mean = sum(given) / len(given)
        yield Spot(f"{mean:.1f}", value=mean, dots=tuple(sorted(given)), leads=leads)
    if levels:
        system, experts, why = levels.get((answer.system, case.case), ("none", "none", ""))
        yield Spot(f"{system} | {experts}", why=why)


def _title(
    results: Results,
    boxes: dict[str, tuple[bool | None, ...]],
    levels: dict[tuple[str, str], tuple[str, str, str]],
    names: Names,
) -> str:
    parts = []
    if boxes:
        every = [box for own in boxes.values() for box in own]
        split = f" and were split over {ties:,}" if (ties := every.count(None)) else ""
        parts.append(
            f"Experts found {every.count(True):,} of {len(every):,} documents relevant{split}"
        )
    else:
        first = next(iter(_rated(results)), None)
        if first is not None:
            mean = "" if first.mean is None else f"{first.mean:.1f}"
            parts.append(f"{names.of_dimension(first.name)}: {mean} on average")
    both = [own for own in levels.values() if own[0] != "none" and own[1] not in {"none", "tie"}]
    if both and not parts:
        same = sum(system == experts for system, experts, _ in both)
        queries = count_of(len(both), "query").replace("querys", "queries")
        parts.append(f"Experts' confidence matched the system's in {same:,} of {queries}")
    return parts[0] if parts else "Nothing was rated yet"


def _rated(results: Results) -> list[Summary]:
    return [
        summary
        for summary in summaries_in(results.analyses)
        if (summary.kind, summary.over) == ("dimension", "judgements") and summary.n
    ]
