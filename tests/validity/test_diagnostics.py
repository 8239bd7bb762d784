"""Faults are planted, and must be found where they are and nowhere else."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medassay.judgements import Judgements, Rubric, Units, load_rubric
from medassay.validity import (
    KINDS,
    RaterDiagnostic,
    diagnose_raters,
    diagnostics,
    leave_one_rater_out,
)

SYSTEMS, CASES, RATERS = 4, 30, "abcdef"


def rubric() -> Rubric:
    labels = [{"label": str(i), "score": i} for i in range(1, 10)]
    dimension = {"question": "How good?", "scale": "interval", "labels": labels}
    return Rubric.model_validate(
        {"name": "nine", "dimensions": [{"id": "one", **dimension}, {"id": "two", **dimension}]}
    )


@dataclass
class Moment:
    """What decides a score, before a fault bends it."""

    score: float
    first: float
    """The score of the first dimension, before any fault."""
    noise: float
    before: float
    """How far the last score of this dimension lay from the truth."""
    position: int
    system: int
    dimension: str
    luck: float


FAULTS: dict[str, Callable[[Moment], float]] = {
    "": lambda m: m.score,
    "severity": lambda m: m.score - 1.5,
    "central tendency": lambda m: 5 + 0.3 * (m.score - 5),
    "halo": lambda m: m.first + 0.2 * m.noise,
    "anchoring": lambda m: m.score + 0.8 * m.before,
    "drift": lambda m: m.score + 3.0 * (m.position - 60) / 100,
    "favouring": lambda m: m.score + 1.5 * (m.system == 2),
    "identical run": lambda m: 5.0 if m.position > 100 else m.score,
    "speed": lambda m: m.score,
    "competence": lambda m: m.luck,
}


def study(fault: str = "") -> Judgements:
    """Make 120 answers that six raters score on two dimensions; rater f has the fault."""
    rng = np.random.default_rng(17)
    answers = [(s, c) for s in range(SYSTEMS) for c in range(CASES)]
    quality = {name: 5 + rng.normal(size=len(answers)) for name in ("one", "two")}
    rows = []
    for rater in RATERS:
        bend = FAULTS[fault if rater == "f" else ""]
        before = {"one": 0.0, "two": 0.0}
        for position, i in enumerate(rng.permutation(len(answers)).tolist()):
            system, case = answers[i]
            noise = {name: rng.normal() for name in quality}
            for name in ("one", "two"):
                moment = Moment(
                    score=quality[name][i] + noise[name],
                    first=quality["one"][i] + noise["one"],
                    noise=noise[name],
                    before=before[name],
                    position=position,
                    system=system,
                    dimension=name,
                    luck=rng.uniform(1, 9),
                )
                score = bend(moment)
                before[name] = score - quality[name][i]
                hasty = fault == "speed" and rater == "f" and position % 2
                rows.append(
                    {
                        "rater": rater,
                        "system": f"s{system}",
                        "case": f"c{case:02}",
                        "dimension": name,
                        "label": str(int(np.clip(np.rint(score), 1, 9))),
                        "position": position,
                        "seconds": 2.0 if hasty else 30 + 10 * rng.random(),
                    }
                )
    return Judgements.from_rows(rows, rubric())


def diagnose(judgements: Judgements) -> list[RaterDiagnostic]:
    return diagnose_raters(judgements, rng=np.random.default_rng(1), replicates=300)


def one_of(found: list[RaterDiagnostic], rater: str, kind: str, about: str = "") -> RaterDiagnostic:
    return next(
        d
        for d in found
        if d.rater == rater and d.kind == kind and d.about == about and d.dimension[:3] == "one"
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "about", "size"),
    [
        ("severity", "", -1.5),
        ("central tendency", "", 0.3),
        ("halo", "", 0.9),
        ("anchoring", "", 0.8),
        ("drift", "", 3.0),
        ("favouring", "s2", 1.5),
    ],
)
def test_a_planted_fault_is_found_with_its_size(kind: str, about: str, size: float) -> None:
    found = diagnose(study(kind))
    planted = one_of(found, "f", kind, about)
    assert planted.effect == pytest.approx(size, abs=0.5 if kind == "drift" else 0.25)
    assert planted.effect is not None
    assert planted.interval is not None
    assert planted.interval.low < planted.effect < planted.interval.high
    nothing = 1.0 if kind == "central tendency" else 0.0
    assert not planted.interval.low <= nothing <= planted.interval.high
    # Nobody else stands out as far.
    for rater in "abcde":
        other = one_of(found, rater, kind, about)
        assert other.effect is not None
        assert abs(other.effect - nothing) < abs(planted.effect - nothing) / 2


@pytest.mark.slow
def test_runs_and_speed_are_found() -> None:
    run = one_of(diagnose(study("identical run")), "f", "identical run")
    assert run.effect is not None
    assert run.interval is not None
    assert run.effect > 10 > run.interval.high
    assert run.interval.method == "permutation range"
    speed = one_of(diagnose(study("speed")), "f", "speed")
    assert speed.effect == pytest.approx(0.5)


def test_of_scores_in_an_order_no_competence_is_told() -> None:
    guesser = one_of(diagnose(study("competence")), "f", "competence", "mace")
    assert (guesser.effect, guesser.interval) == (None, None)
    assert "have an order: a strict rater looks like one who guesses" in guesser.reason


@pytest.mark.slow
def test_every_kind_is_there_for_every_rater_and_in_order() -> None:
    found = diagnose(study())
    # Nobody here reads a scale backwards: tests/validity/test_backwards.py has who does.
    assert {d.kind for d in found} == set(KINDS) - {"reversed"}
    assert {d.rater for d in found} == set(RATERS)
    assert [d.about for d in found if d.rater == "a" and d.kind == "favouring"][:4] == [
        "s0",
        "s1",
        "s2",
        "s3",
    ]
    honest = [d for d in found if d.kind in ("severity", "drift") and d.interval]
    outside = [d for d in honest if d.interval and not d.interval.low <= 0 <= d.interval.high]
    assert len(outside) <= len(honest) / 4


@pytest.mark.slow
def test_the_order_of_rows_changes_nothing() -> None:
    said = study("drift")
    turned = Judgements(said.frame.reverse(), said.rubric)
    assert diagnose(said) == diagnose(turned)


def test_what_is_lacking_is_a_reason() -> None:
    rows = [
        {"rater": r, "system": "A", "case": str(c), "dimension": "quality", "label": str(label)}
        for r, c, label in [("x", 1, 4), ("x", 2, 5), ("y", 1, 4), ("z", 3, 2)]
    ]
    found = diagnose(Judgements.from_rows(rows, load_rubric("likert5")))
    why = {(d.rater, d.kind): d.reason for d in found if d.effect is None}
    assert why["z", "severity"] == "nobody else judged this rater's answers"
    assert why["x", "severity"] == "fewer than 5 labels (1)"
    assert why["x", "drift"] == "positions are not known"
    assert why["x", "speed"] == "seconds are not known"
    assert not [d for d in found if d.kind == "favouring"]  # one system: nothing to favour


pairs = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=3, max_size=20)


@given(pairs)
def test_effects_from_sums_are_those_from_values(drawn: list[tuple[int, int]]) -> None:
    x, y = np.array(drawn, dtype=float).T
    sums = np.stack([x, y, x * y, x * x, y * y, np.ones(len(x))], axis=1).sum(axis=0)
    if np.ptp(x) == 0:
        assert np.isnan(diagnostics.slope(sums))
        return
    assert diagnostics.slope(sums) == pytest.approx(np.polyfit(x, y, 1)[0], abs=1e-9)
    if np.ptp(y):
        assert diagnostics.correlation(sums) == pytest.approx(np.corrcoef(x, y)[0, 1], abs=1e-9)
        moments = np.array([x.sum(), (x**2).sum(), len(x), y.sum(), (y**2).sum(), len(y)])
        assert diagnostics.sd_ratio(moments) == pytest.approx(x.std() / y.std())


def test_a_ranking_that_hangs_on_one_rater_is_found() -> None:
    # Rater 3 alone puts A above B: A 1 1 9 against B 2 2 2, and C is last whatever happens.
    keys = [(system, str(case)) for system in "ABC" for case in range(5)]
    table = [[1, 1, 8]] * 5 + [[2, 2, 2]] * 5 + [[0, 0, 0]] * 5
    units = Units.from_codes(table, list("012345678"), keys=keys, scores=range(9))
    found = {
        one.rater: one for one in leave_one_rater_out(units, ["mean"], rng=np.random.default_rng(1))
    }
    last = found["rater 02"]
    assert (last.same_order, last.same_best, last.largest_move, last.moved) == (
        False,
        False,
        1,
        "A",
    )
    assert last.tau == pytest.approx(1 / 3)
    assert found["rater 00"].same_order
    assert found["rater 00"].tau == 1


def test_a_system_that_only_one_rater_judged_leaves_no_ranking() -> None:
    units = Units.from_codes(
        [[0, 1], [1, -1]], ["no", "yes"], keys=[("A", "1"), ("B", "1")], scores=[0, 1]
    )
    first, second = leave_one_rater_out(units, ["mean"], rng=np.random.default_rng(1))
    assert (first.lost, first.tau, first.reason) == (1, None, "no score is left of B")
    assert second.tau == 1 or second.reason
