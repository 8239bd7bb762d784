"""check --format and import --from archehr, as a participant and an organiser do it."""

import json
from pathlib import Path
from typing import get_args

import pytest
from tools.forked import medassay

from medassay.cli.options import ArchehrForm
from medassay.exchange.archehr.submission import FORMS

PRINTED = Path(__file__).parents[1] / "data" / "archehr"
XML, KEY = PRINTED / "table4.xml", PRINTED / "table4_key_2026.json"
GOOD = PRINTED / "table4_response3.json"


def bad(folder: Path) -> Path:
    file = folder / "bad.json"
    answer = "He fell. |5, 6|\nA scan [5].\nB. |99|"
    file.write_text(json.dumps([{"case_id": "table4", "answer": answer}]), encoding="utf-8")
    return file


def test_the_forms_of_the_command_line_are_those_of_the_room() -> None:
    assert get_args(ArchehrForm) == tuple(FORMS)


def test_a_participant_checks_a_sound_submission_without_the_key() -> None:
    done = medassay("check", "--format", "archehr2025", GOOD)
    assert (done.returncode, done.stderr) == (0, "")
    assert "table4_response3.json: 1 case, cited answers" in done.stdout
    assert "give --cases with the XML" in done.stdout
    assert "The official scorer reads this file as it is meant." in done.stdout


def test_a_participant_learns_what_would_be_misread(tmp_path: Path) -> None:
    done = medassay("check", "--format", "archehr2025", bad(tmp_path), "--cases", XML)
    assert done.returncode == 2
    assert done.stdout.startswith(
        "misread: bad.json, case table4, line 1: must separate ids by commas alone; got "
        '"|5, 6|". The scorer reads "5", " 6": an id with a blank or another sign in it is none. '
        'Write "|5,6|".\n'
        "misread: bad.json, case table4, line 2: must cite between pipes; got [5]."
    )
    assert "The note has the sentences 1, 2, 3, 4, 5, 6, 7, 8." in done.stdout
    assert done.stdout.rstrip().endswith("The official scorer would misread this file.")


def test_the_same_for_machines(tmp_path: Path) -> None:
    done = medassay("check", "--format", "archehr2025", bad(tmp_path), "--cases", XML, "--json")
    facts = json.loads(done.stdout)
    assert (done.returncode, facts["read_as_meant"], facts["ids_checked"]) == (2, False, True)
    assert facts["cases_read_differently"] == ["table4"]
    assert [one["kind"] for one in facts["findings"]] == [
        "blank-in-citation",
        "brackets",
        "unknown-id",
    ]
    assert set(facts["findings"][0]) == {
        *("effect", "kind", "file", "case", "line", "must", "got", "cost", "try")
    }
    assert facts["summary"][0] == {
        "effect": "misread",
        "kind": "blank-in-citation",
        "times": 1,
        "cases": 1,
    }


@pytest.mark.parametrize("form", list(FORMS))
def test_every_form_can_be_checked(tmp_path: Path, form: str) -> None:
    file = tmp_path / "a.json"
    prediction: object = {
        "archehr2026-st2": ["5"],
        "archehr2026-st4": [{"answer_id": "1", "evidence_id": ["5"]}],
    }.get(form, "She had pneumonia.")
    entry = {"case_id": "table4", "prediction": prediction, "answer": "She had pneumonia. |5|"}
    file.write_text(json.dumps([entry]), encoding="utf-8")
    assert medassay("check", "--format", form, file).returncode == 0
    assert medassay("check", "--format", form, file, "--cases", XML).returncode == 0


def test_cases_without_a_format_are_a_mistake() -> None:
    done = medassay("check", "folder", "--cases", XML)
    assert done.returncode == 2
    assert "--cases: must come with --format" in done.stderr


def test_an_organiser_imports_all_at_once(tmp_path: Path) -> None:
    study = tmp_path / "study"
    words: list[str | Path] = [
        "import",
        "--from",
        "archehr",
        GOOD,
        bad(tmp_path),
        "--cases",
        XML,
        "--key",
        KEY,
    ]
    done = medassay(*words, "--into", study)
    assert (done.returncode, done.stderr) == (0, "")
    assert "1 case and 2 answers added." in done.stdout
    assert "does not read 1 answer as meant. This is the official reading" in done.stdout
    assert 'texts = "ids"' in (study / "study.toml").read_text(encoding="utf-8")
    given = json.loads((study / "answers" / "bad.jsonl").read_text(encoding="utf-8"))
    assert [s["citations"] for s in given["statements"]] == [["5", "␣6"], [], ["99"]]
    # The same again changes nothing.
    before = {path: path.read_bytes() for path in study.rglob("[!.]*") if path.is_file()}
    again = medassay(*words, "--into", study, "--json")
    facts = json.loads(again.stdout)
    assert (facts["cases"], facts["answers"], facts["known"], facts["files"]) == (0, 0, 2, [])
    assert {path: path.read_bytes() for path in study.rglob("[!.]*") if path.is_file()} == before
    assert medassay("check", study).returncode == 0


