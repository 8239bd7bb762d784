"""The search for the worst design finds one, and what the page says of it holds when run again."""

import numpy as np
import pytest
from boxes import BOXES
from tools.endurance import Endurance
from worst_designs import PAGE, SEED, Box, Design, Search, design_on_page, row, worded

KNOBS: dict[str, tuple[float | str, ...]] = {
    "size": (1, 2, 5, 10, 20, 50),
    "share": (0.0, 0.1, 0.2, 0.4, 0.8),
    "kind": ("flat", "steep", "flat again"),
    "idle": (0, 1),
}


def wrong(design: Design, rng: np.random.Generator, studies: int) -> int:
    """Be wrong the more often the nearer a design is to 20, 0.2 and steep."""
    far = abs(KNOBS["size"].index(design["size"]) - 4) + abs(
        KNOBS["share"].index(design["share"]) - 2
    )
    chance = 0.01 + (0.3 if design["kind"] == "steep" else 0.05) * 0.6**far
    return int(rng.binomial(studies, chance))


TOY = Box("toy", KNOBS, wrong, first=12, climbed=2)


def test_the_search_climbs_to_the_worst_design() -> None:
    found = [Search(TOY, np.random.default_rng(seed)).worst() for seed in range(20)]
    at_the_top = [
        design["kind"] == "steep" and design["size"] == 20 and design["share"] == 0.2
        for design in found
    ]
    assert sum(at_the_top) >= 18


def test_the_rate_on_the_page_is_of_fresh_seeds_and_repeats() -> None:
    calls: list[tuple[Design, int]] = []

    def noting(design: Design, rng: np.random.Generator, studies: int) -> int:
        calls.append((design, studies))
        return wrong(design, rng, studies)

    box = Box("toy", KNOBS, noting)
    line = row(box, 500, seed=4)
    assert row(box, 500, seed=4) == line
    last, studies = calls[-1]
    assert studies == 500
    rate = wrong(last, np.random.default_rng([4, 1]), 500) / 5
    assert line.startswith(f"| toy | {worded(last)} | ")
    assert f"| {rate:.1f} (" in line


def test_a_step_changes_one_knob_and_stays_in_the_box() -> None:
    corner = (0, 4, 1, 0)
    assert set(TOY.around(corner)) == {
        (1, 4, 1, 0), (0, 3, 1, 0), (0, 4, 0, 0), (0, 4, 2, 0), (0, 4, 1, 1)
    }  # fmt: skip


@pytest.mark.parametrize("box", BOXES, ids=lambda box: box.verdict)
def test_every_box_counts_wrong_verdicts_of_any_design(box: Box) -> None:
    rng = np.random.default_rng(1)
    for places in (box.drawn(rng), tuple(0 for _ in box.knobs)):
        assert 0 <= box.wrong(box.design(places), rng, 2) <= 2


@pytest.mark.parametrize("box", BOXES, ids=lambda box: box.verdict)
def test_the_worst_design_is_read_from_the_page_as_it_was_written(box: Box) -> None:
    design, *_ = design_on_page(box)
    assert list(design) == list(box.knobs)
    assert f"| {worded(design)} |" in PAGE.read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.endure
@pytest.mark.parametrize("box", BOXES, ids=lambda box: box.verdict)
def test_the_worst_design_is_as_bad_as_the_page_says(box: Box, endurance: Endurance) -> None:
    studies = endurance.size("studies", short=40, whole=4000)
    design, rate, error = design_on_page(box)
    found = 100 * box.wrong(design, np.random.default_rng([SEED, 2]), studies) / studies
    endurance.found(f"wrong in {found:.1f}%")
    share = min(0.99, max(rate / 100, 1 / studies))
    own = 100 * (share * (1 - share) / studies) ** 0.5
    # So far apart would be two runs of one rate once in ten thousand.
    assert abs(found - rate) <= 3.9 * (own**2 + error**2) ** 0.5 + 100 / studies
