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


@pytest.mark.slow
def test_a_metric_without_a_direction_is_not_gated(folder: Path, new: Path) -> None:
    assert "length" not in {one.metric for one in compared(folder, new).results}
    with pytest.raises(InvalidInput, match="one direction is better"):
        compared(folder, new, ["length"])


def write_retrieving(study: Path, names: dict[str, str], cases: list[str]) -> Path:
    """Write a study whose system retrieved a text for each case, called by a name."""
    (study / "answers").mkdir(parents=True)
    settings = 'schema = 1\ntitle = "RAG"\n[[metrics]]\nname = "danger_flag"\n'
    (study / "study.toml").write_text(settings, encoding="utf-8")
    rows: dict[str, list[dict[str, object]]] = {
        "cases.jsonl": [{"case": case, "question": f"What about {case}?"} for case in cases],
        "documents.jsonl": [{"id": name, "text": text} for text, name in names.items()],
        "answers/rag.jsonl": [
            {"case": case, "text": "Rest.", "retrieved": [{"document": names[f"of {case}"]}]}
            for case in cases
        ],
    }
    for file, lines in rows.items():
        (study / file).write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    return study


def test_the_same_answers_in_another_order_are_unchanged(tmp_path: Path) -> None:
    """A pipeline answers in any order, and an import numbers what it retrieved in that order."""
    old = write_retrieving(tmp_path / "old", {"of a": "p1", "of b": "p2"}, ["a", "b"])
    new = write_retrieving(tmp_path / "new", {"of b": "p1", "of a": "p2"}, ["b", "a"])
    assert compared(old, new).identical
    # The same names of other texts: what was retrieved did change.
    other = write_retrieving(tmp_path / "other", {"of b": "p1", "of a": "p2"}, ["a", "b"])
    texts = (other / "answers" / "rag.jsonl").read_text("utf-8")
    swapped = texts.replace("p1", "p0").replace("p2", "p1").replace("p0", "p2")
    (other / "answers" / "rag.jsonl").write_text(swapped, "utf-8")
    assert not compared(old, other).identical


@pytest.mark.parametrize("texts", ["full", "none"])
def test_cases_that_only_one_version_has_are_told(tmp_path: Path, texts: str) -> None:
    names = {f"of {case}": f"p-{case}" for case in "abcdef"}
    old = write_retrieving(tmp_path / "old", names, list("abcde"))
    new = write_retrieving(tmp_path / "new", names, list("af"))
    with (new / "study.toml").open("a", encoding="utf-8") as settings:
        settings.write(f'[privacy]\ntexts = "{texts}"\n')
    warnings = compared(old, new).warnings
    lost, gained = (" (b, c, d and 1 more)", " (f)") if texts == "full" else ("", "")
    assert f"{new} lacks 4 cases of {old}{lost}: their scores are lost." in warnings
    assert f"Only {new} has 1 case{gained}: nothing to compare with." in warnings


def ask(study: Path, questions: list[str]) -> Path:
    """Ask other questions under the ids of a study's cases."""
    path = study / "cases.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for row, question in zip(rows, questions, strict=True):
        row["question"] = question
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return study


def test_ids_that_are_places_in_a_file_do_not_pair_other_questions(tmp_path: Path) -> None:
    """A log without ids is numbered as it stands: in another order 1 is another question."""
    names = {f"of {case}": case for case in "123"}
    old, new = (write_retrieving(tmp_path / name, names, list("123")) for name in ("old", "new"))
    ask(old, ["May I swim?", "Is it flu?", "How long?"])
    with pytest.raises(InvalidInput, match='got 2 questions under the id of another, "2" first'):
        compared(old, ask(new, ["May I swim?", "How long?", "Is it flu?"]))
    with pytest.raises(InvalidInput, match="without its answers"):  # the first is missing
        compared(old, ask(new, ["Is it flu?", "How long?", "May I run?"]))
    ask(new, ["may I  swim?", "Is it flu?", "How long?"])
    assert not any("other words" in text for text in compared(old, new).warnings)
    reworded = compared(old, ask(new, ["May I dive?", "Is it flu?", "How long?"])).warnings
    words = f'{new} asks 1 case ("1") in other words than {old}: compared all the same.'
    assert words in reworded
