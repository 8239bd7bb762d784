"""A study to rate, and raters who fill in what they are sent."""

import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import xlsxwriter

from medassay.campaign import Created, Wishes, create_campaign, write_sheets
from medassay.judgements.campaign import Secret
from medassay.study import Study
from medassay.tables import Page, cell_name, csv_bytes, read_pages

SYSTEMS = ("phi-3", "clinic", "robot")
CASES = ("01", "02", "03", "04")
Cells = list[list[str]]


def write_study(folder: Path, more: str = "") -> Path:
    """Write four cases and three systems; one answer tells its system, one is like a formula."""
    folder.mkdir(parents=True, exist_ok=True)
    settings = f'schema = 1\ntitle = "Ankles"\n{more}\n[[dimensions]]\nrubric = "archehr"\n'
    (folder / "study.toml").write_text(settings, encoding="utf-8")
    cases = [
        {"case": case, "question": f"How long do I rest ankle {case}?", "narrative": "I fell."}
        for case in CASES
    ]
    rows = [[*case.values(), "Rest it for a day or two."] for case in cases]
    header = ["case", "question", "narrative", "reference"]
    (folder / "cases.csv").write_bytes(csv_bytes(header, rows))
    for system in SYSTEMS:
        answers = [[case, f"Rest for {len(system)} days, case {case}."] for case in CASES]
        if system == "phi-3":
            answers[0][1] = "As Phi, I would rest it."
        if system == "robot":
            answers[1][1] = '=HYPERLINK("http://x","y")'
        path = folder / "answers" / f"{system}.csv"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(csv_bytes(["case", "text"], answers))
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_study(tmp_path / "study")


def export(folder: Path, secret: int = 0, **wishes: object) -> Created:
    """Draw up a campaign and write its sheets."""
    sheets = {word: wishes.pop(word) for word in ("form", "texts") if word in wishes}
    asked = Wishes(**{"raters": "2", **wishes})  # type: ignore[arg-type] # the tests' own words
    done = create_campaign(Study.open_whole(folder), asked, Secret(secret.to_bytes(32)))
    sent = write_sheets(Study.open_whole(folder), asked.name, **sheets)  # type: ignore[arg-type] # as above
    return replace(done, files=[*done.files, *sent.files], notes=[*done.notes, *sent.notes])


def sheet_of(folder: Path, rater: str, name: str = "main", ending: str = "xlsx") -> Path:
    return folder / "campaigns" / name / "sheets" / f"{rater}.{ending}"


def ratings(path: Path) -> Cells:
    """Read the page that is filled in, header first, without the lines at breaks."""
    pages, _ = read_pages(path.read_bytes(), path.name)
    page = next(one for one in pages if one.title in {"", "Ratings"})
    start = next(i for i, row in enumerate(page.cells) if row[0].strip("\ufeff") == "Code")
    rows = [row for row in page.cells[start:] if not row[0].startswith("Batch ")]
    rows[0][0] = "Code"
    return [list(row) for row in rows]


def filled(cells: Cells, labels: Mapping[str, Sequence[str]]) -> Cells:
    """Put labels, one a dimension, and what follows them into the rows of these codes."""
    first = cells[0].index("Answers the question")
    rows = [list(row) for row in cells]
    for row in rows[1:]:
        for place, label in enumerate(labels.get(row[0], ()), start=first):
            row[place] = label
    return rows


def saved(path: Path, cells: Cells, title: str = "Ratings") -> Path:
    """Save cells as a workbook or as CSV, by the file's ending."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".csv":
        path.write_bytes(csv_bytes(cells[0], cells[1:]))
        return path
    out = io.BytesIO()
    book = xlsxwriter.Workbook(out, {"in_memory": True, "strings_to_formulas": False})
    page = book.add_worksheet(title)
    for row, texts in enumerate(cells):
        for column, text in enumerate(texts):
            page.write_string(row, column, text)
    book.close()
    path.write_bytes(out.getvalue())
    return path


def typed_into(path: Path, codes: Mapping[str, Mapping[str, str]], to: Path) -> Path:
    """Type words into the very workbook that was exported: code to {heading: words}."""
    content = path.read_bytes()
    page = next(one for one in read_pages(content, path.name)[0] if one.title == "Ratings")
    where = _cells_of(page, codes)
    to.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(to, "w") as new:
        for name in old.namelist():
            text = old.read(name)
            if name == "xl/worksheets/sheet2.xml":
                for cell, words in where.items():
                    empty = re.compile(rf'<c r="{cell}" s="(\d+)"/>'.encode())
                    assert empty.search(text), cell
                    inline = f'<c r="{cell}" t="inlineStr"><is><t>{words}</t></is></c>'
                    text = empty.sub(inline.encode(), text)
            new.writestr(name, text)
    return to


def _cells_of(page: Page, codes: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    header = next(row for row in page.cells if "Code" in row)
    return {
        cell_name(number, header.index(heading)): words
        for number, row in enumerate(page.cells)
        for heading, words in codes.get(row[0], {}).items()
    }
