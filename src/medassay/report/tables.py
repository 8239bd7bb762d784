"""The report's tables of systems, scores and answers, and every table in the order of the page.

A table of an analysis is defined in the analysis's file: that of agreement, say, in
`analyses/builtin/agreement.py`. `all_tables` joins them to those here.

What enters: `Results`. What leaves: `Table`, and its bytes as CSV and Markdown. The page is made
from the same `Table`, so page and files cannot differ.
"""

from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Final, NamedTuple

from medassay.analyses.builtin.agreement import parts_in
from medassay.analyses.builtin.harm_by_system import HarmOf, harm_by_system
from medassay.analyses.builtin.leaderboards import leaderboards_in, ordered
from medassay.analyses.builtin.leaderboards.tables import axis_of, rank_range
from medassay.analyses.builtin.leaderboards.words import any_adjusted
from medassay.analyses.builtin.pairwise import over_pairs_in
from medassay.analyses.builtin.shared_task import leads, shared_task
from medassay.analyses.results import (
    AnswerResult,
    CaseResult,
    Results,
    ScoreResult,
    SourceResult,
)
from medassay.analyses.sections import SECTIONS
from medassay.exhibits.columns import (
    NONE,
    Shown,
    celled,
    counted,
    estimate,
    estimate_fields,
    how,
    missing,
    named_column,
    no_such,
    shown,
    system_column,
    table_of,
    text,
)
from medassay.exhibits.names import method_words, natural_order
from medassay.exhibits.numbers import Style, count_of, listed, percent_up
from medassay.exhibits.sentences import upper_first
from medassay.exhibits.table import SYNTHETIC, Bar, Cell, Column, Dot, Row, Table
from medassay.report.asked import asked_tables
from medassay.report.long_texts import long_texts
from medassay.report.names import Names, best_end
from medassay.report.styles import answer_styles, style_of
from medassay.report.uses import metric_uses
from medassay.report.whose import Whose
from medassay.scores import Reason
from medassay.tables import csv_bytes, guarded_cell, text_bytes, visible
from medassay.validity import LeaderboardRow

__all__ = [
    "SYNTHETIC",
    "Cell",
    "Column",
    "Dot",
    "Row",
    "Table",
    "all_tables",
    "answers",
    "as_markdown",
    "at_a_glance",
    "heading",
    "panel_tables",
    "table_csv",
    "table_markdown",
    "unscored",
]

_MOST_DRAWN: Final = 2
"""More columns than these leave no room for dots."""
_MOST_COLUMNS: Final = 7
_MANY: Final = 40
_FIRST: Final = 12
"""Of many systems these many are shown; the leaderboard has all."""
_FEW: Final = 6


def at_a_glance(results: Results) -> Table | None:
    """Put harm and every rated dimension of each system side by side; None without a ranking."""
    names, ranked_by = Names(results), leaderboards_in(results.analyses)
    order = ordered(ranked_by, names, results.primary)
    if not order or (shared_task.id in results.analyses and leads(names)):
        return None  # a shared task's own board stands there
    first = order[:_FIRST] if len(order) > _MANY else order
    columns = _columns(results)
    every = [s for s in columns if ranked_by.by(s.name)]
    columns = every[:_MOST_COLUMNS]
    harm = _harm(results)
    called = next((upper_first(own.called or "harmful") for own in harm.values()), "")
    axes = {source.name: axis_of(source, ranked_by.by(source.name)) for source in columns}
    means = ranked_by.of_pair

    def mean_column(source: SourceResult) -> Shown[LeaderboardRow]:
        axis = axes[source.name] if len(columns) <= _MOST_DRAWN else None
        return celled(
            heading(results, names, source),
            estimate_fields(source.name),
            lambda row: _mean(means.get((source.name, row.system)), source, axis),
            numeric=True,
            axis=(f"{axis[0]:g}", f"{axis[1]:g}") if axis else None,
        )

    rank = celled("Rank", ("rank", "rank_low", "rank_high"), rank_range, numeric=True)
    harmful = celled(
        called,
        ("harmful", "judged", "at_most"),
        lambda row: _harmful(harm.get(row.system)),
        numeric=True,
    )
    more, unshown = len(order) - len(first), len(every) - len(columns)
    return table_of(
        first,
        (
            system_column(names),
            *([rank] if len(order) > _FEW else []),
            *([harmful] if harm else []),
            *map(mean_column, columns),
        ),
        id="at-a-glance",
        title="Systems side by side",
        caption=_caption(results, columns, more, unshown, called if harm else ""),
        synthetic=results.study.synthetic,
    )


