"""The sentinels of a study: what every metric must beat before it is trusted."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np

from medassay.analyses.given_answers import given_answers
from medassay.analyses.score_columns import Column, step_rng
from medassay.scores import Grid
from medassay.study.folder import Study
from medassay.text import count_words
from medassay.validity import Source, constant_sentinel, noise_sentinel

__all__ = ["SENTINEL_TITLES", "sentinels_of"]

SENTINEL_TITLES: Final = {
    "length": "Answer length",
    "question": "Question only: its length",
    "constant": "Constant",
    "noise": "Random numbers",
}


def sentinels_of(
    study: Study, columns: Sequence[Column], sources: Mapping[str, Source]
) -> list[Source]:
    """Give the study's own controls, and what it lacks of length, question, constant and noise.

    None of them knows what an answer says. Length and question are counted in words; a question is
    the same for every system, so it can order no systems, but it can tell easy cases from hard.
    """
    known = [sources[column.name] for column in columns if column.control]
    if not sources:
        return known
    first = next(iter(sources.values())).grid
    layout = Grid(
        first.systems, first.cases, np.zeros(first.values.shape), given_answers(study, first)
    )
    if "length" not in {source.name.partition("(")[0] for source in known} and len(study.answers):
        known.append(_counted("length", layout, lambda s, c: _answer_words(study, s, c)))
    if any(study.cases[case].asked for case in layout.cases):
        known.append(_counted("question", layout, lambda _, c: _question_words(study, c)))
    rng = step_rng(study, "s44")
    return [*known, constant_sentinel(layout), noise_sentinel(layout, rng)]


def _counted(name: str, layout: Grid, words: Callable[[str, str], int]) -> Source:
    values = np.array([[float(words(s, c)) for c in layout.cases] for s in layout.systems]).reshape(
        layout.values.shape
    )
    return Source(name, Grid(layout.systems, layout.cases, values, layout.known), "none")


def _answer_words(study: Study, system: str, case: str) -> int:
    answer = study.answers.get(system, case)
    return 0 if answer is None else count_words((answer.text or "").strip())


def _question_words(study: Study, case: str) -> int:
    return count_words((study.cases[case].asked or "").strip())
