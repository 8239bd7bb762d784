"""The score of an answer from its criteria, against sums made by hand."""

from itertools import product

import pytest

from medassay.cases import Case, Cases
from medassay.consensus import of_whole_answers
from medassay.scores import Reason, Score, ScoreTable, Unit, Unscored

POINTS = {"a": 5.0, "b": 3.0, "c": -4.0}
CASES = Cases.of(
    [
        Case.model_validate(
            {"case": "1", "criteria": [
                {"id": name, "text": f"Does {name}.", "points": points}
                for name, points in POINTS.items()
            ]}
        ),
        Case.model_validate(
            {"case": "2", "criteria": [{"id": "a", "text": "Harms.", "points": -1}]}
        ),
    ]
)  # fmt: skip
Found = dict[tuple[str, str, int], tuple[float | None, str | None, str | None]]


def whole(rows: list[tuple[Unit, Score | Unscored]]) -> Found:
    table = ScoreTable.from_units((unit, "met", score) for unit, score in rows)
    made = of_whole_answers(table, "met", "criterion", CASES).frame
    return {
        (system, case, sample): (value, reason, detail)
        for system, case, sample, about, value, reason, detail in made.select(
            "system", "case", "sample", "about", "value", "reason", "detail"
        ).iter_rows()
        if not about
    }


def judged(
    met: dict[str, float | None], case: str = "1", sample: int = 0
) -> list[tuple[Unit, Score | Unscored]]:
    return [
        (
            Unit("A", case, sample, f"criterion:{name}"),
            Unscored(Reason.NO_LABEL) if value is None else Score(value),
        )
        for name, value in met.items()
    ]


@pytest.mark.parametrize("met", list(product((0.0, 1.0), repeat=3)))
def test_points_met_by_the_points_there_are(met: tuple[float, ...]) -> None:
    by_hand = (5 * met[0] + 3 * met[1] - 4 * met[2]) / 8
    found = whole(judged(dict(zip("abc", met, strict=True))))
    assert found["A", "1", 0][0] == pytest.approx(by_hand)


@pytest.mark.parametrize("missing", ["unlabelled", "absent"])
def test_a_criterion_without_a_label_gives_bounds_and_no_score(missing: str) -> None:
    met: dict[str, float | None] = {"a": 1.0, "b": 0.0}
    if missing == "unlabelled":
        met["c"] = None
    assert whole(judged(met))["A", "1", 0] == (
        None,
        "no_label",
        "1 of 3 criteria have no label: the score lies between 0.125 and 0.625",
    )


def test_a_case_without_positive_points_has_no_score() -> None:
    found = whole(judged({"a": 1.0}, "2"))
    assert found["A", "2", 0][:2] == (None, "case_lacks")


def test_samples_are_answers_of_their_own() -> None:
    found = whole([
        *judged({"a": 1, "b": 1, "c": 0}), *judged({"a": 0, "b": 0, "c": 1}, sample=1),
    ])  # fmt: skip
    assert (found["A", "1", 0][0], found["A", "1", 1][0]) == (1.0, -0.5)


def test_an_answer_that_nobody_judged_keeps_its_reason() -> None:
    never = [(Unit("B", "1"), Unscored(Reason.NEVER_ANSWERED))]
    found = whole([*judged({"a": 1, "b": 1, "c": 0}), *never])
    assert found["B", "1", 0][1] == "never_answered"
    assert found["A", "1", 0][0] == 1.0


def test_statements_give_their_mean_and_spans_give_none() -> None:
    rows = [(Unit("A", "1", 0, f"statement:{i}"), Score(float(i % 2))) for i in range(1, 5)]
    table = ScoreTable.from_units((unit, "met", score) for unit, score in rows)
    assert (
        of_whole_answers(table, "met", "statement", CASES).grid("met", ["A"], ["1"]).values == 0.5
    )
    spans = ScoreTable.from_units([(Unit("A", "1", 0, "span:0-4"), "met", Score(1.0))])
    assert not of_whole_answers(spans, "met", "span", CASES).grid("met", ["A"], ["1"]).known.any()
