import re

import numpy as np
import pytest

from medassay.agreement import (
    Agreement,
    Coefficient,
    agree,
    agree_on_preferences,
    agree_on_units,
    coefficients,
    draw_cases,
    find_coefficient,
)
from medassay.agreement.coefficient import Prepared
from medassay.errors import InvalidInput, UnknownName
from medassay.judgements import Judgements, Preferences, Units, load_rubric
from medassay.scores import Name

LABELS = ("a", "b", "c")


def panel(raters: int = 2, cases: int = 12, phase: str = "main") -> Judgements:
    rng = np.random.default_rng(4)
    rows: list[dict[str, object]] = [
        {
            "rater": f"r{rater}",
            "system": system,
            "case": f"{case:02}",
            "dimension": "uses-evidence",
            "label": ("Yes", "No", "Refutes")[min(2, rng.poisson(0.3 + 0.5 * (case % 3)))],
            "phase": phase,
        }
        for case in range(cases)
        for system in "AB"
        for rater in range(raters)
    ]
    return Judgements.from_rows(rows, load_rubric("archehr"))


def one(codes: list[list[int]], name: str, labels: tuple[str, ...] = ("no", "yes")) -> Agreement:
    (row,) = agree_on_units(Units.from_codes(codes, labels), coefficient_names=[name])
    return row


# Those that medassay came with: whoever adds one need not come here.
OF_TWO_RATERS = {
    "bias",
    "brennan_prediger",
    "cohen",
    "commonest",
    "fleiss",
    "gwet",
    "icc",
    "krippendorff",
    "mean_cohen",
    "mean_pairwise",
    "pabak",
    "prevalence",
    "scott",
    "specific",
    "unanimous",
}


def test_two_raters_get_every_coefficient_that_fits_them() -> None:
    rows = [row for row in agree(panel()) if row.name.base in OF_TWO_RATERS]
    assert [str(row.name) for row in rows if row.mapping == "full"] == [
        "brennan_prediger(dimension=uses-evidence)",
        "brennan_prediger(dimension=uses-evidence,weights=linear)",
        "brennan_prediger(dimension=uses-evidence,weights=quadratic)",
        "cohen(dimension=uses-evidence)",
        "cohen(dimension=uses-evidence,weights=linear)",
        "cohen(dimension=uses-evidence,weights=quadratic)",
        "commonest(dimension=uses-evidence)",
        "fleiss(dimension=uses-evidence)",
        "gwet(dimension=uses-evidence)",
        "gwet(dimension=uses-evidence,weights=linear)",
        "gwet(dimension=uses-evidence,weights=quadratic)",
        "icc(dimension=uses-evidence)",
        "icc(dimension=uses-evidence,form=2)",
        "icc(dimension=uses-evidence,form=3)",
        "icc(dimension=uses-evidence,form=1k)",
        "icc(dimension=uses-evidence,form=2k)",
        "icc(dimension=uses-evidence,form=3k)",
        "krippendorff(dimension=uses-evidence)",
        "krippendorff(dimension=uses-evidence,level=ordinal)",
        "mean_pairwise(dimension=uses-evidence)",
        "scott(dimension=uses-evidence)",
        "specific(dimension=uses-evidence,label=Yes)",
        "specific(dimension=uses-evidence,label=No)",
        "specific(dimension=uses-evidence,label=Refutes)",
        "unanimous(dimension=uses-evidence)",
    ]
    harmful = [row.coefficient for row in rows if row.mapping == "harmful"]
    assert harmful == [
        *("bias", "brennan_prediger", "cohen", "commonest", "fleiss", "gwet", "krippendorff"),
        "mean_pairwise",
        *("pabak", "prevalence", "scott", "specific(label=harmful)"),
        *("specific(label=not harmful)", "unanimous"),
    ]
    assert {row.mapping for row in rows} == {"full", "published", "harmful"}
    sizes = {(row.n_units, row.n_cases, row.n_raters) for row in rows}
    assert sizes == {(24, 12, 2)}
    assert {row.n_pairs for row in rows if row.name.base != "specific"} == {24}


