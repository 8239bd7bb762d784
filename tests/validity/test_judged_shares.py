"""Rogan-Gladen on a study's own counts: by hand, where it does not help, and whom it rests on."""

import numpy as np
import pytest
from numpy.typing import NDArray
from tools.endurance import Endurance

from medassay.scores import Grid
from medassay.stats import rogan_gladen
from medassay.validity import Flag, JudgedShare, Target, judged_shares

Mask = NDArray[np.bool_]


def shares(
    bad: Mask, called: Mask, judged: Mask, clusters: dict[str, str] | None = None
) -> list[JudgedShare]:
    systems = tuple(f"S{i}" for i in range(len(bad)))
    names = systems, tuple(f"{i:04}" for i in range(bad.shape[1]))
    people = Target("d", "unacceptable", Grid(*names, (bad & judged).astype(float), judged))
    flag = Flag("m", "metric", Grid(*names, called.astype(float), np.ones_like(judged)))
    return judged_shares([people], {("d", "unacceptable"): [flag]}, clusters=clusters)


def one_system() -> tuple[Mask, Mask, Mask]:
    # 200 judged: 100 bad, 80 of them flagged; 100 good, 10 flagged. 1,000 others, 280 flagged.
    bad = np.repeat([True, False, False], [100, 100, 1000])[None]
    called = np.repeat([True, False, True, False, True, False], [80, 20, 10, 90, 280, 720])[None]
    return bad, called, (np.arange(1200) < 200)[None]


def test_by_hand() -> None:
    [one] = shares(*one_system())
    assert (one.sensitivity, one.specificity) == ((80, 100), (90, 100))
    assert one.errors_of == "this system"
    assert one.corrected.estimate == pytest.approx(0.18 / 0.7)  # (.28 + .9 - 1)/(.8 + .9 - 1)
    assert one.corrected.interval == rogan_gladen(280, 1000, (80, 100), (90, 100)).interval
    assert (one.people, one.plain) == (0.5, 370 / 1200)
    # Its error, .042, is more than .0354 = sqrt(.25/200) of the 200 judgements alone.
    assert one.corrected.worth == pytest.approx(0.25 / 0.041998**2, rel=1e-4)
    assert "tell as much" in one.corrected.no_help


def test_few_of_one_kind_borrow_the_errors_of_all_systems_and_say_so() -> None:
    bad, called, judged = (np.vstack([row, row]) for row in one_system())
    judged[1, 10:] = False
    first, second = shares(bad, called, judged)
    assert (first.errors_of, second.errors_of) == ("this system", "all systems")
    assert second.sensitivity == (90, 110)
    assert second.judged == 10


def test_where_everything_is_judged_it_does_not_help() -> None:
    bad, called, judged = one_system()
    [one] = shares(bad, called, judged | True)
    assert one.corrected.estimate is None
    assert "every answer" in one.corrected.no_help
    assert one.people == pytest.approx(100 / 1200)


def test_a_flag_no_better_than_chance_is_not_corrected() -> None:
    bad, _, judged = one_system()
    called = (np.arange(1200) % 2 == 0)[None]
    [one] = shares(bad, called, judged)
    assert one.corrected.estimate is None
    assert "chance" in one.corrected.no_help


def test_a_poor_flag_is_worth_less_than_the_judgements() -> None:
    bad, called, judged = one_system()
    called[0, 80:100] = called[0, 100:135] = True
    called[0, 50:100] = False
    [one] = shares(bad, called, judged)
    assert one.corrected.estimate is not None
    assert one.corrected.worth is not None
    assert one.corrected.worth <= 200
    assert "tell as much" in one.corrected.no_help


def test_clusters_widen() -> None:
    rng = np.random.default_rng(1)
    truth = np.repeat(rng.random(120) < 0.4, 10)[None]
    miss = np.repeat(rng.random(120) < 0.15, 10)[None]
    judged = (np.arange(1200) < 600)[None]
    [alone] = shares(truth, truth ^ miss, judged)
    groups = {f"{i:04}": f"c{i // 10}" for i in range(1200)}
    [together] = shares(truth, truth ^ miss, judged, groups)
    assert together.corrected.estimate == pytest.approx(alone.corrected.estimate, abs=0.05)
    widths = [
        one.corrected.interval.high - one.corrected.interval.low
        for one in (alone, together)
        if one.corrected.interval
    ]
    assert len(widths) == 2
    assert widths[1] > 1.5 * widths[0]


@pytest.mark.slow
@pytest.mark.endure
@pytest.mark.parametrize("size", [1, 4])
def test_the_interval_covers(size: int, endurance: Endurance) -> None:
    studies = endurance.size("studies", short=400, whole=4000)
    rng = np.random.default_rng(2)
    held = 0
    for _ in range(studies):
        bad = np.repeat(rng.random(900 // size) < 0.3, size)[None]
        wrong = np.where(bad, rng.random(bad.shape) < 0.2, rng.random(bad.shape) < 0.1)
        judged = (np.arange(bad.size) < 300)[None]
        groups = {f"{i:04}": f"c{i // size}" for i in range(bad.size)}
        [one] = shares(bad, bad ^ wrong, judged, groups)
        assert one.corrected.interval is not None
        held += one.corrected.interval.low <= 0.3 <= one.corrected.interval.high
    endurance.found(f"held {held / studies:.3f}")
    assert held / studies > 0.92
