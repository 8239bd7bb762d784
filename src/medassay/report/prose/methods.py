"""The methods of an evaluation, as far as the run itself knows them."""

from dataclasses import replace
from typing import Final

from medassay.analyses.builtin.correlations import correlations_in
from medassay.analyses.builtin.human_evaluation import human_evaluation
from medassay.analyses.builtin.rating_counts import rating_counts
from medassay.analyses.results import DimensionResult, Results, SourceResult
from medassay.exhibits.names import method_words
from medassay.exhibits.numbers import count_of, listed
from medassay.exhibits.sentences import stopped
from medassay.report.names import Names
from medassay.report.objectives import INTENDED
from medassay.report.prose.citation import SOFTWARE
from medassay.report.prose.declared import declared_statements
from medassay.report.prose.statement import Statement
from medassay.report.tables import SYNTHETIC
from medassay.report.whose import Whose, raters_said

__all__ = ["methods_statements"]

_CONSENSUS: Final = "Consensus: "
_RANKING, _VALIDITY = "Leaderboard", "Which metrics the raters bear out"


def methods_statements(results: Results) -> list[Statement]:
    """Say what was evaluated, by whom, with what, and how; nothing that the run cannot know.

    How raters were recruited, trained and blinded is for the authors to add.
    """
    statements = [
        Statement(SYNTHETIC if results.study.synthetic else ""),
        Statement(_material(results), ("systems",)),
        Statement(_raters(results), ("rating-counts",)),
        *declared_statements(results),
        Statement(_metrics(results), ("sources",)),
        *_procedures(results),
        Statement(_missing(results), ("unscored",)),
        Statement(_software(results), ("inputs",)),
    ]
    whose = Whose(results)
    return [
        replace(statement, text=whose.text(statement.text))
        for statement in statements
        if statement.text
    ]


def _material(results: Results) -> str:
    study, counts = results.study, results.study.counts
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
    text = (
        f"We evaluated {count_of(counts.systems, 'system')} on "
        f"{count_of(counts.cases, 'case')}: {answers}. The evaluation follows the protocol "
        f"“{study.protocol_title}”."
    )
    text += f" {study.asked}" if study.asked else ""
    return text + (f" {stopped(study.description)}" if study.description else "")


def _raters(results: Results) -> str:
    counts, names = results.study.counts, Names(results)
    if not counts.raters:
        return "No person rated the answers."
    lines = [count_of(counts.judgements, "judgement")] if counts.judgements else []
    lines += [count_of(counts.preferences, "preference")] if counts.preferences else []
    text = f"{raters_said(results)} gave {listed(lines) or 'no judgement'}."
    text = text[:1].upper() + text[1:]
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


def _procedures(results: Results) -> list[Statement]:
    """Give the procedures that made a number here; the signatures tell those of metrics."""
    titles = {source.title for source in results.sources}
    signatures = {source.signature for source in results.sources}
    unused = set()
    if len(results.systems) < 2:  # noqa: PLR2004 - one system makes no ranking
        unused |= {_RANKING, _VALIDITY}
    if not correlations_in(results.analyses):
        unused.add(_VALIDITY)
    lines = [
        stopped(note.text)
        for note in results.methods
        if note.signature not in signatures
        and note.title not in unused | titles
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
    return [Statement(text) for text in lines]


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
