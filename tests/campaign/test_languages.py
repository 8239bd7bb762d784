"""Sheets in the rater's language: written so, and read back as any other."""

from pathlib import Path

import pytest

from medassay.campaign import collect_sheets
from medassay.campaign.catalogues import shipped
from medassay.judgements.campaign import as_code
from medassay.study import Study
from medassay.tables import read_pages

from .conftest import Cells, export, saved, sheet_of, write_study

LANGUAGES = sorted(set(shipped().texts) - {"en"})
PARTS = """\
name = "parts"
language = "en"

[translations.ar]
by = "A machine; checked by nobody"

[translations.ar.dimensions.quality]
title = "الجودة"
question = "ما جودة الإجابة؟"
words = { bad = "سيئة", good = "جيدة", unsure = "غير متأكد", sure = "متأكد" }
descriptions = {}

[[dimensions]]
id = "quality"
title = "Quality"
question = "How good is the answer?"
scale = "ordinal"
labels = [{ label = "bad", score = 0 }, { label = "good", score = 1 }]
confidence = ["unsure", "sure"]

[[dimensions]]
id = "errors"
title = "What is wrong"
question = "Mark each passage."
about = "span"
kinds = [{ label = "dose" }, { label = "advice" }]

[[dimensions]]
id = "points"
title = "Points"
question = "How many points?"
number = { low = 0, high = 10, unit = "points" }
"""


def written(path: Path, language: str, form: str, rubric: str = "") -> Path:
    """Draw up a campaign whose two raters read a language, and write their sheets."""
    folder = write_study(path / "study")
    if rubric:
        (folder / "rubric.toml").write_text(rubric, encoding="utf-8")
        toml = folder / "study.toml"
        text = toml.read_text(encoding="utf-8").replace('"archehr"', '"rubric.toml"')
        toml.write_text(text, encoding="utf-8")
    people = path / "raters.csv"
    people.write_text(f"rater,language\nanna,{language}\nben,\n", encoding="utf-8")
    export(folder, raters=str(people), form=form)
    return folder


def read(path: Path, code: str) -> Cells:
    """Read the rows of the page that has codes."""
    pages, _ = read_pages(path.read_bytes(), path.name)
    for page in pages:
        for at, row in enumerate(page.cells):
            if row and row[0].strip("\ufeff") == code and len(row) > 3:
                below = page.cells[at + 1 :]
                coded = [line for line in below if line and as_code(line[0])]
                return [[cell.strip("\ufeff") for cell in line] for line in (row, *coded)]
    raise AssertionError(code)


@pytest.mark.parametrize("form", ["xlsx", "csv"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_filled_in_comes_back(language: str, form: str, tmp_path: Path) -> None:
    folder = written(tmp_path, language, form)
    texts = shipped().texts[language]
    cells = read(sheet_of(folder, "anna", ending=form), texts("sheet.code"))
    header = cells[0]
    assert header[-2:] == [texts("sheet.rationale"), texts("sheet.notes")]
    at = header.index("Answers the question")
    for row in cells[1:]:
        row.extend([""] * (len(header) - len(row)))
        row[at : at + 3] = ["Partially", texts("sheet.cannot_judge"), texts("sheet.not_applicable")]
        row[-2] = "Rest."
    taken = collect_sheets(Study.open_whole(folder), [saved(tmp_path / f"anna.{form}", cells)])
    assert taken.added == 3 * (len(cells) - 1)
    assert [
        note for note in taken.notes if "another" in note or "was not in the sheet" in note
    ] == []
    rows = Study.open_whole(folder).judgements_on_file.current()
    kept = set(rows.select("label", "reason", "comment").rows())
    words = {("Partially", None), (None, "cannot_judge"), (None, "not_applicable")}
    assert {row[:2] for row in kept} == words
    assert {row[2] for row in kept if row[2]} == {"Rest."}


def test_labels_and_parts_come_back_out_of_a_translation(tmp_path: Path) -> None:
    folder = written(tmp_path, "ar", "csv", PARTS)
    texts = shipped().texts["ar"]
    cells = read(sheet_of(folder, "anna", ending="csv"), texts("sheet.code"))
    header = cells[0]
    places = {name: header.index(name) for name in ("الجودة", "What is wrong", "Points")}
    about = header.index(texts("sheet.about"))
    sure = header.index(texts("sheet.of_sure", title="الجودة"))
    for row in cells[1:]:
        row.extend([""] * (len(header) - len(row)))
        if row[about] == texts("sheet.answer"):
            row[places["الجودة"]], row[sure], row[places["Points"]] = "جيدة", "متأكد", "7"
        elif row[about] == f"{texts('sheet.span')} 1":
            row[places["What is wrong"]] = texts("sheet.none")
    taken = collect_sheets(Study.open_whole(folder), [saved(tmp_path / "anna.csv", cells)])
    assert taken.added
    rows = Study.open_whole(folder).judgements_on_file.current()
    kept = set(rows.select("dimension", "label", "kind", "number", "confidence").rows())
    assert kept == {
        ("quality", "good", None, None, "sure"),
        ("errors", None, "none", None, None),
        ("points", None, None, 7.0, None),
    }


def test_an_arabic_workbook_runs_from_right_to_left(tmp_path: Path) -> None:
    import zipfile

    folder = written(tmp_path, "ar", "xlsx", PARTS)
    with zipfile.ZipFile(sheet_of(folder, "anna")) as book:
        pages = [name for name in book.namelist() if name.startswith("xl/worksheets/sheet")]
        assert all(b'rightToLeft="1"' in book.read(name) for name in pages)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sheet_says_in_english_what_its_language_has_words_for(
    language: str, tmp_path: Path
) -> None:
    folder = written(tmp_path, language, "xlsx", PARTS)
    english, theirs = shipped().texts["en"].words, shipped().texts[language].words
    path = sheet_of(folder, "anna")
    cells = {
        cell.casefold()
        for page in read_pages(path.read_bytes(), path.name)[0]
        for row in page.cells
        for cell in row
    }
    own = {
        text for key, text in english.items() if key.startswith("sheet.") and text != theirs[key]
    }
    assert [text for text in own if text.casefold() in cells] == []
