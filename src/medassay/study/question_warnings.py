"""Questions and rankings that are read all the same, and that a reader should know of."""

from array import array

from medassay.answers import Answer, Answers
from medassay.cases import Cases
from medassay.errors import Problem

__all__ = ["question_warnings"]


def question_warnings(cases: Cases, answers: Answers) -> list[Problem]:
    """Say which questions lack a right option or grades, and which rankings are unsorted or tie."""
    problems = []
    asked = [case for case in cases if case.options]
    open_ = [case.case for case in asked if case.gold is None]
    if open_:
        hint = "Without one their answers are neither right nor wrong, and count nowhere."
        counted = f"none for {len(open_)} of {len(asked)}"
        must, got = "have a gold for every question", f"{counted}, {open_[0]} first"
        problems.append(Problem("cases", must, got, hint, counted=counted))
    ranked = [answer for answer in answers if answer.retrieved]
    unsorted, blurred, partly = _oddly_scored(ranked)
    if unsorted:
        hint = "The scores were taken, as trec_eval does."
        must = "list retrieved documents by falling score"
        problems.append(_odd(must, "other orders", unsorted, ranked, hint))
    if blurred:
        must = "give scores that single precision tells apart"
        hint = "They tie, as in trec_eval, and rank by id; leave the scores out to keep the order."
        problems.append(_odd(must, "others", blurred, ranked, hint))
    if partly:
        hint = "Their order was taken as it stands."
        must = "score every retrieved document or none"
        problems.append(_odd(must, "some without one", partly, ranked, hint))
    ungraded = {
        case.case for case in cases if all(document.grade is None for document in case.documents)
    }
    without = sorted({answer.case for answer in ranked} & ungraded)
    # Where nobody graded anything, retrieval is not what the study is about.
    if without and len(ungraded) < len(cases):
        counted = f"none for {len(without)} of {len(cases)} cases"
        must, got = (
            "have graded documents where there are rankings",
            f"{counted}, {without[0]} first",
        )
        hint = "Retrieval is not scored there."
        problems.append(Problem("cases", must, got, hint, counted=counted))
    return problems


def _oddly_scored(ranked: list[Answer]) -> tuple[list[Answer], list[Answer], list[Answer]]:
    """Find rankings that are not sorted, that single precision blurs, that lack some scores."""
    unsorted, blurred, partly = [], [], []
    for answer in ranked:
        scores = [retrieved.score for retrieved in answer.retrieved or ()]
        known = [score for score in scores if score is not None]
        if len(known) < len(scores):
            if known:
                partly.append(answer)
            continue
        if known != sorted(known, reverse=True):
            unsorted.append(answer)
        if len(set(array("f", known))) < len(set(known)):  # it rounds, and what is huge is infinite
            blurred.append(answer)
    return unsorted, blurred, partly


def _odd(must: str, what: str, odd: list[Answer], ranked: list[Answer], hint: str) -> Problem:
    counted = f"{what} in {len(odd)} of {len(ranked)}"
    got = f"{counted}, {odd[0].system}, {odd[0].case} first"
    return Problem("answers", must, got, hint, counted=counted)
