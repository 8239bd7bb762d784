"""The strictest of many raters is named only where it stands among all of them."""

from medassay.analyses.builtin.rater_effects import severity_finding
from medassay.exhibits import Names
from medassay.stats import Interval
from medassay.validity import RaterDiagnostic


def severity(
    rater: str, effect: float, low: float, high: float, p: float | None = 0.01
) -> RaterDiagnostic:
    around = Interval(low, high, 0.95, "percentile bootstrap", "new cases")
    return RaterDiagnostic(rater, "accuracy", "severity", "", "", effect, around, 60, p=p)


def said(*effects: RaterDiagnostic) -> str:
    found = severity_finding(effects, Names())
    return found.text if found else ""


LIKE = tuple(severity(f"like-{i}", 0.01, -0.2, 0.22, p=1.0) for i in range(11))


def test_one_that_stands_alone_is_named_with_no_word_of_others() -> None:
    assert said(severity("ann", -0.30, -0.55, -0.05)) == (
        "Ann gave 0.30 points less than the others to the same answers on accuracy (95% CI 0.05 to "
        "0.55). This is stricter; it does not mean less expert."
    )


def test_one_that_only_its_own_interval_sets_apart_is_not_named() -> None:
    assert said(severity("ann", -0.30, -0.55, -0.05, p=0.06), *LIKE) == ""
    assert said(severity("ann", -0.30, -0.55, -0.05, p=None)) == ""


def test_one_whose_shown_interval_holds_none_is_not_named() -> None:
    assert said(severity("ann", -0.30, -0.62, 0.02)) == ""


def test_one_that_stands_says_among_how_many() -> None:
    far = severity("ann", 0.30, 0.20, 0.40)
    assert "(95% CI 0.20 to 0.40; the largest of 12, tested together). This is milder" in said(
        far, *LIKE
    )


def test_the_largest_need_not_be_the_one_that_stands() -> None:
    unsure = severity("bob", 0.9, 0.05, 1.75, p=0.2)
    assert said(unsure, severity("ann", -0.30, -0.40, -0.20), *LIKE).startswith("Ann")


def test_two_raters_are_one_comparison() -> None:
    near = severity("ann", -0.30, -0.55, -0.05), severity("bob", 0.30, 0.05, 0.55)
    assert said(*near).startswith("Ann gave 0.30 points less")
    assert "the largest of" not in said(*near)
