"""What a report says of the ranges behind ranks: of each system by itself, or of all at once."""

import json
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from tools.standard.shared import SharedRuns

from medassay.analyses.builtin.leaderboards.tables import _ranges_words
from medassay.analyses.builtin.shared_task import _caption
from medassay.analyses.inputs.study_description import _rank_ranges
from medassay.analyses.inputs.system_boards import _at_once
from medassay.scores import Grid
from medassay.validity import Source, rank_systems
from medassay.validity.ranking import sets_of

AT_ONCE = "95% for all ranges together"


@pytest.mark.parametrize(("systems", "together"), [(11, False), (12, True), (28, True)])
def test_captions_and_methods_say_what_the_ranges_are(systems: int, *, together: bool) -> None:
    rows = [SimpleNamespace(mean=1.0)] * systems + [SimpleNamespace(mean=None)] * 3
    for low in (0.0, None):
        said = _ranges_words(cast("Any", rows), cast("Any", SimpleNamespace(low=low, high=1.0)))
        assert (AT_ONCE in said) == together
        assert ("for each system alone" in said) != together
        assert ("unless these cases miss rare large losses" in said) == (together and low is None)
    study = cast("Any", SimpleNamespace(systems=["s"] * systems))
    assert ("all of a board hold at once" in _rank_ranges(study)) == together
    value = SimpleNamespace(place=SimpleNamespace(high=2, may_reverse=False), value=1.0, n=9)
    column = SimpleNamespace(
        rank="1", values=[value] * systems, lacking=(), question="", own=False, origin="",
        title="Overall", group="",
    )  # fmt: skip
    board = SimpleNamespace(says="Whose.", columns=[column])
    said = _caption(cast("Any", board), cast("Any", SimpleNamespace(cases=9)), letters=True)
    assert ("for all of a column together" in said) == together


def test_a_range_leaves_open_what_rare_large_losses_could_reverse() -> None:
    # All 20 cases say the same of 12 systems .05 apart, so tests are sure of every pair. But on a
    # scale from 0 to 1 so few show no more than .2: (1/1.2)^20 = .026, and (1/1.25)^20 = .012.
    values = np.linspace(0.2, 0.75, 12)[::-1, None] + 0.001 * np.tile([-1.0, 1.0], 10)
    grid = Grid(tuple("abcdefghijkl"), tuple(f"{at:02}" for at in range(20)), values, values > 0)
    board = rank_systems(Source("m", grid, bounds=(0.0, 1.0)), rng=1, replicates=2)
    ranks = [row.rank or 0 for row in board.standings]
    assert ranks == list(range(1, 13))
    unbounded = sets_of(board.comparisons, ranks, higher=True, level=0.95)
    bounded = sets_of(board.comparisons, ranks, higher=True, level=0.95, ends=(0.0, 1.0))
    assert [side.tolist() for side in unbounded] == [ranks, ranks]
    assert bounded[0].tolist() == [max(1, at - 4) for at in ranks]
    assert bounded[1].tolist() == [min(12, at + 4) for at in ranks]
    assert [tuple(r) for _, r in _at_once(board, board.comparisons, (0.0, 1.0))] == list(
        zip(*(side.tolist() for side in bounded), strict=True)
    )
    assert [r for _, r in _at_once(board, board.comparisons, (0.0, None))] == [
        (r, r) for r in ranks
    ]


def test_thirteen_systems_have_the_ranges_that_their_groups_leave_open(
    standard_run: SharedRuns,
) -> None:
    folder = standard_run("pool").folder
    report = json.loads((folder / "report.json").read_bytes())
    assert "all of a board hold at once" in json.dumps(report)
    assert AT_ONCE in (folder / "report.html").read_text(encoding="utf-8")
