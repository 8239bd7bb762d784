"""Questions and rankings that are read all the same, and that a reader should know of."""

from itertools import pairwise
from typing import Final

import numpy as np

from medassay.answers import Answer, Answers
from medassay.cases import Cases
from medassay.errors import Problem

__all__ = ["odd_questions"]

_TWO: Final = 2


def odd_questions(cases: Cases, answers: Answers) -> list[Problem]:
    """Say which questions lack a right option or grades, and which rankings are unsorted or tie."""
    said = []
    asked = [case for case in cases if case.options]
    open_ = [case.case for case in asked if case.gold is None]
    if open_:
        hint = "Without one their answers are neither right nor wrong, and count nowhere."
        got = f"none for {len(open_)} of {len(asked)}, {open_[0]} first"
        said.append(Problem("cases", "have a gold for every question", got, hint))
    ranked = [answer for answer in answers if answer.retrieved]
    unsorted = [answer for answer in ranked if _rises(answer)]
    if unsorted:
        got = f"other orders in {len(unsorted)} of {len(ranked)}, {_first(unsorted)}"
        hint = "The scores were taken, as trec_eval does."
        said.append(Problem("answers", "list retrieved documents by falling score", got, hint))
    blurred = [answer for answer in ranked if _blurs(answer)]
    if blurred:
        got = f"others in {len(blurred)} of {len(ranked)}, {_first(blurred)}"
        must = "give scores that single precision tells apart"
        hint = "They tie, as in trec_eval, and rank by id; leave the scores out to keep the order."
        said.append(Problem("answers", must, got, hint))
    partly = [answer for answer in ranked if _partly_scored(answer)]
    if partly:
        got = f"some without one in {len(partly)} of {len(ranked)}, {_first(partly)}"
        hint = "Their order was taken as it stands."
        said.append(Problem("answers", "score every retrieved document or none", got, hint))
    ungraded = {case.case for case in cases if all(one.grade is None for one in case.documents)}
    without = sorted({answer.case for answer in ranked} & ungraded)
    # Where nobody graded anything, retrieval is not what the study is about.
    if without and len(ungraded) < len(cases):
        got = f"none for {len(without)} of {len(cases)} cases, {without[0]} first"
        hint = "Retrieval is not scored there."
        said.append(Problem("cases", "have graded documents where there are rankings", got, hint))
    return said


def _blurs(answer: Answer) -> bool:
    """Say whether two scores differ and are equal to trec_eval."""
    scores = {one.score for one in answer.retrieved or ()}
    if len(scores) < _TWO or None in scores:
        return False
    with np.errstate(over="ignore", under="ignore"):
        return len(set(np.array([*scores], np.float32).tolist())) < len(scores)


def _first(answers: list[Answer]) -> str:
    return f"{answers[0].system}, {answers[0].case} first"


def _partly_scored(answer: Answer) -> bool:
    return len({one.score is None for one in answer.retrieved or ()}) > 1


def _rises(answer: Answer) -> bool:
    scores = [one.score for one in answer.retrieved or ()]
    known = [score for score in scores if score is not None]
    return len(known) == len(scores) and any(a < b for a, b in pairwise(known))
