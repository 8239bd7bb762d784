"""Shares of words, by hand."""

import pytest

from medassay.answers import Answer
from medassay.cases import Case
from medassay.metrics import resolve
from medassay.scores import Reason, Score, Unscored

CASE = Case.model_validate(
    {
        "case": "1",
        "evidence": [
            {"id": 1, "text": "She was admitted with pneumonia."},
            {"id": 2, "text": "Amoxicillin 500 mg was given."},
        ],
        "references": [{"text": "She had asthma."}],
        "documents": [{"id": "d", "text": "Whales sing."}, {"id": "e", "text": "Dogs bark."}],
    }
)


def value(name: str, case: Case = CASE, **said: object) -> Score | Unscored:
    answer = Answer.model_validate({"system": "S", "case": "1", **said})
    return resolve(name).score_batch([(case, answer)])[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # admitted, pneumonia: both there.
        ("She was admitted with pneumonia.", Score(1, (1, 1))),
        # Words from two pieces of evidence count alike; 500 is a word, 250 another.
        ("Admitted, given amoxicillin 250.", Score(2 / 3, (2 / 3, 1))),
        # 2 of 2 and 0 of 2: the mean over statements, not over words.
        ("Admitted with pneumonia. Cats purr.", Score(1 / 2, (1, 2))),
        # A word counts once, and plural endings are folded.
        ("Pneumonias, pneumonia, fever.", Score(1 / 2, (1 / 2, 1))),
        # What has no word of content states nothing that could be found; nor does a question.
        ("It is so. She had it. Admitted?", Score(0, (0, 0))),
        ("***", Score(0, (0, 0))),
    ],
)
def test_shares_by_hand(text: str, expected: Score) -> None:
    assert value("lexical_support", text=text) == expected


def test_each_source_by_its_name() -> None:
    text = "Asthma sings."
    assert value("lexical_support(against=reference)", text=text) == Score(1 / 2, (1 / 2, 1))
    retrieved = [{"document": "e"}]
    found = value("lexical_support(against=retrieved)", text="Dogs sing.", retrieved=retrieved)
    assert found == Score(1 / 2, (1 / 2, 1))  # whales were not retrieved


def test_the_chain_is_read_where_asked() -> None:
    name = "lexical_support(of=reasoning)"
    assert value(name, text="Cats.", reasoning="Pneumonia.") == Score(1, (1, 1))
    lacking = value(name, text="Pneumonia.")
    assert isinstance(lacking, Unscored)
    assert lacking.reason is Reason.ANSWER_LACKS


def test_pooled_values_weigh_statements() -> None:
    metric = resolve("lexical_support")
    answers = [
        Answer(system="S", case="1", text=text)
        for text in ("Pneumonia.", "Cats purr. Dogs bark. Amoxicillin.")
    ]
    scores = metric.score_batch([(CASE, one) for one in answers])
    assert metric.pooled(scores) == Score(2 / 4, (2, 4))


def test_a_word_of_denial_changes_nothing() -> None:
    """A known blind spot, written down where it would be noticed if it went."""
    plain, denied = (value("lexical_support", text=f"She was {no}admitted.") for no in ("", "not "))
    assert isinstance(plain, Score)
    assert isinstance(denied, Score)
    assert plain.value == 1
    assert denied.value == 1
