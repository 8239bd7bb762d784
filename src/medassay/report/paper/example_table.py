"""Table 4: one case with its worst and its best answers."""

from typing import Final

from medassay.analyses.results import AnswerResult, CaseResult, Results
from medassay.exhibits.numbers import listed
from medassay.report.names import Names
from medassay.report.paper.item import Item, missing_item, signed
from medassay.report.tables import Cell, Column, Row, Table

__all__ = ["table_4"]

_ID, _NUMBER, _TITLE = "table-4", "Table 4", "A case with its best and its worst answers"
_PREFERRED: Final = ("label_sum", "mean")
Values = dict[str, dict[str, float]]


def table_4(results: Results) -> Item:
    """Choose the case whose answers lie furthest apart, and print the best and the worst."""
    if results.study.texts != "full":
        needs = f"texts in the report, and [privacy] texts is {results.study.texts!r}"
        return missing_item(_ID, _NUMBER, _TITLE, needs)
    sources = _sources(results)
    chosen: tuple[float, CaseResult, dict[str, float], Values] | None = None
    for case in results.cases:
        values = _values(case, sources)
        totals = _totals(values, results, sources)
        if len(totals) < 2 or not case.in_ranking:  # noqa: PLR2004 - a best and a worst
            continue
        apart = max(totals.values()) - min(totals.values())
        if chosen is None or apart > chosen[0]:
            chosen = apart, case, totals, values
    if chosen is None:
        needs = "the texts of answers that raters judged on every dimension"
        return missing_item(_ID, _NUMBER, _TITLE, needs)
    _, case, totals, values = chosen
    rows = [*_about(case), *_answers(results, case, totals, values)]
    among = "all cases"
    if len(results.cases) < results.study.counts.cases:
        among = f"the {len(results.cases):,} cases shown in full"
    caption = (
        f"Case {case.case}: of {among} the one whose answers lie furthest apart, by the sum over "
        "dimensions of the raters' consensus, each on its scale from 0 to 1; ties take the first "
        "id. The sum chooses the example and is no measure. Shown are the worst answer on each "
        "dimension and the best over all (ties: the first id). One case, chosen for its contrast: "
        "it shows what labels mean, not how often. What raters said is in the last rows."
    )
    table = Table(
        _ID, f"{_NUMBER}. {_TITLE}", caption,
        (Column("Part", ("part",)), Column("Text", ("text",), wide=True)), tuple(rows),
        group_field="of", synthetic=results.study.synthetic,
    )  # fmt: skip
    return Item(_ID, _NUMBER, _TITLE, caption, signed(results, *sources.values()), table=table)


def _sources(results: Results) -> dict[str, str]:
    """Give each dimension the consensus by which answers are compared."""
    by_dimension: dict[str, str] = {}
    for method in reversed(_PREFERRED):
        by_dimension |= {
            s.dimension: s.name for s in results.sources if s.method == method and s.dimension
        }
    return {d.id: by_dimension[d.id] for d in results.dimensions if d.id in by_dimension}


def _values(case: CaseResult, sources: dict[str, str]) -> Values:
    """Give system to dimension to value, for answers with a text and a value on each dimension."""
    by_system: Values = {}
    for answer in case.answers:
        scores = {score.source: score.value for score in answer.scores}
        values = {d: scores.get(name) for d, name in sources.items()}
        known = {d: value for d, value in values.items() if value is not None}
        if answer.text and known and len(known) == len(sources):
            by_system[answer.system] = known
    return by_system


def _totals(values: Values, results: Results, sources: dict[str, str]) -> dict[str, float]:
    spans: dict[str, float] = {}
    for dimension in results.dimensions:
        scores = [label.score for label in dimension.labels if label.score is not None]
        if dimension.id in sources and scores:
            spans[dimension.id] = (max(scores) - min(scores)) or 1.0
    return {s: sum(v / spans.get(d, 1.0) for d, v in own.items()) for s, own in values.items()}


def _about(case: CaseResult) -> list[Row]:
    parts = [
        ("Patient's question", case.narrative or ""),
        ("Question", case.question or ""),
        ("Evidence", " ".join(case.evidence)),
        ("Expert's answer", " ".join(case.references)),
    ]
    return [Row((_cell(part), _cell(text)), f"Case {case.case}") for part, text in parts if text]


def _answers(
    results: Results, case: CaseResult, totals: dict[str, float], values: Values
) -> list[Row]:
    names = Names(results)
    picked: dict[str, list[str]] = {}
    for dimension in next(iter(values.values())):
        worst = min(sorted(values), key=lambda s: (values[s][dimension], totals[s]))
        picked.setdefault(worst, []).append(f"worst on {names.of_dimension(dimension)}")
    best = min(sorted(totals), key=lambda s: -totals[s])
    picked.setdefault(best, []).append("best over all dimensions")
    answers = {answer.system: answer for answer in case.answers}
    rows = []
    for system, why in picked.items():
        group = f"{names.of_system(system)}: {listed(why)}"
        rows.append(Row((_cell("Answer"), _cell(answers[system].text or "")), group))
        rows.append(Row((_cell("Labels"), _cell(_labels(names, answers[system]))), group))
        comments = [j.comment for j in answers[system].judgements if j.comment]
        if comments:
            rows.append(Row((_cell("Comments"), _cell(" / ".join(comments))), group))
    return rows


def _labels(names: Names, answer: AnswerResult) -> str:
    by_dimension: dict[str, list[str]] = {}
    for judgement in answer.judgements:
        by_dimension.setdefault(judgement.dimension, []).append(judgement.label or judgement.reason)
    return "; ".join(
        f"{names.of_dimension(d)}: {', '.join(own)}" for d, own in by_dimension.items()
    )


def _cell(text: str) -> Cell:
    return Cell(text, (text,))
