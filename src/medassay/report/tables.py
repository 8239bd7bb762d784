"""Every table of the report, each defined once.

What enters: `Results`. What leaves: `Table`, and its bytes as CSV and Markdown. The page is made
from the same `Table`, so page and files cannot differ.
"""

import re
from collections.abc import Sequence
from typing import Final

from medassay.analyses.builtin.agreement import parts_in
from medassay.analyses.builtin.harm_by_system import HarmOf, harm_by_system
from medassay.analyses.builtin.leaderboards import leaderboards_in, ordered
from medassay.analyses.builtin.leaderboards.by_case import any_adjusted
from medassay.analyses.builtin.leaderboards.tables import axis_of, rank_range
from medassay.analyses.builtin.pairwise import over_pairs_in
from medassay.analyses.builtin.shared_task import leads, shared_task
from medassay.analyses.results import (
    AnswerResult,
    CaseResult,
    DimensionResult,
    Results,
    ShortenedResult,
    SourceResult,
)
from medassay.analyses.sections import SECTIONS
from medassay.exhibits.cells import (
    NONE,
    count,
    estimate,
    estimate_fields,
    how,
    missing,
    named,
    no_such,
    text,
)
from medassay.exhibits.names import method_words
from medassay.exhibits.natural_order import natural_order
from medassay.exhibits.numbers import PROPORTION, Style, count_of, listed, percent_up
from medassay.exhibits.sentences import upper_first
from medassay.exhibits.table import SYNTHETIC, Bar, Cell, Column, Dot, Row, Table
from medassay.report.asked import asked_tables
from medassay.report.long_texts import long_texts
from medassay.report.names import Names
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
_HEADING_MOST: Final = 24
"""Letters of what the best label means that a heading has room for."""


