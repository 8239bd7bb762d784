import json
from itertools import chain, repeat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medassay.error_analysis import OptionConfusion

PUBLISHED = Path(__file__).parents[1] / "data" / "clinical_mcq" / "published_classification.json"
PAIRS = st.lists(st.tuples(st.sampled_from("ABCD"), st.sampled_from(["A", "B", "C", "D", None])))


def test_the_published_matrix_gives_the_published_figures() -> None:
    published = json.loads(PUBLISHED.read_text(encoding="utf-8"))
    found = OptionConfusion.of(
        chain.from_iterable(
            repeat((right, chosen), times)
            for right, row in published["confusion_matrix"].items()
            for chosen, times in row.items()
        )
    )
    for one in found.figures:
        theirs = published["per_option"][one.option]
        assert one.support == theirs["support"]
        assert one.precision == pytest.approx(theirs["precision"], abs=1e-15)
        assert one.recall == pytest.approx(theirs["recall"], abs=1e-15)
        assert one.f1 == pytest.approx(theirs["f1"], abs=1e-15)
        cells = published["fp_fn_breakdown"][one.option]
        assert (one.right, one.chosen - one.right) == (cells["tp"], cells["fp"])
        assert one.support - one.right == cells["fn"]
    for name in ("macro_precision", "macro_recall", "macro_f1", "weighted_f1"):
        assert getattr(found, name) == pytest.approx(published[name], abs=1e-15)
    assert found.balanced_accuracy == pytest.approx(published["balanced_accuracy"], abs=1e-15)
    # The matrix counts two answers without a choice as A: 28 on its diagonal, 26 printed elsewhere.
    assert (found.n, found.accuracy) == (50, 28 / 50)
    assert found.figures[0].chosen == published["option_distribution"]["A"] + 2


def test_an_answer_without_a_choice_lowers_recall_and_not_precision() -> None:
    # Right A twice: once chosen, once no choice. Recall 1/2, precision 1/1, F1 = 2/(2+1).
    [one] = OptionConfusion.of([("A", "A"), ("A", None)]).figures
    assert (one.precision, one.recall, one.f1) == (1.0, 0.5, 2 / 3)


def test_what_was_never_chosen_has_no_precision() -> None:
    found = OptionConfusion.of([("A", "A"), ("B", "A")], "ABC")
    a, b, c = found.figures
    assert (a.precision, b.precision, b.recall, b.f1) == (0.5, None, 0.0, 0.0)
    assert (c.precision, c.recall, c.f1) == (None, None, None)
    # A: 2/3, B: 0; C is neither right nor chosen.
    assert found.macro_f1 == pytest.approx(1 / 3)
    assert OptionConfusion.of([]).accuracy is None
    assert OptionConfusion.of([]).weighted_f1 is None


@given(PAIRS)
def test_the_order_of_questions_is_nothing_and_all_are_counted(
    pairs: list[tuple[str, str | None]],
) -> None:
    found = OptionConfusion.of(pairs)
    assert OptionConfusion.of(reversed(pairs)) == found
    assert found.n == len(pairs)
    if pairs:
        right = sum(gold == chosen for gold, chosen in pairs)
        assert found.accuracy == right / len(pairs)
        weighted_recall = sum((one.recall or 0) * one.support for one in found.figures)
        assert weighted_recall == pytest.approx(right)
