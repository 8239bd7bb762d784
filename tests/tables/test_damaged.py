"""Whatever bytes a file holds, it is read or refused; nothing else is ever raised."""

import io
import random
from pathlib import Path

import polars as pl
import pytest
import xlsxwriter

from medassay.errors import InvalidInput
from medassay.tables import FORMS, Sheet, read_sheet


def workbook() -> bytes:
    out = io.BytesIO()
    book = xlsxwriter.Workbook(out, {"in_memory": True})
    sheet = book.add_worksheet()
    for row in range(30):
        sheet.write_row(row, 0, ["a", row, "Schläfchen"])
    book.close()
    return out.getvalue()


def parquet() -> bytes:
    out = io.BytesIO()
    pl.DataFrame({"case": ["1", "2"], "text": ["a", "b"]}).write_parquet(out)
    return out.getvalue()


SOUND = {
    ".xlsx": workbook(),
    ".parquet": parquet(),
    ".csv": 'case,text\n01,"a, é"\n'.encode(),
    ".tsv": b"case\ttext\n1\ta\n",
    ".jsonl": '{"case": "1", "text": "é"}\n'.encode() * 5,
}


def damaged(content: bytes, rng: random.Random) -> bytes:
    """Change, lose, add a few bytes, or cut the file off."""
    bad = bytearray(content)
    for _ in range(rng.randint(1, 6)):
        place = rng.randrange(len(bad) + 1)
        kind = rng.randrange(4)
        if kind == 0:
            bad[place : place + 1] = rng.randbytes(1)
        elif kind == 1:
            del bad[place : place + rng.randint(1, 30)]
        elif kind == 2:
            bad[place:place] = rng.randbytes(rng.randint(1, 5))
        else:
            del bad[place:]
    return bytes(bad)


@pytest.mark.parametrize("form", FORMS)
def test_a_damaged_file_is_read_or_refused(tmp_path: Path, form: str) -> None:
    rng = random.Random(form)  # noqa: S311 - these draws keep no secret
    path = tmp_path / f"t{form}"
    refused: list[InvalidInput] = []
    for _ in range(150):
        path.write_bytes(damaged(SOUND[form], rng))
        try:
            assert isinstance(read_sheet(path), Sheet)
        except InvalidInput as error:
            refused.append(error)
    assert refused
    assert {problem.file for error in refused for problem in error.problems} == {path.name}
