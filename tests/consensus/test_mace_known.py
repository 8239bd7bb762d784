"""No competence of a rater whom the labels do not show."""

import numpy as np
import pytest
from mace_competence import DESIGNS, Design, draw, simulate
from tools.endurance import Endurance

from medassay.consensus import fit_mace, join_units, no_competence
from medassay.consensus.mace import not_identified
from medassay.judgements import Units
from medassay.judgements.rubric import Scale

NONE = "no answer of this rater has labels of three others"


def panel(raters: int, shared: int, alone: int = 0) -> Units:
    """Let all raters judge some answers, and the first alone others."""
    rng = np.random.default_rng(6)
    codes = rng.integers(2, size=(shared + alone, raters))
    codes[shared:, 1:] = -1
    return Units.from_codes(codes, ["no", "yes"], scores=[0, 1])


@pytest.mark.parametrize("raters", [2, 3])
def test_two_or_three_raters_have_no_competence_however_much_they_judge(raters: int) -> None:
    units = panel(raters, 500)
    assert not_identified(units) == (NONE,) * raters
    joined = join_units(units, "mace", rng=np.random.default_rng(1))[1]
    assert joined.quality == (None,) * raters
    assert all(code is not None for code in joined.codes or ())


def test_answers_that_nobody_else_judged_show_nothing() -> None:
    reasons = not_identified(panel(4, 149, 400))
    why = "only 149 answers of this rater have labels of three others or a known one: it takes 150"
    assert reasons == (f"{why}, or 30 control items",) * 4
    assert not_identified(panel(4, 150)) == ("",) * 4
    assert not_identified(panel(4, 1))[0].startswith("only 1 answer of this rater has labels")


def test_control_items_whose_label_is_read_show_how_often_a_rater_is_right() -> None:
    units = panel(2, 40)
    assert not_identified(units, units.keys[:30]) == ("", "")
    assert not_identified(units, units.keys[:29])[1].startswith("only 29 answers")


def test_each_rater_is_known_by_their_own_answers() -> None:
    codes = np.zeros((160, 5), dtype=np.int64)
    codes[10:, 4] = -1
    reasons = not_identified(Units.from_codes(codes, ["no", "yes"]))
    assert reasons[:4] == ("",) * 4
    assert reasons[4].startswith("only 10 answers")


@pytest.mark.parametrize(
    ("scale", "labels", "why"),
    [
        ("ordinal", 3, "the 3 labels have an order: a strict rater looks like one who guesses"),
        ("interval", 3, "the 3 labels have an order: a strict rater looks like one who guesses"),
        ("nominal", 3, ""),
        ("ordinal", 2, ""),
    ],
)
def test_labels_in_an_order_show_no_competence(scale: Scale, labels: int, why: str) -> None:
    codes = np.random.default_rng(3).integers(labels, size=(150, 4))
    units = Units.from_codes(codes, ["none", "mild", "severe"], scale=scale)
    assert not_identified(units) == (why,) * 4


def test_raters_who_err_together_leave_nobody_a_competence() -> None:
    rng = np.random.default_rng(8)
    apart = draw(Design((0.85,) * 5, 200, 200), rng)
    assert no_competence(apart, fit_mace(apart, rng=rng)) == ("",) * 5
    pair = draw(Design((0.75, 0.75, 0.85, 0.85), 200, 200, together=1.0), rng)
    fitted = fit_mace(pair, rng=rng)
    assert fitted.competence[0] > fitted.competence[-1]
    [why] = set(no_competence(pair, fitted))
    assert why.startswith("some raters err together: two of them agree on ")


@pytest.mark.slow
@pytest.mark.endure
@pytest.mark.parametrize("design", DESIGNS, ids=str)
def test_a_worse_rater_seldom_stands_first(design: Design, endurance: Endurance) -> None:
    studies = endurance.size("studies", short=100, whole=1000)
    rates = simulate(design, studies)
    endurance.found(
        f"wrong order before {rates.before:.1%}, now {rates.now:.1%}, shown in {rates.printed:.1%}"
    )
    # A pair who share a third of their errors is seldom found: cells say "if raters err apart".
    bar = 0.17 if design.together == 0.3 else 0.05
    assert rates.now <= bar + 3.7 * (bar * (1 - bar) / studies) ** 0.5
