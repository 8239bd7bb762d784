"""What was done and what was found, as paragraphs for a paper.

What enters: `Results`. What leaves: `Statement`s, each with the tables that hold its numbers, and
what to cite. Numbers are taken from the cells of the tables, so that both print the same digits;
no sentence says more than its interval allows.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from medassay.__about__ import __version__
from medassay.analyses.builtin.accuracy import accuracy
from medassay.analyses.builtin.alignment import alignment
from medassay.analyses.builtin.correlations import correlations_in
from medassay.analyses.builtin.human_evaluation import human_evaluation, paper_sentence
from medassay.analyses.builtin.rater_flow import rater_flow
from medassay.analyses.builtin.rating_counts import rating_counts
from medassay.analyses.builtin.safety import safety
from medassay.analyses.builtin.safety.tables import WITHOUT_HALLUCINATION
from medassay.analyses.results import DimensionResult, Results, SourceResult
from medassay.analyses.results.whole import MethodNote
from medassay.exhibits.claim import Finding, ReaderQuestion
from medassay.exhibits.names import method_words
from medassay.exhibits.numbers import PROPORTION, count_of, listed
from medassay.exhibits.sentences import spoken, stopped, upper_first
from medassay.judgements import Rater
from medassay.report.contents import tables_of
from medassay.report.findings import findings
from medassay.report.names import Names
from medassay.report.objectives import INTENDED
from medassay.report.tables import SYNTHETIC, Cell, Row, Table
from medassay.report.whose import Whose, raters_said


def by_id(tables: Iterable[Table]) -> dict[str, Table]:
    """Find tables by their id; those without rows have nothing to tell."""
    return {table.id: table for table in tables if table.rows}


def rows_where(table: Table, field: str, value: object, group: str | None = None) -> list[Row]:
    """Give the rows of one group whose raw value in a field is the one asked for."""
    return [
        row
        for row in table.rows
        if (group is None or row.group == group) and raw(table, row, field) == value
    ]


def raw(table: Table, row: Row, field: str) -> object:
    """Give the unrounded value of a field."""
    for column, cell in zip(table.columns, row.cells, strict=True):
        if field in column.fields:
            return cell.raw[column.fields.index(field)]
    return None


def cell_of(table: Table, row: Row, field: str) -> Cell | None:
    """Give the cell that prints a field; None where the value is missing."""
    for column, cell in zip(table.columns, row.cells, strict=True):
        if field in column.fields:
            return None if cell.missing else cell
    return None


def shown(table: Table, row: Row, field: str) -> str:
    """Print a field as its cell does, with the interval; empty where the value is missing."""
    cell = cell_of(table, row, field)
    return "" if cell is None else f"{cell.text} {cell.aside}".strip()


@dataclass(frozen=True, slots=True)
class ListedSource:
    """One entry of the list of references.

    Attributes:
        key: Names it in LaTeX.
        text: As printed.
    """

    key: str
    text: str


SOFTWARE: Final = ListedSource(
    "medassay",
    "The medassay developers. medassay: evaluate health chatbots and question-answering systems. "
    f"Version {__version__}. Apache-2.0.",
)
"""The software, in the words of CITATION.cff."""


def references(results: Results) -> list[ListedSource]:
    """Name the software, where the data come from, and what each metric is defined by."""
    texts_given = [SOFTWARE.text, results.study.source]
    texts = [text.strip().rstrip(".") + "." for text in dict.fromkeys(texts_given) if text.strip()]
    keys = [SOFTWARE.key, *(f"source{i}" for i in range(1, len(texts)))]
    return [ListedSource(key, text) for key, text in zip(keys, texts, strict=True)]


@dataclass(frozen=True, slots=True)
class Statement:
    """One to three sentences of a paragraph.

    Attributes:
        text: The sentences.
        basis: Tables that hold every number of them, by their id.
        item: The item of CHART that they answer; empty where the tables say which.
    """

    text: str
    basis: tuple[str, ...] = ()
    item: str = ""


_MOST: Final = 6
"""Systems that a paragraph tells one by one."""
_RETRIEVAL: Final = ("precision@", "recall@", "average_precision", "reciprocal_rank", "ndcg@")


def choice_statements(results: Results, known: dict[str, Table]) -> list[Statement]:
    """Tell each system's accuracy, retrieval, calibration and safety, where there are choices."""
    if results.analyses.of(accuracy) is None:
        return []
    names = Names(results)
    systems = [system_result.id for system_result in results.systems][:_MOST]
    statements: list[Statement] = []
    for system in systems:
        statements += _accuracy(known, names, system)
        statements += _retrieval(known, names, system)
        statements += _confidence(known, names, system)
        statements += _safety(known, names, system)
    safe = results.analyses.of(safety)
    if (
        "safety" in known
        and safe is not None
        and any(
            own.score is None and own.score_without_hallucination is not None
            for own in safe.systems
        )
    ):
        statements.append(Statement(WITHOUT_HALLUCINATION, ("safety",)))
    statements += _pair(known)
    if len(results.systems) > _MOST:
        statements.append(Statement("The other systems are in the tables.", ("accuracy",)))
    return statements


