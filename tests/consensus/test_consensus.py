from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medassay.consensus import (
    consensus,
    consensus_methods,
    consensus_of_units,
    find_method,
    label_distribution,
    source_name,
)
from medassay.errors import InvalidInput, UnknownName
from medassay.judgements import Judgements, Units, load_rubric
from medassay.scores import Reason, Score, Unscored
from medassay.testing import of_consensus as contract

LABELS = ("Yes", "Partially", "No")
OURS = {"dawid_skene", "label_sum", "mace", "majority", "mean", "median"}


def judgements(
    said: Sequence[tuple[str, str, str | None]], dimension: str = "answers-question"
) -> Judgements:
    """Make judgements from (rater, case, label); no label means not applicable."""
    rows = [
        {
            "rater": rater,
            "system": "A",
            "case": case,
            "dimension": dimension,
            "label": label,
            "reason": None if label else "not_applicable",
        }
        for rater, case, label in said
    ]
    return Judgements.from_rows(rows, load_rubric("archehr"))


PANEL = judgements(
    [
        *[(rater, "1", label) for rater, label in zip("xyz", ("Yes", "Yes", "No"), strict=True)],
        *[(rater, "2", label) for rater, label in zip("xyz", LABELS, strict=True)],
        *[(rater, "3", label) for rater, label in zip("xyz", ("No", "No", "No"), strict=True)],
    ]
)


def values(
    said: Judgements,
    method: str,
    phases: Sequence[str] = ("main",),
    never_answered: Sequence[tuple[str, str]] = (),
) -> dict[str, object]:
    table = consensus(said, [method], phases=phases, never_answered=never_answered)
    frame = table.frame.select("case", "value", "reason")
    return {case: reason if value is None else value for case, value, reason in frame.iter_rows()}


def test_three_methods_on_a_table_small_enough_to_check_by_hand() -> None:
    # Yes 2, Partially 1, No 0.  Case 1: 2, 2, 0.  Case 2: 2, 1, 0.  Case 3: 0, 0, 0.
    assert values(PANEL, "mean") == {"1": pytest.approx(4 / 3), "2": 1.0, "3": 0.0}
    assert values(PANEL, "majority") == {"1": 2.0, "2": "tie", "3": 0.0}
    assert values(PANEL, "majority(least=3)") == {"1": "undefined", "2": "tie", "3": 0.0}
    assert values(PANEL, "label_sum") == {"1": 4.0, "2": 3.0, "3": 0.0}
    assert values(PANEL, "label_sum(scale=mean_x_n)") == values(PANEL, "label_sum")


def test_a_sum_over_unequal_panels_is_refused_unless_the_mean_times_n_is_chosen() -> None:
    unequal = judgements([("x", "1", "Yes"), ("y", "1", "No"), ("x", "2", "Yes")])
    assert values(unequal, "label_sum") == {"1": "undefined", "2": "undefined"}
    assert values(unequal, "label_sum(scale=mean_x_n)") == {"1": 2.0, "2": 4.0}
    detail = consensus(unequal, ["label_sum"]).frame["detail"][0]
    assert detail.endswith("choose label_sum(scale=mean_x_n)")


def test_an_answer_without_labels_does_not_make_a_panel_unequal() -> None:
    said = judgements([("x", "1", "Yes"), ("x", "2", None), ("y", "2", None)])
    assert values(said, "label_sum") == {"1": 2.0, "2": "no_label"}


def test_four_kinds_of_missing_stay_apart() -> None:
    said = judgements([("x", "1", "Yes"), ("y", "1", "No"), ("x", "2", None), ("y", "2", None)])
    expected = [("A", case) for case in "1234"]
    table = consensus(said, ["majority"], expected=expected, never_answered=[("A", "4")])
    assert table.frame.select("case", "value", "reason", "detail").rows() == [
        ("1", None, "tie", "1 Yes, 1 No"),
        ("2", None, "no_label", "2 not applicable"),
        ("3", None, "not_judged", ""),
        ("4", None, "never_answered", ""),
    ]


def test_an_answer_never_given_keeps_the_labels_that_raters_gave_it() -> None:
    said = judgements([("x", "1", "No"), ("x", "2", None)])
    silent = [("A", "1"), ("A", "2")]
    assert values(said, "mean", never_answered=silent) == {"1": 0.0, "2": "never_answered"}


def test_through_a_mapping_the_mean_is_the_share_of_its_first_label() -> None:
    said = judgements([("x", "1", "Refutes"), ("y", "1", "Yes"), ("x", "2", "No")], "uses-evidence")
    table = consensus(said, ["mean"], mappings=["full", "harmful", "used"])
    assert table.sources == (
        "mean(dimension=uses-evidence)",
        "mean(dimension=uses-evidence,mapping=harmful)",
    )
    assert table.select(table.sources[1])["value"].to_list() == [0.5, 0.0]


