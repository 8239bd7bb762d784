"""Both groups' files as other spreadsheets save them give the study that the clean ones give."""

import csv
import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from medassay.exchange.environmental_health import import_environmental_health
from medassay.exchange.med_gpt import import_med_gpt
from medassay.study import Study

EXAMPLES = Path(__file__).parents[2] / "examples"
PANEL = EXAMPLES / "environmental-health" / "panel"
RESULTS = EXAMPLES / "med-gpt" / "evaluation_results.csv"

Rows = list[list[str]]


def saved(rows: Rows, separator: str = ",", encoding: str = "utf-8", end: str = "\n") -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=separator, lineterminator=end).writerows(rows)
    return text.getvalue().encode(encoding)


def with_comma(cell: str) -> str:
    return cell.replace(".", ",") if cell.replace(".", "", 1).isdigit() else cell


def european(rows: Rows) -> bytes:
    return saved([list(map(with_comma, row)) for row in rows], ";", "utf-8-sig", "\r\n")


def unicode_text(rows: Rows) -> bytes:
    return saved([list(map(with_comma, row)) for row in rows], "\t", "utf-16", "\r\n")


def titled(rows: Rows) -> bytes:
    wide = len(rows[0]) - 1
    return saved([["Our results, March", *[""] * wide], [""] * (wide + 1), *rows])


def workbook(rows: Rows) -> bytes:
    import xlsxwriter

    out = io.BytesIO()
    book = xlsxwriter.Workbook(out, {"in_memory": True})
    sheet = book.add_worksheet("Tabelle1")
    sheet.write_string(0, 1, "Our results, March")
    for i, row in enumerate(rows, 2):
        for j, cell in enumerate(row, 1):
            if cell.replace(".", "", 1).isdigit():
                sheet.write_number(i, j, float(cell))
            else:
                sheet.write_string(i, j, cell)
    book.close()
    return out.getvalue()


def counted(rows: Rows) -> bytes:
    return saved([["", *rows[0]], *([str(i), *row] for i, row in enumerate(rows[1:]))])


def as_fractions(rows: Rows) -> bytes:
    told = [[f"{cell}.0" if cell.isdigit() else cell for cell in row] for row in rows[1:]]
    return saved([rows[0], *told])


def in_words(rows: Rows) -> bytes:
    return saved([[name.replace("_", " ").title() for name in rows[0]], *rows[1:]])


def padded(rows: Rows) -> bytes:
    own = [i for i, name in enumerate(rows[0]) if name != "answer"]
    return saved([[f" {c} " if i in own else c for i, c in enumerate(row)] for row in rows])


def in_another_order(rows: Rows) -> bytes:
    places = np.random.default_rng(1).permutation(len(rows[0])).tolist()
    wider = [[row[i] for i in places] + (["site"] if row is rows[0] else ["3"]) for row in rows]
    return saved(wider)


def with_holes(rows: Rows) -> bytes:
    empty = [""] * (len(rows[0]) + 2)
    return saved([one for row in rows for one in ([*row, "", ""], empty)])


WAYS = [
    european, unicode_text, titled, workbook, counted, as_fractions, in_words, padded,
    in_another_order, with_holes,
]  # fmt: skip


def rows_of(path: Path) -> Rows:
    return list(csv.reader(io.StringIO(path.read_text("utf-8"), newline="")))


def contents(folder: Path) -> dict[str, str]:
    """Give what the study holds, but for its title and the files as they came."""
    kept = [p for p in folder.rglob("*") if p.suffix in {".jsonl", ".csv"}]
    inside = {path.relative_to(folder).as_posix(): path for path in kept}
    return {name: p.read_text("utf-8") for name, p in inside.items() if "original" not in name}


@pytest.mark.parametrize("way", WAYS)
def test_a_panel(tmp_path: Path, way: Callable[[Rows], bytes]) -> None:
    messy = tmp_path / "messy"
    messy.mkdir()
    for path in sorted(PANEL.glob("*.csv")):
        (messy / path.name).write_bytes(way(rows_of(path)))
    import_environmental_health(tmp_path / "clean", [PANEL])
    taken = import_environmental_health(tmp_path / "read", [messy])
    assert contents(tmp_path / "read") == contents(tmp_path / "clean")
    said = "\n".join(taken.notes)
    assert ("got site. Not read." in said) == (way is in_another_order)
    assert ("Read as 0.5635." in said) == (way in (european, unicode_text))


@pytest.mark.parametrize("way", WAYS)
def test_results_of_models(tmp_path: Path, way: Callable[[Rows], bytes]) -> None:
    messy = tmp_path / RESULTS.name
    messy.write_bytes(way(rows_of(RESULTS)))
    import_med_gpt(tmp_path / "clean", [RESULTS])
    taken = import_med_gpt(tmp_path / "read", [messy])
    read = contents(tmp_path / "read")
    if way is in_another_order:
        assert {one.tags["site"] for one in Study.open_whole(tmp_path / "read").cases} == {"3"}
        read["cases.jsonl"] = read["cases.jsonl"].replace(', "tags": {"site": "3"}', "")
    assert read == contents(tmp_path / "clean")
    assert any("a title" in note for note in taken.notes) == (way in (titled, workbook))
