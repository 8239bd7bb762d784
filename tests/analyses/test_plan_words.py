"""What the report says a study of its size finds."""

from unittest.mock import Mock

from medassay.analyses.builtin.plan import plan_finding


def said(values: int, labels: float) -> str:
    spread = Mock(n=values, labels=labels)
    row = Mock(now=True, detectable=0.08, source="mean")
    laid_out = Mock(source="mean", title="Quality", low=1, high=5, spread=spread)
    plan = Mock(separate=[row], spreads=[laid_out], cases=50, systems=4, power=0.8)
    finding = plan_finding(plan)
    assert finding is not None
    return finding.text


def test_what_all_cases_would_find_is_not_said_of_a_study_that_judged_some() -> None:
    assert said(600, 3.0) == (
        "50 cases detect a difference of 0.08 on Quality (80% power); half of that needs "
        "four times as many."
    )
    # 300 of 600 labels: systems lack half of the cases, and a comparison has fewer than 50.
    assert said(300, 3.0) == (
        "50 cases rated for every system detect a difference of 0.08 on Quality (80% power); "
        "here fewer answers were rated."
    )
