"""What is said of a study that keeps its words: all of it at the terminal, counts in JSON."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from medassay.study import Study, new_study
from medassay.tables import csv_bytes

Command = Callable[..., Any]
JUDGED = ["rater", "system", "case", "dimension", "label", "comment"]


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """Give the starter study, which now names no case."""
    folder = tmp_path / "kept"
    new_study(folder, "ratings")
    with (folder / "study.toml").open("a", encoding="utf-8") as file:
        file.write('\n[privacy]\ntexts = "none"\n[run]\nreplicates = 100\n')
    return folder


def case_of(folder: Path) -> str:
    return Study.open_whole(folder).cases.ids[0]


def test_a_problem_is_quoted_at_the_terminal_and_counted_in_json(
    medassay: Command, kept: Path
) -> None:
    row, case = ["r1", "system-a", "Maya-7", "quality", "5", ""], case_of(kept)
    (kept / "judgements.csv").write_bytes(csv_bytes(JUDGED, [row]))
    assert 'row 2, column case: must be the id of a case that was asked; got "Maya-7"' in (
        medassay("check", kept).err
    )
    told = medassay("check", kept, "--json")
    [problem] = told.json()["problems"]
    assert (told.code, problem["row"], problem["column"]) == (2, 2, "case")
    assert problem["got"] == "what [privacy] keeps in the study"
    assert problem["try"] == ""
    assert not [word for word in ("Maya", case) if word in told.out]


def test_settings_that_cannot_be_read_keep_everything(medassay: Command, kept: Path) -> None:
    (kept / "study.toml").write_text('title = "Maya\n', encoding="utf-8")
    assert "Maya" not in medassay("check", kept, "--json").out


@pytest.mark.parametrize(
    "more", [f"x = {'[' * 50_000}", f"{'a.' * 20_000}b = 1", "privacy = 1", f"n = {'9' * 5000}"]
)
def test_settings_that_python_chokes_on_keep_everything(
    medassay: Command, kept: Path, more: str
) -> None:
    path = kept / "study.toml"
    path.write_text(f'title = "Maya"\n{more}\n', encoding="utf-8")
    told = medassay("check", kept, "--json")
    assert told.code == 2
    assert told.json()["problems"][0]["file"] == "study.toml"
    assert "Maya" not in told.out


@pytest.mark.parametrize("verb", ["check", "run", "report", "agree"])
def test_a_word_that_no_folder_can_be_called_is_no_study_that_keeps_its_texts(
    medassay: Command, verb: str
) -> None:
    name = "n" * 300
    told = medassay(verb, name, "--json")
    assert told.code == 2
    assert name in told.json()["error"]


def test_a_study_that_lets_its_texts_out_is_quoted(medassay: Command, tmp_path: Path) -> None:
    folder = tmp_path / "open"
    new_study(folder, "ratings")
    row = ["r1", "system-a", "Maya-7", "quality", "5", ""]
    (folder / "judgements.csv").write_bytes(csv_bytes(JUDGED, [row]))
    [problem] = medassay("check", folder, "--json").json()["problems"]
    assert problem["got"] == '"Maya-7"'


def test_check_shows_the_files_words_to_whoever_has_them(medassay: Command, kept: Path) -> None:
    case = case_of(kept)
    rows = [["r1", "system-a", f" {case}", "quality", "5", ""]]
    (kept / "judgements.csv").write_bytes(csv_bytes(JUDGED, rows))
    assert f'got " {case}"' in medassay("check", kept).out
    told = medassay("check", kept, "--json")
    assert told.code == 0
    assert "must have no blanks around it; got 1 with blanks" in " ".join(told.json()["warnings"])
    assert case not in told.out


def test_what_comes_in_keeps_its_ids_and_is_counted(
    medassay: Command, kept: Path, tmp_path: Path
) -> None:
    case, file = case_of(kept), tmp_path / "more.csv"
    rows = [["new", "system-a", f"{case} ", "quality", "4", "as Maya said"]]
    file.write_bytes(csv_bytes(JUDGED, rows))
    told = medassay("import", "--from", "judgements", file, "--into", kept, "--json")
    assert told.json()["added"] == 1
    assert not [word for word in (case, "Maya") if word in told.out]
    written = (kept / "judgements.csv").read_text(encoding="utf-8")
    assert f"system-a,{case},quality,4" in written
    assert "as Maya said" in written


def test_a_queue_of_numbers_becomes_a_campaign_of_cases(
    medassay: Command, kept: Path, tmp_path: Path
) -> None:
    queue, case = tmp_path / "queue.csv", case_of(kept)
    (kept / "judgements.csv").unlink()
    asked = ["triage", kept, "--n", 3, "--out", queue]
    told = medassay(*asked, "--json")
    assert {one["case"] for one in told.json()["queue"]} <= {"case-1", "case-2"}
    assert queue.read_text(encoding="utf-8").startswith("system,number,priority,why,numbering\n")
    assert case not in told.out + queue.read_text(encoding="utf-8")
    words = ["campaign", "create", kept, "--queue", queue, "--raters", "anna"]
    done = medassay(*words, "--name", "next", "--json")
    assert (done.code, done.json()["campaign"]) == (0, "next")
    assert case in (kept / "campaigns" / "next" / "key.csv").read_text(encoding="utf-8")
    cases = kept / "cases.jsonl"
    cases.write_text('{"case": "0"}\n' + cases.read_text(encoding="utf-8"), encoding="utf-8")
    said = medassay(*words, "--name", "later").err
    assert "must count the cases that the study has now; got numbers of others" in said


def test_a_draw_keeps_its_chances_under_the_campaigns_own_ids(
    medassay: Command, kept: Path, tmp_path: Path
) -> None:
    queue, case = tmp_path / "draw.csv", case_of(kept)
    (kept / "judgements.csv").unlink()
    assert medassay("triage", kept, "--for", "mean", "--n", 3, "--out", queue).code == 0
    assert case not in queue.read_text(encoding="utf-8")
    words = ["--queue", queue, "--raters", "anna", "--name", "draw"]
    assert medassay("campaign", "create", kept, *words).code == 0
    chances = (kept / "campaigns" / "draw" / "chances.csv").read_text(encoding="utf-8")
    assert chances.startswith("system,case,drawn,chance,why\n")
    assert case in chances
