"""What an audience may not see is taken out by the types of fields alone."""

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

import pytest
from pydantic import BaseModel

from medassay.annotations import (
    Audience,
    CaseId,
    Describing,
    DesignName,
    DocumentId,
    Kind,
    PValue,
    RaterName,
    Reliability,
    SystemName,
    Tag,
    TagName,
    TestWords,
    Text,
    UnmarkedText,
    Words,
    check_marked,
    pruned,
)


@dataclass(frozen=True)
class Hardest:
    case: CaseId
    says: Text
    comment: Text | None
    words: list[Text]
    tags: dict[TagName, Tag]
    options: dict[DesignName, Text]
    documents: tuple[DocumentId, ...]
    why: Words = "too few"
    value: float | None = None


@dataclass(frozen=True)
class Group:
    tag: TagName
    value: Tag
    n: int


class Page(BaseModel):
    hardest: Hardest | None
    groups: list[Group]
    places: Annotated[list[int], Kind.TEXT]
    by_case: dict[CaseId, int]
    ends: tuple[CaseId, float]
    verdict: Literal["yes", "no"] = "yes"


PAGE = Page(
    hardest=Hardest(
        case="c9",
        says="she coughs",
        comment="odd",
        words=["coughs"],
        tags={"ward": "B"},
        options={"A": "asthma"},
        documents=("d7", "d1"),
    ),
    groups=[Group("", "", 9), Group("ward", "B", 3)],
    places=[3, 9],
    by_case={"c9": 1, "c1": 2},
    ends=("c1", 0.5),
)


def test_an_audience_that_sees_all_gets_the_record_itself() -> None:
    assert pruned(PAGE, Audience("full")) is PAGE


def test_texts_and_tags_go_and_what_is_about_a_tag_goes_with_it() -> None:
    quiet = pruned(PAGE, Audience("ids"))
    assert quiet.hardest == Hardest(
        case="c9", says="", comment=None, words=[], tags={}, options={}, documents=("d7", "d1")
    )
    assert quiet.groups == [Group("", "", 9)]
    assert quiet.places == []
    assert quiet.by_case == {"c9": 1, "c1": 2}
    assert quiet.verdict == "yes"


def test_cases_and_documents_have_numbers_in_the_order_given_or_met() -> None:
    quiet = pruned(PAGE, Audience("none", cases=["c0", "c1"]))
    assert quiet.hardest is not None
    assert (quiet.hardest.case, quiet.hardest.documents) == ("3", ("1", "2"))
    assert quiet.by_case == {"3": 1, "2": 2}
    assert quiet.ends == ("2", 0.5)


def test_what_is_empty_stays_empty() -> None:
    assert pruned(Group("", "", 1), Audience("none")) == Group("", "", 1)


def test_a_record_that_is_about_a_tag_cannot_be_shown_alone() -> None:
    with pytest.raises(TypeError, match="Group is, or is about, what this reader may not get"):
        pruned(Group("ward", "B", 1), Audience("ids"))


def test_a_value_of_two_marked_types_is_refused_since_nothing_tells_which_it_is() -> None:
    @dataclass
    class Either:
        what: CaseId | list[Tag]

    with pytest.raises(TypeError, match="two types with marks"):
        pruned(Either("c1"), Audience("ids"))


@pytest.mark.parametrize(
    "hint",
    [str, bytes, object, Any, list, dict, tuple, str | None, list[str], dict[str, int],
     dict[DesignName, str], tuple[str, ...], Annotated[str, "no marker"], list[dict[str, float]]],
    ids=str,
)  # fmt: skip
def test_a_field_that_may_hold_text_must_say_of_what(hint: object) -> None:
    made = type("Made", (), {"__annotations__": {"said": hint}})
    with pytest.raises(UnmarkedText, match=r"Made\.said .*may hold text"):
        check_marked(dataclass(made))


def test_every_marker_will_do() -> None:
    @dataclass
    class Marked:
        a: SystemName
        b: RaterName | None
        c: dict[DesignName, list[Tag]]
        d: Literal["x", "y"]
        e: list[Hardest]
        f: Annotated[dict[str, object], Kind.TEXT]

    check_marked(Marked)


def test_what_is_no_record_is_refused() -> None:
    with pytest.raises(TypeError, match="int is no record"):
        check_marked(int)


class Leader(BaseModel):
    infers: ClassVar[bool] = True
    system: SystemName
    p: PValue


class Mean(BaseModel):
    infers: ClassVar[bool] = False
    system: SystemName
    mean: float
    p: PValue | None
    letters: TestWords
    reliability: Reliability | None
    leaders: list[Leader]
    leader: Leader | None


def test_a_reader_who_is_told_what_the_data_are_gets_no_inference() -> None:
    leader = Leader(system="A", p=0.01)
    mean = Mean(
        system="A", mean=1.5, p=0.01, letters="a", reliability=0.9, leaders=[leader], leader=leader
    )
    quiet = Mean(
        system="A", mean=1.5, p=None, letters="", reliability=None, leaders=[], leader=None
    )
    assert pruned(mean, Describing()) == quiet
    assert pruned(quiet, Describing()) is quiet
    with pytest.raises(TypeError, match="Leader is, or is about"):
        pruned(leader, Describing())