def _columns(results: Results) -> list[SourceResult]:
    """Choose what ranks the systems, and the raters' mean of each dimension by the same way."""
    primary = next(s for s in results.sources if s.name == results.primary)
    joined = [s for s in results.sources if s.kind == "consensus"]
    method = primary.method or next((s.method for s in joined), None)
    own = [s for s in joined if s.method == method and s.name != primary.name]
    return [primary, *own]


def heading(results: Results, names: Names, source: SourceResult) -> str:
    """Name a column with the end of its scale that is best, such as `Safety (1 = safe)`."""
    dimension = next((d for d in results.dimensions if d.id == source.dimension), None)
    if dimension is None:
        return names.of_source(source.name)
    title = names.of_dimension(dimension.id)
    best = best_end(dimension, source)
    return f"{title} ({best})" if best else title


def _harm(results: Results) -> dict[str, HarmOf]:
    """Give each system's harm on the first dimension that reads as harm."""
    by_system = results.analyses.of(harm_by_system)
    if by_system is None:
        return {}
    first = by_system.systems[0]
    own = (h for h in by_system.systems if (h.dimension, h.kind) == (first.dimension, first.kind))
    return {harm.system: harm for harm in own}


def _harmful(harm: HarmOf | None) -> Cell:
    if harm is None:
        return missing("Nobody judged its answers for harm.", 3)
    aside = f"≤ {percent_up(harm.at_most, harm.n)}" if harm.at_most is not None else ""
    return Cell(f"{harm.found:,} of {harm.n:,}", (harm.found, harm.n, harm.at_most), aside=aside)


def _mean(
    row: LeaderboardRow | None, source: SourceResult, axis: tuple[float, float] | None
) -> Cell:
    if row is None:
        return missing("It has no value here.", 4)
    return estimate(row.mean, row.interval, row.reason, style_of(source), axis)


def _caption(
    results: Results, columns: list[SourceResult], rest: int, unshown: int, called: str
) -> str:
    methods = {source.method for source in columns if source.method}
    joined = listed([method_words(method) for method in sorted(methods)])
    text = f"By the raters' {joined}" if joined else "By what ranks them"
    lines = [
        f"{text}, {count_of(len(results.ranking_cases), 'case')}. Small: 95% CI.",
    ]
    if called:
        lines.append(f"{called}: by the labels of at least half of an answer's raters.")
        lines.append("≤: the largest share still possible (one-sided 95%).")
    if rest:
        lines.append(f"{count_of(rest, 'more system')} in the leaderboard.")
    if unshown:
        lines.append(f"{count_of(unshown, 'more dimension')} in the leaderboard.")
    return " ".join(lines)


def table_csv(table: Table) -> bytes:
    """Write unrounded values under plain headings; an interval becomes two columns.

    Where numbers rest on labels that are not settled, the column `not_settled` says whose.

    Nothing that came from a study can run as a formula where the file is opened, or as an order to
    the terminal where it is printed.
    """
    group = [table.group_field] if table.group_field else []
    header = [str(_cell(name)) for name in (*group, *(n for c in table.columns for n in c.fields))]
    waits = any(row.unsettled for row in table.rows)
    header += ["not_settled"] if waits else []
    rows = (
        [
            _cell(value)
            for value in ([row.group] if table.group_field else [])
            + [value for c in row.cells for value in c.raw]
            + ([row.unsettled] if waits else [])
        ]
        for row in table.rows
    )
    if table.synthetic:
        return csv_bytes([*header, "synthetic"], ([*row, True] for row in rows))
    return csv_bytes(header, rows)


