from collections.abc import Callable

import numpy as np
import pytest

from medassay.agreement import check_design
from medassay.agreement.design import _fisher
from medassay.judgements import Units

Real = Callable[[str], Units]


def test_a_third_rater_who_only_breaks_ties_is_noticed(real_units: Real) -> None:
    notes = check_design(real_units("openqa_nq301"))
    assert [(note.kind, note.raters) for note in notes] == [("chosen answers", ("rater 0002",))]
    # 195 of 195 where the first two differ; 21 of the 1,288 where they agree.
    assert "100% of the answers where the others differ and 2% of those" in notes[0].text


def test_a_final_label_is_no_third_rater(real_units: Real) -> None:
    notes = check_design(real_units("pubmedqa_pqal with the final label"))
    assert [(note.kind, note.raters) for note in notes] == [("follows the others", ("rater 0002",))]
    # Both readers agree on 454 yes, 224 no, 23 maybe; the final label is always theirs.
    assert "(0 of 701 differ" in notes[0].text


@pytest.mark.parametrize("name", ["pubmedqa_pqal", "kqa", "mslr_cochrane, fluency"])
def test_independent_raters_give_no_note(real_units: Real, name: str) -> None:
    assert check_design(real_units(name)) == []


def test_holes_that_have_nothing_to_do_with_the_labels_give_no_note() -> None:
    rng = np.random.default_rng(5)
    truth = rng.integers(3, size=(600, 1))
    codes = np.where(rng.random((600, 4)) < 0.6, truth, rng.integers(3, size=(600, 4)))
    codes[rng.random((600, 4)) < 0.3] = -1
    assert check_design(Units.from_codes(codes, ["a", "b", "c"])) == []


def test_raters_who_share_no_answer_are_named() -> None:
    codes = [[0, 1, -1, -1, -1], [-1, -1, 0, 0, -1], [-1, -1, -1, -1, 1]]
    (note,) = check_design(Units.from_codes(codes, ["yes", "no"]))
    assert note.kind == "no overlap"
    assert "3 groups that share no answer (rater 4 shares none with anyone)" in note.text


def test_one_rater_or_none_gives_no_note() -> None:
    assert check_design(Units.from_codes([[0], [1]], ["yes", "no"])) == []
    assert check_design(Units.from_codes(np.empty((0, 0), int), ["yes", "no"])) == []


def test_the_order_of_raters_and_units_changes_no_note(real_units: Real) -> None:
    units = real_units("openqa_nq301")
    order = np.random.default_rng(1).permutation(len(units))
    turned = Units.from_codes(units.codes[order][:, ::-1], units.labels)
    (before,), (after,) = check_design(units), check_design(turned)
    assert after.text == before.text.replace("rater 0002", "rater 0000")


def test_a_table_is_as_rare_as_fishers_exact_test_finds_it() -> None:
    from scipy.stats import fisher_exact

    rng = np.random.default_rng(12)
    for most in (8, 60, 4_000):
        for table in rng.integers(0, most, (60, 2, 2)):
            if table.sum(axis=0).all() and table.sum(axis=1).all():
                expected = float(fisher_exact(table).pvalue)
                assert _fisher(table) == pytest.approx(expected, rel=1e-7, abs=1e-12)
