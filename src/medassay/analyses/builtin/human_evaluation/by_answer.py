"""Each answer's average over its raters, and what they noted on it."""

from collections.abc import Sequence
from itertools import product
from statistics import fmean

from medassay.analyses.builtin.human_evaluation.record import AnswerNote, AnswerScore
from medassay.cases import Cases
from medassay.judgements import Judgements, Rubric

__all__ = ["answer_notes", "answer_scores"]


def answer_scores(
    dimension: str, rubric: Rubric, judgements: Judgements, systems: Sequence[str], cases: Cases
) -> list[AnswerScore]:
    """Average the raters' scores of each answer, by question and system."""
    scores = {label.label: label.score for label in rubric.dimension(dimension).labels}
    given: dict[tuple[str, str], list[float]] = {}
    for row in judgements.in_phases().iter_rows(named=True):
        score = scores.get(row["label"] or "")
        if row["dimension"] == dimension and score is not None:
            given.setdefault((row["case"], row["system"]), []).append(score)
    return [
        AnswerScore(*key, fmean(given[key]), len(given[key]))
        for key in product(cases.ids, systems)
        if key in given
    ]


def answer_notes(judgements: Judgements, systems: Sequence[str], cases: Cases) -> list[AnswerNote]:
    """List what raters noted, each note once, by question, system and rater."""
    noted: dict[tuple[str, str], dict[tuple[str, str], None]] = {}
    for row in judgements.current().iter_rows(named=True):
        if row["comment"]:
            own = noted.setdefault((row["case"], row["system"]), {})
            own[row["rater"], row["comment"]] = None
    return [
        AnswerNote(*key, rater, note)
        for key in product(cases.ids, systems)
        for rater, note in sorted(noted.get(key, ()))
    ]
