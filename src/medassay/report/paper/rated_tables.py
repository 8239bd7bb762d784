"""Tables 1 to 3: what raters were asked, what they said, how far they agreed."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Any, Final

from medassay.agreement import Agreement
from medassay.agreement.on_units import RULE
from medassay.analyses.builtin.agreement import agreement
from medassay.analyses.builtin.label_counts import LabelCount, label_counts
from medassay.analyses.builtin.leaderboards import leaderboards_in, ordered
from medassay.analyses.builtin.shared_task import shared_task, task_tables
from medassay.analyses.results import AnswerResult, CaseResult, Results, SourceResult
from medassay.exhibits.columns import Shown, celled, named_column, shown, table_of
from medassay.exhibits.numbers import PROPORTION, bounds, count_of, listed
from medassay.exhibits.table import Cell
from medassay.report.imported import imported_words
from medassay.report.names import Names
from medassay.report.paper.item import Item, missing_item, seen_on, signed
from medassay.report.styles import style_of

_ID, _NUMBER, _TITLE = "table-4", "Table 4", "A case with its best and its worst answers"
_PREFERRED: Final = ("label_sum", "mean")
Values = dict[str, dict[str, float]]
_Line = tuple[str, tuple[str, str]]
"""Of whom, then what and its words."""
_PART: Final = shown("Part", itemgetter(0), file="part")
_TEXT: Final = shown("Text", itemgetter(1), file="text", wide=True)


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
    table = table_of(
        rows, (_PART, _TEXT), id=_ID, title=f"{_NUMBER}. {_TITLE}", caption=caption,
        grouped_by="of", synthetic=results.study.synthetic,
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


def _about(case: CaseResult) -> list[_Line]:
    parts = [
        ("Patient's question", case.narrative or ""),
        ("Question", case.question or ""),
        ("Evidence", " ".join(case.evidence)),
        ("Expert's answer", " ".join(case.references)),
    ]
    return [(f"Case {case.case}", part) for part in parts if part[1]]


def _answers(
    results: Results, case: CaseResult, totals: dict[str, float], values: Values
) -> list[_Line]:
    names = Names(results)
    picked: dict[str, list[str]] = {}
    for dimension in next(iter(values.values())):
        worst = min(sorted(values), key=lambda s: (values[s][dimension], totals[s]))
        picked.setdefault(worst, []).append(f"worst on {names.of_dimension(dimension)}")
    best = min(sorted(totals), key=lambda s: -totals[s])
    picked.setdefault(best, []).append("best over all dimensions")
    answers = {answer.system: answer for answer in case.answers}
    rows: list[_Line] = []
    for system, why in picked.items():
        group = f"{names.of_system(system)}: {listed(why)}"
        rows.append((group, ("Answer", answers[system].text or "")))
        rows.append((group, ("Labels", _labels(names, answers[system]))))
        comments = [j.comment for j in answers[system].judgements if j.comment]
        if comments:
            rows.append((group, ("Comments", " / ".join(comments))))
    return rows


def _labels(names: Names, answer: AnswerResult) -> str:
    by_dimension: dict[str, list[str]] = {}
    for judgement in answer.judgements:
        by_dimension.setdefault(judgement.dimension, []).append(judgement.label or judgement.reason)
    return "; ".join(
        f"{names.of_dimension(d)}: {', '.join(own)}" for d, own in by_dimension.items()
    )


_S1_ID, _S1_NUMBER, _S1_TITLE = "table-s1", "Table S1", "Every system by every metric"


def table_s1(results: Results) -> list[Item]:
    """Print the shared task's own columns where there are any; else each metric's means."""
    scored = [s for s in results.sources if s.kind != "consensus" and s.scored]
    if not scored:
        return [missing_item(_S1_ID, _S1_NUMBER, _S1_TITLE, "scores by at least one metric")]
    signature = signed(results, *(s.name for s in scored))
    items = []
    boards = results.analyses.of(shared_task) or ()
    for table in task_tables(boards, Names(results)) if boards else ():
        ref = table.id.rsplit("-", 1)[-1]
        caption = f"{table.caption} {seen_on(results)}. Intervals of every column: Table S1, means."
        title = f"{_S1_TITLE}, against the {ref} reference"
        shown = replace(
            table,
            id=f"{_S1_ID}-{ref}",
            title=f"{_S1_NUMBER}. {title}",
            caption=caption,
            synthetic=results.study.synthetic,
        )
        items.append(Item(shown.id, _S1_NUMBER, title, caption, signature, table=shown))
    return [*items, _means(results, signature)]


def _means(results: Results, signature: str) -> Item:
    names = Names(results)
    chosen = [s for s in results.sources if s.kind != "consensus" and s.scored]
    ranked_by = leaderboards_in(results.analyses)
    at = ranked_by.of_pair
    quiet = results.study.descriptive  # then no interval, and no order that ranks
    order = [] if quiet else [s.system for s in ordered(ranked_by, names, results.primary)]
    order += [s.id for s in results.systems if s.id not in order]

    def mean_column(source: SourceResult) -> Shown[str]:
        style = style_of(source)

        def cell(system: str) -> Cell:
            row = at.get((source.name, system))
            if row is None or row.mean is None:
                return Cell("–", (None, 0) if quiet else (None, None, None, 0))
            around = row.interval
            ends = (around.low, around.high) if around else () if quiet else (None, None)
            raw = (row.mean, *ends, row.n)
            return Cell(style(row.mean), raw, aside=bounds(around, style))

        ends = () if quiet else (f"{source.name} low", f"{source.name} high")
        fields = (source.name, *ends, f"{source.name} n")
        return celled(names.of_source(source.name), fields, cell, numeric=True)

    around = next((s.interval for s in ranked_by.standings if s.interval), None)
    caption = (
        f"Mean of each metric over the ranking cases; systems in the order of "
        f"{names.of_source(results.primary)}. {seen_on(results)}; n of each mean is in the CSV."
    )
    if quiet:
        caption = f"Mean of each metric. {seen_on(results)}; n of each mean is in the CSV."
    if around:
        caption += f" Intervals: {100 * around.level:g}%, {around.method} for {around.estimand}."
    caption += imported_words(results, [source.name for source in chosen])
    title = f"{_S1_TITLE}, means" if quiet else f"{_S1_TITLE}, means with intervals"
    table = table_of(
        order, (named_column("System", str, names.of_system, file="system"),
                *map(mean_column, chosen)),
        id=f"{_S1_ID}-means", title=f"{_S1_NUMBER}. {title}", caption=caption,
        synthetic=results.study.synthetic,
    )  # fmt: skip
    return Item(f"{_S1_ID}-means", _S1_NUMBER, title, caption, signature, table=table)


_SCOPES: Final = {"judgements": "Overall", "majority": "Majority", "mace": "MACE"}
_PAPERS: Final = {
    "unanimous": "Unanimous",
    "mean_pairwise": "Pairwise",
    "fleiss": "κ",
    "gwet": "AC1",
}
_COEFFICIENTS: Final = _PAPERS | {
    "krippendorff": "α",
    "krippendorff(level=ordinal)": "α, ordinal",
    "krippendorff(level=interval)": "α, interval",
}
_MAPPINGS: Final = {
    "full": "All labels",
    "published": "Binary, as published",
    "harmful": "Binary, harmful or not",
}


def table_1(results: Results) -> Item:
    """Print the rubric: dimensions, labels, what they mean."""
    name, number, title = "table-1", "Table 1", "What the raters were asked"
    if not results.dimensions:
        return missing_item(name, number, title, "a rubric with at least one dimension")
    rows = [
        (f"{dimension.title} ({dimension.id})", (dimension, label))
        for dimension in results.dimensions
        for label in dimension.labels
    ]
    columns = (
        shown("Label", lambda row: row[1].label, file="label"),
        shown("Score", lambda row: row[1].score, "{:g}".format, file="score"),
        shown("Meaning", lambda row: row[1].description, file="meaning", wide=True),
    )
    caption = (
        f"The {count_of(len(results.dimensions), 'dimension')} of the rubric, the labels of each, "
        "the score that sums and means use, and what each label means, in the words that the "
        "raters saw."
    ) + (f" {results.study.wording}" if results.study.wording else "")
    return _item(
        results, (name, number, title), caption, columns, rows, group="dimension",
        about=lambda row: row[0].question,
    )  # fmt: skip


def table_2(results: Results) -> Item:
    """Print how often each label was given, by scope."""
    name, number, title = "table-2", "Table 2", "Labels given"
    counted = results.analyses.of(label_counts)
    counts = [c for c in counted.counts if c.scope in _SCOPES] if counted else []
    if not counts:
        return missing_item(name, number, title, "judgements")
    names = Names(results)
    at = {(c.scope, c.dimension, c.label): c for c in counts}
    labels = {
        d: sorted(
            {c.label: c.is_reason for c in counts if c.dimension == d}.items(),
            key=lambda item: item[1],
        )
        for d in dict.fromkeys(c.dimension for c in counts)
    }
    scopes = [scope for scope in _SCOPES if any(c.scope == scope for c in counts)]

    def label_column(dimension: str, label: str) -> Shown[str]:
        fields = (f"{dimension}_{label}_n", f"{dimension}_{label}_share")
        return celled(
            label, fields, lambda scope: _counted(at.get((scope, dimension, label))),
            numeric=True, group=names.of_dimension(dimension),
        )  # fmt: skip

    columns = [
        shown("Scope", str, _SCOPES.__getitem__, file="scope", numeric=False),
        *(label_column(dimension, label) for dimension, own in labels.items() for label, _ in own),
    ]
    totals = {
        scope: sorted(
            {sum(c.count for c in counts if (c.scope, c.dimension) == (scope, d)) for d in labels}
        )
        for scope in scopes
    }
    caption = (
        "Count (percent). Overall: of all judgements"
        + _of(totals.get("judgements", []))
        + ". Majority: of the answers judged"
        + _of(totals.get("majority", []))
        + "; an answer without a majority counts as a tie, in a column of its own."
    )
    if "mace" in scopes:
        caption += " MACE: the label that the model settles on for each answer."
    else:
        caption += (
            " The paper's third row, MACE, is missing: it needs mace among the consensus methods "
            "and a score of its own for each label."
        )
    caption += f" {seen_on(results)}. Counts of this study, without an interval."
    sources = [f"mace(dimension={d})" for d in labels]
    return _item(results, (name, number, title), caption, columns, scopes, sources=sources)


def table_3(results: Results) -> Item:
    """Print agreement: the paper's three numbers, ours beside, with intervals."""
    name, number, title = "table-3", "Table 3", "Agreement of the raters"
    agreed = results.analyses.of(agreement)
    panel = agreed.panel if agreed else ()
    printed = {
        *_PAPERS,
        *(headline.coefficient for headline in (agreed.headlines if agreed else ())),
    }
    subset = next((a.subset for a in panel if a.value is not None), "")
    agreements = [
        a
        for a in panel
        if a.subset == subset
        and a.coefficient in printed & {*_COEFFICIENTS}
        and a.value is not None
    ]
    if not agreements:
        return missing_item(name, number, title, "answers that two raters or more judged")
    names = Names(results)
    order = [
        *_MAPPINGS,
        *dict.fromkeys(a.mapping for a in agreements if a.mapping not in _MAPPINGS),
    ]
    kinds = [
        coefficient
        for coefficient in _COEFFICIENTS
        if any(a.coefficient == coefficient for a in agreements)
    ]
    at = {(a.mapping, a.dimension, a.coefficient): a for a in agreements}
    quiet = results.study.descriptive
    rows = [
        (_MAPPINGS.get(mapping, f"Binary, {mapping}"), (mapping, dimension))
        for mapping in order
        for dimension in dict.fromkeys(a.dimension for a in agreements)
        if any(a.mapping == mapping and a.dimension == dimension for a in agreements)
    ]

    def coefficient_column(kind: str) -> Shown[tuple[str, str]]:
        fields = (kind, *(() if quiet else (f"{kind}_low", f"{kind}_high")))
        return celled(
            _COEFFICIENTS[kind], fields, lambda row: _agreed(at.get((*row, kind)), quiet=quiet),
            numeric=True,
        )  # fmt: skip

    columns = [
        named_column("Dimension", itemgetter(1), names.of_dimension, file="dimension"),
        *map(coefficient_column, kinds),
        celled(
            "Answers", ("answers", "cases", "raters"), lambda row: _units(at, *row), numeric=True
        ),
    ]
    around = next((a.interval for a in agreements if a.interval), None)
    caption = (
        "Unanimous: share of answers on which all raters agree. Pairwise: mean share of agreeing "
        "pairs. κ: Fleiss' kappa; AC1: Gwet's, which the paper does not print, beside it since κ "
        "falls where one label is common. The paper's two blocks are 'All labels' and 'Binary, as "
        "published'. The published binary labels put Refutes and Conflicting into No; 'harmful or "
        f"not' keeps them apart. {seen_on(results)}; {subset}."
    )
    if {*kinds} - {*_PAPERS}:
        caption += f" α: Krippendorff's alpha. {RULE}"
    some = [
        f"{names.of_dimension(a.dimension)}, {a.mapping}: {a.n_units:,}"
        for a in _partly(agreements)
    ]
    if some:
        caption += (
            " Where raters have not finished, κ reads the answers with a full number of labels "
            f"({'; '.join(some)}), the others all that have two."
        )
    if around:
        caption += (
            f" Intervals: {100 * around.level:g}%, {around.method} for {around.estimand}, "
            f"{around.replicates} replicates."
        )
    return _item(results, (name, number, title), caption, columns, rows, group="labels")


