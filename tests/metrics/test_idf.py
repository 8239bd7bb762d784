"""How rare a piece is among the references, counted by hand."""

from collections.abc import Mapping, Sequence
from math import log

import pytest
from tools.toy_encoder import ToyEncoder

from medassay.answers import Answer
from medassay.cases import Case
from medassay.metrics import resolve
from medassay.metrics.token_match import idf_weights
from medassay.models import ModelSetup, use_models
from medassay.scores import Reason, Score, Unscored

OPENING, CLOSING, FEVER, REST = 101, 102, 7, 8
REFERENCES = [
    [OPENING, FEVER, FEVER, CLOSING],
    [OPENING, FEVER, REST, CLOSING],
    [OPENING, CLOSING],
]


def test_a_piece_counts_once_a_reference_however_often_it_is_there() -> None:
    weights, unseen = idf_weights(REFERENCES)
    # N = 3 references: fever is in 2, ln(4/3); rest in 1, ln(4/2); marks in all, ln(4/4) = 0.
    assert weights[FEVER] == pytest.approx(log(4 / 3))
    assert weights[REST] == pytest.approx(log(2))
    assert weights[OPENING] == weights[CLOSING] == 0
    assert unseen == pytest.approx(log(4))


def test_references_repeated_for_each_system_would_weigh_otherwise() -> None:
    """So bert-score's score(idf=True) does with two systems' answers in one call; we do not."""
    weights, _ = idf_weights(REFERENCES * 2)
    # N = 6: fever in 4, ln(7/5), not ln(4/3); rest in 2, ln(7/3), not ln(2).
    assert weights[FEVER] == pytest.approx(log(7 / 5))
    assert weights[REST] == pytest.approx(log(7 / 3))


def scored(corpora: Mapping[str, Sequence[str]]) -> tuple[Score | Unscored, str]:
    case = Case.model_validate({"case": "1", "references": [{"text": "Rest at home."}]})
    answer = Answer(system="A", case="1", text="Stay at home.")
    with use_models(ModelSetup(given={"toy": ToyEncoder()}, corpora=corpora)):
        metric = resolve("bertscore_f1(ref=human,model=toy,layer=1,idf=references)")
        return metric.score_batch([(case, answer)])[0], metric.signature.digest


def test_without_references_to_count_in_the_reason_says_so() -> None:
    found, _ = scored({})
    assert isinstance(found, Unscored)
    assert found.reason is Reason.UNDEFINED
    assert "none were given" in found.detail


def test_where_every_reference_has_every_piece_the_reason_says_so() -> None:
    found, _ = scored({"human": ["Rest at home."]})
    assert isinstance(found, Unscored)
    assert "no piece of text that has a weight" in found.detail


def test_the_order_of_the_references_changes_nothing_and_each_of_them_counts() -> None:
    texts = ["Rest at home.", "Call us.", "Drink water."]
    found, signature = scored({"human": texts})
    assert isinstance(found, Score)
    assert scored({"human": texts[::-1]}) == (found, signature)
    assert scored({"human": texts[:2]})[1] != signature
    assert scored({"human": ["Rest at home.", "Call us.\nDrink water."]})[1] != signature
