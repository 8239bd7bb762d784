"""What a report says of the raters and cases that a reliability takes."""

import re
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from medassay.analyses.builtin.d_study import d_study, d_study_table
from medassay.exhibits import Names
from medassay.exhibits.claim import says_verdict
from medassay.judgements import Units
from medassay.scores import Unit
from medassay.validity import ReliabilityPlan
from medassay.validity import d_study as plans_of

LABELS = list("12345")
FINDING = d_study.declared.finding
PICTURES = d_study.declared.pictures


def labels(raters: int, *, cases: int = 40, noise: float = 0.7, systems: int = 4) -> Units:
    rng = np.random.default_rng(9)
    keys = [(f"s{i}", f"c{k:03}") for i in range(systems) for k in range(cases)]
    said = np.repeat(np.linspace(0, 3, systems), cases) + 0.7 * rng.normal(size=len(keys))
    table = said[:, None] + noise * rng.normal(size=(len(keys), raters))
    codes = np.clip(np.rint(table + 0.5), 0, 4).astype(int)
    return Units.from_codes(codes, LABELS, keys=keys, scores=[1, 2, 3, 4, 5])


def names(primary: str = "mean") -> Names:
    made = SimpleNamespace(
        sources={"mean": SimpleNamespace(dimension="tone")},
        primary=primary,
        of_dimension=str.upper,
        synthetic=False,
    )
    return cast("Names", made)


def plans(units: Units, dimension: str = "quality") -> tuple[ReliabilityPlan, ...]:
    from dataclasses import replace

    return plans_of(replace(units, dimension=dimension), rng=1)


def text_of(found: Sequence[ReliabilityPlan]) -> str:
    assert FINDING is not None
    finding = FINDING(SimpleNamespace(plans=found), names())
    return cast("Any", finding).text if finding else ""


def test_what_is_settled_has_its_reliability_with_its_interval() -> None:
    text = text_of(plans(labels(12)))
    assert re.fullmatch(
        r"On QUALITY, comparing systems on 40 cases with reliability 0\.8 takes 1 rater "
        r"\(95% CI 1\)\. The reliability here is 0\.9\d \(95% CI 0\.[89]\d to [01]\.\d\d\)\.",
        text,
    )


def test_three_raters_who_cannot_tell_are_said_to_settle_nothing() -> None:
    rng = np.random.default_rng(2)
    keys = [(f"s{i}", f"c{k:02}") for i in range(3) for k in range(30)]
    leaning = np.repeat(0.7 * rng.normal(size=(3, 3)), 30, axis=0)
    table = np.repeat([0.0, 0.8, 1.6], 30)[:, None] + leaning + rng.normal(size=(90, 3))
    codes = np.clip(np.rint(table + 1), 0, 4).astype(int)
    found = plans(Units.from_codes(codes, LABELS, keys=keys, scores=[1, 2, 3, 4, 5]))
    assert not found[0].settled(0.8)
    text = text_of(found)
    assert text.endswith("With 3 raters, this study cannot tell whether it reaches that.")
    assert not says_verdict(text)
    for sentence in re.split(r"(?<=\.) ", text):
        assert len(sentence.split()) <= 25


def test_the_dimension_that_orders_the_systems_is_spoken_of() -> None:
    both = (*plans(labels(3)), *plans(labels(3), "tone"))
    assert text_of(both).startswith("On TONE,")
    assert text_of(both[:2]).startswith("On QUALITY,")
    assert text_of([]) == ""


def test_an_answer_needs_more_raters_than_means_do_and_no_cases() -> None:
    of_systems, of_answer = plans(labels(6, noise=1.5))
    assert (of_systems.raters, of_systems.cases, of_systems.labels) == (6, 40, 6.0)
    for means, single in zip(of_systems.needed, of_answer.needed, strict=True):
        assert means.raters is not None
        assert single.raters is not None
        assert means.raters < single.raters
        assert (single.cases, single.cases_low) == (None, None)
    table = d_study_table([of_systems, of_answer], str)
    cells = [cell.text for cell in table.rows[1].cells[-3:]]
    assert [cell.missing for cell in table.rows[1].cells[-3:]] == [True] * 3
    assert len({*cells}) == 1


def test_more_raters_never_make_it_less_reliable_and_the_interval_holds_it() -> None:
    for plan in plans(labels(3)):
        values = [point.value for point in plan.curve]
        assert values == sorted(values)
        assert all(point.low <= point.high for point in plan.curve)
        counts = [needed.raters for needed in plan.needed]
        assert counts == sorted(counts)  # type: ignore[type-var]
        for needed in plan.needed:
            assert needed.raters_low is not None
            assert needed.raters_high is None or needed.raters_low <= needed.raters_high


def test_who_rotates_is_read_as_allotted_and_rows_mean_nothing() -> None:
    rng = np.random.default_rng(3)
    full = labels(6)
    table = full.code.reshape(-1, 6).copy()
    table[rng.random(table.shape).argsort(axis=1).argsort(axis=1) >= 2] = -1
    keys = [key.pair for key in full.keys]
    units = Units.from_codes(table, LABELS, keys=keys, scores=[1, 2, 3, 4, 5])
    turn = rng.permutation(len(keys))
    again = Units.from_codes(
        table[turn], LABELS, keys=[keys[at] for at in turn], scores=[1, 2, 3, 4, 5]
    )
    found = plans(units)
    assert (found[0].labels, found[0].raters) == (2.0, 6)
    assert found == plans(again)


def test_what_cannot_be_planned_has_a_reason() -> None:
    alone = plans(labels(1))
    assert {plan.reason for plan in alone} == {"one rater does not show how raters differ"}
    row = d_study_table(alone, str).rows[0]
    assert all(cell.missing for cell in row.cells[1:])
    keys = [Unit(f"s{i}", f"c{k}", 0, about) for i in "ab" for k in "123" for about in "xy"]
    parts = Units.from_codes(np.zeros((12, 2), int), LABELS, keys=keys, scores=[1, 2, 3, 4, 5])
    assert "parts of answers" in plans(parts)[0].reason
    bare = Units.from_codes([[0, 1], [1, 1]], ["no", "yes"], keys=[("a", "1"), ("b", "1")])
    assert plans(bare)[0].reason == "its labels have no scores"


@pytest.mark.parametrize("dimensions", [0, 1, 7])
def test_a_figure_has_a_panel_for_each_dimension(dimensions: int) -> None:
    assert PICTURES is not None
    found = [plan for at in range(dimensions) for plan in plans(labels(2, cases=8), f"d{at}")]
    pictures = PICTURES(SimpleNamespace(plans=found), names())
    assert [*pictures] == ["d-study"] * bool(dimensions)
    for picture in pictures.values():
        drawn = [axes for axes in picture.figure.axes if axes.lines]
        assert len(drawn) == dimensions
