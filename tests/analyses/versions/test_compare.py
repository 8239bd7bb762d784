"""Two studies side by side: what is the same, what is gone, what the metric itself declares."""

import json
from pathlib import Path
from shutil import copytree

import pytest

from medassay.analyses import VersionComparison, compare_versions
from medassay.errors import InvalidInput


@pytest.fixture
def new(folder: Path) -> Path:
    return Path(copytree(folder, folder.parent / "new"))


def compared(folder: Path, new: Path, metrics: list[str] | None = None) -> VersionComparison:
    return compare_versions(str(folder), str(new), metrics=metrics)


def change_answer(study: Path, system: str, case: str, text: str) -> None:
    path = next((study / "answers").glob(f"{system}.*"))
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for row in rows:
        if row["case"] == case:
            row["text"] = text
    path.write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")


def test_an_unchanged_study_is_not_worse_by_any_metric(folder: Path, new: Path) -> None:
    found = compared(folder, new)
    assert found.identical
    assert len(found.results) > 1
    assert {one.verdict.value for one in found.results} == {"metric not worse"}
    assert not any(one.blocked for one in found.results)


def test_another_answer_of_the_same_score_is_a_change(folder: Path, new: Path) -> None:
    change_answer(new, "A", "c1", "Rest it for three days.")
    found = compared(folder, new, ["over_limit"])
    assert not found.identical
    [result] = found.results
    # Eleven answers of four cases: no score differs, and that shows little.
    rows = {row.system: row for row in result.systems}
    assert (result.verdict.value, len(result.flips)) == ("undecided", 0)
    assert (rows["A"].verdict.value, rows["A"].difference) == ("undecided", 0.0)
    assert rows["A"].interval is not None
    # Of the others nothing changed, and that is known.
    assert {row.verdict.value for name, row in rows.items() if name != "A"} == {"metric not worse"}


def test_a_system_without_a_file_is_lost(folder: Path, new: Path) -> None:
    next((new / "answers").glob("B.*")).unlink()
    for study in (folder, new):
        (study / "judgements.csv").unlink()
    found = compared(folder, new)
    assert found.lost_systems == ("B",)
    assert all({row.system: row.lost for row in one.systems}["B"] for one in found.results)
    assert any("has no scores of system B" in text for text in found.warnings)
    rouge = next(one for one in found.results if one.metric == "rouge1(ref=human)")
    assert {row.system: row.lost_as for row in rouge.systems}[
        "B"
    ] == 0.0  # what the metric declares for an answer never given
    assert compare_versions(f"{folder}:A", f"{new}:A").lost_systems == ()


def test_a_metric_without_a_direction_is_not_gated(folder: Path, new: Path) -> None:
    assert "length" not in {one.metric for one in compared(folder, new).results}
    with pytest.raises(InvalidInput, match="one direction is better"):
        compared(folder, new, ["length"])
