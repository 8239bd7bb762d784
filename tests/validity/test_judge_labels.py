"""A judge on the labels that matter: against scikit-learn, by hand, and as simulated."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from judge_verdicts import DESIGNS, JUDGES, drawn, simulate
from numpy.typing import ArrayLike
from scipy.stats import beta
from tools.endurance import Endurance

from medassay.judgements import Units
from medassay.validity import control_judges, even_cut, judge_label, judge_rate

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "judge_labels.json").read_text())
NO_HARM = ["none", "mild", "severe"]


def units_of(codes: ArrayLike, labels: list[str], scores: list[float] | None = None) -> Units:
    return Units.from_codes(codes, labels, scale="ordinal", scores=scores)


@pytest.mark.parametrize("one", GOLDEN["sets"])
def test_scikit_learn_says_the_same(one: dict[str, Any]) -> None:
    units = units_of(one["codes"], ["none", "harm"])
    found = judge_label(units, units.raters[-1], "harmful", ["harm"])
    assert found.sensitivity is not None
    assert found.specificity is not None
    assert found.sensitivity.share == pytest.approx(one["sensitivity"])
    assert found.specificity.share == pytest.approx(one["specificity"])
    assert found.people_sensitivity == pytest.approx(one["people_sensitivity"])
    assert found.people_specificity == pytest.approx(one["people_specificity"])
    assert found.gap.value == pytest.approx(one["gap"])


@pytest.mark.slow
def test_either_end_of_the_difference_errs_in_one_study_of_twenty() -> None:
    design = next(one for one in DESIGNS if one.a_case > 1)
    rng = np.random.default_rng(4)
    studies, over, under = 400, 0, 0
    for _ in range(studies):
        truth, said, words = drawn(rng, design)
        calls = JUDGES["like a person"](rng, truth, design, words)
        keys = [(f"s{i % 3}", f"c{i // 3:03}") for i in range(len(said))]
        codes = np.column_stack([said, calls]).astype(np.int64)
        units = Units.from_codes(codes, ["none", "harm"], keys=keys, scale="ordinal")
        interval = judge_label(units, units.raters[-1], "harmful", ["harm"]).gap.interval
        assert interval is not None
        over, under = over + (interval.low > 0), under + (interval.high < 0)
    # 20 are due; chance alone gives 7 to 36 in all but one of a thousand.
    assert 7 <= over <= 36
    assert 7 <= under <= 36


def test_bounds_are_clopper_and_pearsons_where_answers_are_independent() -> None:
    found = judge_rate(np.array([True] * 21 + [False] * 9), list(range(30)))
    assert found is not None
    assert found.low == pytest.approx(beta.ppf(0.025, 21, 10))
    assert found.at_least(0.05) == pytest.approx(beta.ppf(0.05, 21, 10))
    assert found.at_most(0.05) == pytest.approx(beta.ppf(0.95, 22, 9))


def test_answers_of_one_case_and_unequal_chances_are_worth_less() -> None:
    hits = np.array([True] * 24 + [False] * 6)
    alone = judge_rate(hits, list(range(30)))
    # Three answers a case, all alike: ten independent ones.
    alike = judge_rate(hits, [i // 3 for i in range(30)])
    weights = np.where(np.arange(30) % 3 == 0, 8.0, 1.0)
    weighed = judge_rate(hits, list(range(30)), weights)
    assert alone is not None
    assert alike is not None
    assert weighed is not None
    assert (alone.worth, alone.share) == (30, 0.8)
    assert alike.worth < 12
    assert weighed.worth <= weights.sum() ** 2 / (weights**2).sum()
    assert alike.low < alone.low
    assert judge_rate(np.ones(30, dtype=bool), [i // 3 for i in range(30)]).worth == 10  # type: ignore[union-attr]  # there are answers


def test_harm_that_a_draw_sought_out_is_weighed_back() -> None:
    # Flagged harm, which the judge finds, was drawn with chance 1; the rest with chance .1.
    codes = [[1, 1, 1, 1]] * 30 + [[1, 1, 1, 0]] * 10 + [[0, 0, 0, 0]] * 60
    units = units_of(codes, ["none", "harm"])
    weights = {key: 1.0 if i < 30 else 10.0 for i, key in enumerate(units.keys)}
    judge = units.raters[-1]
    plain = judge_label(units, judge, "harmful", ["harm"])
    weighed = judge_label(units, judge, "harmful", ["harm"], weights=weights)
    assert plain.sensitivity is not None
    assert weighed.sensitivity is not None
    assert plain.sensitivity.share == 0.75
    assert weighed.sensitivity.share == pytest.approx(30 / 130)
    assert (plain.weighted, weighed.weighted) == (False, True)
    del weights[units.keys[0]]
    assert judge_label(units, judge, "harmful", ["harm"], weights=weights).positive == 39


def test_even_splits_and_other_models_are_in_no_number() -> None:
    codes = [[1, 0, 1, 1], [1, 1, 0, 1], [0, 0, 1, 0]]
    units = units_of(codes, ["none", "harm"])
    found = judge_label(units, units.raters[3], "harmful", ["harm"], models=[units.raters[2]])
    assert (found.positive, found.negative, found.tied) == (1, 1, 1)


def test_controls_are_made_of_what_people_and_the_judge_say() -> None:
    codes = [[2, 2, 1, 2], [1, 1, 2, 0], [1, 2, 2, 1], [2, 1, 1, 0]]
    codes += [[0, 0, 0, 0]] * 5 + [[0, 0, 1, 1]]
    units = units_of(codes, NO_HARM, [0, 1, 2])
    judge = units.raters[-1]
    words = {key: i for i, key in enumerate(reversed(units.keys), start=1)}
    made = control_judges(
        units, judge, ["mild", "severe"], rng=np.random.default_rng(2), words=words
    )
    said = {name: of.codes[:, 3].tolist() for name, of in made.items()}
    assert said["constant"] == [0] * 10
    assert sorted(said["permuted"]) == sorted(units.codes[:, 3].tolist())
    # The first answers are the longest, and the worst by people: high labels go to long answers.
    assert said["length"] == [2, 1, 1, 0, 0, 0, 0, 0, 0, 0]
    assert said["denies"] == [0] * 10
    assert sum(code > 0 for code in said["misses half"]) == 2
    assert said["misses half"][4:] == [0] * 6
    assert (made["denies"].codes[:, :3] == units.codes[:, :3]).all()
    assert "length" not in control_judges(units, judge, ["mild"], rng=np.random.default_rng(2))


def test_the_cut_is_where_people_part_most_evenly() -> None:
    codes = [[0, 0, 2], [1, 1, 2], [1, 1, 0], [2, 2, 1], [2, 2, 1], [2, 2, 0], [3, 3, 1]]
    units = units_of(codes, list("abcd"), [1, 2, 3, 4])
    assert even_cut(units, units.raters[-1]) == ("b or worse", ("a", "b"))
    turned = even_cut(units, units.raters[-1], better="lower")
    assert turned is not None
    assert turned[0] == "c or worse"
    flat = units_of([[1, 1, 0], [1, 1, 1]], list("ab"))
    assert even_cut(flat, flat.raters[-1]) is None


MISSES: list[tuple[str, float]] = [
    ("says none", 0.02),
    ("permuted", 0.02),
    ("denies harm", 0.02),
    ("half of what people find", 0.03),
    ("half of all harm", 0.03),
]
"""A judge, and the share of studies in which it may be certified at most."""


@pytest.mark.slow
@pytest.mark.endure
@pytest.mark.parametrize(("judge", "most"), MISSES)
def test_judges_that_miss_harm_get_no_certificate(
    judge: str, most: float, endurance: Endurance
) -> None:
    studies = endurance.size("studies", short=200, whole=2000)
    design = next(one for one in DESIGNS if one.called)
    before, now, _ = simulate(design, judge, studies)
    endurance.found(f"certified before {before / studies:.1%}, now {now / studies:.1%}")
    # So many would be seen once in ten thousand studies of studies at the goal itself.
    error = (most * (1 - most) / studies) ** 0.5
    assert now / studies <= most + 3.7 * error


@pytest.mark.slow
@pytest.mark.endure
def test_a_judge_like_a_person_is_certified_at_30_harmful_answers(endurance: Endurance) -> None:
    studies = endurance.size("studies", short=200, whole=2000)
    design = next(one for one in DESIGNS if one.called)
    _, now, _ = simulate(design, "like a person", studies)
    endurance.found(f"certified in {now / studies:.1%}")
    assert now / studies >= 0.8 - 3.7 * (0.16 / studies) ** 0.5
