import pytest

from medassay.errors import InvalidInput
from medassay.judgements import Judgements, Rater, Raters, load_rubric


def test_a_table_is_read_with_what_it_says_and_leaves_unsaid() -> None:
    raters = Raters.from_rows(
        [
            {"rater": "b", "rater_kind": "model", "status": "Qualified"},
            {
                "rater": "a",
                "expertise": "toxicology",
                "external": "yes",
                "conflicts": "none",
                "status": "excluded",
                "reason": "failed calibration",
            },
        ]
    )
    assert list(raters) == [
        Rater(
            "a",
            expertise="toxicology",
            external=True,
            conflicts="none",
            excluded=True,
            reason="failed calibration",
        ),
        Rater("b", "model"),
    ]
    assert raters.get("c") == Rater("c")
    assert [one.rater for one in raters.excluded] == ["a"]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"rater": ""}, "column rater: must be filled"),
        ({"rater": "a", "rater_kind": "modle"}, 'Did you mean "model"'),
        ({"rater": "a", "status": "exluded"}, 'Did you mean "excluded"'),
        ({"rater": "a", "status": "excluded"}, "reason: must be filled where a rater is excluded"),
        ({"rater": "a", "reason": "late"}, "reason: must be empty for a qualified rater"),
        ({"rater": "a", "external": "maybe"}, "must be one of yes, no"),
        ({"rater": "a", "expertize": "x"}, 'Did you mean "expertise"'),
        ({"rater": "a", "email": "a@ward.example"}, "email.* give --raters its new place"),
    ],
)
def test_what_is_wrong_is_named(row: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        Raters.from_rows([row])


def test_a_rater_stands_in_the_table_once() -> None:
    with pytest.raises(InvalidInput, match="row 3, column rater: must be there once"):
        Raters.from_rows([{"rater": "a"}, {"rater": "b"}, {"rater": "a"}])


def test_raters_of_other_tables_must_be_known_and_of_the_same_kind() -> None:
    raters = Raters.from_rows([{"rater": "anna"}, {"rater": "judge", "rater_kind": "model"}])
    raters.refuse_third_party("judgements", {"anna": "person", "judge": "model"})
    with pytest.raises(InvalidInput) as caught:
        raters.refuse_third_party("judgements", {"ana": "person", "judge": "person"})
    assert [str(one) for one in caught.value.problems] == [
        (
            'judgements, column rater: must be a rater of the raters table; got "ana". '
            'Did you mean "anna"?'
        ),
        (
            "judgements, column rater_kind: must be model for judge, as in the raters table; "
            "got person."
        ),
    ]
    Raters().refuse_third_party("judgements", {"anyone": "person"})


def test_what_excluded_raters_said_can_be_left_out() -> None:
    rows = [
        {"rater": r, "system": "A", "case": "1", "dimension": "quality", "label": "4"} for r in "ab"
    ]
    left = Judgements.from_rows(rows, load_rubric("likert5")).without_raters(["a"])
    assert left.frame["rater"].to_list() == ["b"]
