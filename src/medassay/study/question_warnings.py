"""Questions and rankings that are read all the same, and that a reader should know of."""

from medassay.answers import Answers
from medassay.cases import Cases
from medassay.errors import Problem
from medassay.text import Counted

__all__ = ["question_warnings"]


def question_warnings(cases: Cases, answers: Answers) -> list[Problem]:
    """Say which questions lack a right option or grades, and which rankings are unsorted or tie."""
    problems = []
    asked, open_, ungraded = 0, [], set()
    for case in cases:
        if case.options:
            asked += 1
            if case.gold is None:
                open_.append(case.case)
        if all(document.grade is None for document in case.documents):
            ungraded.add(case.case)
    if open_:
        hint = "Without one their answers are neither right nor wrong, and count nowhere."
        counted = f"none for {len(open_)} of {asked}"
        must, got = "have a gold for every question", f"{counted}, {open_[0]} first"
        problems.append(Problem("cases", must, got, hint, counted=counted))
    ranked = answers.tally.rankings
    if ranked.unsorted.count:
        hint = "The scores were taken, as trec_eval does."
        must = "list retrieved documents by falling score"
        problems.append(_odd(must, "other orders", ranked.unsorted, ranked.count, hint))
    if ranked.blurred.count:
        must = "give scores that single precision tells apart"
        hint = "They tie, as in trec_eval, and rank by id; leave the scores out to keep the order."
        problems.append(_odd(must, "others", ranked.blurred, ranked.count, hint))
    if ranked.partly.count:
        hint = "Their order was taken as it stands."
        must = "score every retrieved document or none"
        problems.append(_odd(must, "some without one", ranked.partly, ranked.count, hint))
    without = sorted(ranked.cases & ungraded)
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


def _odd(must: str, what: str, odd: Counted, ranked: int, hint: str) -> Problem:
    counted = f"{what} in {odd.count} of {ranked}"
    return Problem("answers", must, f"{counted}, {odd.first} first", hint, counted=counted)
