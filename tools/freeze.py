"""Freeze what the reports of the standard studies say, so that a lost number is seen.

    python -m tools.freeze OUT

OUT gets a folder a study: numbers.txt holds every number of report.json, tables.txt every table,
page.txt the visible text of the page. `python -m tools.compare_freezes A B` says what differs.
"""

import argparse
import shutil
import tempfile
from pathlib import Path

from tools.freezing import freeze, write_frozen
from tools.standard import STANDARD
from tools.standard.run import run_standard


def main(into: Path) -> None:
    """Run every study and freeze it; studies that are no more go."""
    with tempfile.TemporaryDirectory() as around:
        for name in STANDARD:
            write_frozen(freeze(run_standard(name, Path(around), figures=()).folder), into / name)
    for gone in {one.name for one in into.iterdir() if one.is_dir()} - STANDARD.keys():
        shutil.rmtree(into / gone)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("into", type=Path)
    main(parser.parse_args().into)
