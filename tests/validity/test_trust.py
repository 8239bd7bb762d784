"""The trust table: what is permitted, by which rule, and that it never depends on the rows."""

import tracemalloc
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from medassay.judgements import Units
from medassay.scores import Grid
from medassay.validity import (
    Evidence,
    Source,
    Surrogacy,
    constant_control,
    more_judgements,
    noise_control,
    noise_reference,
    permit,
    trust,
)
from medassay.validity.controls import noise_bar
from medassay.validity.order_test import OrderTest

Floats = NDArray[np.float64]
SYSTEMS = tuple(f"s{i:02}" for i in range(16))
CASES = tuple(f"c{i:02}" for i in range(40))


def source(name: str, values: Floats) -> Source:
    return Source(name, Grid(SYSTEMS, CASES, values, np.ones(values.shape, dtype=bool)))


@pytest.fixture(scope="module")
def columns() -> dict[str, Floats]:
    rng = np.random.default_rng(4)
    truth = rng.normal(size=(16, 1))
    shape = (16, 40)
    human = truth + rng.normal(size=shape)
    return {
        "human": human,
        "good": truth + rng.normal(size=shape),
        "reverse": -truth + rng.normal(size=shape),
        "noise": rng.normal(size=shape),
        "like length": truth + 0.1 * rng.normal(size=shape),
    }


def test_a_good_metric_may_rank_and_a_random_one_never(columns: dict[str, Floats]) -> None:
    [table] = trust(
        [source(name, columns[name]) for name in ("noise", "good", "reverse")],
        [constant_control(source("h", columns["human"]).grid)],
        [source("h", columns["human"])],
        rng=np.random.default_rng(1),
        replicates=500,
    )
    uses = {entry.metric: entry.uses for entry in table.entries}
    assert uses["good"] == ("rank", "gate")
    assert uses["noise"] == uses["reverse"] == ("never",)
    assert table.entries[0].metric == "good"
    assert next(e for e in table.entries if e.metric == "reverse").why.endswith(
        "against the raters"
    )
    best = [entry.p_best for entry in table.entries if entry.p_best is not None]
    assert sum(best) == pytest.approx(1)
    constant = table.entries[-1]
    assert (constant.tau, constant.reason) == (
        None,
        "it gives all systems the same score on every case",
    )
    assert table.level <= table.each_level < 1


def test_who_does_not_beat_length_is_not_trusted(columns: dict[str, Floats]) -> None:
    length = Source("length", source("x", -columns["like length"]).grid, "none")
    [table] = trust(
        [source("good", columns["good"])],
        [length],
        [source("h", columns["human"])],
        rng=np.random.default_rng(1),
        replicates=200,
    )
    [good, control] = table.entries
    assert control.tau is not None
    assert good.tau is not None
    assert abs(control.tau) >= good.tau  # a control has no better end: its strength counts
    assert good.beaten_by == ("length",)
    assert good.uses == ("never",)


def test_one_draw_of_noise_beats_nobody(columns: dict[str, Floats]) -> None:
    human = source("h", columns["human"])
    [table] = trust(
        [source("good", columns["good"])],
        [noise_control(human.grid, np.random.default_rng(1))],
        [human],
        rng=np.random.default_rng(1),
        replicates=200,
    )
    assert "noise" not in table.entries[0].beaten_by
    assert table.noise is not None
    assert 0.2 < table.noise < 0.5


def test_the_order_of_rows_changes_nothing(columns: dict[str, Floats]) -> None:
    def entries(order: list[int]) -> list[object]:
        def shuffled(name: str) -> Source:
            values = columns[name][order]
            grid = Grid(
                tuple(SYSTEMS[i] for i in order), CASES, values, np.ones(values.shape, dtype=bool)
            )
            return Source(name, grid)

        [table] = trust(
            [shuffled("good"), shuffled("noise")],
            [],
            [shuffled("human")],
            rng=np.random.default_rng(9),
            replicates=100,
        )
        return list(table.entries)

    assert entries(list(range(16))) == entries(list(range(15, -1, -1)))


LINE = Surrogacy(20, 1.5, 0.0004, 0.006, 0.12, 0.18, 0.16)
STANDS = OrderTest(20, 6, 0.001, 0.006, 0.7)
FALLS = OrderTest(20, 6, 0.01, 0.06, 0.7)
FEW = Surrogacy(6, undefined="not to be had under 12 systems; there are 6")


