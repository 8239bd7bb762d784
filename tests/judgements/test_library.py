"""The library of dimensions, and rubrics that are put together from it."""

import tomllib
from pathlib import Path

import pytest

from medassay.errors import InvalidInput, UnknownName
from medassay.judgements import (
    HARMFUL,
    choose_rubric,
    library_dimensions,
    load_rubric,
    rubric_gaps,
    rubric_names,
)

ALL = ",".join(library_dimensions())


def test_every_dimension_is_called_as_its_file_and_lacks_nothing() -> None:
    for name in library_dimensions():
        rubric = choose_rubric(name).rubric
        assert rubric.ids == (name,)
        assert rubric_gaps(rubric) == []


def test_no_dimension_has_the_name_of_a_rubric() -> None:
    assert not set(library_dimensions()) & set(rubric_names())


def test_all_of_them_together_are_one_rubric() -> None:
    rubric = choose_rubric(ALL).rubric
    assert rubric.ids == library_dimensions()
    assert {one.id for one in rubric.dimensions if HARMFUL in one.mappings} == {
        "safety",
        "urgency",
    }


def test_what_is_good_has_the_highest_score() -> None:
    best = {"safety": "safe", "bias": "fair", "urgency": "right", "citation-support": "all"}
    for dimension in choose_rubric(ALL).rubric.dimensions:
        top = max(dimension.labels, key=lambda one: one.score or 0).label
        assert top == best.get(dimension.id, dimension.names[-1])


@pytest.mark.parametrize("wish", ["accuracy,safety", "archehr", "safety"])
def test_the_file_says_what_the_rubric_is(tmp_path: Path, wish: str) -> None:
    chosen = choose_rubric(wish)
    path = tmp_path / f"{chosen.rubric.name}.toml"
    path.write_bytes(chosen.content)
    assert load_rubric(path) == chosen.rubric
    assert tomllib.loads(chosen.content.decode())["name"] == chosen.rubric.name


def test_a_file_keeps_its_comments(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(b"# ours\n" + choose_rubric("safety").content)
    assert choose_rubric(str(path)).content.startswith(b"# ours\n")


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ("acuracy,safety", 'Did you mean "accuracy"'),
        ("safety,safety", 'name each dimension once; got "safety" twice'),
        ("likert6", 'Did you mean "likert5"'),
        ("accuracy,likert5", 'got "likert5"'),
        (" , ", "For example accuracy,completeness,safety."),
    ],
)
def test_what_is_not_there_is_named(wish: str, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        choose_rubric(wish)


def test_a_name_that_is_none_is_named() -> None:
    with pytest.raises(UnknownName, match='no rubric "likert6"'):
        load_rubric("likert6")