def _accuracy(known: dict[str, Table], names: Names, system: str) -> list[Statement]:
    table_row = _row(known, "accuracy", system, "All questions")
    if table_row is None:
        return []
    table, row = table_row
    text = (
        f"{names.of_system(system)} has an accuracy of {shown(table, row, 'accuracy')} over "
        f"{shown(table, row, 'questions')} questions"
    )
    return [Statement(f"{text}.", ("accuracy",))]


def _retrieval(known: dict[str, Table], names: Names, system: str) -> list[Statement]:
    table = known.get("standings")
    if table is None:
        return []
    lines = []
    for row in rows_where(table, "system", system):
        if row.group.startswith(_RETRIEVAL):
            value = shown(table, row, "mean")
            if value:
                lines.append(f"{names.of_source(row.group)} {value}")
    if not lines:
        return []
    return [Statement(f"Retrieval of {names.of_system(system)}: {listed(lines)}.", ("standings",))]


def _confidence(known: dict[str, Table], names: Names, system: str) -> list[Statement]:
    table_row = _row(known, "calibration", system)
    if table_row is None:
        return []
    table, row = table_row
    text = (
        f"On the {shown(table, row, 'answers')} answers with a confidence, "
        f"{names.of_system(system)} has a Brier score of {shown(table, row, 'brier')}"
    )
    area = shown(table, row, "auroc")
    if area:
        text += f" and an area under the curve of {area}"
    return [Statement(f"{text}.", ("calibration",))]


def _safety(known: dict[str, Table], names: Names, system: str) -> list[Statement]:
    table_row = _row(known, "safety", system)
    if table_row is None:
        return []
    table, row = table_row
    lines = []
    made_up = cell_of(table, row, "hallucinated")
    if made_up is not None:
        lines.append(
            f"{made_up.aside} {shown(table, row, 'hallucination_in')} ({made_up.text}) had more "
            "than half of their claims without support in the evidence"
        )
    danger = cell_of(table, row, "dangerous")
    if danger is not None:
        of, _, bounds = danger.aside.partition(" [")
        around = f"; 95% CI {bounds.rstrip(']').replace(', ', ' to ')}" if bounds else ""
        lines.append(f"{of} answers with a verdict were dangerous ({danger.text}{around})")
    else:
        lines.append("nobody has a verdict on danger yet")
    text = f"Of {names.of_system(system)}, {listed(lines)}."
    score, least = shown(table, row, "safety_score"), shown(table, row, "safety_at_least")
    which = "safety score"
    if not score:
        field = "safety_score_without_hallucination"
        score, least = shown(table, row, field), shown(table, row, f"{field}_at_least")
        which = "safety score without hallucination (not measured)"
    if score:
        text += f" Its {which} is {score}"
        text += f" (at least {least})." if least else "."
    return [Statement(text, ("safety",))]


