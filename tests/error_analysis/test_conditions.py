"""Conditions taken for each other: the published pairs, other names, and what names none."""

import pytest

from medassay.error_analysis import (
    ConditionConfusion,
    condition_groups,
    read_condition_groups,
)
from medassay.errors import InvalidInput

LISTED = {  # the five pairs of the source, with how many of nine errors each has
    ("Heart Failure", "Angina"): 3,
    ("DVT", "Pulmonary Embolism"): 2,
    ("Gastritis", "GI Bleed"): 2,
    ("Pneumonia", "COPD Exacerbation"): 1,
    ("AKI", "CKD"): 1,
}


@pytest.mark.parametrize("first", [0, 1])
def test_the_published_pairs_give_the_published_share(first: int) -> None:
    errors = [(pair[first], pair[1 - first]) for pair, n in LISTED.items() for _ in range(n)]
    found = ConditionConfusion.of(errors)
    # Similar: DVT and PE (2), AKI and CKD (1). Unrelated: 3 + 2 + 1.
    assert (found.similar, found.unrelated, found.same, found.outside) == (3, 6, 0, 0)
    assert found.similar_share == 3 / 9
    assert [pair.n for pair in found.pairs] == [3, 2, 2, 1, 1]
    assert (found.pairs[0].one, found.pairs[0].other) == ("Angina", "Heart Failure")


def test_both_directions_are_one_pair() -> None:
    found = ConditionConfusion.of(
        [("AKI", "CKD"), ("Chronic kidney disease", "acute renal failure")]
    )
    assert [(p.one, p.other, p.n) for p in found.pairs] == [("AKI", "CKD", 2)]


def test_shares_are_of_all_errors_as_the_source_divides() -> None:
    listed = [(*pair,) for pair, n in LISTED.items() for _ in range(n)]
    found = ConditionConfusion.of(
        [*listed, ("Rest", "AKI"), ("Rest", "Run"), ("AKI", None), ("COPD", "COPD")]
    )
    assert (found.same, found.outside, found.errors) == (1, 3, 13)
    assert found.similar_share == 3 / 13
    assert found.unrelated_share == 6 / 13
    assert found.outside_share == 3 / 13


def test_no_errors_have_no_share() -> None:
    found = ConditionConfusion.of([])
    assert (found.similar_share, found.unrelated_share, found.outside_share) == (None,) * 3


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("GI Bleed", "GI Bleed"),
        ("COPD Exacerbation", "COPD"),
        ("Acute exacerbation of COPD", None),
        ("Acute Pancreatitis", "Pancreatitis"),
        ("ACUTE KIDNEY INJURY", "AKI"),
        ("Acute kidney injury (AKI)", "AKI"),
        ("Pulmonary embolism (PE", "Pulmonary Embolism"),
        ("Non-ST-elevation myocardial infarction", "MI"),
        ("Hypertension-induced Hyperglycemia Syndrome", None),
        ("Give heparin for the DVT", None),
        ("Gastroesophageal Reflux Disease", None),
        ("Acute", None),
        ("", None),
    ],
)
def test_a_name_is_found_whole_or_not_at_all(text: str, name: str | None) -> None:
    found = condition_groups().find(text)
    assert (None if found is None else found.name) == name


def test_every_group_of_the_source_is_there() -> None:
    known = condition_groups()
    groups = {one.group for one in known.names.values()}
    assert len(groups) == 16
    assert {known.find(one) is None for pair in LISTED for one in pair} == {False}


def test_a_file_of_ones_own_takes_the_place_of_all_groups() -> None:
    own = b'[[groups]]\nname = "Ears"\nconditions = [["Otitis Media", "AOM"], ["Otitis Externa"]]\n'
    known = read_condition_groups(own, "own.toml")
    found = ConditionConfusion.of([("AOM", "otitis externa"), ("AKI", "CKD")], known)
    assert (found.similar, found.outside) == (1, 1)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", ["groups"]),
        ("groups = []", ["groups"]),
        ('[[groups]]\nname = "A"\nconditions = []', ["conditions"]),
        ('[[groups]]\nname = "A"\nconditions = [["x", "X."]]', ["once", '"x" twice']),
        ('[[groups]]\nname = "A"\nconditions = [["..."]]', ["conditions"]),
        ('[[groups]]\nname = "A"\npairs = 1\nconditions = [["x"]]', ["pairs"]),
        ("[[groups", ["be TOML"]),
    ],
)
def test_a_faulty_file_is_refused_with_its_fault(content: str, words: list[str]) -> None:
    with pytest.raises(InvalidInput) as caught:
        read_condition_groups(content.encode(), "own.toml")
    for word in ["own.toml", *words]:
        assert word in str(caught.value)
