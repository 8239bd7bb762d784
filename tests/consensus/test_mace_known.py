"""No competence of a rater whom the labels do not show."""

import numpy as np
import pytest
from mace_competence import DESIGNS, Design, simulate
from tools.endurance import Endurance

from medassay.consensus import join_units, not_identified
from medassay.judgements import Units

NONE = "no answer of this rater has labels of two others"


def panel(raters: int, shared: int, alone: int = 0) -> Units:
    """Let all raters judge some answers, and the first alone others."""
    rng = np.random.default_rng(6)
    codes = rng.integers(2, size=(shared + alone, raters))
    codes[shared:, 1:] = -1
    return Units.from_codes(codes, ["no", "yes"], scores=[0, 1])


def test_two_raters_have_no_competence_however_much_they_judge() -> None:
    units = panel(2, 500)
    assert not_identified(units) == (NONE, NONE)
    joined = join_units(units, "mace", rng=np.random.default_rng(1))[1]
    assert joined.quality == (None, None)
    assert all(one is not None for one in joined.codes or ())


def test_answers_that_nobody_else_judged_show_nothing() -> None:
    said = not_identified(panel(3, 29, 400))
    assert said == ("only 29 answers of this rater have labels of two others: it takes 30",) * 3
    assert not_identified(panel(3, 30)) == ("", "", "")
    assert not_identified(panel(3, 1))[0].startswith("only 1 answer of this rater has labels")


def test_control_items_whose_label_is_read_show_how_often_a_rater_is_right() -> None:
    units = panel(2, 40)
    assert not_identified(units, units.keys[:30]) == ("", "")
    assert not_identified(units, units.keys[:29])[1].startswith("only 29 answers")


def test_each_rater_is_known_by_their_own_answers() -> None:
    codes = np.zeros((60, 4), dtype=np.int64)
    codes[10:, 3] = -1
    said = not_identified(Units.from_codes(codes, ["no", "yes"]))
    assert said[:3] == ("", "", "")
    assert said[3].startswith("only 10 answers")


@pytest.mark.endure
@pytest.mark.parametrize("design", DESIGNS, ids=str)
def test_a_worse_rater_seldom_stands_first(design: Design, endurance: Endurance) -> None:
    studies = endurance.size("studies", short=100, whole=1000)
    found = simulate(design, studies)
    endurance.found(
        f"wrong order before {found.before:.1%}, now {found.now:.1%}, shown in {found.printed:.1%}"
    )
    assert found.now <= 0.06 + 3.7 * (0.06 * 0.94 / studies) ** 0.5
