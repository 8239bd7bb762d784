"""Cohen's kappa beside scikit-learn, Fleiss' kappa beside statsmodels and beside a paper."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from medassay.agreement import agree_on_units, fleiss_kappa
from medassay.judgements import Units

GOLDEN = json.loads(
    (Path(__file__).parents[1] / "golden" / "agreement.json").read_text(encoding="utf-8")
)


def units(golden: Mapping[str, object]) -> Units:
    codes, count = golden["codes"], golden["labels"]
    assert isinstance(codes, list)
    assert isinstance(count, int)
    return Units.from_codes(codes, [str(i) for i in range(count)], scale="ordinal")


@pytest.mark.parametrize("golden", GOLDEN["cohen"], ids=lambda golden: golden["name"])
@pytest.mark.parametrize("weights", ["none", "linear", "quadratic"])
def test_cohen_equals_scikit_learn(golden: dict[str, dict[str, float]], weights: str) -> None:
    (row,) = agree_on_units(units(golden), coefficient_names=[f"cohen(weights={weights})"])
    assert row.value == pytest.approx(golden["values"][weights], abs=1e-12)


@pytest.mark.parametrize("golden", GOLDEN["fleiss"], ids=lambda golden: golden["name"])
def test_fleiss_equals_statsmodels(golden: dict[str, float]) -> None:
    (row,) = agree_on_units(units(golden), coefficient_names=["fleiss"])
    assert row.value == pytest.approx(golden["value"], abs=1e-12)


def test_the_med_gpt_example_is_the_printed_444() -> None:
    codes = [[4, 4], [3, 3], [5, 4], [2, 2], [4, 5]]
    given = Units.from_codes(codes, [str(i) for i in range(6)])
    (row,) = agree_on_units(given, coefficient_names=["cohen"])
    # Observed 3/5; expected (1*1 + 1*1 + 2*2 + 1*1) / 25 = 7/25; (15 - 7) / (25 - 7) = 4/9.
    assert row.value == pytest.approx(4 / 9, abs=1e-15)


# Label counts of 8,400 judgements and mean pairwise agreement as the paper's Tables 2 and 3 print
# them, and its printed kappa. The paper's binary reading merges the middle label into yes for
# answers-question and the last into no for the others.
PAPER = [
    ("answers-question", [3824, 2634, 1942], 0.581, 0.3463, 0.347),
    ("uses-evidence", [6941, 844, 615], 0.765, 0.2212, 0.222),
    ("uses-knowledge", [2291, 5790, 319], 0.622, 0.1582, 0.159),
]
PAPER_BINARY = [
    ("answers-question", [3824 + 2634, 1942], 0.838, 0.5443, 0.545),
    ("uses-evidence", [6941, 844 + 615], 0.781, 0.2371, 0.236),
    ("uses-knowledge", [2291, 5790 + 319], 0.661, 0.1455, 0.147),
]


@pytest.mark.parametrize(("dimension", "counts", "observed", "recomputed", "printed"), PAPER)
def test_the_papers_kappas_recompute(
    dimension: str, counts: list[int], observed: float, recomputed: float, printed: float
) -> None:
    kappa = float(fleiss_kappa(observed, counts))
    assert sum(counts) == 8400, dimension
    assert round(kappa, 4) == recomputed
    assert kappa == pytest.approx(printed, abs=0.001)


@pytest.mark.parametrize(("dimension", "counts", "observed", "recomputed", "printed"), PAPER_BINARY)
def test_the_papers_binary_kappas_recompute(
    dimension: str, counts: list[int], observed: float, recomputed: float, printed: float
) -> None:
    kappa = float(fleiss_kappa(observed, counts))
    assert sum(counts) == 8400, dimension
    assert round(kappa, 4) == recomputed
    assert kappa == pytest.approx(printed, abs=0.002)
