"""What k answers do together, against every subset and HumanEval's own function."""

import json
from pathlib import Path
from typing import Any

import pytest

from medassay.errors import InvalidInput
from medassay.stats import pass_all_k, pass_any_k, worst_at_k
from medassay.validity import repeated_samples, sizes_told

GOLDEN: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "golden" / "repeated.json").read_text(encoding="utf-8")
)


def test_passes_are_those_of_all_subsets() -> None:
    for row in GOLDEN["passes"]:
        n, c, k = row["n"], row["c"], row["k"]
        assert pass_all_k(c, n, k) == pytest.approx(row["all"])
        assert pass_any_k(c, n, k) == pytest.approx(row["any"])
        assert pass_any_k(c, n, k) == pytest.approx(row["humaneval"])


def test_the_worst_is_that_of_all_subsets() -> None:
    for row in GOLDEN["graded"]:
        assert worst_at_k(row["scores"], row["k"]) == pytest.approx(row["worst"])


def test_it_is_no_power_of_a_share() -> None:
    assert pass_all_k(2, 4, 2) == pytest.approx(1 / 6)  # and not .5 squared


@pytest.mark.parametrize(("passed", "samples", "k"), [(1, 3, 4), (1, 3, 0), (4, 3, 1), (-1, 3, 1)])
def test_more_than_there_are_is_refused(passed: int, samples: int, k: int) -> None:
    for of in (pass_all_k, pass_any_k):
        with pytest.raises(InvalidInput, match="samples"):
            of(passed, samples, k)


def test_where_all_pass_the_interval_is_exact() -> None:
    samples = {str(case): [1.0, 1.0, 1.0] for case in range(20)}
    found = repeated_samples("A", "right", samples, "all pass", 3, rng=1, ends=(0, 1))
    assert found.value == 1
    assert found.interval is not None
    assert found.interval.low == pytest.approx(0.025 ** (1 / 20))
    assert found.interval.high == 1
    none = {case: [0.0, 0.0, 0.0] for case in samples}
    found = repeated_samples("A", "right", none, "one passes", 3, rng=1, ends=(0, 1))
    assert found.interval is not None
    assert (found.value, found.interval.low) == (0, 0)
    assert found.interval.high == pytest.approx(1 - 0.025 ** (1 / 20))


def test_cases_with_too_few_answers_are_counted() -> None:
    samples = {"1": [1.0, 0.0, 1.0], "2": [1.0, 1.0], "3": []}
    found = repeated_samples("A", "right", samples, "all pass", 3, rng=1)
    assert (found.cases, found.left_out, found.value) == (1, 1, 0.0)
    assert found.reason == "needs two cases, or clusters of cases"
    none = repeated_samples("A", "right", samples, "all pass", 4, rng=1)
    assert (none.value, none.reason) == (None, "no case has 4 scored answers")


def test_the_worst_is_the_highest_where_lower_is_better() -> None:
    samples = {"1": [0.0, 4.0], "2": [1.0, 2.0], "3": [0.0, 0.0]}
    found = repeated_samples("A", "errors", samples, "worst", 2, rng=1, lower=True)
    assert found.value == pytest.approx(2.0)


def test_equal_cases_in_the_middle_of_a_scale_have_no_interval_of_no_width() -> None:
    samples = {str(case): [3.0, 3.0] for case in range(8)}
    found = repeated_samples("A", "grade", samples, "worst", 2, rng=1, ends=(1, 5))
    assert (found.value, found.interval) == (3.0, None)
    assert found.reason == "all cases have the same value"


def test_whole_clusters_are_drawn() -> None:
    samples = {f"{case:02}": [float(case < 10)] * 2 for case in range(20)}
    clusters = {f"{case:02}": str(case // 10) for case in range(20)}
    alone = repeated_samples("A", "right", samples, "all pass", 2, rng=1, ends=(0, 1))
    whole = repeated_samples(
        "A", "right", samples, "all pass", 2, rng=1, ends=(0, 1), clusters=clusters
    )
    assert alone.interval is not None
    assert whole.interval is not None
    assert whole.interval.high - whole.interval.low > alone.interval.high - alone.interval.low


def test_no_k_is_told_beyond_what_most_cases_have() -> None:
    assert sizes_told([]) == []
    assert sizes_told([4, 4, 4, 9]) == [1, 2, 3, 4]
