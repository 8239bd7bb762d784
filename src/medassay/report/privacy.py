"""The last guard before anything is written: no text leaves that the study keeps to itself."""

from medassay.study.results import (
    AlignmentResult,
    AnswerResult,
    CaseResult,
    DifficultyResult,
    RelevanceResult,
    Results,
    StatementsResult,
)
from medassay.study.results.error import ErrorDetail
from medassay.study.results.safety import ReasoningDetail, SafetyDetail

__all__ = ["guarded"]


def guarded(results: Results) -> Results:
    """Take out what `study.texts` forbids, whatever came in.

    * `full`: nothing is taken out.
    * `ids`: no text of a case or an answer, no tag and no rater's comment; ids, scores and labels
      stay.
    * `none`: as `ids`, and cases are numbered 1, 2, ... in their order instead of named.
    """
    texts = results.study.texts
    if texts == "full":
        return results
    names = _Names(numbered=texts == "none")
    for case in (*(one.case for one in results.cases), *results.ranking_cases):
        names[case]
    return results.model_copy(
        update={
            "cases": [_without_text(case, names[case.case]) for case in results.cases],
            "ranking_cases": [names[case] for case in results.ranking_cases],
            "errors": results.errors and _errors_without_text(results.errors, names),
            "safety": _safety(results.safety, names),
            "reasoning": _reasoning(results.reasoning, names),
            "difficulty": [_renamed(one, names) for one in results.difficulty],
            "alignment": [_aligned(one, names) for one in results.alignment],
            "relevance": _documents(results, names),
        }
    )


class _Names(dict[str, str]):
    """Case to what it is called: its id, or its place among those that were met so far."""

    def __init__(self, *, numbered: bool) -> None:
        self._numbered = numbered

    def __missing__(self, case: str) -> str:
        self[case] = str(len(self) + 1) if self._numbered else case
        return self[case]


def _renamed(found: DifficultyResult, names: dict[str, str]) -> DifficultyResult:
    cases = [one.model_copy(update={"case": names[one.case]}) for one in found.cases]
    return found.model_copy(update={"cases": cases})


def _aligned(found: AlignmentResult, names: dict[str, str]) -> AlignmentResult:
    rows = [one.model_copy(update={"case": names[one.case]}) for one in found.rows]
    return found.model_copy(update={"rows": rows})


def _documents(results: Results, names: dict[str, str]) -> list[RelevanceResult]:
    """Number the documents of each case where cases are numbered: a name may tell a study."""
    places: dict[str, int] = {}
    found = []
    for one in results.relevance:
        places[one.case] = places.get(one.case, 0) + 1
        document = str(places[one.case]) if results.study.texts == "none" else one.document
        found.append(one.model_copy(update={"case": names[one.case], "document": document}))
    return found


def _errors_without_text(found: ErrorDetail, names: dict[str, str]) -> ErrorDetail:
    """Keep counts and choices; conditions and concepts would tell what the questions are about."""
    nothing = {"question": None, "chosen_text": None, "right_text": None, "reasoning": None}
    confident = [
        one.model_copy(update={**nothing, "case": names[one.case]}) for one in found.confident
    ]
    groups = [one for one in found.groups if one.kind in {"", "confidence"}]
    questions = [one.model_copy(update={"case": names[one.case]}) for one in found.questions]
    return found.model_copy(
        update={"confident": confident, "groups": groups, "pairs": [], "questions": questions}
    )


def _safety(found: SafetyDetail | None, names: dict[str, str]) -> SafetyDetail | None:
    if found is None:
        return None
    dangers = [
        one.model_copy(update={"case": names[one.case], "words": None, "case_words": None})
        for one in found.dangers
    ]
    return found.model_copy(update={"dangers": dangers})


def _reasoning(found: ReasoningDetail | None, names: dict[str, str]) -> ReasoningDetail | None:
    if found is None:
        return None
    faults = [
        one.model_copy(update={"case": names[one.case], "says": "", "words": []})
        for one in found.faults
    ]
    steps = [one.model_copy(update={"case": names[one.case], "words": None}) for one in found.steps]
    return found.model_copy(update={"faults": faults, "steps": steps})


def _without_text(case: CaseResult, name: str) -> CaseResult:
    return CaseResult(
        case=name,
        in_ranking=case.in_ranking,
        question=None,
        narrative=None,
        evidence=[],
        references=[],
        tags={},
        answers=[_without_words(answer) for answer in case.answers],
        gold=case.gold,
    )


def _without_words(answer: AnswerResult) -> AnswerResult:
    quiet = [judgement.model_copy(update={"comment": ""}) for judgement in answer.judgements]
    checked = [_without_sentences(one) for one in answer.statements]
    return answer.model_copy(
        update={
            "text": None,
            "reasoning": None,
            "retrieved": [],
            "marks": [],
            "judgements": quiet,
            "statements": checked,
        }
    )


def _without_sentences(found: StatementsResult) -> StatementsResult:
    silent = {"text": None, "sentence": None, "why": None}
    return found.model_copy(
        update={"statements": [one.model_copy(update=silent) for one in found.statements]}
    )
