"""Macro, micro and overall values with their intervals; Table S1 again from its columns."""

from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest

from medassay.errors import InvalidInput
from medassay.metrics import resolve
from medassay.scores import Reason, Score, ScoreTable, Unscored
from medassay.validity import (
    Composite,
    CompositeValue,
    Source,
    Term,
    composite_values,
    rank_systems,
)
from medassay.validity.composite import rank_pooled

F1 = "citation_f1(gold=strict,rules=archehr2025)"
METRIC = resolve(F1)


def scored(parts: Sequence[tuple[float, float, float]], system: str = "A") -> ScoreTable:
    rows = []
    for case, (right, wrong, missed) in enumerate(parts):
        whole = 2 * right + wrong + missed
        score = Score(2 * right / whole if whole else 0.0, (right, wrong, missed))
        rows.append((system, f"{case:03}", F1, score))
    return ScoreTable.from_rows(rows)


def value_of(
    table: ScoreTable, *terms: Term, n: int, replicates: int = 2000, seed: int = 1
) -> CompositeValue:
    [found] = composite_values(
        table,
        Composite("one", (terms,)),
        systems=["A"],
        cases=[f"{case:03}" for case in range(n)],
        metrics={F1: METRIC},
        rng=np.random.default_rng(seed),
        replicates=replicates,
    )
    return found


def test_macro_and_micro_by_hand() -> None:
    # F1 of the cases: 2/3 and 0, macro 1/3. Pooled tp 1, fp 4, fn 3: micro 2/9.
    table = scored([(1, 0, 1), (0, 4, 2)])
    assert value_of(table, Term(F1), n=2).value == pytest.approx(1 / 3)
    assert value_of(table, Term(F1, "micro"), n=2).value == pytest.approx(2 / 9)


def test_micro_is_what_the_metric_pools() -> None:
    rng = np.random.default_rng(3)
    parts = [(float(a), float(b), float(c)) for a, b, c in rng.integers(0, 5, (40, 3))]
    pooled = METRIC.pooled(Score(0.0, one) for one in parts)
    found = value_of(scored(parts), Term(F1, "micro"), n=40)
    assert isinstance(pooled, Score)
    assert found.value == pytest.approx(pooled.value)


def test_the_interval_pools_the_drawn_cases_anew() -> None:
    rng = np.random.default_rng(4)
    parts = [(float(a), float(b), float(c)) for a, b, c in rng.integers(0, 5, (30, 3))]
    found = value_of(scored(parts), Term(F1, "micro"), n=30, replicates=300, seed=7)
    again = np.random.default_rng(7)
    table = np.asarray(parts)
    slow = []
    drawn = again.integers(30, size=(300, 30))
    for row in drawn:
        right, wrong, missed = table[row].sum(axis=0)
        slow.append(2 * right / (2 * right + wrong + missed))
    assert found.interval is not None
    expected = np.quantile(slow, [0.025, 0.975])
    assert [found.interval.low, found.interval.high] == pytest.approx(expected.tolist())
    assert found.interval.low < (found.value or 0) < found.interval.high


def test_terms_move_together() -> None:
    # The second column undoes the first in every case: their mean never moves.
    rows = []
    for case in range(20):
        x = case / 20
        rows += [("A", f"{case:03}", "up", Score(x)), ("A", f"{case:03}", "down", Score(1 - x))]
    found = value_of(ScoreTable.from_rows(rows), Term("up"), Term("down"), n=20)
    assert found.interval is not None
    assert found.interval.low == pytest.approx(0.5)
    assert found.interval.high == pytest.approx(0.5)


def test_the_same_seed_gives_the_same_interval_whatever_the_row_order() -> None:
    table = scored([(1, 0, 1), (0, 4, 2), (2, 1, 0)])
    turned = ScoreTable(table.frame.reverse())
    assert value_of(table, Term(F1), n=3) == value_of(turned, Term(F1), n=3)


def test_what_is_missing_is_said_and_never_averaged_over() -> None:
    table = scored([(1, 0, 1), (0, 4, 2)])
    lost = ScoreTable.concat(
        [table, ScoreTable.from_rows([("A", "002", F1, Unscored(Reason.CASE_LACKS))])]
    )
    found = value_of(lost, Term(F1), n=3)
    assert found.value == pytest.approx(1 / 3)
    assert found.unscored == 1
    nothing = value_of(table, Term(F1), Term("bertscore(ref=human)"), n=2)
    assert nothing.value is None
    assert nothing.undefined == "there is no column bertscore(ref=human)"
    [stranger] = composite_values(
        table,
        Composite("one", ((Term(F1),),)),
        systems=["B"],
        cases=["000"],
        metrics={},
        rng=np.random.default_rng(1),
    )
    assert stranger.undefined == f"no scored case in {F1}"
    assert value_of(table, Term(F1), n=1).undefined == "one case shows no spread"