def test_adjudication_decides_only_where_it_is_asked_for() -> None:
    rows = [("main", "Yes"), ("adjudication", "No")]
    said = Judgements.from_rows(
        [
            {"rater": "x", "system": "A", "case": "1", "dimension": "uses-evidence"}
            | {"label": label, "phase": phase}
            for phase, label in rows
        ],
        load_rubric("archehr"),
    )
    assert values(said, "mean") == {"1": 1.0}
    assert values(said, "mean", phases=("main", "adjudication")) == {"1": 0.0}


def test_labels_without_scores_have_a_reason_and_still_a_distribution() -> None:
    units = Units.from_codes([[0, 0, 1]], ["red", "blue"])
    for method in consensus_methods():
        (score,) = consensus_of_units(units, method.name, rng=np.random.default_rng(1)).values()
        assert isinstance(score, Unscored)
        assert score.reason is Reason.UNDEFINED
        assert score.detail
        if method.name in OURS:
            assert score.detail == "the labels of labels have no scores"
    assert label_distribution(units).majority == (1, 0)


def test_distributions_count_ties_among_all_answers() -> None:
    from medassay.judgements import units

    counted = label_distribution(units(PANEL, "answers-question"))
    assert counted.judgements == (3, 1, 5)
    assert (counted.majority, counted.ties, counted.answers) == ((1, 0, 1), 1, 3)
    nothing = label_distribution(Units.from_codes([[-1, -1]], ["no", "yes"]))
    assert (nothing.answers, nothing.unlabelled) == (0, 1)


def test_names_are_canonical_and_misspelt_ones_are_helped() -> None:
    assert str(source_name("label_sum(scale=sum)", "fluency")) == "label_sum(dimension=fluency)"
    assert str(source_name("majority(least=1)", "fluency")) == "majority(dimension=fluency)"
    with pytest.raises(UnknownName, match='Did you mean "majority"'):
        find_method("majorty")
    with pytest.raises(InvalidInput, match='Did you mean "mean_x_n"'):
        find_method("label_sum(scale=mean_n)")
    with pytest.raises(InvalidInput, match="only the parameters none"):
        find_method("mean(least=2)")
    with pytest.raises(InvalidInput, match="have least be a whole number, 1 or more"):
        find_method("majority(least=0)")


codes = st.integers(1, 4).flatmap(
    lambda raters: st.lists(
        st.lists(st.integers(-1, 2), min_size=raters, max_size=raters), min_size=1, max_size=6
    )
)
METHODS = ["mean", "majority", "majority(least=2)", "label_sum", "label_sum(scale=mean_x_n)"]


def joined(table: list[list[int]], method: str) -> list[Score | Unscored]:
    units = Units.from_codes(table, LABELS, scores=[2, 1, 0])
    return list(consensus_of_units(units, method).values())


@given(codes, st.sampled_from(METHODS), st.integers(0, 2**32 - 1))
def test_the_order_of_raters_and_answers_changes_nothing(
    table: list[list[int]], method: str, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    rows, columns = rng.permutation(len(table)), rng.permutation(len(table[0]))
    units = Units.from_codes(table, LABELS, scores=[2, 1, 0])
    contract.order_changes_nothing(method, units, rows.tolist(), columns.tolist(), within=0)
    shuffled = np.array(table)[rows][:, columns].tolist()
    expected = joined(table, method)
    assert joined(shuffled, method) == [expected[i] for i in rows]


@given(codes)
def test_each_method_is_what_reading_the_labels_one_by_one_gives(table: list[list[int]]) -> None:
    said = [[code for code in row if code >= 0] for row in table]
    equal = len({len(row) for row in said if row}) == 1
    for method, (i, row) in product(METHODS[:2] + METHODS[3:4], enumerate(said)):
        got = joined(table, method)[i]
        if not row:
            assert got == Unscored(Reason.NO_LABEL)
            continue
        scores = [2 - code for code in row]
        leaders = [s for s in set(scores) if scores.count(s) == max(map(scores.count, scores))]
        if method == "mean":
            assert isinstance(got, Score)
            assert got.value == sum(scores) / len(scores)
            assert got.parts == (sum(scores), len(scores))
        elif method == "label_sum":
            assert isinstance(got, Score) == equal
            assert isinstance(got, Unscored) or got.value == sum(scores)
        elif len(leaders) == 1:
            assert isinstance(got, Score)
            assert got.value == leaders[0]
            assert got.parts == (scores.count(leaders[0]), len(scores))
        else:
            assert isinstance(got, Unscored)
            assert got.reason is Reason.TIE
