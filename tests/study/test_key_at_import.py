"""Whoever takes in what people said has the key before any finding names a pseudonym."""

import csv
from pathlib import Path

import pytest
from tests.campaign.conftest import write_study
from typer.testing import CliRunner

from medassay.cli.app import app
from medassay.errors import InvalidInput
from medassay.study import Study, new_study

ROWS = "rater,system,case,dimension,label\nAnna,A,1,quality,4\nBen,A,1,quality,2\n"


def medassay(*words: object) -> str:
    done = CliRunner().invoke(app, [str(word) for word in words])
    assert done.exit_code == 0, done.output + str(done.exception)
    return done.output


def key_of(study: Path) -> dict[str, str]:
    with (study / "raters-key.csv").open(encoding="utf-8", newline="") as file:
        return {row["pseudonym"]: row["rater"] for row in csv.DictReader(file)}


@pytest.fixture
def study(tmp_path: Path) -> Path:
    folder = tmp_path / "study"
    new_study(folder, "ratings", empty=True)
    (folder / "cases.jsonl").write_text('{"case": "1", "question": "Why?"}\n', encoding="utf-8")
    return folder


def test_an_import_of_ratings_writes_it(study: Path, tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text(ROWS, encoding="utf-8")
    medassay("import", "--from", "judgements", tmp_path / "rows.csv", "--into", study)
    of = Study.open_whole(study).pseudonyms.of
    assert key_of(study) == {text: name for name, text in of.items()}
    assert not (study / "raters-key.csv").stat().st_mode & 0o077


def test_an_import_that_adds_nothing_writes_nothing(study: Path, tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text(ROWS, encoding="utf-8")
    line = ("import", "--from", "judgements", tmp_path / "rows.csv", "--into", study)
    medassay(*line)
    (study / "raters-key.csv").unlink()
    medassay(*line)
    assert not (study / "raters-key.csv").exists()


def test_a_file_of_that_name_which_is_none_is_left_alone(study: Path, tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text(ROWS, encoding="utf-8")
    (study / "raters-key.csv").write_text("mine\n", encoding="utf-8")
    line = ["import", "--from", "judgements", str(tmp_path / "rows.csv"), "--into", str(study)]
    done = CliRunner().invoke(app, line)
    assert isinstance(done.exception, InvalidInput)
    assert (study / "raters-key.csv").read_text(encoding="utf-8") == "mine\n"


def test_sheets_that_come_back_write_it(tmp_path: Path) -> None:
    study = write_study(tmp_path / "study")
    medassay("campaign", "create", study, "--raters", "Anna,Ben")
    medassay("campaign", "sheets", study, "--format", "csv")
    sheet = study / "campaigns" / "main" / "sheets" / "Anna.csv"
    cells = list(csv.reader(sheet.read_text(encoding="utf-8-sig").splitlines(keepends=True)))
    [head] = [row for row in cells if "Code" in row]
    place = [at for at, name in enumerate(head) if name.startswith("Answers")][-1]
    first = cells[cells.index(head) + 1]
    first[place] = "Yes"
    back = tmp_path / "Anna.csv"
    with back.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(cells)
    assert not (study / "raters-key.csv").exists()
    medassay("campaign", "collect", study, back)
    assert set(key_of(study).values()) == {"Anna"}


@pytest.mark.parametrize("named", [("Anna", "Ben"), ("Zoë", "Anna", "Łukasz")])
def test_a_new_study_of_a_spreadsheet_gets_the_key_that_it_is_opened_with(
    named: tuple[str, ...], tmp_path: Path
) -> None:
    rows = ["id,model,rater,accuracy,comment"]
    rows += [
        f'q{n},{system},{rater},{(n + at) % 5 + 1},"says {rater}, ""so"""'
        for n in range(6)
        for at, rater in enumerate(named)
        for system in "AB"
    ]
    (tmp_path / "rows.csv").write_text("\n".join(rows), encoding="utf-8")
    medassay("import", tmp_path / "rows.csv", "--into", tmp_path / "s", "--yes")
    of = Study.open_whole(tmp_path / "s").pseudonyms.of
    assert of
    assert key_of(tmp_path / "s") == {text: name for name, text in of.items()}
