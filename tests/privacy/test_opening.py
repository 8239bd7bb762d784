"""A word that stands anywhere in a file of any kind is read by the reader of its kind."""

import gzip
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import docx
import openpyxl
import polars as pl
import pytest
import xlsxwriter
from matplotlib.figure import Figure
from openpyxl.comments import Comment
from tests.privacy.opening import said_in

from medassay.report.figures import figure_bytes

WORD = "zqcase41"


def figure() -> Figure:
    made = Figure()
    made.add_subplot().set_title(f"the case {WORD} is shown")
    return made


def workbook(path: Path) -> None:
    book = openpyxl.Workbook()
    assert book.active is not None
    cell = book.active["B2"]
    cell.value, cell.comment = 1, Comment(WORD, "nobody")
    book.save(path)


def in_pieces(path: Path) -> None:
    with xlsxwriter.Workbook(str(path)) as book:
        bold = book.add_format({"bold": True})
        book.add_worksheet().write_rich_string("A1", WORD[:4], bold, WORD[4:])


def archive(path: Path) -> None:
    inner = io.BytesIO()
    pl.DataFrame({"case": [WORD]}).write_parquet(inner)
    with zipfile.ZipFile(path, "w") as outer:
        outer.writestr("scores.parquet", inner.getvalue())


def titled(path: Path) -> None:
    path.write_bytes(figure_bytes(Figure(), path.suffix[1:], f"Title of {WORD}"))


def document(path: Path) -> None:
    made = docx.Document()
    made.add_table(1, 1).rows[0].cells[0].text = WORD
    made.save(str(path))


def drawn(path: Path) -> None:
    path.write_bytes(figure_bytes(figure(), path.suffix[1:], "A title"))


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("a.svg", drawn),
        ("a.pdf", drawn),
        ("b.svg", titled),
        ("b.pdf", titled),
        ("b.png", titled),
        ("c.svg", lambda path: path.write_text(f"<svg><!-- {WORD} --><g/></svg>")),
        ("a.xlsx", workbook),
        ("b.xlsx", in_pieces),
        ("a.docx", document),
        ("a.zip", archive),
        ("a.parquet", lambda path: pl.DataFrame({WORD: [1]}).write_parquet(path)),
        ("a.csv.gz", lambda path: path.write_bytes(gzip.compress(WORD.encode()))),
        ("a.json", lambda path: path.write_text('{"a": {"zqc\\u0061se41": 1}}')),
        ("a.jsonl", lambda path: path.write_text(json.dumps([WORD]) + "\n")),
        ("a.html", lambda path: path.write_text("<p>zqcase&#52;1</p>")),
        ("a.tex", lambda path: path.write_text("zq\\-case\\allowbreak{}41")),
        (f"{WORD}.txt", lambda path: path.write_text("")),
    ],
)
def test_what_a_file_says_is_read(
    tmp_path: Path, name: str, write: Callable[[Path], object]
) -> None:
    write(tmp_path / name)
    assert WORD in said_in(tmp_path / name)
