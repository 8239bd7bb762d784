"""What an analysis may read is named, and imported, as the page on writing one says."""

import re
from importlib import import_module
from pathlib import Path

from medassay.analyses.inputs import readable

PAGE = Path(__file__).parents[2] / "docs/how-to/add-an-analysis.md"
ROOMS = ("analyses", "judgements", "cases", "answers", "scores", "error_analysis")


def what_it_reads() -> str:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    return next(line for line in lines if "reads what" in line)


def test_every_part_is_imported_from_the_rooms_that_the_page_names() -> None:
    [said] = [
        line for line in PAGE.read_text(encoding="utf-8").splitlines() if "reads what" in line
    ]
    assert set(re.findall(r"`medassay\.(\w+)`", said)) == set(ROOMS)
    rooms = [import_module(f"medassay.{room}") for room in ROOMS]
    parts = {kind for kind in readable._PROVIDERS if isinstance(kind, type)}
    for part in parts:
        name = part.__name__
        assert [room for room in rooms if getattr(room, name, None) is part]


def test_the_page_names_nothing_that_no_study_has() -> None:
    [said] = [
        line for line in PAGE.read_text(encoding="utf-8").splitlines() if "reads what" in line
    ]
    named = set(re.findall(r"`([A-Z]\w+)`", said))
    assert named <= {getattr(kind, "__name__", "") for kind in readable._PROVIDERS}
