"""Accuracy: a choice that cannot be read is never the first option unless asked for by name."""

import pytest

from medassay.answers import Answer
from medassay.cases import Case
from medassay.metrics import resolve
from medassay.scores import Score

CASE = Case.model_validate(
    {"case": "1", "options": {"A": "Rest", "B": "Aspirin", "C": "Surgery"}, "gold": "A"}
)


@pytest.mark.parametrize(
    ("answer", "wrong", "first"),
    [
        ({"choice": "A"}, 1, 1),
        ({"choice": "B"}, 0, 0),
        ({"choice": "E"}, 0, 1),
        ({"text": "The answer is (A)."}, 1, 1),
        ({"text": "Rest, I think."}, 1, 1),
        ({"text": "A or B"}, 0, 1),
        ({"text": "I cannot answer this."}, 0, 1),
        ({"text": ""}, 0, 1),
        ({"choice": "B", "text": "The answer is A."}, 0, 0),
    ],
)
def test_both_policies_for_a_missing_letter(
    answer: dict[str, str], wrong: float, first: float
) -> None:
    given = Answer.model_validate({"system": "S", "case": "1", **answer})
    assert resolve("exact_match").score_batch([(CASE, given)]) == [Score(float(wrong))]
    assert resolve("exact_match(missing=first)").score_batch([(CASE, given)]) == [
        Score(float(first))
    ]


def test_an_answer_never_given_is_wrong() -> None:
    assert resolve("exact_match").score_no_answer(CASE) == Score(0.0)
