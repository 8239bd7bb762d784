"""The notebook runs, and what it shows is what its cells give."""

import json

import pytest
from tools.make_notebook import NOTEBOOK, executed, written


@pytest.mark.slow
@pytest.mark.usefixtures("whole_runs")
def test_the_notebook_shows_what_its_cells_give() -> None:
    text = NOTEBOOK.read_text(encoding="utf-8")
    again = executed(json.loads(text))
    for cell, run in zip(json.loads(text)["cells"], again["cells"], strict=True):
        assert cell.get("outputs") == run.get("outputs"), "".join(cell["source"])
    assert written(again) == text
