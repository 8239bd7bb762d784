"""Of a folder that is handed in nothing is left out in silence, where it bears a known name."""

import sys
from pathlib import Path

import pytest

from medassay.errors import InvalidInput, Problem
from medassay.exchange.environmental_health.files import read_environmental_health
from medassay.exchange.mt_metrics_eval.declared import read_mt_metrics_eval
from medassay.exchange.potato.declared import read_potato

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
LOST = "a link to nothing"


def lost(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to("annex/of/somebody")
    return path


def problems_of(caught: pytest.ExceptionInfo[InvalidInput]) -> list[tuple[str, str]]:
    problems: tuple[Problem, ...] = caught.value.problems
    return [(one.file, one.got) for one in problems]


def test_a_table_of_a_panel(tmp_path: Path) -> None:
    (tmp_path / "queries.csv").write_text("scenario_id,query_id\n1,1\n", encoding="utf-8")
    lost(tmp_path / "ratings.csv")
    with pytest.raises(InvalidInput) as caught:
        read_environmental_health([tmp_path])
    assert ("ratings.csv", LOST) in problems_of(caught)


def test_an_annotators_state(tmp_path: Path) -> None:
    lost(tmp_path / "annotation_output" / "anna" / "user_state.json")
    with pytest.raises(InvalidInput) as caught:
        read_potato([tmp_path])
    assert problems_of(caught) == [("user_state.json", LOST)]


@pytest.mark.parametrize("name", ["human-scores", "metric-scores"])
def test_a_folder_of_scores(tmp_path: Path, name: str) -> None:
    lost(tmp_path / name)
    with pytest.raises(InvalidInput) as caught:
        read_mt_metrics_eval([tmp_path])
    assert (name, LOST) in problems_of(caught)
