"""What a report says of the ranges behind ranks: of each system by itself, or of all at once."""

import json
from types import SimpleNamespace
from typing import Any, cast

import pytest
from tools.standard.shared import SharedRuns

from medassay.analyses.builtin.leaderboards.tables import _ranges_words
from medassay.analyses.builtin.shared_task import _caption
from medassay.analyses.inputs.study_description import _rank_ranges

AT_ONCE = "95% confidence for all ranges together"


@pytest.mark.parametrize(("systems", "together"), [(11, False), (12, True), (28, True)])
def test_captions_and_methods_say_what_the_ranges_are(systems: int, *, together: bool) -> None:
    rows = [SimpleNamespace(mean=1.0)] * systems + [SimpleNamespace(mean=None)] * 3
    assert (AT_ONCE in _ranges_words(cast("Any", rows))) == together
    assert ("for each system alone" in _ranges_words(cast("Any", rows))) != together
    study = cast("Any", SimpleNamespace(systems=["s"] * systems))
    assert ("all of a board hold at once" in _rank_ranges(study)) == together
    value = SimpleNamespace(place=SimpleNamespace(high=2), value=1.0, n=9)
    column = SimpleNamespace(
        rank="1", values=[value] * systems, lacking=(), question="", own=False, origin="",
        title="Overall", group="",
    )  # fmt: skip
    board = SimpleNamespace(says="Whose.", columns=[column])
    said = _caption(cast("Any", board), cast("Any", SimpleNamespace(cases=9)), letters=True)
    assert ("a column's ranges hold together" in said) == together


def test_thirteen_systems_have_the_ranges_that_their_groups_leave_open(
    standard_run: SharedRuns,
) -> None:
    folder = standard_run("pool").folder
    report = json.loads((folder / "report.json").read_bytes())
    assert "all of a board hold at once" in json.dumps(report)
    assert AT_ONCE in (folder / "report.html").read_text(encoding="utf-8")