def _partly(agreements: Sequence[Agreement]) -> list[Agreement]:
    """Give the kappas that read fewer answers than the plain shares beside them."""
    every = {
        (a.dimension, a.mapping): a.n_units for a in agreements if a.coefficient == "unanimous"
    }
    return [
        a
        for a in agreements
        if a.coefficient == "fleiss" and a.n_units < every.get((a.dimension, a.mapping), 0)
    ]


def _counted(label_count: LabelCount | None) -> Cell:
    if label_count is None:
        return Cell("–", (None, None))
    share = "" if label_count.share is None else f" ({100 * label_count.share:.1f})"
    return Cell(f"{label_count.count}{share}", (label_count.count, label_count.share))


def _of(totals: Sequence[int]) -> str:
    return f" ({' to '.join(dict.fromkeys(map(str, (totals[0], totals[-1]))))})" if totals else ""


def _agreed(agreement: Agreement | None, *, quiet: bool) -> Cell:
    """Print a coefficient; one of a study that describes only has no ends to leave empty."""
    none = () if quiet else (None, None)
    if agreement is None or agreement.value is None:
        return Cell("–", (None, *none))
    around = agreement.interval
    ends = (around.low, around.high) if around else none
    return Cell(PROPORTION(agreement.value), (agreement.value, *ends), aside=bounds(around))


def _units(at: dict[tuple[str, str, str], Agreement], mapping: str, dimension: str) -> Cell:
    a = next(a for key, a in at.items() if key[:2] == (mapping, dimension))
    return Cell(str(a.n_units), (a.n_units, a.n_cases, a.n_raters))


def _item(
    results: Results,
    what: tuple[str, str, str],
    caption: str,
    columns: Sequence[Shown[Any]],
    rows: Sequence[Any],
    *,
    group: str = "",
    about: Callable[[Any], str] | None = None,
    sources: Sequence[str] = (),
) -> Item:
    name, number, title = what
    table = table_of(
        rows, columns, id=name, title=f"{number}. {title}", caption=caption, grouped_by=group,
        about=about, synthetic=results.study.synthetic,
    )  # fmt: skip
    return Item(name, number, title, caption, signed(results, *sources), table=table)