def table_markdown(table: Table) -> bytes:
    """Write what the page prints, with title and caption above."""
    lines = [f"**{as_markdown(table.title)}.** {as_markdown(table.caption)}", ""]
    if table.synthetic:
        lines = [f"> {SYNTHETIC}", "", *lines]
    if not table.rows:
        return text_bytes(visible("\n".join([*lines, table.empty, ""])))
    titles = [f"{c.group}: {c.title}" if c.group else c.title for c in table.columns]
    aligned = ["---:" if column.numeric else "---" for column in table.columns]
    if table.group_field:
        titles.insert(0, table.group_field.replace("_", " ").capitalize())
        aligned.insert(0, "---")
    body = (
        ([row.group] if table.group_field else []) + [_shown(cell) for cell in row.cells]
        for row in table.rows
    )
    rows = [titles, aligned, *body]
    lines += [f"| {' | '.join(as_markdown(cell) for cell in row)} |" for row in rows]
    return text_bytes(visible("\n".join(lines) + "\n"))


def _cell(value: object) -> object:
    return guarded_cell(visible(value) if isinstance(value, str) else value)


def _shown(cell: Cell) -> str:
    text = " ".join(part for part in (cell.text, cell.aside) if part)
    return f"{text} ({cell.detail})" if cell.missing and cell.detail else text


def as_markdown(text: str) -> str:
    """Write text so that Markdown prints it as it is."""
    for character in "\\|<`*_":
        text = text.replace(character, f"\\{character}")
    # Brackets of an interval stay readable; those of a link are broken.
    return " ".join(text.replace("](", "]\\(").split())


_POINTS = Style(2)


def joined_means(results: Results) -> Table:
    """Put each system's mean under every aggregation method side by side."""
    names = Names(results)
    joined = [source for source in results.sources if source.kind == "consensus"]
    of = {(source.dimension, source.method): source.name for source in joined}
    methods = list(dict.fromkeys(source.method for source in joined if source.method))
    ranked_by = leaderboards_in(results.analyses)
    means = ranked_by.of_pair
    with_means = {row.source for row in means.values() if row.mean is not None}
    joined_rows = [row for row in means.values() if row.source in of.values()]
    first: dict[str, str] = {}
    for source_result in joined:
        if source_result.dimension and source_result.name in with_means:
            first.setdefault(source_result.dimension, source_result.name)

    def mean_column(method: str) -> Shown[LeaderboardRow]:
        def cell(row: LeaderboardRow) -> Cell:
            same = of.get((names.judged[row.source], method), "")
            return _mean_cell(means.get((same, row.system)))

        title = upper_first(method_words(method))
        return celled(title, estimate_fields(method), cell, numeric=True)

    caption = (
        "Mean of each system's answers, by each aggregation method; in the order of the first. "
        f"{how(row.interval for row in joined_rows)}"
    )
    if any_adjusted(joined_rows):
        caption += (
            " Not every system has a value on every case: these means are plain, and the order is "
            "that of the means adjusted by case, which the leaderboard shows."
        )
    return table_of(
        (
            (names.of_dimension(dimension), row)
            for dimension, leading in first.items()
            for row in ordered(ranked_by, names, leading)
        ),
        (system_column(names), *map(mean_column, methods)),
        id="joined-means",
        title="Systems by each consensus",
        caption=caption,
        grouped_by="dimension",
        empty="No consensus has a mean.",
        stands="file",
        synthetic=results.study.synthetic,
    )


def _mean_cell(row: LeaderboardRow | None) -> Cell:
    if row is None:
        return no_such(4)
    return estimate(
        row.mean,
        row.interval,
        row.reason or "No answer has a value.",
        _POINTS,
    )


