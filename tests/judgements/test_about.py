"""What a judgement is about is part of its key, and fits its dimension."""

import pytest

from medassay.errors import InvalidInput
from medassay.judgements import ABOUT, About, AboutKind, Judgements, load_rubric, units
from medassay.scores import Unit

CRITERIA = load_rubric("criteria")


def row(about: str, label: str = "met", **other: object) -> dict[str, object]:
    key = {"rater": "r1", "system": "A", "case": "1", "dimension": "met"}
    return {**key, "about": about, "label": label, **other}


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("", About("answer")),
        ("criterion:c:3", About("criterion", "c:3")),
        ("statement:2", About("statement", place=2)),
        ("citation:2/x/7", About("citation", "x/7", 2)),
        ("span:0-5", About("span", span=(0, 5))),
        ("document:d7", About("document", "d7")),
    ],
)
def test_each_form_is_read(text: str, read: About) -> None:
    assert About.read(text) == read


@pytest.mark.parametrize(
    "text",
    ["criterion:", "criterion", "statement:0", "statement:x", "citation:2", "citation:/7",
     "span:5-5", "span:9-3", "span:5", "page:3", "Criterion:c3"],
)  # fmt: skip
def test_what_has_none_of_the_forms_is_not_read(text: str) -> None:
    assert About.read(text) is None


@pytest.mark.parametrize("kind", ABOUT)
def test_every_kind_says_what_its_cell_must_be(kind: AboutKind) -> None:
    assert About.must(kind)


def test_criteria_of_one_answer_are_units_of_their_own() -> None:
    rows = [row("criterion:a"), row("criterion:b", "not met"), row("criterion:a", "not met")]
    judgements = Judgements.from_rows([*rows, row("criterion:a", sample=1)], CRITERIA)
    read = units(judgements, "met")
    assert read.keys == (
        Unit("A", "1", 0, "criterion:a"),
        Unit("A", "1", 0, "criterion:b"),
        Unit("A", "1", 1, "criterion:a"),
    )
    # The later row on one criterion corrects the earlier one, and no other.
    assert read.codes.tolist() == [[1], [1], [0]]
    assert (read.n_cases, judgements.corrected) == (1, 1)


@pytest.mark.parametrize(
    ("about", "got"),
    [("", "an empty cell"), ("statement:1", '"statement:1"'), ("c3", '"c3"')],
)
def test_a_row_about_something_else_is_refused(about: str, got: str) -> None:
    with pytest.raises(InvalidInput) as error:
        Judgements.from_rows([row("criterion:a"), row(about)], CRITERIA)
    (problem,) = error.value.problems
    assert str(problem) == (
        "judgements, row 2, column about: must name a criterion of the case, such as "
        f"criterion:c3; got {got}."
    )


def test_what_is_about_the_answer_has_no_about() -> None:
    plain = {**row("criterion:a", "4"), "dimension": "quality"}
    with pytest.raises(InvalidInput, match="be empty: the dimension is about the answer"):
        Judgements.from_rows([plain], load_rubric("likert5"))


def test_columns_that_say_nothing_are_not_written() -> None:
    plain = {**row("", "4"), "dimension": "quality"}
    written = Judgements.from_rows([plain], load_rubric("likert5")).to_csv().decode()
    assert not {"sample", "about"} & set(written.splitlines()[0].split(","))
    about = Judgements.from_rows([row("criterion:a")], CRITERIA).to_csv().decode()
    assert "about" in about.splitlines()[0].split(",")
    assert "sample" not in about.splitlines()[0].split(",")