def test_only_metrics_that_pool_are_averaged_micro() -> None:
    table = ScoreTable.from_rows([("A", "000", "mine", Score(1.0))])
    with pytest.raises(InvalidInput, match="mine: must be a metric that pools its scores"):
        value_of(table, Term("mine", "micro"), n=1)


def test_a_column_without_any_score_has_no_value_and_says_so() -> None:
    table = ScoreTable.from_rows([("A", "000", F1, Unscored(Reason.CASE_LACKS, "no relevance"))])
    for average in ("macro", "micro"):
        found = value_of(table, Term(F1, average), n=1)
        assert (found.value, found.interval) == (None, None)
        assert found.undefined == f"no scored case in {F1}"


def made_up(seed: int, systems: int = 4, cases: int = 40) -> tuple[list[str], ScoreTable]:
    """Make tp, fp, fn of systems that get better one by one."""
    rng = np.random.default_rng(seed)
    rows = []
    for place in range(systems):
        for case in range(cases):
            right = float(rng.binomial(6, 0.2 + 0.2 * place))
            wrong, missed = float(rng.integers(0, 4)), 6 - right
            score = Score(2 * right / (6 + right + wrong), (right, wrong, missed))
            rows.append((f"s{place}", f"{case:03}", F1, score))
    return [f"s{place}" for place in range(systems)], ScoreTable.from_rows(rows)


def ranked(
    systems: list[str], table: ScoreTable, *terms: Term, cases: int = 40, decimals: int | None = 3
) -> list[CompositeValue]:
    return composite_values(
        table,
        Composite("one", (terms,), ranked=True, decimals=decimals),
        systems=systems,
        cases=[f"{case:03}" for case in range(cases)],
        metrics={F1: METRIC},
        rng=np.random.default_rng(1),
        replicates=500,
    )


def test_of_a_mean_over_cases_the_letters_are_the_leaderboards() -> None:
    systems, table = made_up(2)
    found = ranked(systems, table, Term(F1))
    cases = [f"{case:03}" for case in range(40)]
    source = Source(F1, table.grid(F1, systems, cases), "higher")
    board = rank_systems(source, rng=np.random.default_rng(3))
    letters = {one.system: one.letters for one in board.standings}
    assert {one.system: one.place.letters for one in found} == letters
    assert len(set(letters.values())) > 2
    assert [one.place.rank for one in found] == [4, 3, 2, 1]
    assert all(one.place.low <= one.place.rank <= one.place.high  # type: ignore[operator] # all there
               for one in found)  # fmt: skip
    assert {one.n for one in found} == {40}


def test_pooled_values_are_ranked_and_told_apart_too() -> None:
    systems, table = made_up(2)
    found = ranked(systems, table, Term(F1, "micro"))
    assert [one.place.rank for one in found] == [4, 3, 2, 1]
    first, second, last = found[3].place, found[2].place, found[0].place
    assert not set(first.letters) & set(last.letters)
    assert first.letters
    assert second.letters


def test_ranks_are_of_rounded_values_and_ties_share_the_best() -> None:
    rows = [
        (system, f"{case:03}", "mine", Score(value))
        for system, value in (("A", 0.50149), ("B", 0.50151), ("C", 0.61234), ("D", 0.61236))
        for case in range(3)
    ]
    found = ranked(list("ABCD"), ScoreTable.from_rows(rows), Term("mine"), cases=3)
    # 50.1, 50.2, 61.2, 61.2
    assert [one.place.rank for one in found] == [4, 3, 1, 1]


def test_a_system_without_a_value_has_no_place_and_takes_none() -> None:
    systems, table = made_up(2)
    found = ranked([*systems, "none"], table, Term(F1))
    assert found[-1].place.rank is None
    assert found[3].place.rank == 1