def returned(results: Results, sources: Sequence[str]) -> Table:
    """Show metrics of retrieval query by query, a column each."""
    names = Names(results)
    rows = [
        (case, answer.system, scores)
        for case in sorted(results.cases, key=lambda case_result: natural_order(case_result.case))
        for answer in case.answers
        for of in [{score.source: score for score in answer.scores}]
        for scores in [[of[source] for source in sources if source in of]]
        if len(scores) == len(sources)
    ]
    read = [
        f"{_HEADING['labels=mean' in source]}: {_JOINED['labels=mean' in source]}"
        for source in sources
    ]
    return table_of(
        rows,
        (
            shown(
                "Query",
                lambda row: row[0].case,
                file="case",
                aside=lambda row: row[0].tags.get("pollutant", ""),
            ),
            named_column("System", lambda row: row[1], names.of_system, file="system"),
            *(_precision_column(at, source) for at, source in enumerate(sources)),
        ),
        id="returned",
        title=f"{names.of_source(sources[0])}, query by query",
        caption="Share of the first documents that experts find relevant. Where several labelled "
        f"a document: {' '.join(read)}",
        empty="No document that was returned has a label.",
        synthetic=results.study.synthetic,
    )


def _precision_column(at: int, source: str) -> Shown[tuple[CaseResult, str, list[ScoreResult]]]:
    by_mean = "labels=mean" in source
    return shown(
        _HEADING[by_mean],
        lambda row: row[2][at].value,
        _POINTS,
        file=_FIELD[by_mean],
        draw=lambda row: Bar(row[2][at].value),
        why_not=lambda row: row[2][at].reason,
    )


_JOINED = {
    True: "its label is the mean of theirs.",
    False: "its label is what most of them say; a document on which as many say the one as the "
    "other is left out, as is one without a label.",
}
"""How labels are joined, by whether the metric's name asks for their mean."""
_HEADING = {True: "Precision, mean of labels", False: "Precision"}
_FIELD = {True: "precision_mean_of_labels", False: "precision"}


def each_pair(results: Results) -> Table:
    """Show the kappa of every two raters that `pairwise` sums up."""
    names = Names(results)
    summed = {(pairs.dimension, pairs.coefficient) for pairs in over_pairs_in(results.analyses)}
    return table_of(
        (
            (names.of_dimension(part.agreement.dimension), part)
            for part in parts_in(results.analyses)
            if part.by == "pair"
            and part.agreement.mapping == "full"
            and (part.agreement.dimension, part.agreement.coefficient) in summed
        ),
        (
            shown("Experts", "group", file="pair"),
            shown("Kappa", "agreement.value", _POINTS, file="kappa", why_not="agreement.reason"),
            counted("Answers", "agreement.n_units", file="answers"),
        ),
        id="pairwise-each",
        title="Kappa of each pair of experts",
        caption="Over the answers that both labelled.",
        grouped_by="dimension",
        empty="No two experts rated the same answers.",
        synthetic=results.study.synthetic,
    )


def systems(results: Results) -> Table:
    """List the systems and what they handed in."""
    names, some = Names(results), bool(results.study.counts.answers_not_asked)
    return table_of(
        results.systems,
        (
            named_column("System", "id", names.of_system, file="system"),
            shown("Family", lambda system: system.family or None, file="family"),
            counted("Answers", "answers"),
            *([counted("Text not held", "not_held")] if _unread(results) else []),
            counted("Never given", "missing"),
            counted("Empty", "empty"),
            *([counted("Not asked", "not_asked")] if some else []),
        ),
        id="systems",
        title="Systems",
        caption="What each system handed in. An answer that was never given and an empty answer "
        "are two things."
        + (" One that was not asked for is neither, and counts nowhere." if some else ""),
        empty="The study has no systems.",
        stands="file",
        synthetic=results.study.synthetic,
    )


def _unread(results: Results) -> bool:
    return results.study.counts.answers_not_held > 0


