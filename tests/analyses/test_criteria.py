"""Scores by criteria, against the public scorer's own functions and sums made by hand."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from medassay.analyses.builtin.criteria import (
    ENOUGH,
    CriteriaScore,
    against_of,
    items_of,
    rater_disputes,
    scores_of,
    worst_of,
)
from medassay.cases import Case, Cases
from medassay.consensus import of_whole_answers
from medassay.judgements import Units
from medassay.scores import Score, ScoreTable, Unit

GOLDEN: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "golden" / "healthbench.json").read_text(encoding="utf-8")
)


def golden_cases() -> Cases:
    return Cases.of(
        Case.model_validate(
            {
                "case": example["case"],
                "tags": {"theme": example["theme"]},
                "criteria": [
                    {"id": str(n), "text": f"Does {n}.", **item}
                    for n, item in enumerate(example["items"])
                ],
            }
        )
        for example in GOLDEN["examples"]
    )


def golden_parts(samples: int) -> tuple[ScoreTable, pl.DataFrame]:
    table = ScoreTable.from_units(
        (Unit("A", example["case"], sample, f"criterion:{n}"), "met", Score(float(met)))
        for example in GOLDEN["examples"]
        for sample in range(samples)
        for n, met in enumerate(example["met"][sample])
    )
    return table, table.frame


def scores(samples: int = 1) -> dict[tuple[str, str], CriteriaScore]:
    _, parts = golden_parts(samples)
    found = scores_of(parts, golden_cases(), ["A"], {})
    return {(score.over, score.group): score for score in found}


def test_each_answer_has_the_public_score() -> None:
    table, _ = golden_parts(4)
    whole = of_whole_answers(table, "met", "criterion", golden_cases()).frame
    ours = {
        (case, sample): value
        for case, sample, about, value in whole.select("case", "sample", "about", "value").rows()
        if not about
    }
    for case, values in GOLDEN["scores"].items():
        for sample, value in enumerate(values):
            assert ours[case, sample] == (None if value is None else pytest.approx(value))


def test_means_are_clipped_after_averaging_as_the_public_ones_are() -> None:
    found = scores()
    assert found["all", ""].mean == pytest.approx(GOLDEN["overall"])
    for theme, mean in GOLDEN["themes"].items():
        assert found["tag", theme].mean == pytest.approx(mean)
    for axis, mean in GOLDEN["axes"].items():
        assert found["axis", axis].mean == pytest.approx(mean)
    assert any(value < 0 for values in GOLDEN["scores"].values() for value in values if value)


def test_bounds_have_the_same_last_bit_each_time() -> None:
    points = [3, 7, 5]
    items = [{"id": str(i), "text": f"Does {i}.", "points": n} for i, n in enumerate(points)]
    cases = Cases.of(
        [Case.model_validate({"case": f"c{n:02}", "criteria": items}) for n in range(60)]
    )
    met = np.random.default_rng(1).integers(0, 2, size=(60, 3))
    parts = ScoreTable.from_units(
        (Unit("A", f"c{n:02}", 0, f"criterion:{i}"), "met", Score(float(met[n, i])))
        for n in range(60)
        for i in range(3)
    ).frame
    assert len({str(scores_of(parts, cases, ["A"], {})[0].low) for _ in range(20)}) == 1


def test_the_worst_of_k_is_that_of_all_subsets() -> None:
    _, parts = golden_parts(4)
    found = {row.k: row.mean for row in worst_of(parts, golden_cases(), ["A"])}
    assert found == {int(k): pytest.approx(mean) for k, mean in GOLDEN["worst"].items()}


def test_one_answer_a_case_has_no_worst() -> None:
    _, parts = golden_parts(1)
    assert list(worst_of(parts, golden_cases(), ["A"])) == []


def test_a_criterion_without_a_label_leaves_bounds() -> None:
    table, parts = golden_parts(1)
    lost = parts.filter(~((pl.col("case") == "c00") & (pl.col("about") == "criterion:0")))
    found = scores_of(lost, golden_cases(), ["A"], {})[0]
    whole = scores()["all", ""]
    assert (found.missing, found.cases) == (1, whole.cases - 1)
    assert found.low is not None
    assert found.high is not None
    assert whole.mean is not None
    assert found.low <= whole.mean + 1e-12
    assert whole.mean <= found.high + 1e-12
    assert found.low < found.high
    assert len(table) == parts.height


def made(answers: int, seed: int = 1) -> tuple[pl.DataFrame, Cases]:
    """Give answers of which better ones meet all criteria more often, save the last."""
    rng = np.random.default_rng(seed)
    ability = rng.normal(size=answers)
    sound = rng.random((answers, 8)) < 1 / (1 + np.exp(-2 * ability[:, None]))
    reversed_ = rng.random(answers) < 1 / (1 + np.exp(2.5 * ability))
    met = np.column_stack([sound, reversed_, np.zeros(answers), np.ones(answers)])
    cases = Cases.of([
        Case.model_validate({
            "case": "1",
            "criteria": [{"id": str(i), "text": f"Does {i}.", "points": 3} for i in range(11)],
        })
    ])  # fmt: skip
    parts = ScoreTable.from_units(
        (Unit(f"s{a:03}", "1", 0, f"criterion:{i}"), "met", Score(float(met[a, i])))
        for a in range(answers)
        for i in range(11)
    ).frame
    return parts, cases


def test_criteria_that_tell_answers_apart_badly_are_found() -> None:
    items, counts, n = items_of(*made(120), {})
    assert n == 11
    by_problem = {item.problem: item.criterion for item in items}
    assert by_problem == {
        "met by worse answers": "Does 8.", "never met": "Does 9.", "always met": "Does 10.",
    }  # fmt: skip
    assert counts["raters differ"] == 0


def test_nothing_is_said_of_discrimination_under_thirty_systems() -> None:
    items, _, _ = items_of(*made(ENOUGH - 1), {})
    assert {item.problem for item in items} == {"never met", "always met"}
    assert {item.discrimination for item in items} == {None}
    assert {item.correlation for item in items} == {None}


def test_answers_of_one_system_do_not_count_as_so_many() -> None:
    """Twelve answers each of ten systems blamed sound criteria in every study (design/)."""
    parts, cases = made(120)
    names = {f"s{a:03}": (f"s{a % 10}", a // 10) for a in range(120)}
    rows = [
        {**row, "system": names[row["system"]][0], "sample": names[row["system"]][1]}
        for row in parts.iter_rows(named=True)
    ]
    items, _, _ = items_of(pl.DataFrame(rows, schema=parts.schema), cases, {})
    assert {item.problem for item in items} == {"never met", "always met"}
    assert {(item.answers, item.systems, item.correlation) for item in items} == {(120, 10, None)}


def test_sound_criteria_are_seldom_blamed() -> None:
    blamed = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        ability = rng.normal(size=40)
        met = rng.random((40, 10)) < 1 / (1 + np.exp(-ability[:, None]))
        cases = Cases.of([
            Case.model_validate({
                "case": "1",
                "criteria": [{"id": str(i), "text": f"{i}", "points": 3} for i in range(10)],
            })
        ])  # fmt: skip
        parts = ScoreTable.from_units(
            (Unit(f"s{a:03}", "1", 0, f"criterion:{i}"), "met", Score(float(met[a, i])))
            for a in range(40)
            for i in range(10)
        ).frame
        blamed += items_of(parts, cases, {})[1]["met by worse answers"]
    assert blamed <= 4  # of 400 sound criteria


def test_raters_who_differ_are_counted_by_pairs() -> None:
    keys = [Unit("A", "1", 0, "criterion:a"), Unit("B", "1", 0, "criterion:a")]
    read = Units.from_codes([[0, 1, 1], [1, 1, 1]], ["met", "not met"], keys=keys)
    assert rater_disputes(read) == {("1", "criterion:a"): pytest.approx(2 / 6)}


def test_what_no_answer_should_do_is_counted_by_case() -> None:
    cases = Cases.of(
        Case.model_validate(
            {
                "case": name,
                "criteria": [
                    {"id": "a", "text": "Does well.", "points": 4},
                    {"id": "b", "text": "Does harm.", "points": -2},
                    {"id": "c", "text": "Does worse.", "points": -8},
                ],
            }
        )
        for name in ("1", "2", "3")
    )
    parts = ScoreTable.from_units(
        (Unit("A", case, 0, f"criterion:{name}"), "met", Score(value))
        for case, values in {"1": (1, 1, 1), "2": (1, 0.5, 0), "3": (0, 0, 0)}.items()
        for name, value in zip("abc", map(float, values), strict=True)
    ).frame
    (found,) = against_of(parts, cases, ["A"], {})
    assert (found.met, found.cases) == (1, 3)
    assert found.criteria == ("Does worse.", "Does harm.")
    assert found.interval is not None
    assert found.interval.high < 1


def test_without_points_below_0_nothing_is_counted() -> None:
    _, parts = golden_parts(1)
    none = Cases.of([Case.model_validate({"case": "c00", "criteria": [
        {"id": "0", "text": "Does.", "points": 3}]})])  # fmt: skip
    assert list(against_of(parts, none, ["A"], {})) == []
