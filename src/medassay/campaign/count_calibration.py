"""Write into study.toml whether labels of the calibration count."""

import re
from pathlib import Path
from typing import Final

from medassay.study.files.names import STUDY_FILE
from medassay.tables import write_atomically

__all__ = ["write_count_calibration"]

_KEY: Final = re.compile(r"^count_calibration *=.*$", re.MULTILINE)
_TABLE: Final = re.compile(r"^\[raters\][^\n]*$", re.MULTILINE)


def write_count_calibration(folder: Path, *, counts: bool) -> None:
    """Say in study.toml, under [raters], whether they count; every number and export reads it."""
    path = folder / STUDY_FILE
    text = path.read_text(encoding="utf-8")
    line = f"count_calibration = {str(counts).lower()}"
    if _KEY.search(text):
        text = _KEY.sub(line, text, count=1)
    elif _TABLE.search(text):
        text = _TABLE.sub(lambda table: f"{table[0]}\n{line}", text, count=1)
    else:
        text = f"{text.rstrip()}\n\n[raters]\n{line}\n"
    write_atomically(path, text.encode())