@pytest.mark.parametrize(
    ("evidence", "uses"),
    [
        (Evidence(0.8, 0.5, 0.9, STANDS, 0.9, (), FEW), ("rank",)),
        (Evidence(0.8, 0.49, 0.9, STANDS, 0.9, (), FEW), ("screen",)),
        (Evidence(0.7, 0.6, 0.9, STANDS, 0.9, (), FEW), ("screen",)),
        (Evidence(0.8, 0.6, 0.9, replace(STANDS, bar=None), 0.9, (), FEW), ("screen",)),
        (Evidence(0.8, 0.6, 0.9, STANDS, 0.9, (), FEW, "", "too narrow"), ("screen",)),
        (Evidence(0.8, 0.6, 0.9, FALLS, 0.9, (), LINE), ("gate",)),
        (Evidence(0.8, 0.6, 0.9, OrderTest(4, undefined="not to be had"), 0.9, (), FEW),
         ("never",)),
        (Evidence(0.8, 0.6, 0.9, STANDS, 0.4, (), LINE), ("screen", "gate")),
        (Evidence(0.8, 0.6, 0.9, STANDS, None, (), LINE), ("screen", "gate")),
        (Evidence(0.8, 0.6, 0.9, STANDS, 0.9, ("length",), LINE), ("never",)),
        (Evidence(0.8, 0.6, 0.9, STANDS, 0.9, (), replace(LINE, p_adjusted=0.026)), ("rank",)),
        (Evidence(0.8, 0.6, 0.9, STANDS, 0.9, (), replace(LINE, threshold=None)), ("rank",)),
        (Evidence(None, None, None, FALLS, 0.9, (), FEW, "no"), ("never",)),
    ],
)  # fmt: skip
def test_the_rules(evidence: Evidence, uses: tuple[str, ...]) -> None:
    assert permit(evidence).uses == uses


def test_more_judgements_by_hand() -> None:
    # q² = (.6 + .1)² / .1 = 4.9, room .6² = .36. Cases: left = .36/4.9 - .04 = .0335, so
    # 50 · .06/.0335 = 89.7: 40 more cases, 800 answers. Systems: 20 · 4.9 · .1/.36 = 27.2: 8 more,
    # 400 answers, which is less.
    found = more_judgements(0.6, -0.1, ("never",), (0.06, 0.1), (20, 50))
    assert (found.answers, found.cases, found.systems) == (400, 0, 8)
    assert more_judgements(0.4, 0.1, ("screen",), (0.06, 0.1), (20, 50)).answers is None
    assert more_judgements(0.9, 0.7, ("rank",), (0.06, 0.1), (20, 50)).towards is None


@pytest.mark.parametrize(
    ("obstacle", "said"),
    [
        ({"beaten_by": ("length",)}, "length reached as much"),
        ({"beaten_by": ("chance", "length")}, "chance and length reached as much"),
        ({"order": FALLS}, "p after Holm hangs on the systems and metrics there are"),
        (
            {"uses": ("screen",), "order": STANDS},
            "over 20 systems luck reaches a tau of 0.70 from a true one of 0.50",
        ),
    ],
)
def test_no_number_of_answers_is_sold_against_what_answers_do_not_move(
    obstacle: dict[str, Any], said: str
) -> None:
    asked = {"uses": ("never",), **obstacle}
    found = more_judgements(0.6, -0.1, spread=(0.06, 0.1), size=(20, 50), **asked)
    assert (found.answers, found.cases, found.systems) == (None, 0, 0)
    assert found.why == f"more answers do not help: {said}"
    free = more_judgements(
        0.6,
        -0.1,
        ("never",),
        (0.06, 0.1),
        (20, 50),
        beaten_by=(),
        order=replace(STANDS, p_adjusted=0.05),
    )
    assert free.answers == 400


def test_raters_who_guess_agree_on_no_order() -> None:
    rng = np.random.default_rng(2)
    keys = [(system, case) for system in SYSTEMS for case in CASES]
    codes = rng.integers(0, 3, size=(len(keys), 3))
    found = noise_reference(
        Units.from_codes(codes, "abc", keys=keys, scores=[0, 1, 2]), rng=rng, draws=50
    )
    assert found.halves is not None
    assert abs(found.halves) < 0.4
    assert found.answers == len(keys)


def test_one_label_an_answer_says_nothing_of_agreement() -> None:
    keys = [(system, "1") for system in SYSTEMS]
    units = Units.from_codes([[i % 3] for i in range(16)], "abc", keys=keys, scores=[0, 1, 2])
    found = noise_reference(units, rng=np.random.default_rng(1))
    assert found.halves is None
    assert found.undefined == "fewer than three systems have answers that two raters labelled"


@pytest.mark.slow
def test_the_bar_of_chance_fits_beside_143_systems() -> None:
    tracemalloc.start()
    bar = noise_bar(np.arange(143), 8, rng=np.random.default_rng(1))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert bar == pytest.approx(0.138383, abs=1e-6)
    assert most < 100e6
