"""Tables of what a protocol's source wants told in a paper."""

from typing import Final

from medassay.analyses.results import Results
from medassay.analyses.results.paper import LEVELS, PaperResult, PitfallResult, ScoreCorrelation
from medassay.exhibits.cells import (
    count,
    estimate,
    estimate_fields,
    how,
    missing,
    named,
    text,
)
from medassay.exhibits.numbers import Style
from medassay.exhibits.sentences import upper_first
from medassay.exhibits.table import Cell, Column, Row, Table
from medassay.report.names import Names
from medassay.report.paper_words import MEAN, median_of, paper_sentence

__all__ = ["paper_tables"]

_COUNT: Final = Style(0)
_KINDS: Final = {"pearson": "Pearson", "spearman": "Spearman"}


def paper_tables(results: Results) -> list[Table]:
    """Give the table for the paper, the correlations, the pitfalls and the checklist."""
    paper = results.paper
    if paper is None:
        return []
    return [
        _means(results, paper),
        _correlations(results, paper),
        _pitfalls(results, paper),
        _checklist(results, paper),
    ]


def _means(results: Results, paper: PaperResult) -> Table:
    names = Names(results)
    rows = [
        Row((
            named(names.of_system(row.system), row.system),
            count(row.n),
            missing(row.reason) if row.mean is None else Cell(MEAN(row.mean), (row.mean,)),
            missing("fewer than two answers") if row.sd is None else Cell(MEAN(row.sd), (row.sd,)),
            missing(row.reason) if row.median is None
            else Cell(median_of(row.median), (row.median,)),
        ))
        for row in paper.rows
    ]  # fmt: skip
    return Table(
        "human-evaluation",
        "Human evaluation results",
        "Each answer's score is the mean over its raters; mean, standard deviation (n − 1) and "
        f"median are over answers. {paper_sentence(results)}",
        (
            Column("Model", ("model",)),
            Column("Answers", ("n",), numeric=True),
            Column("Mean score", ("mean",), numeric=True),
            Column("Std dev", ("sd",), numeric=True),
            Column("Median", ("median",), numeric=True),
        ),
        tuple(rows),
        empty="Nobody has scored an answer yet.",
        synthetic=results.study.synthetic,
    )


def _correlations(results: Results, paper: PaperResult) -> Table:
    names = Names(results)
    over = {"all": "all answers", "within": "within models"}
    of: dict[tuple[str, str, str], dict[str, ScoreCorrelation]] = {}
    for correlation in paper.correlations:
        of.setdefault((correlation.source, correlation.over, correlation.system), {})[
            correlation.kind
        ] = correlation
    rows = [
        Row((
            named(names.of_source(source), source),
            text(over.get(part) or f"{names.of_system(system)} alone"),
            *(
                estimate(pair[kind].value, pair[kind].interval, pair[kind].reason)
                for kind in _KINDS
            ),
            count(pair["pearson"].n),
            count(pair["pearson"].questions, detail=pair["pearson"].reason),
        ))
        for (source, part, system), pair in of.items()
    ]  # fmt: skip
    return Table(
        "human-correlations",
        "Human scores and machine scores, answer by answer",
        "Correlation of each answer's mean human score with its score by a machine. Over all "
        "answers a metric may only know which model is good; within models each model's own mean "
        "is taken away. Answers to one question are resampled together. "
        + how(score_correlation.interval for score_correlation in paper.correlations),
        (
            Column("Score", ("source",)),
            Column("Over", ("over",)),
            *(Column(title, estimate_fields(kind), numeric=True) for kind, title in _KINDS.items()),
            Column("Answers", ("n",), numeric=True),
            Column("Questions", ("questions",), numeric=True),
        ),
        tuple(rows),
        empty="There is no score by a machine beside the raters'.",
        synthetic=results.study.synthetic,
    )


def _pitfalls(results: Results, paper: PaperResult) -> Table:
    names = Names(results)
    rows = [
        Row((
            text(pitfall.pitfall),
            text(pitfall.rater),
            text(_measure(pitfall, names), detail=upper_first(pitfall.measure)),
            estimate(pitfall.value, pitfall.interval, pitfall.reason, _style(pitfall)),
            count(pitfall.n),
        ))
        for pitfall in paper.pitfalls
    ]  # fmt: skip
    return Table(
        "pitfalls",
        "The template's pitfalls, measured",
        "What each rater does that the others do not, on the overall score. Of an identical run "
        "the brackets hold what random orders give. Anchoring, drift and runs need the order of "
        "the ratings, which sheets from medassay store and a results file does not. "
        + how(pitfall.interval for pitfall in paper.pitfalls if pitfall.interval is not None),
        (
            Column("Pitfall", ("pitfall",)),
            Column("Rater", ("rater",)),
            Column("Measured as", ("measure",), wide=True),
            Column("Value", estimate_fields("value"), numeric=True),
            Column("n", ("n",), numeric=True),
        ),
        tuple(rows),
        empty="Nobody has scored an answer yet.",
        synthetic=results.study.synthetic,
    )


def _style(pitfall: PitfallResult) -> Style:
    return _COUNT if pitfall.measure == LEVELS else MEAN


def _measure(pitfall: PitfallResult, names: Names) -> str:
    short = pitfall.measure.partition(":")[0]
    return f"{short} {names.of_system(pitfall.about)}" if pitfall.about else short


def _checklist(results: Results, paper: PaperResult) -> Table:
    return Table(
        "quality-checklist",
        "The template's quality checklist, answered from the data",
        "What the data cannot tell is said to be so.",
        (
            Column("Item", ("item",)),
            Column("Answer", ("answer",)),
            Column("Why", ("detail",), wide=True),
        ),
        tuple(
            Row(
                (
                    text(checklist_item.item),
                    text(checklist_item.answer),
                    text(checklist_item.detail),
                )
            )
            for checklist_item in paper.checklist
        ),
        empty="There is nothing to check.",
        synthetic=results.study.synthetic,
    )