def at_a_glance(results: Results) -> Table | None:
    """Put harm and every rated dimension of each system side by side; None without a ranking."""
    names, ranked_by = Names(results), leaderboards_in(results.analyses)
    order = ordered(ranked_by, names, results.primary)
    if not order or (shared_task.id in results.analyses and leads(names)):
        return None  # a shared task's own board stands there
    shown = order[:_FIRST] if len(order) > _MANY else order
    columns = _columns(results)
    every = [s for s in columns if ranked_by.by(s.name)]
    columns = every[:_MOST_COLUMNS]
    harm = _harm(results)
    called = next((upper_first(own.called or "harmful") for own in harm.values()), "")
    drawn = len(columns) <= _MOST_DRAWN
    axes = {source.name: axis_of(source, ranked_by.by(source.name)) for source in columns}
    standing = ranked_by.of_pair
    ranked = len(order) > _FEW
    rows = tuple(
        Row(
            (
                named(names.of_system(first.system), first.system),
                *([rank_range(first)] if ranked else []),
                *([_harmful(harm.get(first.system))] if harm else []),
                *(
                    _mean(
                        standing.get((source.name, first.system)),
                        source,
                        axes[source.name] if drawn else None,
                    )
                    for source in columns
                ),
            )
        )
        for first in shown
    )
    return Table(
        "at-a-glance",
        "Systems side by side",
        _caption(
            results,
            columns,
            len(order) - len(shown),
            len(every) - len(columns),
            called if harm else "",
        ),
        (
            Column("System", ("system",)),
            *([Column("Rank", ("rank", "rank_low", "rank_high"), numeric=True)] if ranked else []),
            *([Column(called, ("harmful", "judged", "at_most"), numeric=True)] if harm else []),
            *(
                Column(
                    heading(results, names, source),
                    estimate_fields(source.name),
                    numeric=True,
                    axis=(f"{axes[source.name][0]:g}", f"{axes[source.name][1]:g}")
                    if drawn
                    else None,
                )
                for source in columns
            ),
        ),
        rows,
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
    best = _best(dimension, source)
    return f"{title} ({best})" if best else title


def _best(dimension: DimensionResult, source: SourceResult) -> str:
    scored = [(label.score, label) for label in dimension.labels if label.score is not None]
    if not scored or source.direction == "none":
        return ""
    choose = min if source.direction == "lower" else max
    score, label = choose(scored, key=lambda item: item[0])
    number = f"{score:g}"
    if label.label != number:
        return f"{number} = {label.label}"
    # A label may be explained in sentences; a heading takes what stands before the first stop.
    means = re.split(r"[:;,.(]", label.description, maxsplit=1)[0].strip()
    return f"{number} = {means if 0 < len(means) <= _HEADING_MOST else 'best'}"


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
        f"{text}, {count_of(len(results.ranking_cases), 'case')}. Small: 95% interval.",
    ]
    if called:
        lines.append(f"{called}: by at least half of an answer's raters.")
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
    leaderboard_rows = ranked_by.of_pair
    with_means = {row.source for row in leaderboard_rows.values() if row.mean is not None}
    shown = [row for row in leaderboard_rows.values() if row.source in of.values()]
    first: dict[str, str] = {}
    for source_result in joined:
        if source_result.dimension and source_result.name in with_means:
            first.setdefault(source_result.dimension, source_result.name)
    return Table(
        "joined-means",
        "Systems by each consensus",
        "Mean of each system's answers, by each aggregation method; in the order of "
        f"the first. {how(row.interval for row in shown)}"
        + (
            " Not every system has a value on every case: these means are plain, and the order is "
            "that of the means adjusted by case, which the leaderboard shows."
            if any_adjusted(shown)
            else ""
        ),
        (
            Column("System", ("system",)),
            *(
                Column(upper_first(method_words(method)), estimate_fields(method), numeric=True)
                for method in methods
            ),
        ),
        tuple(
            Row(
                (
                    named(names.of_system(system), system),
                    *(
                        _mean_cell(leaderboard_rows.get((of.get((dimension, method), ""), system)))
                        for method in methods
                    ),
                ),
                names.of_dimension(dimension),
            )
            for dimension, leading in first.items()
            for system in [row.system for row in ordered(ranked_by, names, leading)]
        ),
        group_field="dimension",
        empty="No consensus has a mean.",
        synthetic=results.study.synthetic,
        stands="file",
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
        Row((
            text(case.case, aside=case.tags.get("pollutant", "")),
            named(names.of_system(answer.system), answer.system),
            *(
                missing(score.reason) if score.value is None else Cell(
                    PROPORTION(score.value), (score.value,), draw=Bar(score.value))
                for score in scores
            ),
        ))
        for case in sorted(results.cases, key=lambda case_result: natural_order(case_result.case))
        for answer in case.answers
        for of in [{score.source: score for score in answer.scores}]
        for scores in [[of[source] for source in sources if source in of]]
        if len(scores) == len(sources)
    ]  # fmt: skip
    read = [
        f"{_HEADING['labels=mean' in source]}: {_JOINED['labels=mean' in source]}"
        for source in sources
    ]
    return Table(
        "returned",
        f"{names.of_source(sources[0])}, query by query",
        "The share of the first documents returned that the experts find relevant. Where several "
        f"labelled a document: {' '.join(read)}",
        (
            Column("Query", ("case",)),
            Column("System", ("system",)),
            *(
                Column(_HEADING["labels=mean" in source], (_FIELD["labels=mean" in source],),
                       numeric=True)
                for source in sources
            ),
        ),
        tuple(rows),
        empty="No document that was returned has a label.",
        synthetic=results.study.synthetic,
    )  # fmt: skip


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


