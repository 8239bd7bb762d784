"""One unfinished rater: what needs complete answers reads those, and says how many."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from medassay.agreement import Agreement, agree, agree_on_units, coefficients
from medassay.judgements import Judgements, Units, load_rubric

PANELS = json.loads(
    (Path(__file__).parents[1] / "golden" / "complete_answers.json").read_text(encoding="utf-8")
)["panels"]
LABELS = ("no", "partly", "yes")


def rows(
    codes: list[list[int]], *names: str, only_fitting: bool = False, headline: bool = False
) -> list[Agreement]:
    return agree_on_units(
        Units.from_codes(codes, LABELS, scale="nominal"),
        coefficient_names=names,
        only_fitting=only_fitting,
        headline=headline,
    )


@pytest.mark.parametrize("panel", PANELS, ids=lambda panel: panel["name"])
def test_fleiss_of_the_complete_answers_equals_statsmodels_and_irrcac(
    panel: dict[str, Any],
) -> None:
    (row,) = rows(panel["codes"], "fleiss")
    assert row.value == pytest.approx(panel["fleiss"], abs=1e-12)
    assert row.value == pytest.approx(panel["fleiss by irrCAC"], abs=6e-6)  # it prints five digits
    full, answers = len(panel["codes"][0]), len(panel["codes"])
    assert row.n_units == panel["complete"]
    left = answers - panel["complete"]
    assert row.notes[0] == (
        f"over the {panel['complete']} answers with {full} labels; "
        f"{left} answers with {full - 1} are left out"
    )


@pytest.mark.parametrize("panel", PANELS, ids=lambda panel: panel["name"])
def test_two_way_correlations_of_the_complete_answers_equal_pingouin(
    panel: dict[str, Any],
) -> None:
    units = Units.from_codes(panel["codes"], LABELS, scale="interval", scores=[0, 1, 2])
    for form, value in panel["icc"].items():
        (row,) = agree_on_units(units, coefficient_names=[f"icc(form={form})"])
        assert row.value == pytest.approx(value, abs=1e-9), form
        assert row.n_units == panel["complete"]
        assert row.notes[0].startswith(f"over the {panel['complete']} answers with ")
    (one_way,) = agree_on_units(units, coefficient_names=["icc"])
    # Whoever rated what: every answer is read.
    assert (one_way.n_units, one_way.notes) == (len(panel["codes"]), ())


@pytest.mark.parametrize("panel", PANELS, ids=lambda panel: panel["name"])
def test_alpha_reads_every_answer_and_equals_its_own_tool(panel: dict[str, Any]) -> None:
    (row,) = rows(panel["codes"], "krippendorff")
    assert row.value == pytest.approx(panel["alpha"], abs=1e-12)
    assert row.n_units == len(panel["codes"])


def test_a_finished_panel_has_no_note() -> None:
    (row,) = rows([[0, 0, 1], [1, 1, 1], [2, 0, 2]], "fleiss")
    assert row.notes == ()


@pytest.mark.parametrize(
    ("sizes", "read"),
    [
        # One rater did two of five answers: complete are those with three.
        ({3: 40, 2: 60}, 3),
        # A stray label more on one answer does not make that one answer the panel's.
        ({4: 1, 3: 99}, 3),
        # Ten answers that everyone calibrated on, among 300 with two labels each.
        ({6: 10, 2: 300}, 2),
        # A rater who has barely begun.
        ({3: 2, 2: 98}, 2),
        # No number of labels has a quarter: the commonest.
        ({2: 20, 3: 21, 4: 20, 5: 20, 6: 19}, 3),
    ],
)
def test_the_full_number_is_the_largest_that_a_quarter_of_the_answers_has(
    sizes: dict[int, int], read: int
) -> None:
    rng = np.random.default_rng(3)
    given = [size for size, times in sizes.items() for _ in range(times)]
    # Who rated is by lot, so that holes have nothing to do with labels.
    codes = np.full((len(given), max(sizes)), -1)
    for place, size in enumerate(given):
        who = rng.permutation(max(sizes))[:size]
        codes[place, who] = rng.integers(3, size=size)
    (row,) = rows(codes.tolist(), "fleiss")
    assert row.n_units == sizes[read]
    assert f"answers with {read} labels" in row.notes[0]


def test_no_value_where_the_labels_decided_which_answers_are_complete() -> None:
    # The third rater was asked where the first two differ: the complete answers are the hard ones.
    codes = [[0, 0, -1]] * 60 + [[0, 1, 1]] * 30 + [[1, 1, -1]] * 30
    (row,) = rows(codes, "fleiss")
    assert row.value is None
    assert "hangs on what the others said (rater 002)" in str(row.reason)
    # Alpha takes its place, with all answers; the note on the design stands beside it elsewhere.
    _, alpha, *_ = rows(codes, "fleiss", headline=True)
    assert (alpha.coefficient, alpha.n_units) == ("krippendorff", 120)


def test_a_mapping_that_hides_where_raters_differ_does_not_make_complete_answers_a_sample() -> None:
    # Yes and Partially are one in the published reading: there the first two differ nowhere.
    said = {"both": ("Yes", "Yes"), "apart": ("Yes", "Partially"), "no": ("No", "No")}
    of_case = ["both"] * 20 + ["apart"] * 20 + ["no"] * 20
    given = [
        (rater, f"{case:02}", label)
        for case, kind in enumerate(of_case)
        for rater, label in [*zip("ab", said[kind], strict=True)]
        + ([("c", "Yes" if case % 2 else "No")] if kind == "apart" else [])
    ]
    judgements = Judgements.from_rows(
        [
            {"rater": r, "system": "s", "case": c, "dimension": "answers-question", "label": label}
            for r, c, label in given
        ],
        load_rubric("archehr"),
    )
    found = agree(judgements, coefficient_names=["fleiss"])
    assert [(one.mapping, one.value) for one in found] == [("full", None), ("published", None)]
    assert len({str(one.reason) for one in found}) == 1


def test_a_nominal_dimension_is_never_left_without_a_correction_for_chance() -> None:
    codes = [[0, 0, 1], [1, 1, 1], [2, 0, 2]]
    names = ["krippendorff", "mean_pairwise", "commonest"]
    plain, alpha, *beside = rows(codes, "unanimous", headline=True)
    assert [row.coefficient for row in (plain, alpha, *beside)] == ["unanimous", *names]
    assert alpha.value is not None
    # What is not for this panel is left out, and leaves the same gap.
    found = rows(codes, "cohen", only_fitting=True, headline=True)
    assert [row.coefficient for row in found] == names
    # What was asked for stands once.
    found = rows(codes, "krippendorff", "mean_pairwise", headline=True)
    assert [row.coefficient for row in found] == names
    # Nobody can have one where only one label was given; that is said.
    none, alpha, *_ = rows([[0, 0], [0, 0]], "fleiss", headline=True)
    assert "only one label" in str(none.reason)
    assert "only one label" in str(alpha.reason)


def test_a_mapping_has_alpha_only_in_place_of_what_was_asked_for() -> None:
    units = replace(Units.from_codes([[0, 0, 1], [1, 1, 0]], ["no", "yes"]), mapping="coarse")

    def found(*names: str) -> list[str]:
        rows = agree_on_units(units, coefficient_names=names, headline=True)
        return [row.coefficient for row in rows]

    assert found("unanimous") == ["unanimous"]
    assert found("fleiss") == ["fleiss"]
    assert found("cohen") == ["cohen", "krippendorff"]


def test_alpha_has_a_value_wherever_one_that_reads_the_labels_frequencies_has() -> None:
    rng = np.random.default_rng(11)
    reading = {
        one.name
        for one in coefficients()
        if one.declared.chance_from_labels and one.declared.corrects_for_chance
    }
    assert reading == {"cohen", "fleiss", "krippendorff", "mean_cohen", "scott"}
    for _ in range(200):
        codes = rng.integers(-1, 3, size=(rng.integers(1, 6), rng.integers(2, 5))).tolist()
        values = {row.name.base: row.value for row in rows(codes, *sorted(reading))}
        if any(value is not None for value in values.values()):
            assert values["krippendorff"] is not None
