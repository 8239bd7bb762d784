"""A board adjusted for raters: what it takes out, what it leaves alone, and when there is none."""

from dataclasses import replace

import numpy as np
import pytest

from medassay.judgements import Units
from medassay.scores import Grid
from medassay.validity import RaterAdjustment, Source, rank_systems

SCORES = [1.0, 2.0, 3.0, 4.0, 5.0]


def units_of(
    shares: list[list[float]], severity: list[float], *, quality: float = 0.0, labels: int = 1
) -> Units:
    """Draw 80 cases of three systems; the first is better by `quality`."""
    rng = np.random.default_rng(7)
    keys, rows = [], []
    for case in range(80):
        hard = 0.5 * rng.standard_normal()
        for system, of in zip("ABC", shares, strict=True):
            keys.append((system, f"{case:02}"))
            row = np.full(len(severity), -1)
            truth = 3 + quality * (system == "A") + hard + 0.4 * rng.standard_normal()
            for who in rng.choice(len(severity), labels, replace=False, p=of):
                value = truth + severity[who] + 0.4 * rng.standard_normal()
                row[who] = int(np.clip(np.round(value), 1, 5)) - 1
            rows.append(row)
    return Units.from_codes(rows, list("12345"), keys=keys, scale="interval", scores=SCORES)


def means_of(units: Units) -> dict[str, float]:
    values = np.array(SCORES)[units.code]
    totals: dict[str, list[float]] = {}
    for at, value in zip(units.unit.tolist(), values.tolist(), strict=True):
        totals.setdefault(units.keys[at].system, []).append(value)
    return {system: float(np.mean(all_)) for system, all_ in totals.items()}


UNEVEN = [[0.1, 0.1, 0.8], [0.5, 0.3, 0.2], [0.6, 0.3, 0.1]]


def board_of(units: Units) -> Source:
    cases = sorted({key.case for key in units.keys})
    values = np.zeros((3, len(cases)))
    for at, code in zip(units.unit.tolist(), units.code.tolist(), strict=True):
        key = units.keys[at]
        values["ABC".index(key.system), cases.index(key.case)] = SCORES[code]
    return Source("mean", Grid(tuple("ABC"), tuple(cases), values, values > 0))


def test_the_better_system_that_met_the_severest_raters_comes_first() -> None:
    units = units_of(UNEVEN, [0.8, 0.0, -0.8], quality=0.3)
    plain = means_of(units)
    assert min(plain, key=plain.__getitem__) == "A"
    found = RaterAdjustment(units).found(plain, "higher")
    assert found.systems[0].system == "A"
    assert (found.systems[0].rank, found.systems[0].adjusted_rank) == (3, 1)
    assert found.spread == pytest.approx(1.6, abs=0.3)
    board = rank_systems(board_of(units), rng=1, replicates=50)
    again = RaterAdjustment(units).reranked(board, rng=1, replicates=400)
    assert (again.standings[0].system, again.standings[0].rank) == ("A", 1)
    assert again.standings[0].letters == "a"
    assert {row.mean for row in again.standings} == {row.mean for row in board.standings}
    first = again.comparisons[0]
    assert first.system_a == "A"
    assert first.difference is not None
    assert first.interval is not None
    assert first.interval.low < 0.3 < first.interval.high


def test_lower_is_better_turns_the_order() -> None:
    units = units_of(UNEVEN, [0.8, 0.0, -0.8], quality=0.3)
    found = RaterAdjustment(units).found(means_of(units), "lower")
    assert found.systems[-1].system == "A"
    assert found.systems[-1].adjusted_rank == 3


def test_where_each_rater_judges_all_systems_of_a_case_nothing_is_adjusted() -> None:
    rng = np.random.default_rng(3)
    keys = [(system, f"{case:02}") for case in range(30) for system in "ABC"]
    codes = np.full((90, 3), -1)
    for case in range(30):
        codes[3 * case : 3 * case + 3, case % 3] = rng.integers(5, size=3)
    units = Units.from_codes(codes, list("12345"), keys=keys, scores=SCORES)
    adjustment = RaterAdjustment(units)
    assert not adjustment.uneven
    plain = means_of(units)
    found = adjustment.found(plain, "higher")
    assert {row.system: row.adjusted for row in found.systems} == pytest.approx(plain)


