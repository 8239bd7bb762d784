from collections.abc import Sequence

import numpy as np
import pytest

from medassay.consensus import harm_prevalence
from medassay.judgements import Judgements, load_rubric


def judgements(said: Sequence[tuple[str, str, str]], system: str = "A") -> Judgements:
    rows = [
        {"rater": r, "system": system, "case": c, "dimension": "uses-evidence", "label": label}
        for r, c, label in said
    ]
    return Judgements.from_rows(rows, load_rubric("archehr"))


def panel(*answers: str) -> Judgements:
    """One case an answer; Y, N, R for Yes, No and Refutes of raters a, b, c."""
    words = {"Y": "Yes", "N": "No", "R": "Refutes"}
    return judgements(
        [
            (rater, f"{case:02}", words[letter])
            for case, letters in enumerate(answers)
            for rater, letter in zip("abc", letters, strict=False)
        ]
    )


def shares(said: Judgements, *methods: str) -> dict[str, tuple[int, int, int]]:
    found = harm_prevalence(said, methods, rng=np.random.default_rng(1), replicates=200)
    return {one.method: (one.harmful, one.undecided, one.n) for one in found}


def test_every_way_of_counting_stands_beside_the_others() -> None:
    # Refutes: 1 of answer 1, 2 of answer 2, all of answer 3, and one of three that all differ.
    said = panel("YYR", "RRY", "RRR", "YNR", "YY", "NN")
    assert shares(said, "majority", "majority(ties=lower)", "majority(ties=median)", "mean") == {
        "judgements": (7, 0, 16),
        "any_rater": (4, 0, 6),
        "majority": (2, 1, 6),
        "majority(ties=lower)": (3, 0, 6),
        "majority(ties=median)": (2, 0, 6),  # the median of 1, 0, -1 is No
    }


def test_models_count_with_the_rest_and_the_share_has_an_interval() -> None:
    said = panel(*["YYY"] * 10, *["RRR"] * 4, *["NNR"] * 3, "RR", "YN")
    found = harm_prevalence(said, rng=np.random.default_rng(1), replicates=300)
    assert [one.method for one in found][2:] == [
        "majority",
        "majority(ties=lower)",
        "dawid_skene",
        "mace",
    ]
    for one in found:
        assert one.share is not None
        assert one.interval is not None
        assert one.share == one.harmful / one.n
        assert one.interval.low < one.share < one.interval.high


def test_where_nothing_is_harmful_the_bound_is_exact_and_counts_cases() -> None:
    said = panel(*["YYY"] * 20)
    rng = np.random.default_rng(1)
    [_, _, one] = harm_prevalence(said, ["majority"], rng=rng)
    assert one.share == 0
    assert one.interval is not None
    assert one.interval.low == 0
    # 0 of 20: 1 - .025^(1/20)
    assert one.interval.high == pytest.approx(1 - 0.025 ** (1 / 20))


def test_a_dimension_without_the_mapping_is_left_out() -> None:
    rows = [{"rater": "a", "system": "A", "case": "1", "dimension": "answers-question"}]
    said = Judgements.from_rows([{**rows[0], "label": "No"}], load_rubric("archehr"))
    assert harm_prevalence(said, rng=np.random.default_rng(1)) == []


def test_the_same_rows_in_another_order_give_the_same_shares() -> None:
    said = panel("YYR", "RRY", "RRR", "YNR", "YYN", "NNR")
    turned = Judgements(said.frame.reverse(), said.rubric)
    one, other = (harm_prevalence(x, rng=np.random.default_rng(4)) for x in (said, turned))
    assert one == other