def systems(results: Results) -> Table:
    """List the systems and what they handed in."""
    names, some = Names(results), bool(results.study.counts.answers_not_asked)
    return Table(
        "systems",
        "Systems",
        "What each system handed in. An answer that was never given and an empty answer are two "
        "things." + (" One that was not asked for is neither, and counts nowhere." if some else ""),
        (
            Column("System", ("system",)),
            Column("Family", ("family",)),
            Column("Answers", ("answers",), numeric=True),
            *([Column("Text not held", ("not_held",), numeric=True)] if _unread(results) else []),
            Column("Never given", ("missing",), numeric=True),
            Column("Empty", ("empty",), numeric=True),
            *([Column("Not asked", ("not_asked",), numeric=True)] if some else []),
        ),
        tuple(
            Row(
                (
                    named(names.of_system(s.id), s.id),
                    text(s.family) if s.family else no_such(),
                    count(s.answers),
                    *([count(s.not_held)] if _unread(results) else []),
                    count(s.missing),
                    count(s.empty),
                    *([count(s.not_asked)] if some else []),
                )
            )
            for s in results.systems
        ),
        empty="The study has no systems.",
        synthetic=results.study.synthetic,
        stands="file",
    )


def _unread(results: Results) -> bool:
    return results.study.counts.answers_not_held > 0


def sources(results: Results) -> Table:
    """List every source of scores with its question, scale and signature."""
    long = {shortened.metric: shortened for shortened in results.shortened}
    return Table(
        "sources",
        "What was measured, and how",
        "Each source of scores: the question it answers, its unit and range, and the signature "
        "that says exactly how it was computed. Cut: scores without the end of a text, which the "
        "model does not read. In windows: scores of a text read whole, a part at a time.",
        (
            Column("Name", ("name",)),
            Column("Question", ("question",), wide=True),
            Column("Unit", ("unit",), wide=True),
            Column("Range", ("low", "high")),
            Column("Better", ("better",)),
            Column("Scored", ("scored", "cut", "in_windows"), numeric=True),
            Column("Signature", ("signature",), wide=True),
        ),
        tuple(Row(_source(s, long.get(s.name)), _kind(s)) for s in results.sources),
        group_field="kind",
        empty="Nothing was measured.",
        synthetic=results.study.synthetic,
        stands="file",
    )


