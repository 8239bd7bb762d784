"""A pseudonym looks like no name of the study's people."""

import pytest
from tests.study.test_pseudonyms import pseudonyms


@pytest.mark.parametrize(
    ("names", "forms"),
    [
        (["ann", "bob", "cyd"], ["rater-1", "rater-2", "rater-3"]),
        (["A", "rater B", "expert_c"], ["rater-1", "rater-2", "rater-3"]),
        (["rater1", "rater2", "rater3"], ["rater-A", "rater-B", "rater-C"]),
        (["r1", "r2", "r3"], ["rater-A", "rater-B", "rater-C"]),
        (["2", "annotator_03", "Zoe"], ["rater-A", "rater-B", "rater-C"]),
        (["rater-1", "rater-A", "rater-140"], ["rater-201", "rater-202", "rater-203"]),
        (["9" * 5000, "ann", "bob"], ["rater-A", "rater-B", "rater-C"]),
    ],
)
def test_a_pseudonym_looks_like_no_name_of_the_study(names: list[str], forms: list[str]) -> None:
    rows = [
        {"rater": rater, "system": "A", "case": "1", "dimension": "quality", "label": label}
        for rater, label in zip(names, "345", strict=True)
    ]
    assert sorted(pseudonyms(rows).values()) == forms


def test_many_pseudonyms_sort_and_are_no_initials() -> None:
    row = {"system": "A", "case": "1", "dimension": "quality", "label": "4"}
    many = [{**row, "rater": f"r{n}"} for n in range(30)]
    assert max(pseudonyms(many).values()) == "rater-BD"
    short = pseudonyms([{**row, "rater": "AB"}, *many])
    assert min(short.values()) == "rater-101"
