"""Why answers are wrong, in the order of the rule, with both definitions of failed retrieval."""

import pytest

from medassay.answers import Answer
from medassay.cases import Case
from medassay.error_analysis import Cause, ErrorCause, error_cause

ON_TOPIC = "Fever and cough with purulent sputum: amoxicillin treats pneumonia of adults."
CASE = Case.model_validate(
    {
        "case": "1",
        "question": "Which drug treats pneumonia with fever and cough?",
        "options": {"A": "Amoxicillin", "B": "Azithromycin", "C": "Amoxicillin clavulanate"},
        "gold": "A",
        "documents": [
            {"id": "right", "grade": 1, "text": ON_TOPIC},
            {"id": "other", "grade": 0, "text": "Rest the ankle."},
            {"id": "near", "text": "Fever and cough are frequent in pneumonia."},
        ],
    }
)


def cause(case: Case = CASE, **given: object) -> ErrorCause:
    answer = Answer.model_validate({"system": "s", "case": "1", **given})
    found = error_cause(case, answer)
    assert found is not None
    return found


def ranking(*names: str) -> list[dict[str, str]]:
    return [{"document": name} for name in names]


def test_a_right_answer_has_no_cause() -> None:
    assert error_cause(CASE, Answer(system="s", case="1", choice="A")) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", Cause.ABSTENTION),
        ("I cannot answer this question.", Cause.ABSTENTION),
        ("A or B", Cause.PARSING),
        ("The answer is (E).", Cause.PARSING),
        ("It depends on the patient.", Cause.PARSING),
    ],
)
def test_without_a_choice_it_is_abstention_or_parsing(text: str, expected: Cause) -> None:
    # Retrieval failed too, but it is not why there is no choice to compare.
    found = cause(text=text, retrieved=ranking("other"))
    assert (found.cause, found.no_document) == (expected, True)


def test_nothing_given_and_a_letter_that_is_no_option() -> None:
    never = error_cause(CASE, None)
    assert never is not None
    assert never.cause is Cause.NEVER_ANSWERED
    assert cause(choice="X").cause is Cause.PARSING


def test_the_two_definitions_of_failed_retrieval_differ() -> None:
    # `near` has pneumonia, fever, cough of the question's five content words (drug, treat): .6.
    near = cause(choice="B", retrieved=ranking("near"))
    assert (near.no_document, near.no_context, near.cause) == (True, False, Cause.RETRIEVAL)
    ungraded = CASE.model_copy(update={"documents": CASE.documents[2:]})
    found = cause(ungraded, choice="B", retrieved=ranking("near"))
    assert (found.no_document, found.no_context) == (None, False)
    # The words of the right option, amoxicillin, are nowhere in what was found.
    assert found.cause is Cause.KNOWLEDGE


def test_knowledge_and_reasoning_differ_by_what_was_found() -> None:
    assert cause(choice="B", retrieved=ranking("other", "right")).cause is Cause.REASONING
    rare = CASE.model_copy(update={"gold": "B"})
    found = cause(rare, choice="A", retrieved=ranking("other", "right"))
    assert found.cause is Cause.KNOWLEDGE
    assert found.why == "0 of 1 words of the right option stand in what was found"


def test_what_is_not_known_is_said_to_be() -> None:
    assert cause(choice="B").cause is Cause.UNKNOWN
    silent = CASE.model_copy(
        update={"documents": tuple(d.model_copy(update={"text": None}) for d in CASE.documents)}
    )
    found = cause(silent, choice="B", retrieved=ranking("right"))
    assert (found.cause, found.no_document, found.no_context) == (Cause.UNKNOWN, False, None)


def test_only_the_first_k_count() -> None:
    deep = [*(f"x{i}" for i in range(10)), "right"]
    assert cause(choice="B", retrieved=ranking(*deep)).no_document is True
