"""Tables of a panel that describes only: what was returned, how it was rated, who agrees."""

from medassay.analyses.builtin.agreement import parts_in
from medassay.analyses.results import AlignmentResult, AlignmentRow, Results
from medassay.analyses.results.relevance import DOCUMENTS
from medassay.exhibits.cells import count, missing, named, text
from medassay.exhibits.names import slug
from medassay.exhibits.natural_order import natural_order
from medassay.exhibits.numbers import PROPORTION, Style, count_of
from medassay.exhibits.table import Bar, Cell, Column, Row, Table
from medassay.report.names import Names
from medassay.report.styles import style_of

__all__ = [
    "alignment",
    "each_pair",
    "judged_title",
    "pairwise",
    "relevance",
    "returned",
    "side_by_side",
    "summaries",
]

_TWO = Style(2)


def returned(results: Results, source: str) -> Table:
    """Show a metric of retrieval query by query."""
    names = Names(results)
    rows = [
        Row((
            text(case.case, aside=case.tags.get("pollutant", "")),
            named(names.of_system(answer.system), answer.system),
            missing(score.reason) if score.value is None else Cell(
                PROPORTION(score.value), (score.value,), draw=Bar(score.value)),
        ))
        for case in sorted(results.cases, key=lambda case_result: natural_order(case_result.case))
        for answer in case.answers
        for score in answer.scores
        if score.source == source
    ]  # fmt: skip
    return Table(
        "returned",
        f"{names.of_source(source)}, query by query",
        "The share of the first documents returned that the experts find relevant. Where several "
        f"labelled a document, {_JOINED['labels=mean' in source]}",
        (
            Column("Query", ("case",)),
            Column("System", ("system",)),
            Column("Precision", ("precision",), numeric=True),
        ),
        tuple(rows),
        empty="No document that was returned has a label.",
        synthetic=results.study.synthetic,
    )


_JOINED = {
    True: "its label is the mean of theirs.",
    False: "its label is what most of them say; a document on which as many say the one as the "
    "other is left out, as is one without a label.",
}
"""How labels are joined, by whether the metric's name asks for their mean."""


def relevance(results: Results) -> Table:
    """Show what the experts say of each document that was returned."""
    rows = [
        Row((
            text(row.case),
            text(row.document),
            count(row.labels),
            Cell(PROPORTION(row.share), (row.relevant, row.share), draw=Bar(row.share)),
            missing("as many experts find it relevant as not") if row.consensus is None
            else Cell("relevant" if row.consensus else "not relevant", (row.consensus,)),
        ))
        for row in sorted(results.relevance, key=lambda row: natural_order(row.case))
    ]  # fmt: skip
    ties = sum(row.consensus is None for row in results.relevance)
    split = sum(0 < row.share < 1 for row in results.relevance)
    return Table(
        "relevance",
        "Documents returned, as the experts see them",
        f"In the order returned. The experts are of one mind on {len(rows) - split} of "
        f"{count_of(len(rows), 'document')}; {count_of(ties, 'tie')}.",
        (
            Column("Query", ("case",)),
            Column("Document", ("document",)),
            Column("Experts", ("experts",), numeric=True),
            Column("Find it relevant", ("relevant", "share"), numeric=True),
            Column("Most say", ("consensus",)),
        ),
        tuple(rows),
        empty="No expert labelled single documents.",
        synthetic=results.study.synthetic,
    )


def summaries(results: Results, name: str) -> Table:
    """Show mean, standard deviation and median of one dimension or metric."""
    names = Names(results)
    own = [summary for summary in results.summaries if summary.name == name]
    metric = any(summary.kind == "metric" for summary in own)
    styles = {source.name: style_of(source) for source in results.sources}
    style = styles.get(name, _TWO)
    rows = [
        Row((
            named(names.of_system(one.system), one.system),
            text(_OVER[metric, one.over]),
            count(one.n),
            missing(one.reason, 2) if one.mean is None else Cell(
                style(one.mean) + ("" if one.sd is None else f" ± {style(one.sd)}"),
                (one.mean, one.sd)),
            missing(one.reason) if one.median is None else Cell(style(one.median), (one.median,)),
            missing(one.reason, 2) if one.least is None or one.most is None else Cell(
                _span(one.least, one.most, style), (one.least, one.most)),
        ))
        for one in own
    ]  # fmt: skip
    told = "" if metric else (
        " Over each rating the spread holds the experts' differences too; over each answer's mean "
        "it is that between answers."
    )  # fmt: skip
    return Table(
        f"summary-{slug(name)}",
        f"{names.of_dimension(names.of_source(name))}, mean and spread",
        f"Mean ± standard deviation (n − 1).{told}",
        (
            Column("System", ("system",)),
            Column("Over", ("over",)),
            Column("n", ("n",), numeric=True),
            Column("Mean ± SD", ("mean", "sd"), numeric=True),
            Column("Median", ("median",), numeric=True),
            Column("Range", ("least", "most"), numeric=True),
        ),
        tuple(rows),
        empty="Nobody rated this.",
        synthetic=results.study.synthetic,
    )


_OVER = {
    (True, "answers"): "answers",
    (True, "scenarios"): "each scenario's mean",
    (False, "answers"): "each answer's mean",
    (False, "judgements"): "each rating",
    (False, "scenarios"): "each scenario's mean",
}


def _span(least: float, most: float, style: Style) -> str:
    """Print whole numbers whole: a label is 4, not 4.00."""
    if least.is_integer() and most.is_integer():
        return f"{least:g} to {most:g}"
    return f"{style(least)} to {style(most)}"


