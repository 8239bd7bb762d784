"""The table for the paper, and how machines' scores go with it."""

from typing import Final

from medassay.analyses.builtin.human_evaluation.record import HumanEvaluation, ScoreCorrelation
from medassay.analyses.builtin.human_evaluation.words import MEAN, median_of
from medassay.exhibits import Names
from medassay.exhibits.cells import (
    count,
    estimate,
    estimate_fields,
    how,
    missing,
    named,
    text,
    written,
)
from medassay.exhibits.columns import Shown, counted, shown, system_column, table_of
from medassay.exhibits.table import Cell, Column, Row, Table

__all__ = ["paper_tables"]

_KINDS: Final = {"pearson": "Pearson", "spearman": "Spearman"}


def paper_tables(paper: HumanEvaluation, names: Names) -> list[Table]:
    """Give the table for the paper, the correlations, and answers with what was noted on them."""
    tables = [_means(paper, names), _correlations(paper, names)]
    tables += [_answers(paper, names)] if paper.answers else []
    return [*tables, _notes(paper, names)] if any(note.note for note in paper.notes) else tables


def _answers(paper: HumanEvaluation, names: Names) -> Table:
    return table_of(
        paper.answers,
        (
            shown("Question", "case", file="case"),
            system_column(names, "Model"),
            shown("Mean score", "mean", MEAN),
            counted("Raters", "raters"),
        ),
        id="human-answers",
        title="Each answer's average over its raters",
        caption="By question and model.",
    )


def _notes(paper: HumanEvaluation, names: Names) -> Table:
    return table_of(
        [note for note in paper.notes if note.note],
        (
            shown("Question", "case", file="case"),
            system_column(names, "Model"),
            shown("Rater", "rater"),
            Shown(Column("Note", ("note",), wide=True), lambda note: written(note.note)),
        ),
        id="human-notes",
        title="What raters noted, by question and model",
        caption="Each note once, as the rater wrote it.",
    )


def _means(paper: HumanEvaluation, names: Names) -> Table:
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
        "median are over answers.",
        (
            Column("Model", ("model",)),
            Column("Answers", ("n",), numeric=True),
            Column("Mean score", ("mean",), numeric=True),
            Column("Std dev", ("sd",), numeric=True),
            Column("Median", ("median",), numeric=True),
        ),
        tuple(rows),
        empty="Nobody has scored an answer yet.",
    )


def _correlations(paper: HumanEvaluation, names: Names) -> Table:
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
    )
