"""A part of simulations/calibration-words.md, simulated again."""

import pytest
from calibration_words import DESIGNS, Design, said
from tools.endurance import Endurance


def named(design: Design) -> str:
    return f"{design.title}, {sum(design.sizes)} cases"


@pytest.mark.slow
@pytest.mark.endure
@pytest.mark.parametrize("design", DESIGNS[::3], ids=named)
def test_a_calibrated_system_is_seldom_said_not_to_be(design: Design, endurance: Endurance) -> None:
    studies = endurance.size("studies", short=100, whole=1000)
    any_before, any_now, one_before, one_now = said(design, studies)
    endurance.found(
        f"one of six before {one_before:.1%}, now {one_now:.1%}; any before {any_before:.1%}, now "
        f"{any_now:.1%}"
    )
    assert any_now < (0.07 if endurance.whole else 0.12)
