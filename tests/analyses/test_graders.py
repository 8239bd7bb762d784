"""How far graders agree with people, against the public program's own functions."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from medassay.analyses.builtin.graders import GradersReport, grader_finding, graders_of
from medassay.cases import Case, Cases
from medassay.exhibits import Names
from medassay.judgements import Units
from medassay.scores import Unit
from medassay.stats import balanced_f1, balanced_f1_difference

GOLDEN: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "golden" / "healthbench.json").read_text(encoding="utf-8")
)["meta"]
RATERS = ("dr-0", "dr-1", "dr-2", "dr-3", "dr-4", "grader")


def golden() -> tuple[Units, Cases]:
    rows = GOLDEN["rows"]
    keys = [Unit("A", row["case"], 0, f"criterion:{row['place']}") for row in rows]
    codes = [
        [1 - int(row["labels"][name]) if name in row["labels"] else -1 for name in RATERS[:-1]]
        + [1 - int(row["grader"])]
        for row in rows
    ]
    read = Units.from_codes(codes, ["met", "not met"], keys=keys, scores=[1, 0])
    read = replace(read, raters=RATERS)
    cases = Cases.of(
        Case.model_validate(
            {
                "case": case,
                "criteria": [
                    {"id": str(row["place"]), "text": f"Does {row['place']}.", "points": 1,
                     "tags": [f"category:{row['category']}"]}
                    for row in rows if row["case"] == case
                ],
            }
        )
        for case in sorted({row["case"] for row in rows})
    )  # fmt: skip
    return read, cases


def report(models: tuple[str, ...] = ("grader",)) -> GradersReport:
    read, cases = golden()
    found = graders_of(read, models, cases, {})
    assert found is not None
    return found


def test_the_grader_has_the_public_balanced_f1() -> None:
    (grader,) = report().graders
    assert grader.pooled == pytest.approx(GOLDEN["grader"])
    assert grader.by_category == pytest.approx(np.mean(list(GOLDEN["categories"].values())))
    assert grader.pairs == sum(len(row["labels"]) for row in GOLDEN["rows"])


def test_each_category_has_the_public_balanced_f1() -> None:
    found = {row.category: row.value for row in report().categories if row.rater == "grader"}
    assert found == {name: pytest.approx(value) for name, value in GOLDEN["categories"].items()}


def test_each_physician_has_the_public_balanced_f1() -> None:
    found = {row.rater: row.pooled for row in report().each_physician}
    assert found == {name: pytest.approx(value) for name, value in GOLDEN["physicians"].items()}


def test_physicians_count_each_pair_once() -> None:
    people = report().physicians
    assert people is not None
    sizes = [len(row["labels"]) for row in GOLDEN["rows"]]
    assert people.pairs == sum(n * (n - 1) // 2 for n in sizes)


def test_a_grader_alone_is_held_against_nobody() -> None:
    read, cases = golden()
    assert graders_of(read.of_raters(["grader"]), ("grader",), cases, {}) is None


def test_people_alone_are_held_against_each_other() -> None:
    read, cases = golden()
    found = graders_of(read.of_raters(RATERS[:-1]), (), cases, {})
    assert found is not None
    assert (found.graders, found.differences) == ((), ())
    assert found.physicians is not None
    assert grader_finding(found, Names()) is None


def test_the_sentence_compares_only_with_cases_enough() -> None:
    found = report()
    few = grader_finding(found, Names())
    many = replace(found, graders=(replace(found.graders[0], cases=50),))
    said = grader_finding(many, Names())
    assert few is not None
    assert said is not None
    assert "Which is higher is undecided with 30 cases" in few.text
    lead = found.differences[0].interval
    assert lead is not None
    apart = lead.low > 0 or lead.high < 0
    assert ("which is higher is undecided" in said.text) is not apart


def test_a_side_with_one_label_has_no_value() -> None:
    found = balanced_f1(np.array([[3, 1, 0, 0], [2, 2, 0, 0.0]]))
    assert (found.value, found.interval) == (None, None)
    assert "only one of the two labels" in found.undefined


def test_a_value_that_rests_on_one_case_has_no_interval() -> None:
    found = balanced_f1(np.array([[3, 1, 0, 0], [2, 2, 0, 0], [0, 0, 1, 4.0]]))
    assert found.value is not None
    assert found.interval is None
    assert "rests on one case" in found.undefined


def test_raters_who_always_agree_have_no_interval() -> None:
    found = balanced_f1(np.array([[3, 0, 0, 2], [2, 0, 0, 4.0], [1, 0, 0, 1]]))
    assert (found.value, found.interval) == (1.0, None)


def test_clusters_leave_out_whole() -> None:
    rng = np.random.default_rng(3)
    counts = rng.integers(1, 6, (12, 4)).astype(np.float64)
    twice = np.repeat(counts, 2, axis=0)
    clusters = [str(i // 2) for i in range(24)]
    one, other = balanced_f1(counts), balanced_f1(twice, clusters)
    assert one.value == pytest.approx(other.value)
    assert one.interval == other.interval


def test_a_difference_leaves_each_case_out_of_both() -> None:
    rng = np.random.default_rng(4)
    counts = rng.integers(1, 6, (12, 4)).astype(np.float64)
    found = balanced_f1_difference(counts, counts)
    assert (found.value, found.interval) == (0.0, None)
