"""Rows that say nothing was found, of rooms that never asked: counted and warned of."""

import json
from pathlib import Path

import pytest

from medassay.analyses.builtin.passages import passages_of, passages_table
from medassay.analyses.inputs.readable import design_of
from medassay.campaign import write_count_calibration
from medassay.campaign.create import DESIGN
from medassay.campaign.room import export_room, open_demo
from medassay.exhibits import Names
from medassay.study import Study, summarise

from .conftest import answer, said

pytestmark = pytest.mark.web
RATER = "rater-1"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give a study in which one rater said of one answer that there is nothing to mark."""
    folder = tmp_path / "study"
    with open_demo(folder, "parts") as room:
        room.rating.consent(RATER, room.design.options.information.version)
        task = room.rating.next(RATER)
        assert task is not None
        answer(room, RATER, task)
        room.rating.say(RATER, said(task, "errors", "none", seconds=1.0))
        export_room(Study.open_whole(folder), room)
    write_count_calibration(folder, counts=True)
    return folder


def warned(folder: Path) -> list[str]:
    warnings = summarise(Study.open(folder)).warnings
    return [line for line in warnings if "never looked for passages" in line]


@pytest.mark.parametrize("asked", [True, False], ids=["a room that asks", "an earlier one"])
def test_rows_of_rooms_that_did_not_ask_are_counted(
    folder: Path,
    asked: bool,  # noqa: FBT001 - a parameter of pytest
) -> None:
    path = folder / "campaigns" / "parts" / DESIGN
    record = json.loads(path.read_text("utf-8"))
    assert record["design"]["asks_passages"] is True
    if not asked:
        del record["design"]["asks_passages"]
        path.write_text(json.dumps(record), encoding="utf-8")
    lines = warned(folder)
    assert [line[:30] for line in lines] == ([] if asked else ["Campaign parts: 1 row with the"])
    # The table of passages marks them, under pseudonyms as well.
    for study in (Study.open(folder), Study.open_whole(folder)):
        systems, unasked = design_of(study).systems, design_of(study).unasked
        found = list(passages_of(study.rubric, study.judgements, systems, unasked))
        assert sum(row.unasked for row in found) == (0 if asked else 1)
        table = passages_table(found, Names())
        heads = [column.title for column in table.columns]
        assert ("Of these, looked?" in heads) is not asked
        assert ("that did not ask" in table.caption) is not asked
