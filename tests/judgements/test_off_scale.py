"""Labels of another scale are told in one line a rater and dimension, without a guess."""

import pytest

from medassay.errors import InvalidInput, nearest
from medassay.judgements import Judgements, load_rubric


def rows(*labels: str, rater: str = "anna") -> list[dict[str, str]]:
    about = {"rater": rater, "system": "A", "dimension": "quality"}
    return [about | {"case": str(case), "label": label} for case, label in enumerate(labels)]


def problems_of(given: list[dict[str, str]]) -> list[str]:
    with pytest.raises(InvalidInput) as refused:
        Judgements.from_rows(given, load_rubric("likert5"))
    return [str(problem) for problem in refused.value.problems]


def test_another_scale_is_one_line_a_rater() -> None:
    (anna, ben) = problems_of(rows("1", *["10", "7"] * 30) + rows("6", "7", rater="ben")[:1])
    assert "got values up to 10 of anna on 60 rows (2, 3, 4 ...)" in anna
    assert "quality goes from 1 to 5: was it another scale?" in anna
    assert 'got "6".' in ben


def test_labels_of_another_rubric_are_one_line() -> None:
    (said,) = problems_of(rows("good", "poor", "good", "fair"))
    assert 'got "good", "poor", "fair" of anna on 4 rows' in said
    assert "another rubric" in said


def test_no_number_is_taken_for_a_mistyped_one() -> None:
    assert nearest("10", ["1", "2"]) == nearest("4.5", ["4", "5"]) == ""
    assert nearest("1", ["01", "2"]) == 'Did you mean "01"?'
