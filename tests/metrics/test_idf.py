"""How rare a piece is among the references, counted by hand."""

from math import log

import pytest

from medassay.metrics.arithmetic.bertscore import idf_weights

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
