"""Who is stricter than the others is found, and raters who are only unlike each other are not."""

from collections.abc import Callable, Mapping

import numpy as np
import pytest
from numpy.typing import NDArray

from medassay.judgements import Judgements, Rubric
from medassay.stats.randomness import Seed, stream
from medassay.validity import diagnose_raters
from medassay.validity.rater_rows import RaterRows, rater_rows
from medassay.validity.strictness import strictness_p


def rubric(*dimensions: str) -> Rubric:
    labels = [{"label": str(i), "score": i} for i in range(10)]
    asked = {"question": "How good?", "scale": "interval", "labels": labels}
    return Rubric.model_validate(
        {"name": "ten", "dimensions": [{"id": name, **asked} for name in dimensions]}
    )


def given(scores: Mapping[str, NDArray[np.float64]], dimension: str = "one") -> Judgements:
    """Lay out what each rater gave each answer, shape (cases, systems); NaN where not read."""
    rows = [
        {
            "rater": rater, "system": f"s{system}", "case": f"c{case:03}",
            "dimension": dimension, "label": str(int(np.clip(np.rint(of[case, system]), 0, 9))),
        }
        for rater, of in scores.items()
        for case, system in np.argwhere(~np.isnan(of)).tolist()
    ]  # fmt: skip
    return Judgements.from_rows(rows, rubric(dimension))


def rows_of(scores: Mapping[str, NDArray[np.float64]]) -> dict[str, RaterRows]:
    rows = rater_rows(given(scores), "one")
    assert rows is not None
    return {"one": rows}


def rare(rng: np.random.Generator) -> dict[str, NDArray[np.float64]]:
    """Three alike raters of 40 cases and 4 systems, 8% of the answers unsafe."""
    unsafe = rng.random((40, 4)) < 0.08
    return {
        name: (rng.random((40, 4)) < np.where(unsafe, 0.85, 0.02)).astype(np.float64)
        for name in ("ann", "ben", "eve")
    }


def leaning_by_case(rng: np.random.Generator) -> dict[str, NDArray[np.float64]]:
    """Three raters who each lean a case's way in all its answers."""
    return {
        name: 5 + 2 * rng.normal(size=(20, 1)) + rng.normal(size=(20, 6))
        for name in ("ann", "ben", "eve")
    }


def wide(rng: np.random.Generator) -> dict[str, NDArray[np.float64]]:
    """Three raters, the first spreading three times as much."""
    spreads = {"ann": 3.0, "ben": 1.0, "eve": 1.0}
    return {name: 5 + spread * rng.normal(size=(30, 2)) for name, spread in spreads.items()}


@pytest.mark.slow
@pytest.mark.parametrize("draw", [rare, leaning_by_case, wide])
def test_raters_who_are_as_strict_as_one_another_seldom_stand_apart(
    draw: Callable[[np.random.Generator], dict[str, NDArray[np.float64]]],
) -> None:
    rng = np.random.default_rng(5)
    studies = 200
    told = sum(
        min(strictness_p(rows_of(draw(rng)), rng=rng, permutations=199).values()) <= 0.05
        for _ in range(studies)
    )
    assert told / studies <= 0.05 + 2.5 * (0.05 * 0.95 / studies) ** 0.5


def test_answers_of_a_cluster_swap_together() -> None:
    rng = np.random.default_rng(7)
    clusters = {f"c{case:03}": str(case % 8) for case in range(64)}
    told = {"apart": 0, "together": 0}
    for _ in range(60):
        leaning = {name: rng.normal(size=8) for name in ("ann", "ben", "eve")}
        scores = {
            name: 5 + np.tile(of, 8)[:, None] + 0.5 * rng.normal(size=(64, 1))
            for name, of in leaning.items()
        }
        rows = rows_of(scores)
        for name, known in (("apart", None), ("together", clusters)):
            p = strictness_p(rows, rng=rng, clusters=known, permutations=199)
            told[name] += min(p.values()) <= 0.05
    assert told["apart"] > 20
    assert told["together"] <= 8


def test_who_is_stricter_is_found_where_two_of_four_read_an_answer() -> None:
    rng = np.random.default_rng(2)
    scores = {name: 5 + rng.normal(size=(40, 3)) for name in ("ann", "ben", "eve", "joe")}
    scores["joe"] -= 1
    read = rng.random((4, 40, 3)).argsort(axis=0).argsort(axis=0) < 2
    for of, own in zip(scores.values(), read, strict=True):
        of[~own] = np.nan
    p = strictness_p(rows_of(scores), rng=rng)
    assert p["one", "joe"] < 0.01
    assert min(p, key=lambda key: p[key]) == ("one", "joe")


def test_gaps_that_are_all_alike_are_no_luck_and_none_are_no_gap() -> None:
    same = 3.0 + np.arange(40.0)[:, None] % 4
    p = strictness_p(rows_of({"ann": same, "ben": same, "eve": same - 1}), rng=1)
    assert p["one", "eve"] <= 0.001
    assert set(strictness_p(rows_of({"ann": same, "ben": same}), rng=1).values()) == {1.0}


def test_what_raters_are_called_changes_no_number() -> None:
    scores = rare(np.random.default_rng(3))
    called = {"r-9": "ann", "r-1": "ben", "r-5": "eve"}
    whole = strictness_p(rows_of(scores), rng=stream(Seed(1, {}), "s00"))
    hidden = strictness_p(
        rows_of({name: scores[rater] for name, rater in called.items()}),
        rng=stream(Seed(1, called), "s00"),
    )
    assert {called[rater]: p for (_, rater), p in hidden.items()} == {
        rater: p for (_, rater), p in whole.items()
    }


def test_a_rater_with_few_labels_or_one_case_is_not_tested() -> None:
    scores = rare(np.random.default_rng(3))
    scores["joe"] = np.full((40, 4), np.nan)
    scores["joe"][0] = 1
    scores["pat"] = np.full((40, 4), np.nan)
    scores["pat"][:4, 0] = 1
    assert {rater for _, rater in strictness_p(rows_of(scores), rng=1)} == {"ann", "ben", "eve"}


def test_a_severity_has_its_p_and_no_other_effect_has() -> None:
    effects = diagnose_raters(given(rare(np.random.default_rng(3))), rng=1, fits=(), replicates=100)
    assert {effect.kind for effect in effects if effect.p is not None} == {"severity"}
    assert len([effect for effect in effects if effect.p is not None]) == 3
