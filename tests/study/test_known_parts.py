"""Judgements of parts that the study does not have are named, with what it has."""

import pytest

from medassay.answers import Answer, Answers
from medassay.cases import Case, Cases
from medassay.study.contents.known_ids import unknown_parts
from medassay.tables import Sheet

CASES = Cases.of(
    [
        Case.model_validate(
            {"case": "1", "criteria": [{"id": "dose", "text": "Names the dose.", "points": 2}],
             "documents": [{"id": "d1"}]}
        )
    ]
)  # fmt: skip
ANSWERS = Answers.of(
    [
        Answer.model_validate({"system": "A", "case": "1", "statements": [{"text": "Rest."}]}),
        Answer.model_validate(
            {
                "system": "A",
                "case": "1",
                "sample": 2,
                "text": "Drink.",
                "retrieved": [{"document": "found"}],
            }
        ),
    ]
)


def problems(about: str, sample: str = "") -> list[str]:
    columns: dict[str, list[object]] = {
        "system": ["A", "A"], "case": ["1", "1"], "sample": [sample, sample],
        "about": [about, about],
    }  # fmt: skip
    return [str(each) for each in unknown_parts(Sheet("j.csv", [2, 3], columns), CASES, ANSWERS)]


@pytest.mark.parametrize(
    ("about", "sample"),
    [("", ""), ("criterion:dose", ""), ("document:d1", "0"), ("statement:1", ""), ("span:0-5", ""),
     ("span:0-6", "2"), ("page:1", ""),
     # A text without statements is one; what was retrieved may be judged, in the case or not.
     ("statement:1", "2"), ("document:found", "2")],
)  # fmt: skip
def test_what_is_there_or_cannot_be_read_is_let_be(about: str, sample: str) -> None:
    assert problems(about, sample) == []


@pytest.mark.parametrize(
    ("about", "sample", "must"),
    [
        ("criterion:doze", "", 'name a criterion of its case; got "doze". Did you mean "dose"?'),
        ("document:x", "", 'name a document of its case; got "x". Known: d1.'),
        ("statement:2", "", 'about a statement that the answer has; got "statement:2". It has 1.'),
        ("span:0-9", "", 'lie within the answer; got "span:0-9". The answer has 5 characters.'),
        ("span:0-7", "2", 'lie within the answer; got "span:0-7". The answer has 6 characters.'),
        ("statement:2", "2", 'about a statement that the answer has; got "statement:2"'),
        ("document:found", "0", 'name a document of its case; got "found". Known: d1.'),
        ("", "1", 'that the system gave to the case; got "1". Known: 0, 2.'),
    ],
)
def test_what_is_not_there_is_named_once(about: str, sample: str, must: str) -> None:
    (problem,) = problems(about, sample)
    assert must in problem
    assert problem.startswith("j.csv, row 2, column ")