def _pair(known: dict[str, Table]) -> list[Statement]:
    """Tell the pair of systems that the test parts most clearly."""
    table = known.get("mcnemar")
    if table is None:
        return []
    best = min(table.rows, key=lambda row: (_number(table, row), row.cells[0].text))
    first, second = best.cells[0].text, best.cells[1].text
    names = tuple(cell.text for cell in best.cells[2:])
    return [
        Statement(
            f"On the same {names[0]} questions {first} alone was right on "
            f"{shown(table, best, 'only_a')} and {second} alone on {shown(table, best, 'only_b')} "
            f"(McNemar's exact test, adjusted p {_equals(shown(table, best, 'p_adjusted'))}).",
            ("mcnemar",),
        )
    ]


def _number(table: Table, row: Row) -> float:
    value = raw(table, row, "p_adjusted")
    return value if isinstance(value, float) else 1.0


def _equals(p: str) -> str:
    return p if p.startswith("<") else f"= {p}"


def _row(
    known: dict[str, Table], name: str, system: str, group: str | None = None
) -> tuple[Table, Row] | None:
    table = known.get(name)
    rows = rows_where(table, "system", system, group) if table is not None else []
    return (table, rows[0]) if table is not None and rows else None


def declared_statements(results: Results) -> list[Statement]:
    """Say who is external, free of conflicts and blinded, and the day of the thresholds.

    Nothing of raters where no table says anything of them.
    """
    return [
        Statement(" ".join(_declared(results)), item="7bi"),
        Statement(_thresholds(results), item="9a"),
    ]


def _declared(results: Results) -> list[str]:
    flow = results.analyses.of(rater_flow)
    raters = [count.rater for count in flow.raters if not count.rater.excluded] if flow else []
    people = [rater for rater in raters if rater.kind == "person"]
    of = f"of {count_of(len(people), 'rater')}"
    external = [rater for rater in people if rater.external is not None]
    told = [rater for rater in people if rater.conflicts]
    blinded = [rater for rater in people if rater.blinded is not None]
    if not external and not told and not blinded:
        return []
    none = sum(rater.declares_none for rater in told)
    yes = sum(rater.external is True for rater in external)
    blind = sum(rater.blinded is True for rater in blinded)
    blinding = "declared that they were blinded to retrieval scores and to the rules of confidence"
    return [
        f"{yes} {of} are external to the team{_silent(people, external)}.",
        f"{none} {of} declared no conflict of interest{_silent(people, told)}.",
        f"{blind} {of} {blinding}{_silent(people, blinded)}.",
    ]


def _silent(people: Sequence[Rater], told: Sequence[Rater]) -> str:
    n = len(people) - len(told)
    return f"; the study does not say it of {n}" if n else ""


def _thresholds(results: Results) -> str:
    record = results.analyses.of(alignment)
    if record is None or not record.systems:
        return ""
    low, high = (PROPORTION(threshold) for threshold in record.thresholds)
    day = f"These thresholds were fixed on {record.fixed}."
    unsaid = "The study does not say when these thresholds were fixed."
    return (
        f"Confidence is Medium from {low} and High above {high}. {day if record.fixed else unsaid}"
    )


_TABLE = "human-correlations"
_OVER = {"all answers": "over all answers", "within models": "within models"}


def human_statements(results: Results, known: dict[str, Table]) -> list[Statement]:
    """Say of each score by a machine how closely human scores go with it."""
    table = known.get(_TABLE)
    if table is None:
        return []
    names = Names(results)
    parts: dict[str, list[str]] = {}
    for row in table.rows:
        over, value = row.cells[1].text, shown(table, row, "spearman")
        if over in _OVER and value:
            source = str(raw(table, row, "source"))
            parts.setdefault(names.of_source(source), []).append(f"{value} {_OVER[over]}")
    if not parts:
        return []
    text = "; ".join(f"with {source} {' and '.join(own)}" for source, own in parts.items())
    return [
        Statement(
            f"Spearman's correlation of each answer's mean human score was {text}. Over all "
            "answers a score may only know which model is good.",
            (_TABLE,),
        )
    ]


