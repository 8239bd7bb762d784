"""What an analysis may say of itself, and what is refused when it is declared."""

from typing import Any

import pytest

from medassay.analyses import Declaration, analysis
from medassay.analyses.inputs.readable import check_reads
from medassay.analyses.registry import analyses
from medassay.analyses.sections import SECTIONS
from medassay.annotations import PValue, record
from medassay.judgements import Judgements


@record(infers=False)
class Described:
    labels: int


@record(infers=True)
class Inferred:
    p: PValue


def declared(**changed: Any) -> Declaration:  # noqa: ANN401 - any part of a declaration
    told = {
        "id": "mine",
        "title": "Mine",
        "question": "What of it?",
        "section": "ratings",
        "infers": False,
        "reader": "organiser",
    }
    return Declaration(**{**told, **changed})


def test_it_reads_what_its_parameters_name_and_gives_what_it_returns() -> None:
    @analysis(declared())
    def mine(judgements: Judgements) -> Described | None:
        return Described(judgements.frame.height)

    assert (mine.id, mine.reads, mine.record) == ("mine", {"judgements": Judgements}, Described)
    assert check_reads(mine) == ""


def test_what_no_study_has_is_named() -> None:
    @analysis(declared())
    def mine(weather: float) -> Described | None:
        return Described(int(weather))

    assert check_reads(mine).startswith(
        "weather must be one of About, Aggregation, Agreed, AllCases, AnswerPairs, Answers, Cases"
    )


def test_a_parameter_without_a_type_is_refused() -> None:
    def mine(judgements: Judgements) -> Described | None:
        return Described(judgements.frame.height)

    del mine.__annotations__["judgements"]

    with pytest.raises(TypeError, match="mine: judgements must have a type"):
        analysis(declared())(mine)


def test_what_is_no_record_is_refused() -> None:
    def mine(judgements: Judgements) -> int:
        return judgements.frame.height

    with pytest.raises(TypeError, match="mine: must return a record"):
        analysis(declared())(mine)


def test_a_record_that_infers_is_not_of_an_analysis_that_describes() -> None:
    def mine(judgements: Judgements) -> Inferred | None:
        return Inferred(1 / judgements.frame.height)

    with pytest.raises(TypeError, match="says that it describes, and its record Inferred infers"):
        analysis(declared())(mine)
    assert analysis(declared(infers=True))(mine).record is Inferred


def test_the_analyses_stand_in_the_order_of_the_sections() -> None:
    places = [section.id for section in SECTIONS]
    order = [(places.index(one.declared.section), one.declared.place) for one in analyses()]
    assert order == sorted(order)
    assert len(set(order)) == len(order), "two analyses of one place"
    assert {one.id for one in analyses()} >= {"case_difficulty", "aggregation_methods"}
