"""Every coefficient beside an independent tool, on real ratings with their holes."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from medassay.agreement import CaseDraws, agree_on_units, brennan_prediger_s, gwet_ac
from medassay.judgements import Units

Real = Callable[[str], Units]
GOLDEN: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "golden" / "coefficients.json").read_text(encoding="utf-8")
)
VALUES = [
    pytest.param(
        of["set"], one["coefficient"], one["value"], id=f"{of['set']}-{one['coefficient']}"
    )
    for of in GOLDEN["sets"]
    for one in of["values"]
]


def read(real_units: Real, name: str) -> Units:
    units = real_units(name)
    return units.with_labels(2) if name.endswith("judged twice") else units


@pytest.mark.parametrize(("of", "coefficient", "expected"), VALUES)
def test_equals_the_other_tool(
    real_units: Real, of: str, coefficient: str, expected: float
) -> None:
    (row,) = agree_on_units(read(real_units, of), coefficient_names=[coefficient])
    assert row.value == pytest.approx(expected, abs=1e-9)


def test_the_sets_are_those_that_the_sources_describe(real_units: Real) -> None:
    sizes = {
        name: (len(units), len(units.raters), len(units.code))
        for name in ("pubmedqa_pqal", "kqa", "openqa_nq301", "mslr_cochrane, fluency")
        for units in [real_units(name)]
    }
    assert sizes["pubmedqa_pqal"] == (1000, 2, 2000)
    assert sizes["kqa"] == (399, 3, 1197)
    assert sizes["openqa_nq301"] == (1490, 3, 1490 + 1483 + 223)
    assert sizes["mslr_cochrane, fluency"][1] == 2


# Label counts of 8,400 judgements and mean pairwise agreement as the paper's Tables 2 and 3 print
# them. Binary labels: the middle one joins yes for answers-question, the last joins no elsewhere.
PAPER = [
    ("answers-question", [3824, 2634, 1942], 0.581, 0.383, 0.372),
    ("uses-evidence", [6941, 844, 615], 0.765, 0.723, 0.648),
    ("uses-knowledge", [2291, 5790, 319], 0.622, 0.513, 0.433),
]
PAPER_BINARY = [(0.838, 0.676), (0.781, 0.562), (0.661, 0.322)]


@pytest.mark.parametrize(("dimension", "counts", "observed", "ac1", "s"), PAPER)
def test_what_the_papers_tables_give_for_ac1_and_s(
    dimension: str, counts: list[int], observed: float, ac1: float, s: float
) -> None:
    assert sum(counts) == 8400, dimension
    assert float(gwet_ac(observed, counts)) == pytest.approx(ac1, abs=0.002)
    assert float(brennan_prediger_s(observed, 3)) == pytest.approx(s, abs=0.002)


@pytest.mark.parametrize(("observed", "pabak"), PAPER_BINARY)
def test_what_the_papers_tables_give_for_binary_pabak(observed: float, pabak: float) -> None:
    # Prevalence- and bias-adjusted kappa is S with two labels: 2 x observed - 1.
    assert float(brennan_prediger_s(observed, 2)) == pytest.approx(pabak, abs=0.002)


def test_high_agreement_beside_a_low_kappa_is_flagged_and_nothing_else_is() -> None:
    # 2,800 answers of three raters with the margins of uses-evidence would agree on 76.5% of pairs
    # at a kappa of .22; here 100 answers of two raters: 90% agree, 95% of labels are yes.
    skewed = Units.from_codes([[0, 0]] * 90 + [[0, 1]] * 5 + [[1, 0]] * 5, ["yes", "no"])
    rows = {row.name.base: row for row in agree_on_units(skewed)}
    for name in ("cohen", "fleiss", "scott", "krippendorff"):
        assert "so chance alone agrees on 90% of pairs (raters on 90%)" in rows[name].notes[0]
    for name in ("gwet", "brennan_prediger", "pabak", "unanimous", "specific"):
        assert rows[name].notes == ()
    even = Units.from_codes([[0, 0]] * 45 + [[1, 1]] * 45 + [[0, 1]] * 10, ["yes", "no"])
    assert all(row.notes == () for row in agree_on_units(even))


def test_prevalence_and_bias_say_why_kappa_and_pabak_part() -> None:
    # Byrt's identity: kappa = (PABAK - PI^2 + BI^2) / (1 - PI^2 + BI^2).
    codes = [[0, 0]] * 80 + [[0, 1]] * 10 + [[1, 0]] * 3 + [[1, 1]] * 7
    rows = agree_on_units(Units.from_codes(codes, ["yes", "no"]))
    of = {row.name.base: row.value or 0.0 for row in rows}
    assert of["prevalence"] == pytest.approx(0.73)  # |80 - 7| / 100
    assert of["bias"] == pytest.approx(0.07)  # |10 - 3| / 100
    apart = of["prevalence"] ** 2 - of["bias"] ** 2
    assert of["cohen"] == pytest.approx((of["pabak"] - apart) / (1 - apart), abs=1e-12)


def test_two_way_forms_need_the_same_raters_on_all_answers(real_units: Real) -> None:
    (row,) = agree_on_units(real_units("openqa_nq301"), coefficient_names=["icc(form=2)"])
    assert row.value is None
    assert "needs the same raters on all of them; icc is ICC(1)" in str(row.reason)


def test_gwet_says_whose_label_shares_it_reads(real_units: Real) -> None:
    units = real_units("mslr_cochrane, fluency")
    published, paired = agree_on_units(units, coefficient_names=["gwet", "gwet(shares=paired)"])
    labelled = len(units.with_labels(1))
    assert published.notes == (f"label shares are those of all {labelled} answers with a label",)
    assert paired.notes == ()
    assert published.value != paired.value
    # A resample that draws every case once is the value itself.
    once = np.ones((3, len(units.with_labels(2).cases)))
    draws = CaseDraws(once, once, seed=1)
    (again,) = agree_on_units(units, coefficient_names=["gwet"], draws=draws)
    assert again.no_interval.startswith("every resample of the cases gives")


@pytest.mark.parametrize(
    ("codes", "name", "said"),
    [
        ([[0, 0], [0, 0]], "krippendorff", "only one label was given"),
        ([[0, -1]], "gwet", "no answer has labels of two raters"),
        ([[0, -1]], "brennan_prediger", "no answer has labels of two raters"),
        ([[0, 0], [1, 1]], "krippendorff(level=ordinal)", "have no order"),
        ([[0, 0], [1, 1]], "icc", "no numbers whose variance has a meaning"),
        ([[0, 0, 1]], "scott", "two raters; 3 gave labels"),
        ([[0, 0], [1, 1]], "pabak", "two labels; the scale has 3"),
        ([[0, 0], [1, 1]], "specific(label=c)", 'nobody gave "c"'),
        ([[0, 0], [1, 1]], "specific(label=d)", 'no label "d"'),
    ],
)
def test_what_is_undefined_has_a_reason(codes: list[list[int]], name: str, said: str) -> None:
    (row,) = agree_on_units(Units.from_codes(codes, ["a", "b", "c"]), coefficient_names=[name])
    assert row.value is None
    assert said in str(row.reason)


# Shrout & Fleiss (1979), Table 2: four judges rate six targets. Table 4 prints the six forms.
SHROUT_FLEISS = [
    *([9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8]),
    *([7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]),
]
FORMS = [("1", 0.17), ("2", 0.29), ("3", 0.71), ("1k", 0.44), ("2k", 0.62), ("3k", 0.91)]


@pytest.mark.parametrize(("form", "printed"), FORMS)
def test_the_six_forms_of_the_intraclass_correlation_are_those_that_were_printed(
    form: str, printed: float
) -> None:
    labels = [str(score) for score in range(1, 11)]
    units = Units.from_codes(
        np.array(SHROUT_FLEISS) - 1, labels, scale="interval", scores=range(1, 11)
    )
    name = "icc" if form == "1" else f"icc(form={form})"
    (row,) = agree_on_units(units, coefficient_names=[name])
    assert row.value == pytest.approx(printed, abs=0.005)


def test_the_mean_of_k_follows_the_same_rule_of_design(real_units: Real) -> None:
    units = real_units("openqa_nq301")
    two, one = agree_on_units(units, coefficient_names=["icc(form=2k)", "icc(form=1k)"])
    assert two.value is None
    assert "ICC(A,k) needs the same raters on all of them; icc(form=1k)" in str(two.reason)
    assert one.value is not None
