"""The strictest of many raters is named only where it stands among all of them."""

import numpy as np
import pytest

from medassay.analyses.builtin.rater_effects.words import severity_finding
from medassay.exhibits import Names
from medassay.stats import Interval
from medassay.validity import RaterDiagnostic


def severity(rater: str, effect: float, low: float, high: float, n: int = 60) -> RaterDiagnostic:
    around = Interval(low, high, 0.95, "percentile bootstrap", "new cases")
    return RaterDiagnostic(rater, "accuracy", "severity", "", "", effect, around, n)


def said(*effects: RaterDiagnostic) -> str:
    names = Names()
    names.cases = 30
    found = severity_finding(effects, names)
    return found.text if found else ""


LIKE = tuple(severity(f"like-{i}", 0.01, -0.2, 0.22) for i in range(11))


def test_one_that_only_its_own_interval_sets_apart_is_named_alone_and_not_among_twelve() -> None:
    near = severity("ann", -0.30, -0.55, -0.05)
    assert said(near) == (
        "Ann gave 0.30 points less than the others on the same answers on accuracy (0.05 to "
        "0.55): stricter, which is no lack of knowledge."
    )
    assert said(near, *LIKE) == ""


def test_one_that_stands_says_among_how_many() -> None:
    far = severity("ann", 0.30, 0.20, 0.40)
    assert "(0.20 to 0.40; the largest of 12, after Holm's correction): milder" in said(far, *LIKE)


def test_the_largest_need_not_be_the_one_that_stands() -> None:
    unsure = severity("bob", 0.9, 0.05, 1.75)
    assert said(unsure, severity("ann", -0.30, -0.40, -0.20), *LIKE).startswith("Ann")


def test_few_answers_count_less() -> None:
    lean = 0.30, 0.08, 0.52
    assert said(severity("ann", *lean, n=60))
    assert not said(severity("ann", *lean, n=4))


def test_two_raters_are_one_comparison() -> None:
    near = severity("ann", -0.30, -0.55, -0.05), severity("bob", 0.30, 0.05, 0.55)
    assert said(*near).startswith("Ann gave 0.30 points less")
    assert "the largest of" not in said(*near)


@pytest.mark.parametrize("raters", [1, 12])
def test_equal_raters_are_seldom_told_apart(raters: int) -> None:
    rng = np.random.default_rng(3)
    told = 0
    for _ in range(300):
        gaps = rng.normal(size=(raters, 20))
        effects, errors = gaps.mean(axis=1), gaps.std(axis=1, ddof=1) / 20**0.5
        told += bool(
            said(
                *(
                    severity(f"r{i}", value, value - 1.96 * error, value + 1.96 * error, n=20)
                    for i, (value, error) in enumerate(zip(effects, errors, strict=True))
                )
            )
        )
    # An interval alone is left by one of twelve in half of such studies; three errors of .05.
    assert told / 300 <= 0.05 + 3 * (0.05 * 0.95 / 300) ** 0.5
