"""A design of some systems a case is seen, and accidents are not taken for one."""

from pathlib import Path

import numpy as np
import pytest
from tests.exchange.spreadsheet.test_by_cells import came_in

from medassay.exchange.spreadsheet.sampled_design import SampledDesign, sampled_design

SEEDS = range(40)
TEXTS = ("Take it in the morning with water.", "Rest, and call a doctor if it stays.")


def names(count: int, of: str) -> list[str]:
    return [f"{of}{i:03}" for i in range(count)]


def drawn(cases: int, systems: int, k: int, seed: int, *, balanced: bool) -> set[tuple[str, str]]:
    """Draw k systems for each case; balanced: those asked least so far."""
    rng = np.random.default_rng(seed)
    asked = np.zeros(systems)
    pairs = set()
    for case in names(cases, "c"):
        order = np.lexsort((rng.random(systems), asked if balanced else np.zeros(systems)))[:k]
        asked[order] += 1
        pairs |= {(f"s{i:03}", case) for i in order.tolist()}
    return pairs


def of(cases: int, systems: int, answered: set[tuple[str, str]]) -> SampledDesign | None:
    return sampled_design(names(cases, "c"), names(systems, "s"), sorted(answered))


@pytest.mark.parametrize("balanced", [True, False])
@pytest.mark.parametrize(
    ("cases", "systems", "k"),
    [(6, 3, 1), (74, 7, 1), (40, 6, 2), (30, 4, 3), (25, 5, 4), (8, 2, 1)],
)
def test_k_of_n_is_seen_with_its_counts(
    cases: int, systems: int, k: int, *, balanced: bool
) -> None:
    for seed in SEEDS if balanced else range(5):
        found = of(cases, systems, drawn(cases, systems, k, seed, balanced=balanced))
        if found is None:  # a small table that was drawn unevenly says little
            assert not balanced
            assert cases < 10
            continue
        assert found.k == (k, k)
        assert found.by_case == {k: cases}
        assert sum(found.by_system.values()) == cases * k
        answered = found.by_system.values()
        assert not balanced or max(answered) - min(answered) <= 1
        assert found.short == 0


@pytest.mark.parametrize("share", [0.01, 0.05, 0.1])
@pytest.mark.parametrize(("cases", "systems"), [(6, 3), (20, 2), (40, 6), (74, 7), (100, 12)])
def test_answers_that_never_came_are_no_design(cases: int, systems: int, share: float) -> None:
    taken = 0
    for seed in SEEDS:
        there = np.random.default_rng(seed).random((systems, cases)) >= share
        answered = {(f"s{i:03}", f"c{j:03}") for i, j in np.argwhere(there).tolist()}
        taken += of(cases, systems, answered) is not None
    assert taken == 0


@pytest.mark.parametrize("broke_off", [1, 10, 30, 50, 90])
def test_a_system_that_broke_off_is_no_design(broke_off: int) -> None:
    answered = {(s, c) for s in names(3, "s") for c in names(100, "c")}
    answered -= {("s002", c) for c in names(100, "c")[broke_off:]}
    assert of(100, 3, answered) is None


def test_a_case_that_lost_answers_leaves_the_design() -> None:
    whole = drawn(40, 6, 2, 1, balanced=True)
    lost = set(sorted(whole)[:3])
    found = of(40, 6, whole - lost)
    assert found is not None
    assert found.kind == "constant"
    assert found.k == (2, 2)
    assert found.short == len({case for _, case in lost})
    assert f"{found.short} more cases have fewer answers." in str(found)


def test_pairs_drawn_one_by_one_are_a_sample() -> None:
    there = np.random.default_rng(3).random((6, 60)) < 0.3
    found = of(60, 6, {(f"s{i:03}", f"c{j:03}") for i, j in np.argwhere(there).tolist()})
    assert found is not None
    assert found.kind == "sampled"
    assert found.k == (there.sum(axis=0).min(), there.sum(axis=0).max())


def test_systems_with_cases_of_their_own_in_blocks_are_a_design() -> None:
    blocks = {(s, c) for s in ("s000", "s001") for c in names(40, "c")[:20]}
    blocks |= {(s, c) for s in ("s002", "s003") for c in names(40, "c")[20:]}
    found = of(40, 4, blocks)
    assert found is not None
    assert (found.kind, found.k) == ("constant", (2, 2))


def test_nothing_and_everything_are_no_design() -> None:
    everything = {(s, c) for s in names(3, "s") for c in names(9, "c")}
    assert of(9, 3, everything) is None
    assert of(9, 3, set()) is None
    assert sampled_design([], [], []) is None
    assert of(9, 1, {("s000", "c001")}) is None


def test_as_many_systems_of_each_case_is_asked_about_however_few_one_system_has() -> None:
    for cases in range(2, 12):
        own = [("A" if at == 0 else "B", str(at)) for at in range(cases)]
        found = sampled_design([str(at) for at in range(cases)], "AB", own)
        assert found is not None
        assert found.kind == "constant"
        assert found.k == (1, 1)


def test_eight_of_ten_are_as_likely_as_tosses_of_a_coin_and_nine_are_a_design() -> None:
    """A answered 5 cases, B 7 or 6: half of all cases then have one answer by chance.

    Of ten tosses eight heads or more come in 56 of 1,024 (5.5 %), nine or more in 11 (1.1 %).
    """
    of_each = {("A", str(at)) for at in range(5)}
    assert (
        sampled_design("0123456789", "AB", of_each | {("B", str(n)) for n in range(3, 10)}) is None
    )
    found = sampled_design("0123456789", "AB", of_each | {("B", str(n)) for n in range(4, 10)})
    assert found is not None
    assert (found.kind, found.by_case, found.short) == ("constant", {1: 9, 2: 1}, 0)


@pytest.mark.parametrize("silent", [0, 1, 2, 3])
def test_a_row_without_an_answer_was_asked_of_its_system(tmp_path: Path, silent: int) -> None:
    """Each row of a long table is one asking: an empty cell there hides no design."""
    rows: list[list[object]] = [["case", "question", "system", "answer"]]
    for at in range(12):
        for more in (0, 1):
            system = ("BotA", "BotB", "BotC")[(at + more) % 3]
            text = f"{TEXTS[more]} In case {at} ask again after {at + more} days."
            empty = more == 0 and at % 4 == 0 and at // 4 < silent
            asked = f"What is the first dose of {names(12, 'drug')[at]} by day {at}?"
            rows.append([f"C-{at}", asked, system, "" if empty else text])
    said, _ = came_in(tmp_path, *rows)
    assert "--asked" in said