def imported_for(cases_of: dict[str, Sequence[str]]) -> ScoreTable:
    rows: list[tuple[str, str, str, Score | Unscored]] = [
        (system, case, "brought", Score(int(case) / 10))
        for system, cases in cases_of.items()
        for case in cases
    ]
    everywhere = sorted({case for cases in cases_of.values() for case in cases})
    lost = Unscored(Reason.NOT_IMPORTED)
    return ScoreTable.from_rows(rows).completed(product([*cases_of, "none"], everywhere), lost)


def composites(cases_of: dict[str, Sequence[str]], cases: Sequence[str]) -> list[CompositeValue]:
    return composite_values(
        imported_for(cases_of),
        Composite("one", ((Term("brought"),),), ranked=True),
        systems=[*cases_of, "none"],
        cases=cases,
        metrics={},
        rng=np.random.default_rng(1),
        replicates=100,
    )


def test_scores_brought_for_fewer_cases_than_others_have_make_no_value() -> None:
    # The mean of "few" would be over the two hardest cases, and above nobody's for that alone.
    whole, few, none = composites({"whole": "1234", "few": "34"}, "1234")
    assert whole.value == pytest.approx(0.25)
    # Nobody is first of one.
    assert whole.place.rank is None
    assert (few.value, few.place.rank) == (None, None)
    assert few.undefined == (
        "brought was imported for 2 cases here and not for 2 that other systems have"
    )
    assert (none.value, none.undefined) == (None, "no scored case in brought")


def test_scores_brought_for_the_same_few_cases_are_compared_on_these() -> None:
    one, other, _ = composites({"one": "34", "other": "34"}, "1234")
    assert (one.value, other.value) == (0.35, 0.35)
    assert (one.n, other.n) == (2, 2)


def test_a_column_brought_for_fewer_cases_than_the_others_makes_no_mean_with_them() -> None:
    brought = imported_for({"a": "1", "b": "1"}).frame
    measured = ScoreTable.from_rows(
        [
            (system, case, "measured", Score(value))
            for system, values in {"a": (0.9, 0.8, 0.7), "b": (0.1, 0.2, 0.1)}.items()
            for case, value in zip("123", values, strict=True)
        ]
    )
    table = ScoreTable.concat([ScoreTable(brought.filter(brought["system"] != "none")), measured])
    both = Composite("both", ((Term("brought"), Term("measured")),), ranked=True)
    found = composite_values(
        table.completed(product("ab", "123"), Unscored(Reason.NOT_IMPORTED)),
        both,
        systems=["a", "b"],
        cases="123",
        metrics={},
        rng=np.random.default_rng(1),
        replicates=100,
    )
    assert [(one.value, one.place.rank) for one in found] == [(None, None)] * 2
    assert found[0].undefined == (
        "brought was imported for 1 of 3 cases, and the other columns have all of them"
    )


@pytest.mark.parametrize(
    ("behind", "size", "letters"),
    [(0.05, 1, "aa"), (0.5, 1, "ab"), (0.5, 2, "aa")],
)
def test_a_lead_that_rare_large_losses_could_reverse_shares_a_letter(
    behind: float, size: int, letters: str
) -> None:
    # All 12 cases say the same, so that the test is sure; but (1/1.05)^12, (1/1.5)^6 > .025.
    rows = [
        (system, f"{case:03}", "brought", Score(0.9 - lost - case / 1000))
        for system, lost in (("a", 0.0), ("b", behind))
        for case in range(12)
    ]
    found = composite_values(
        ScoreTable.from_rows(rows),
        Composite("one", ((Term("brought"),),), ranked=True),
        systems=["a", "b"],
        cases=[f"{case:03}" for case in range(12)],
        metrics={},
        rng=np.random.default_rng(1),
        replicates=100,
        clusters=[case // size for case in range(12)],
    )
    assert "".join(value.place.letters for value in found) == letters
    assert {value.place.may_reverse for value in found} == {letters == "aa"}


@pytest.mark.parametrize(("worst", "letters"), [(0.0, "aa"), (0.5, "ab")])
def test_a_tail_of_losses_leaves_pooled_values_undecided(worst: float, letters: str) -> None:
    values = np.full((2, 40), 0.75)
    values[0, :14], values[0, 39] = 1.0, worst
    drawn = np.repeat(values.mean(axis=1)[:, None], 50, axis=1)
    places = rank_pooled(
        values.mean(axis=1), drawn, values, np.ones(2, dtype=bool), rng=np.random.default_rng(1)
    )
    assert "".join(place.letters for place in places) == letters
    assert {place.may_reverse for place in places} == {letters == "aa"}