def test_three_raters_get_the_mean_over_pairs_instead_of_cohen() -> None:
    names = {row.coefficient for row in agree(panel(raters=3))}
    assert "cohen" not in names
    assert {"mean_cohen", "mean_cohen(weights=linear)", "fleiss"} <= names


def test_intervals_hold_the_value_and_follow_from_the_seed() -> None:
    first = agree(panel(), rng=np.random.default_rng(7), replicates=400)
    again = agree(panel(), rng=np.random.default_rng(7), replicates=400)
    assert first == again
    for row in first:
        assert row.interval is not None
        assert row.value is not None
        assert row.interval.low <= row.value <= row.interval.high
        assert row.interval.estimand == "these raters and systems, new cases"


def test_the_choice_of_coefficients_moves_no_interval() -> None:
    everything = {row.name: row for row in agree(panel(), rng=np.random.default_rng(7))}
    (alone, *_) = agree(panel(), coefficient_names=["fleiss"], rng=np.random.default_rng(7))
    assert everything[alone.name] == alone


@pytest.mark.parametrize(
    ("name", "raters"),
    [
        *(("unanimous", 3), ("mean_pairwise", 3), ("mean_cohen", 3), ("cohen", 2), ("fleiss", 2)),
        *(
            ("krippendorff", 3),
            ("krippendorff(level=ordinal)", 4),
            ("krippendorff(level=interval)", 3),
        ),
        *(("gwet(shares=paired)", 3), ("gwet(weights=linear,shares=paired)", 3)),
        *(("brennan_prediger", 4), ("scott", 2), ("specific(label=b)", 3), ("icc", 4)),
    ],
)
def test_resampling_cases_is_what_computing_each_resample_anew_gives(
    name: str, raters: int
) -> None:
    rng = np.random.default_rng(3)
    codes = rng.integers(-1, 3, size=(12, raters))
    keys = [("AB"[i % 2], str(i // 2)) for i in range(12)]
    found, canonical = find_coefficient(name)
    units = Units.from_codes(codes, LABELS, keys=keys, scale="interval", scores=[0, 1, 3])
    prepared = found.prepare(units, **dict(canonical.arguments))
    assert isinstance(prepared, Prepared)
    used = prepared.used
    if prepared.value is not None:
        assert prepared.at(np.ones((1, len(used.cases))))[0] == pytest.approx(prepared.value)
    weights = rng.integers(0, 3, size=(20, len(used.cases)))
    values = prepared.at(weights.astype(np.float64))
    for drawn, value in zip(weights, values, strict=True):
        copies = [
            (used.codes[i], (system, f"{case}-{copy}"))
            for i, (system, case, *_) in enumerate(used.keys)
            for copy in range(drawn[used.cases.index(case)])
        ]
        table, names = zip(*copies, strict=True)
        anew = Units.from_codes(
            np.array(table), LABELS, keys=names, scale="interval", scores=[0, 1, 3]
        )
        (row,) = agree_on_units(anew, coefficient_names=[name])
        assert row.value is not None
        assert value == pytest.approx(row.value, abs=1e-12)


@pytest.mark.parametrize(
    ("codes", "name", "said"),
    [
        ([[0, -1], [1, -1]], "unanimous", "no answer has labels of two raters"),
        ([[0, -1], [1, -1]], "fleiss", "no answer has labels of two raters"),
        ([[0, 0], [0, 0]], "fleiss", "only one label was given"),
        ([[0, 0], [0, 0]], "cohen", "only one label was given"),
        ([[0, 0], [0, 1]], "fleiss(raters=3)", "no answer has exactly 3 labels"),
        ([[0, 0, 1]], "cohen", "two raters; 3 gave labels"),
        ([[0, 0], [0, 1]], "cohen(weights=linear)", "no order to weigh by"),
        ([[0, 0], [0, 1]], "mean_cohen", "mean over pairs of raters; 2 gave labels"),
        (
            [[0, 0, 0], [0, 0, 0]],
            "mean_cohen",
            "no pair of raters shares answers on which they use two",
        ),
    ],
)
def test_what_is_undefined_has_a_reason(codes: list[list[int]], name: str, said: str) -> None:
    row = one(codes, name)
    assert row.value is None
    assert row.reason is not None
    assert re.search(said, str(row.reason))


def test_fleiss_can_be_asked_for_the_answers_with_three_labels() -> None:
    # Two answers with three labels: pairs agree 1/3 and 3/3, so P = 2/3; labels 5 no, 1 yes, so
    # Pe = 25/36 + 1/36 = 26/36; kappa = (24/36 - 26/36) / (10/36) = -0.2. The third is left out.
    row = one([[0, 1, 0], [0, 0, 0], [1, 0, -1]], "fleiss(raters=3)")
    assert row.value == pytest.approx(-0.2)
    assert row.n_units == 2


def test_agreement_on_every_case_has_no_interval_and_says_why() -> None:
    units = Units.from_codes([[0, 0], [1, 1], [1, 1]], ["no", "perhaps", "yes"])
    draws = draw_cases(units, np.random.default_rng(1), 5)
    (row,) = agree_on_units(units, coefficient_names=["unanimous"], draws=draws)
    assert (row.value, row.interval) == (1.0, None)
    assert row.no_interval == "every resample of the cases gives 1: nothing to resample"
    single = units.keep(np.array([True, False, False]))
    draws = draw_cases(single, np.random.default_rng(1), 5)
    (row,) = agree_on_units(single, coefficient_names=["unanimous"], draws=draws)
    assert row.no_interval == "one case only: nothing to resample"


def test_a_subset_of_cases_says_its_own_numbers() -> None:
    row = agree(panel(), cases=["00", "01", "02"], coefficient_names=["unanimous"])[0]
    assert (row.n_units, row.n_cases) == (6, 3)


def test_adjudication_is_never_read() -> None:
    with pytest.raises(InvalidInput, match="leave adjudication out"):
        agree(panel(), phases=("main", "adjudication"))
    rows = agree(panel(phase="adjudication"), coefficient_names=["unanimous"])
    assert [row.value for row in rows] == [None, None, None]
    with pytest.raises(InvalidInput, match="leave adjudication out"):
        agree_on_preferences(Preferences.from_rows([]), phases=("adjudication",))


def test_pairs_of_answers_compared_twice_have_plain_agreement() -> None:
    said = [
        ("r1", "1", "a"),
        ("r2", "1", "a"),
        ("r1", "2", "a"),
        ("r2", "2", "tie"),
        ("r1", "3", "b"),
    ]
    preferences = Preferences.from_rows(
        {"rater": r, "case": case, "system_a": "A", "system_b": "B", "choice": choice}
        for r, case, choice in said
    )
    rows = agree_on_preferences(preferences, rng=np.random.default_rng(1))
    assert [(row.name.base, row.value, row.n_units) for row in rows] == [
        ("unanimous", 0.5, 2),
        ("mean_pairwise", 0.5, 2),
    ]


def test_names_parse_back_and_misspelt_ones_are_helped() -> None:
    for row in agree(panel(raters=3)):
        assert Name.parse(str(row.name)) == row.name
        assert str(find_coefficient(row.coefficient)[1]) == row.coefficient
    assert str(find_coefficient("cohen(weights=none)")[1]) == "cohen"
    with pytest.raises(UnknownName, match='Did you mean "fleiss"'):
        find_coefficient("fleis")
    with pytest.raises(InvalidInput, match='Did you mean "quadratic"'):
        find_coefficient("cohen(weights=quadratc)")
    with pytest.raises(InvalidInput, match="only the parameters weights"):
        find_coefficient("cohen(weigths=linear)")
    with pytest.raises(InvalidInput, match="have raters be a whole number, 2 or more"):
        find_coefficient("fleiss(raters=1)")


@pytest.mark.parametrize("found", coefficients(), ids=lambda found: found.name)
def test_every_coefficient_declares_what_its_values_mean(found: Coefficient) -> None:
    declared = found.declared
    for words in (declared.question, declared.one, declared.zero, declared.below_zero):
        assert words
    assert declared.question.endswith("?")
    assert declared.undefined
    assert declared.source