def left_out(results: Results) -> Table:
    """List the metrics that the run has no value of, with what they need."""
    return Table(
        "left-out",
        "Metrics left out, and what they need",
        "Metrics that this study names, or that were asked for as all, and that have no value "
        "here. Install what a line says and run again: only what is new is computed.",
        (
            Column("Metrics", ("metrics",), wide=True),
            Column("What is missing", ("lacks",), wide=True),
            Column("How to have it", ("install",), wide=True),
        ),
        tuple(
            Row(
                (
                    Cell(_bases(out.metrics), ("; ".join(out.metrics),), code=True),
                    text(out.lacks),
                    text(out.install) if out.install else no_such(),
                ),
                "Not on this machine" if out.install else "Not in this study",
            )
            for out in results.left_out
        ),
        group_field="kind",
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


def _source(s: SourceResult, long: ShortenedResult | None) -> tuple[Cell, ...]:
    low, high = (f"{end:g}" if end is not None else "open" for end in (s.low, s.high))
    return (
        Cell(s.name, (s.name,), code=True),
        text(s.question),
        text(s.unit) if s.unit else no_such(),
        Cell(f"{low} to {high}".replace("-", "−"), (s.low, s.high)),
        text({"higher": "higher", "lower": "lower", "none": "neither"}[s.direction]),
        Cell(
            f"{s.scored:,}",
            (s.scored, long.cut if long else 0, long.in_windows if long else 0),
            aside=long_texts(long) if long else "",
        ),
        text(s.signature, code=True),
    )


def unscored(results: Results) -> Table:
    """Say once why scores are missing; labels that are words have no scores to miss."""
    in_words = {
        dimension.id
        for dimension in results.dimensions
        if all(label.score is None for label in dimension.labels)
    }
    rows = []
    for s in results.sources:
        if s.kind == "consensus" and s.dimension in in_words and not s.scored:
            continue
        for position, (reason, number) in enumerate(s.unscored.items()):
            example = s.unscored_example if position == 0 else ""
            rows.append(
                Row(
                    (
                        Cell(s.name, (s.name,), code=True),
                        text(reason),
                        Cell(f"{number:,} of {s.scored + sum(s.unscored.values()):,}", (number,)),
                        text(example) if example else no_such(),
                    )
                )
            )
    return Table(
        "unscored",
        "What could not be scored",
        "Pairs of system and case without a score, by reason. A missing score is left out of every "
        "mean. An answer that was never given is missing too, unless the metric's own rule scores "
        "it, mostly as 0; the leaderboard then marks its mean with *.",
        (
            Column("Name", ("name",)),
            Column("Reason", ("reason",)),
            Column("Pairs", ("pairs",), numeric=True),
            Column("For example", ("example",), wide=True),
        ),
        tuple(rows),
        empty="Every pair of system and case has every score.",
        synthetic=results.study.synthetic,
        stands="file",
    )


def inputs(results: Results) -> Table:
    """List the files of the study with their hash."""
    return Table(
        "inputs",
        "Input files",
        "The files that this run read. The same files and choices give the same bytes, by the same "
        "versions of the libraries, which manifest.json names. Scores may have been kept from an "
        "earlier run: they are believed where inputs, metric and libraries fit, and results/log "
        "says which were. Of a study that somebody sent, `medassay run STUDY --fresh` believes "
        "none, computes all of it anew, and says which files differ.",
        (Column("File", ("file",)), Column("SHA-256", ("sha256",), wide=True)),
        tuple(
            Row((Cell(file, (file,), code=True), Cell(digest, (digest,), code=True)))
            for file, digest in sorted(results.run.inputs.items())
        ),
        empty="The run names no files.",
        synthetic=results.study.synthetic,
        stands="file",
    )


def answers(results: Results) -> Table:
    """List every answer with its scores and labels, without any text."""
    judged = list(
        dict.fromkeys(j.dimension for c in results.cases for a in c.answers for j in a.judgements)
    )
    names, styles = Names(results), answer_styles(results)
    return Table(
        "answers",
        "Every answer with its scores and ratings",
        "One row an answer. Several raters' labels stand in the order of the raters; what they "
        f"jointly say stands after the metrics.{_some(results)}",
        (
            Column("Case", ("case", "in_ranking")),
            Column("System", ("system", "system_title")),
            Column("Status", ("status",)),
            *(Column(names.of_dimension(d), (f"labels_{d}",)) for d in judged),
            *(
                Column(names.of_source(s.name), (s.name, f"{s.name}_reason"), numeric=True)
                for s in results.sources
            ),
        ),
        tuple(
            Row(_answer(results, names, styles, c, a, judged))
            for c in results.cases
            for a in c.answers
        ),
        empty="There are no answers.",
        synthetic=results.study.synthetic,
    )


def _some(results: Results) -> str:
    shown, total = len(results.cases), results.study.counts.cases
    if not 0 < shown < total:
        return ""
    return f" {shown:,} of {total:,} cases; all scores are in scores.parquet."


def _answer(
    results: Results,
    names: Names,
    styles: dict[str, Style],
    case: CaseResult,
    answer: AnswerResult,
    judged: list[str],
) -> tuple[Cell, ...]:
    scores = {score.source: score for score in answer.scores}
    cells = [
        Cell(case.case, (case.case, case.in_ranking)),
        Cell(names.of_system(answer.system), (answer.system, names.of_system(answer.system))),
        text(answer.status),
    ]
    for dimension in judged:
        own = [j.said for j in answer.judgements if j.dimension == dimension]
        cells.append(text("; ".join(own)) if own else missing("Not judged."))
    for source in results.sources:
        score = scores.get(source.name)
        if score is None or score.value is None:
            why = score.reason if score else _unscored(results, source, answer)
            cells.append(Cell(NONE, (None, why), detail=why, missing=True))
        else:
            cells.append(Cell(styles[source.name](score.value), (score.value, "")))
    return tuple(cells)


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
