"""What was there: systems, sources and their signatures, input files, every answer's scores."""

from collections.abc import Sequence

from medassay.analyses.results import (
    AnswerResult,
    CaseResult,
    Results,
    ShortenedResult,
    SourceResult,
)
from medassay.exhibits.cells import NONE, count, missing, named, no_such, text
from medassay.exhibits.numbers import Style
from medassay.exhibits.table import Cell, Column, Row, Table
from medassay.report.long_texts import long_texts
from medassay.report.names import Names
from medassay.report.styles import answer_styles
from medassay.scores import Reason

__all__ = ["answers", "inputs", "left_out", "sources", "systems", "unscored"]


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