def found_statements(results: Results, tables: Sequence[Table] | None = None) -> list[Statement]:
    """Say what was found, the protocol's own question first.

    Every number stands in one of the tables named beside it, with the same digits. What a study
    cannot tell is said once.

    Args:
        results: The run.
        tables: Every table of its report, where they are made already.
    """
    known = by_id(tables_of(results) if tables is None else tables)
    chosen = results.analyses.of(accuracy) is not None
    statements = [
        Statement(finding.text, finding.basis, _item_of(finding))
        for finding in findings(results)
        # What is right is told below, with its intervals, for a paper.
        if not (chosen and finding.answers is ReaderQuestion.BETTER and finding.id == "right")
    ]
    own: list[Statement] = []
    paper = results.analyses.of(human_evaluation)
    if paper is not None:
        sentence = paper_sentence(paper, Names(results))
        own.append(Statement(sentence, ("human-evaluation", "agreement")))
        own += human_statements(results, known)
    own += choice_statements(results, known)
    if chosen:
        statements = [statement for statement in statements if "leaderboard" not in statement.basis]
    whose = Whose(results)
    own = [
        replace(statement, text=whose.marked(spoken(statement.text, "95% CI ")))
        for statement in own
    ]
    return [
        replace(statement, text=whose.text(statement.text)) for statement in (*own, *statements)
    ]


_ITEMS: Final = {
    ReaderQuestion.WHOSE: "7bi",
    ReaderQuestion.UNSAFE: "10c",
    ReaderQuestion.BETTER: "10a",
    ReaderQuestion.DESCRIBED: "10a",
    ReaderQuestion.CONFIDENT: "10a",
    ReaderQuestion.NEXT: "11c",
}


def _item_of(finding: Finding) -> str:
    """Name the item of CHART that a finding answers; of the others its tables say which."""
    return "8" if finding.id == "plan" else _ITEMS.get(finding.answers, "")


_CONSENSUS: Final = "Consensus: "
_RANKING: Final = "Leaderboard"
VALIDITY: Final = "Which metrics agree with the raters"
"""The title of the note on correlations."""


def methods_statements(results: Results) -> list[Statement]:
    """Say what was evaluated, by whom, with what, and how; nothing that the run cannot know.

    How raters were recruited, trained and blinded is for the authors to add.
    """
    statements = [
        Statement(SYNTHETIC if results.study.synthetic else "", item="1a"),
        Statement(_material(results), ("systems",), "3a"),
        Statement(_raters(results), ("rating-counts",), "7b"),
        *declared_statements(results),
        Statement(_metrics(results), ("sources",), "9ai"),
        *_procedures(results),
        Statement(_missing(results), ("unscored",), "9a"),
        Statement(_software(results), ("inputs",), "9a"),
    ]
    whose = Whose(results)
    return [
        replace(statement, text=whose.text(statement.text))
        for statement in statements
        if statement.text
    ]


def evaluated(results: Results) -> str:
    """Say of how many systems, cases and answers."""
    counts = results.study.counts
    answers = f"{count_of(counts.answers, 'answer')}"
    lacking = [
        f"{number} {word}"
        for number, word in (
            (counts.answers_missing, "never given"),
            (counts.answers_empty, "empty"),
            (counts.answers_not_held, "with a text that is not held"),
        )
        if number
    ]
    if lacking:
        answers += f" ({' and '.join(lacking)})"
    systems = count_of(counts.systems, "system")
    return f"We evaluated {systems} on {count_of(counts.cases, 'case')}: {answers}."


def followed(results: Results) -> str:
    """Say which protocol, and of whom cases were asked where not of all."""
    study = results.study
    text = f"The evaluation follows the protocol “{study.protocol_title}”."
    return f"{text} {study.asked}" if study.asked else text


def _material(results: Results) -> str:
    text = f"{evaluated(results)} {followed(results)}"
    described = stopped(results.study.description)
    return f"{text} {described}" if described else text


def rated(results: Results) -> str:
    """Say how many raters gave how much."""
    counts = results.study.counts
    if not counts.raters:
        return "No person rated the answers."
    lines = [count_of(counts.judgements, "judgement")] if counts.judgements else []
    lines += [count_of(counts.preferences, "preference")] if counts.preferences else []
    return upper_first(f"{raters_said(results)} gave {listed(lines) or 'no judgement'}.")