def test_a_constant_moves_means_and_leaves_severities() -> None:
    units = units_of(UNEVEN, [0.8, 0.0, -0.8], labels=2)
    moved = Units.from_codes(
        units.codes, list("12345"), keys=units.keys, scores=[score + 10 for score in SCORES]
    )
    one = RaterAdjustment(units).found(means_of(units), "higher")
    other = RaterAdjustment(moved).found(means_of(units), "higher")
    assert [row.adjusted + 10 for row in one.systems] == pytest.approx(
        [row.adjusted for row in other.systems]
    )
    assert [row.severity for row in one.raters] == pytest.approx(
        [row.severity for row in other.raters], abs=1e-6
    )
    assert one.answer_sd is not None
    assert one.answer_sd > 0


def test_a_cluster_of_cases_counts_once() -> None:
    units = units_of(UNEVEN, [0.8, 0.0, -0.8])
    clusters = {case: case[0] for case in units.cases}
    alone = RaterAdjustment(units).found(means_of(units), "higher")
    together = RaterAdjustment(units, clusters).found(means_of(units), "higher")
    assert [row.adjusted for row in together.systems] == [row.adjusted for row in alone.systems]
    intervals = [found.systems[0].interval for found in (alone, together)]
    assert None not in intervals
    assert intervals[0] != intervals[1]


def test_systems_of_raters_of_their_own_cannot_be_adjusted() -> None:
    units = units_of([[1, 0, 0], [0.5, 0.5, 0], [0, 0, 1]], [0.8, 0.0, -0.8])
    adjustment = RaterAdjustment(units)
    assert "no rater in common" in adjustment.undefined
    assert adjustment.found(means_of(units), "higher").systems == ()
    with pytest.raises(ValueError, match="no rater in common"):
        adjustment.reranked(
            rank_systems(board_of(units), rng=1, replicates=10), rng=1, replicates=10
        )


def test_labels_of_parts_and_labels_without_scores_are_not_asked() -> None:
    parts = Units.from_codes(
        [[0], [1]], ["no", "yes"], keys=[("A", "1"), ("A", "1")], scores=[0, 1]
    )
    assert not RaterAdjustment(parts).uneven
    assert "parts of answers" in RaterAdjustment(parts).undefined
    bare = Units.from_codes([[0, -1], [-1, 1]], ["no", "yes"], keys=[("A", "1"), ("B", "1")])
    assert not RaterAdjustment(bare).uneven


def test_labels_that_all_agree_have_no_interval_and_say_why() -> None:
    keys = [(system, f"{case:02}") for case in range(12) for system in "ABC"]
    rng = np.random.default_rng(1)
    codes = np.full((36, 3), -1)
    codes[np.arange(36), rng.integers(3, size=36)] = 2
    units = Units.from_codes(codes, list("12345"), keys=keys, scores=SCORES)
    found = RaterAdjustment(units).found(means_of(units), "higher")
    assert [row.adjusted for row in found.systems] == pytest.approx([3, 3, 3])
    assert {(row.interval, row.adjusted_rank) for row in found.systems} == {(None, 1)}
    assert all("no label differs" in row.reason for row in found.systems)


@pytest.mark.parametrize("names", ["cab", "bca", "acb"])
def test_no_bit_depends_on_what_raters_are_called(names: str) -> None:
    units = units_of(UNEVEN, [0.8, 0.0, -0.8], labels=2)
    renamed = replace(
        units,
        raters=tuple(sorted(names)),
        rater=np.array([sorted(names).index(names[at]) for at in units.rater.tolist()]),
    )
    order = np.lexsort((renamed.rater, renamed.unit))
    renamed = replace(
        renamed,
        unit=renamed.unit[order], rater=renamed.rater[order], code=renamed.code[order],
    )  # fmt: skip
    means = means_of(units)
    found, again = (RaterAdjustment(one).found(means, "higher") for one in (units, renamed))
    assert found.systems == again.systems
    of_name = {one.rater: one for one in again.raters}
    for one in found.raters:
        other = of_name[names[units.raters.index(one.rater)]]
        assert (one.severity, one.interval) == (other.severity, other.interval)
    spreads = (found.case_sd, found.answer_sd, found.residual_sd)
    assert spreads == (again.case_sd, again.answer_sd, again.residual_sd)
