"""What is judged blind is handed in before the system's confidence is shown."""

import re
import zipfile
from pathlib import Path

import pytest

from medassay.campaign import collect_sheets
from medassay.judgements.campaign import find_plans
from medassay.study import Study
from medassay.tables import csv_bytes

from .conftest import Cells, export, ratings, saved, sheet_of

SHOWN = "The system's confidence"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "study"
    (folder / "answers").mkdir(parents=True)
    settings = 'schema = 1\ntitle = "Air"\n[[dimensions]]\nrubric = "environmental-health"\n'
    (folder / "study.toml").write_text(settings, encoding="utf-8")
    cases = [[case, f"Does {case} harm lungs?"] for case in ("01", "02", "03")]
    (folder / "cases.csv").write_bytes(csv_bytes(["case", "question"], cases))
    rows = [[case, "It does.", label] for (case, _), label in zip(cases, "XYZ", strict=True)]
    header = ["case", "text", "confidence_label"]
    (folder / "answers" / "one.csv").write_bytes(csv_bytes(header, rows))
    return folder


def part_2(folder: Path, rater: str, ending: str = "xlsx") -> Path:
    return folder / "campaigns" / "main" / "sheets" / "part-2" / f"{rater}.{ending}"


def answered(cells: Cells, labels: dict[str, str]) -> Cells:
    rows = [list(row) for row in cells]
    for row in rows[1:]:
        for heading, label in labels.items():
            row[cells[0].index(heading)] = label
    return rows


FIRST = {"Factual consistency": "2", "Expert-perceived confidence": "High"}
SECOND = {"Interpretability": "4"}


@pytest.mark.parametrize("form", ["xlsx", "csv"])
def test_the_first_part_does_not_know_the_confidence(folder: Path, form: str) -> None:
    done = export(folder, form=form)
    assert any("in two parts" in note for note in done.notes)
    first = sheet_of(folder, "rater-1", ending=form)
    header, *rows = ratings(first)
    assert set(FIRST) <= set(header)
    assert SHOWN not in header
    assert "Interpretability" not in header
    if form == "xlsx":
        with zipfile.ZipFile(first) as book:
            inside = b"".join(book.read(name) for name in book.namelist()).decode()
        assert not re.search(r"<t[^>]*>[XYZ]</t>", inside)
    header, *again = ratings(part_2(folder, "rater-1", form))
    assert not set(FIRST) & set(header)
    assert header.index(SHOWN) < header.index("Interpretability")
    assert {row[header.index(SHOWN)] for row in again} == {"X", "Y", "Z"}
    assert [row[0] for row in again] == [row[0] for row in rows]


def test_the_order_is_stored(folder: Path) -> None:
    export(folder)
    first = answered(ratings(sheet_of(folder, "rater-1")), FIRST)
    second = answered(ratings(part_2(folder, "rater-1")), SECOND)
    study = Study.open_whole(folder)
    taken = collect_sheets(study, [saved(folder.parent / "1.xlsx", first)])
    assert (taken.added, taken.notes) == (6, [])
    taken = collect_sheets(Study.open_whole(folder), [saved(folder.parent / "2.xlsx", second)])
    assert (taken.added, taken.notes) == (3, [])
    assert taken.progress["main"][0].done == 3
    now = Study.open_whole(folder).judgements_on_file.current()
    place = {(row["case"], row["dimension"]): row["position"] for row in now.to_dicts()}
    for one in find_plans(folder)["main"].of_rater("rater-1"):
        assert place[one.item.case, "expert-confidence"] == one.position
        assert place[one.item.case, "interpretability"] == one.position + 3


def test_a_second_part_without_the_first_is_said(folder: Path) -> None:
    export(folder)
    second = answered(ratings(part_2(folder, "rater-1")), SECOND)
    taken = collect_sheets(Study.open_whole(folder), [saved(folder.parent / "2.xlsx", second)])
    assert taken.added == 3
    assert len(taken.notes) == 3
    said = "must come after the first part, which is judged without the system's confidence; got no"
    assert said in taken.notes[0]
    assert "factuality, expert-confidence for" in taken.notes[0]


def test_without_confidence_labels_there_is_one_part(folder: Path) -> None:
    path = folder / "answers" / "one.csv"
    path.write_bytes(csv_bytes(["case", "text"], [[case, "It does."] for case in ("01", "02")]))
    export(folder)
    assert {*FIRST, *SECOND} <= set(ratings(sheet_of(folder, "rater-1"))[0])
    assert not part_2(folder, "rater-1").exists()
