"""A table of many rows is read whole, in every form, within memory that grows with its rows."""

import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest
from tools.endurance import Endurance

ROOT = Path(__file__).parents[2]
READ = """
import sys
from pathlib import Path
from medassay.tables import read_sheet
from tools.peak_memory import peak_megabytes
sheet = read_sheet(Path(sys.argv[1]))
column = sheet.columns["label"]
print(len(sheet), sum(int(str(cell)) for cell in column), peak_megabytes())
"""
MEGABYTES, BYTES_A_ROW = 350, 1500


@pytest.mark.slow
@pytest.mark.endure
@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not tell the peak this way")
@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_every_row_of_a_long_table_is_read(tmp_path: Path, form: str, endurance: Endurance) -> None:
    rows = endurance.size("rows", short=100_000, whole=2_000_000)
    number = pl.int_range(rows, eager=True)
    table = pl.DataFrame(
        {
            "rater": "r" + (number % 7).cast(pl.String),
            "system": "s" + (number // 7 % 40).cast(pl.String),
            "case": "c" + (number // 280).cast(pl.String),
            "label": (number % 5).cast(pl.String),
        }
    )
    path = tmp_path / f"judgements.{form}"
    if form == "csv":
        table.write_csv(path)
    elif form == "jsonl":
        table.write_ndjson(path)
    else:
        table.write_parquet(path)
    done = subprocess.run(  # noqa: S603 - our own interpreter and script
        [sys.executable, "-c", READ, str(path)],
        capture_output=True, text=True, check=True, cwd=ROOT,
    )  # fmt: skip
    count, total, peak = done.stdout.split()
    endurance.found(f"{int(count):,} read; at most {float(peak):.0f} MB")
    assert (int(count), int(total)) == (rows, sum(n % 5 for n in range(rows)))
    assert float(peak) < MEGABYTES + BYTES_A_ROW * rows / 1e6