def test_the_tolerant_reading_is_asked_for(tmp_path: Path) -> None:
    study = tmp_path / "study"
    words: list[str | Path] = [
        "import",
        "--from",
        "archehr",
        bad(tmp_path),
        "--cases",
        XML,
        "--reading",
        "tolerant",
    ]
    assert medassay(*words, "--into", study).returncode == 0
    given = json.loads((study / "answers" / "bad.jsonl").read_text(encoding="utf-8"))
    assert [s["citations"] for s in given["statements"]] == [["5", "6"], ["5"], ["99"]]
    assert given["raw"].startswith("He fell. |5, 6|")


def test_other_cases_are_never_written_over(tmp_path: Path) -> None:
    study = tmp_path / "study"
    assert medassay("new", study, "--protocol", "archehr").returncode == 0
    before = (study / "cases.jsonl").read_bytes()
    done = medassay("import", "--from", "archehr", GOOD, "--cases", XML, "--into", study)
    assert done.returncode == 2
    assert "must hold the cases of the XML and the key, or none; got 3 other cases;" in done.stderr
    assert (study / "cases.jsonl").read_bytes() == before


def test_two_files_of_one_name_are_refused_before_anything_is_written(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    done = medassay(
        *("import", "--from", "archehr", bad(tmp_path), bad(tmp_path / "b"), "--cases", XML),
        *("--into", tmp_path / "study"),
    )
    assert done.returncode == 2
    assert "bad.json: must be named once; got two files." in done.stderr
    assert not (tmp_path / "study").exists()


def submitted(folder: Path, name: str, answer: str, case: str = "table4") -> Path:
    file = folder / f"{name}.json"
    file.write_text(json.dumps([{"case_id": case, "answer": answer}]), encoding="utf-8")
    return file


def files_of(study: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in study.rglob("*") if path.is_file()}


def test_half_a_character_does_not_end_in_half_a_study(tmp_path: Path) -> None:
    study, odd = tmp_path / "study", submitted(tmp_path, "odd", "He \ud800 rests. |5|")
    done = medassay("import", "--from", "archehr", odd, "--cases", XML, "--into", study)
    assert (done.returncode, done.stderr) == (0, "")
    assert "half of a surrogate pair" in done.stdout
    assert medassay("check", study).returncode == 0


def test_nothing_is_written_where_an_answer_is_refused(tmp_path: Path) -> None:
    study = tmp_path / "study"
    words: list[str | Path] = ["--cases", XML, "--into", study]
    odd = submitted(tmp_path, "od\x1bd", "He rests. |5|")
    done = medassay("import", "--from", "archehr", odd, *words)
    assert done.returncode == 2
    assert "must have a name of letters and signs" in done.stderr
    assert not study.exists()
    one = submitted(tmp_path, "one", "He rests. |5|")
    assert medassay("import", "--from", "archehr", one, *words).returncode == 0
    before = files_of(study)
    again = [submitted(tmp_path, "one", "Another. |5|"), submitted(tmp_path, "two", "New. |5|")]
    done = medassay("import", "--from", "archehr", *again, *words)
    assert done.returncode == 2
    assert "must not replace an answer that the study has" in done.stderr
    assert {k: v for k, v in files_of(study).items() if k.name != ".lock"} == {
        k: v for k, v in before.items() if k.name != ".lock"
    }


def test_one_more_submission_needs_no_key_again(tmp_path: Path) -> None:
    study = tmp_path / "study"
    words: list[str | Path] = ["--cases", XML, "--into", study]
    first, second = (submitted(tmp_path, name, "He rests. |5|") for name in ("one", "two"))
    assert medassay("import", "--from", "archehr", first, "--key", KEY, *words).returncode == 0
    cases = (study / "cases.jsonl").read_bytes()
    done = medassay("import", "--from", "archehr", second, *words)
    assert (done.returncode, done.stderr) == (0, "")
    assert "0 cases and 1 answer added" in done.stdout
    assert (study / "cases.jsonl").read_bytes() == cases
    other = tmp_path / "other.xml"
    text = XML.read_text(encoding="utf-8").replace("antibiotics", "pills")
    other.write_text(text, encoding="utf-8")
    done = medassay("import", "--from", "archehr", second, "--cases", other, "--into", study)
    assert done.returncode == 2
    assert '1 other case; "table4" has other texts or another key' in done.stderr