def alignment(results: Results) -> Table:
    """Show kappa of each rule with the experts' majority."""
    names = Names(results)
    levels = list(dict.fromkeys(level for row in results.alignment for level in row.levels))
    rows = [
        Row((
            named(names.of_system(row.system), row.system),
            text(_RULES.get(row.rule, row.rule), detail=row.note),
            *(count(row.levels.get(level, 0)) for level in levels),
            count(row.n),
            missing(row.reason) if row.kappa is None else Cell(
                PROPORTION(row.kappa), (row.kappa,)),
        ))
        for row in results.alignment
    ]  # fmt: skip
    return Table(
        "alignment",
        "System and expert confidence",
        "Weighted Cohen's kappa (linear weights) of the system's level with the level that most "
        "experts gave, over queries that have both. It tells how alike the two are read, not "
        "whether the answers are right.",
        (
            Column("System", ("system",)),
            Column("Rule", ("rule",)),
            *(Column(level, (f"{level}_n",), numeric=True, group="Queries at") for level in levels),
            Column("n", ("n",), numeric=True),
            Column("Kappa", ("kappa",), numeric=True),
        ),
        tuple(rows),
        empty="No system gave its confidence in words, and none can be recomputed.",
        synthetic=results.study.synthetic,
    )


_RULES = {
    "stated": "as stated",
    "min-max in the query": "published rule, min-max within each query",
    "min-max in the run": "min-max over all queries of the run",
}


def side_by_side(results: Results, system: str) -> Table:
    """Show the levels of one system by every rule beside the experts', query by query."""
    own = [row for row in results.alignment if row.system == system]
    names = Names(results)
    rows = []
    asked = enumerate(own[0].rows if own else [])
    for i, first in sorted(asked, key=lambda place: natural_order(place[1].case)):
        votes = ", ".join(f"{level} {n}" for level, n in first.votes.items() if n)
        rows.append(
            Row((
                text(first.case),
                missing(first.experts_reason) if first.experts is None
                else text(first.experts),
                *(_level(row.rows[i]) for row in own),
                text(votes),
            ))
        )  # fmt: skip
    several = len({row.system for row in results.alignment}) > 1
    return Table(
        f"side-by-side-{system}" if several else "side-by-side",
        "Confidence side by side" + (f", {names.of_system(system)}" if several else ""),
        "Each query's level by most of its experts and by the system.",
        (
            Column("Query", ("case",)),
            Column("Most experts", ("experts",)),
            *(_rule_column(row) for row in own),
            Column("Votes", ("votes",)),
        ),
        tuple(rows),
        empty="There is nothing to compare.",
        synthetic=results.study.synthetic,
    )


def _rule_column(row: AlignmentResult) -> Column:
    field = row.rule.replace(" ", "_").replace("-", "_")
    title = {"stated": "Stated", "min-max in the query": "Published rule"}.get(row.rule, "Run rule")
    return Column(title, (field, f"{field}_mean"), group="The system's level")


def _level(row: AlignmentRow) -> Cell:
    if row.system is None:
        return missing(row.system_reason, 2)
    aside = "" if row.mean is None else PROPORTION(row.mean)
    return Cell(row.system, (row.system, row.mean), aside=aside)


def pairwise(results: Results) -> Table:
    """Show agreement over every two raters, a line a dimension."""
    names = Names(results)
    rows = [
        Row((
            named(judged_title(pairs.dimension, names), pairs.dimension),
            named(pairs.title, pairs.coefficient),
            count(pairs.pairs),
            count(pairs.without_value, detail=pairs.reason),
            missing(pairs.reason) if pairs.mean is None else Cell(
                PROPORTION(pairs.mean), (pairs.mean,)),
            missing(pairs.reason, 2) if pairs.least is None or pairs.most is None else Cell(
                f"{PROPORTION(pairs.least)} to {PROPORTION(pairs.most)}",
                (pairs.least, pairs.most)),
        ))
        for pairs in results.pairwise
    ]  # fmt: skip
    return Table(
        "pairwise",
        "Agreement of every two experts",
        "Mean and range over all pairs of experts. Pairs without a value are counted beside it.",
        (
            Column("Dimension", ("dimension",)),
            Column("Coefficient", ("coefficient",)),
            Column("Pairs", ("pairs",), numeric=True),
            Column("Without value", ("without_value",), numeric=True),
            Column("Mean", ("mean",), numeric=True),
            Column("Range", ("least", "most"), numeric=True),
        ),
        tuple(rows),
        empty="No two experts rated the same answers.",
        synthetic=results.study.synthetic,
    )


def each_pair(results: Results) -> Table:
    """Show the kappa of every two raters that `pairwise` sums up."""
    names = Names(results)
    summed = {(pairs.dimension, pairs.coefficient) for pairs in results.pairwise}
    rows = [
        Row((
            text(part.group),
            missing(part.agreement.reason) if part.agreement.value is None else Cell(
                PROPORTION(part.agreement.value), (part.agreement.value,)),
            count(part.agreement.n_units),
        ), names.of_dimension(part.agreement.dimension))
        for part in parts_in(results.analyses)
        if part.by == "pair" and part.agreement.mapping == "full"
        and (part.agreement.dimension, part.agreement.coefficient) in summed
    ]  # fmt: skip
    return Table(
        "pairwise-each",
        "Kappa of each pair of experts",
        "Over the answers that both labelled.",
        (
            Column("Experts", ("pair",)),
            Column("Kappa", ("kappa",), numeric=True),
            Column("Answers", ("answers",), numeric=True),
        ),
        tuple(rows),
        group_field="dimension",
        empty="No two experts rated the same answers.",
        synthetic=results.study.synthetic,
    )


def judged_title(dimension: str, names: Names) -> str:
    """Name what two experts agree on: a dimension, or which documents are relevant."""
    return "Relevance of documents" if dimension == DOCUMENTS else names.of_dimension(dimension)
