"""medassay export --to archehr: the shared task's own files again, or a reason why not."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]
PRINTED = Path(__file__).parents[1] / "data" / "archehr"
XML, KEY = PRINTED / "table4.xml", PRINTED / "table4_key_2026.json"
PREDICTIONS = {
    "archehr2025": "She had pneumonia. |5|",
    "archehr2026-st1": "Why antibiotics?",
    "archehr2026-st2": ["5", "1"],
    "archehr2026-st3": "She had pneumonia.",
    "archehr2026-st4": [{"answer_id": "1", "evidence_id": ["5", "6"]}],
}


@pytest.fixture
def made(tmp_path: Path, medassay: Command) -> Callable[[str], Path]:
    def make(form: str) -> Path:
        key = "answer" if form == "archehr2025" else "prediction"
        file = tmp_path / "one.json"
        entry = {"case_id": "table4", key: PREDICTIONS[form]}
        file.write_text(json.dumps([entry]), encoding="utf-8")
        words = ["--cases", str(XML), "--key", str(KEY), "--into", str(tmp_path / "study")]
        done = medassay("import", "--from", "archehr", str(file), "--format", form, *words)
        assert done.code == 0
        return tmp_path / "study"

    return make


@pytest.mark.parametrize("form", list(PREDICTIONS))
def test_a_submission_comes_out_as_it_went_in(
    tmp_path: Path, made: Callable[[str], Path], medassay: Command, form: str
) -> None:
    out = tmp_path / "out.json"
    words = ["--system", "one", "--into", str(out), "--texts", "full"]
    done = medassay("export", "--to", "archehr", str(made(form)), *words)
    assert (done.code, done.out) == (0, f"wrote {out}\n")
    theirs = json.loads((tmp_path / "one.json").read_text(encoding="utf-8"))
    assert json.loads(out.read_text(encoding="utf-8")) == theirs
    again = medassay("export", "--to", "archehr", str(tmp_path / "study"), *words)
    assert again.code == 2
    assert "must be a new file; got one that exists" in again.err


@pytest.mark.parametrize("form", list(PREDICTIONS))
def test_cases_come_out_as_they_went_in_or_not_at_all(
    tmp_path: Path, made: Callable[[str], Path], medassay: Command, form: str
) -> None:
    xml, key = (tmp_path / "task" / name for name in ("cases.xml", "key.json"))
    words = ["--cases", str(xml.parent)]
    done = medassay("export", "--to", "archehr", str(made(form)), *words, "--texts", "full")
    if form == "archehr2026-st4":
        assert done.code == 2
        assert "got links between their sentences alone" in done.err
        assert not xml.exists()
        return
    assert done.code == 0
    words = ["--cases", str(xml), "--key", str(key), "--into", str(tmp_path / "again")]
    assert medassay("import", "--from", "archehr", "--format", form, *words).code == 0
    first, second = (tmp_path / name / "cases.jsonl" for name in ("study", "again"))
    assert first.read_bytes() == second.read_bytes()


def test_texts_that_a_study_keeps_go_out_only_when_asked_for_and_never_into_its_results(
    tmp_path: Path, made: Callable[[str], Path], medassay: Command
) -> None:
    study = made("archehr2025")
    asked = ["export", "--to", "archehr", str(study), "--system", "one", "--into"]
    done = medassay(*asked, str(tmp_path / "out.json"))
    assert done.code == 2
    assert (
        "must come with --texts full: its files hold the texts that study.toml keeps private; got ["
        in (done.err)
    )
    done = medassay(*asked, str(study / "results" / "run" / "out.json"), "--texts", "full")
    assert done.code == 2
    assert "which is in the study's results. Give another folder." in done.err
    assert not list(tmp_path.rglob("out.json"))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "must say what to write; got nothing"),
        (["--system", "one"], "--system: must come with --into"),
        (["--into", "o.json"], "--into: must come with --system"),
        (["--system", "two", "--into", "o.json"], 'there is no system "two"'),
    ],
)
def test_what_is_missing_is_said(
    made: Callable[[str], Path], medassay: Command, words: list[str], message: str
) -> None:
    done = medassay("export", "--to", "archehr", str(made("archehr2025")), *words)
    assert done.code == 2
    assert message in done.err


def test_a_demo_does_not_go_into_the_other_demos_folder(tmp_path: Path, medassay: Command) -> None:
    from medassay.study import write_demo

    write_demo(tmp_path / "demo", "cochrane")
    done = medassay("demo", str(tmp_path / "demo"), "--study", "archehr-synthetic")
    assert done.code == 2
    assert "got that of the demo cochrane. Give another folder." in done.err