def sources(results: Results) -> Table:
    """List every source of scores with its question, scale and signature."""
    long = {shortened.metric: shortened for shortened in results.shortened}

    def scored(source: SourceResult) -> Cell:
        cut = long.get(source.name)
        raw = (source.scored, cut.cut if cut else 0, cut.in_windows if cut else 0)
        return Cell(f"{source.scored:,}", raw, aside=long_texts(cut) if cut else "")

    return table_of(
        ((_kind(source), source) for source in results.sources),
        (
            celled("Name", "name", lambda source: text(source.name, code=True)),
            shown("Question", "question", wide=True),
            shown("Unit", lambda source: source.unit or None, file="unit", wide=True),
            celled("Range", ("low", "high"), _range),
            shown("Better", lambda source: _BETTER[source.direction], file="better"),
            celled("Scored", ("scored", "cut", "in_windows"), scored, numeric=True),
            celled(
                "Signature",
                "signature",
                lambda source: text(source.signature, code=True),
                wide=True,
            ),
        ),
        id="sources",
        title="What was measured, and how",
        caption="Each source of scores: the question it answers, its unit and range, and the "
        "signature that says exactly how it was computed. Cut: scores without the end of a text, "
        "which the model does not read. In windows: scores of a text read whole, a part at a time.",
        grouped_by="kind",
        empty="Nothing was measured.",
        stands="file",
        synthetic=results.study.synthetic,
    )


def left_out(results: Results) -> Table:
    """List the metrics that the run has no value of, with what they need."""
    return table_of(
        (
            ("Not on this machine" if out.install else "Not in this study", out)
            for out in results.left_out
        ),
        (
            celled(
                "Metrics",
                "metrics",
                lambda out: Cell(_bases(out.metrics), ("; ".join(out.metrics),), code=True),
                wide=True,
            ),
            shown("What is missing", "lacks", wide=True),
            shown("How to have it", lambda out: out.install or None, file="install", wide=True),
        ),
        id="left-out",
        title="Metrics left out, and what they need",
        caption="Metrics that were asked for and have no value here. Install what a line says "
        "and run again: only what is new is computed.",
        grouped_by="kind",
        empty="No metric was left out.",
        synthetic=results.study.synthetic,
    )


def _bases(names: Sequence[str]) -> str:
    """Name metrics without what was chosen: all forms of one lack the same."""
    return ", ".join(dict.fromkeys(name.partition("(")[0] for name in names))


def _kind(source: SourceResult) -> str:
    if source.control:
        return "Controls"
    return {"metric": "Metrics", "imported": "Imported scores", "consensus": "Raters"}[source.kind]


_BETTER: Final = {"higher": "higher", "lower": "lower", "none": "neither"}


def _range(source: SourceResult) -> Cell:
    low, high = (f"{end:g}" if end is not None else "open" for end in (source.low, source.high))
    return Cell(f"{low} to {high}".replace("-", "−"), (source.low, source.high))


def unscored(results: Results) -> Table:
    """Say once why scores are missing; labels that are words have no scores to miss."""
    in_words = {
        dimension.id
        for dimension in results.dimensions
        if all(label.score is None for label in dimension.labels)
    }
    rows = [
        (source, reason, number, source.unscored_example if position == 0 else "")
        for source in results.sources
        if source.scored or source.kind != "consensus" or source.dimension not in in_words
        for position, (reason, number) in enumerate(source.unscored.items())
    ]

    def pairs(row: tuple[SourceResult, str, int, str]) -> Cell:
        source, _, number, _ = row
        return Cell(f"{number:,} of {source.scored + sum(source.unscored.values()):,}", (number,))

    return table_of(
        rows,
        (
            celled("Name", "name", lambda row: text(row[0].name, code=True)),
            shown("Reason", itemgetter(1), file="reason"),
            celled("Pairs", "pairs", pairs, numeric=True),
            shown("For example", lambda row: row[3] or None, file="example", wide=True),
        ),
        id="unscored",
        title="What could not be scored",
        caption="Pairs of system and case without a score, by reason. A missing score is left out "
        "of every mean. An answer that was never given is missing too, unless the metric's own "
        "rule scores it, mostly as 0; the leaderboard then marks its mean with *.",
        empty="Every pair of system and case has every score.",
        stands="file",
        synthetic=results.study.synthetic,
    )