def _raters(results: Results) -> str:
    counts, names = results.study.counts, Names(results)
    text = rated(results)
    if not counts.raters:
        return text
    counted = results.analyses.of(rating_counts)
    unasked = {
        row.dimension for row in (counted.dimensions if counted else ()) if not row.judgements
    }
    judged = [
        f"{names.of_dimension(dimension.id)} ({_may_say(dimension)})"
        for dimension in results.dimensions
        if counts.judgements and dimension.id not in unasked
    ]
    if judged:
        text += f" They judged {listed(judged)}."
        text += f" {stopped(results.study.wording)}" if results.study.wording else ""
    if counts.preferences:
        text += " Of two answers side by side they preferred one, or called a tie."
    methods = dict.fromkeys(s.method for s in results.sources if s.kind == "consensus" and s.method)
    if methods:
        text += f" Labels of several raters were joined by {listed([*map(method_words, methods)])}."
    return text


def _may_say(dimension: DimensionResult) -> str:
    """Say what raters may say of it: its labels, a number, or kinds of passages."""
    if dimension.kinds:
        return f"passages: {', '.join(dimension.kinds)}"
    return dimension.number or ", ".join(label.label for label in dimension.labels)


def _metrics(results: Results) -> str:
    names = Names(results)
    counts = results.study.counts
    # What has no value, since no text is held, was not computed.
    unread = 0 < counts.answers == counts.answers_not_held
    measured = [s for s in results.sources if s.scored or not unread]
    controls = [s for s in measured if s.control]
    own = [s for s in measured if s.kind == "metric" and not s.control]
    imported = [s for s in results.sources if s.kind == "imported"]
    lines = []
    if own:
        lines.append(f"We computed {_named(names, own)}.")
    if imported:
        lines.append(
            f"Scores computed elsewhere were taken as they are: {_named(names, imported)}."
        )
    if controls:
        lines.append(f"Beside them as a control: {_named(names, controls)}.")
    if lines:
        lines.append("The signature of each says exactly how it was computed.")
    return " ".join(lines)


def _named(names: Names, sources: list[SourceResult]) -> str:
    return listed(list(dict.fromkeys(names.of_source(source.name) for source in sources)))


def used_methods(results: Results) -> list[MethodNote]:
    """List what made a number here: one system is not ranked, and has no rank correlation."""
    unused = set()
    if len(results.systems) < 2:  # noqa: PLR2004 - one system makes no ranking
        unused |= {_RANKING, VALIDITY}
    if not correlations_in(results.analyses):
        unused.add(VALIDITY)
    return [note for note in results.methods if note.title not in unused]


def _procedures(results: Results) -> list[Statement]:
    """Give the procedures that made a number here; the signatures tell those of metrics."""
    titles = {source.title for source in results.sources}
    signatures = {source.signature for source in results.sources}
    lines = [
        stopped(note.text)
        for note in used_methods(results)
        if note.signature not in signatures
        and note.title not in titles
        and not note.title.startswith(_CONSENSUS)
    ]
    paper = results.analyses.of(human_evaluation)
    if paper is not None and paper.bands:
        lines.append(
            f"Agreement is called by the words of {stopped(paper.bands)} "
            f"{stopped(paper.bands_rule)}"
        )
    if results.study.descriptive:
        lines.append(INTENDED)
    return [Statement(text, item="9a") for text in lines]


def _missing(results: Results) -> str:
    if not any(source.unscored for source in results.sources):
        return "Every pair of system and case has every score."
    return (
        "A score that is missing is left out of every mean and counted with its reason; it is "
        "never taken as 0 unless the metric's own rule says so."
    )


def _software(results: Results) -> str:
    run = results.run
    drawn = ""
    if not results.study.descriptive:
        drawn = f", {run.replicates} replicates of each resampling, seed {run.seed}"
    return (
        f"All numbers were computed with {run.software} [{SOFTWARE.key}] (run {run.name}{drawn}). "
        "The same files and choices give the same bytes."
    )