def inputs(results: Results) -> Table:
    """List the files of the study with their hash."""
    return table_of(
        sorted(results.run.inputs.items()),
        (
            celled("File", "file", lambda row: text(row[0], code=True)),
            celled("SHA-256", "sha256", lambda row: text(row[1], code=True), wide=True),
        ),
        id="inputs",
        title="Input files",
        caption="The files that this run read. The same files and choices give the same bytes, by "
        "the same versions of the libraries, which manifest.json names. Scores may have been kept "
        "from an earlier run: they are believed where inputs, metric and libraries fit, and "
        "results/log says which were. Of a study that somebody sent, `medassay run STUDY --fresh` "
        "trusts none, recomputes all of it, and says which files differ.",
        empty="The run names no files.",
        stands="file",
        synthetic=results.study.synthetic,
    )


class _Shown(NamedTuple):
    """An answer with what it is of, and its scores by source."""

    case: CaseResult
    answer: AnswerResult
    scores: Mapping[str, ScoreResult]


def answers(results: Results) -> Table:
    """List every answer with its scores and labels, without any text."""
    judged = dict.fromkeys(
        j.dimension for c in results.cases for a in c.answers for j in a.judgements
    )
    names, styles = Names(results), answer_styles(results)

    def labels_column(dimension: str) -> Shown[_Shown]:
        def labels(row: _Shown) -> str | None:
            given = [j.said for j in row.answer.judgements if j.dimension == dimension]
            return "; ".join(given) if given else None

        title, field = names.of_dimension(dimension), f"labels_{dimension}"
        return shown(title, labels, file=field, why_not=lambda _: "Not judged.")

    def score_column(source: SourceResult) -> Shown[_Shown]:
        def cell(row: _Shown) -> Cell:
            score = row.scores.get(source.name)
            if score is not None and score.value is not None:
                return Cell(styles[source.name](score.value), (score.value, ""))
            why = score.reason if score else _unscored(results, source, row.answer)
            return Cell(NONE, (None, why), detail=why, missing=True)

        fields = (source.name, f"{source.name}_reason")
        return celled(names.of_source(source.name), fields, cell, numeric=True)

    return table_of(
        (
            _Shown(case, answer, {score.source: score for score in answer.scores})
            for case in results.cases
            for answer in case.answers
        ),
        (
            shown("Case", "case.case", file="case", adds={"in_ranking": "case.in_ranking"}),
            shown(
                "System",
                "answer.system",
                names.of_system,
                file="system",
                adds={"system_title": lambda row: names.of_system(row.answer.system)},
                numeric=False,
            ),
            shown("Status", "answer.status", file="status"),
            *map(labels_column, judged),
            *map(score_column, results.sources),
        ),
        id="answers",
        title="Every answer with its scores and ratings",
        caption="One row an answer. Several raters' labels stand in the order of the raters; what "
        f"they jointly say stands after the metrics.{_some(results)}",
        empty="There are no answers.",
        synthetic=results.study.synthetic,
    )


def _some(results: Results) -> str:
    some, total = len(results.cases), results.study.counts.cases
    if not 0 < some < total:
        return ""
    return f" {some:,} of {total:,} cases; all scores are in scores.parquet."


def _unscored(results: Results, source: SourceResult, answer: AnswerResult) -> str:
    """Say why an answer has no score of a source; of a consensus only judged answers have one."""
    if source.kind != "consensus" or any(
        j.dimension == source.dimension for j in answer.judgements
    ):
        return "not scored"
    # Ratings without any answers: it is not known which answers were given.
    known = results.study.counts.answers > 0
    never = known and answer.status == "never answered"
    return (Reason.NEVER_ANSWERED if never else Reason.NOT_JUDGED).words


def all_tables(results: Results) -> list[Table]:
    """Give every table that is written as a file, in the order of the page."""
    made = [
        *(table for table in (at_a_glance(results), metric_uses(results)) if table),
        *(
            table
            for section in SECTIONS
            for table in (
                *(panel_tables(results) if section.id == "panel" else ()),
                *asked_tables(results, section),
            )
        ),
        answers(results),
        systems(results),
        sources(results),
        *([left_out(results)] if results.left_out else []),
        unscored(results),
        inputs(results),
    ]
    return Whose(results).tables(made)


def panel_tables(results: Results) -> list[Table]:
    """Give the tables of what the panel says, where there is something to say."""
    methods = {source.method for source in results.sources if source.kind == "consensus"}
    return [joined_means(results)] if len(methods) > 1 else []
