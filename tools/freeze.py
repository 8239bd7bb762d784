"""Freeze what the reports of the standard studies say, so that a lost number is seen.

    python -m tools.freeze OUT

OUT gets a folder a study: numbers.txt holds every number of report.json, tables.txt every table,
page.txt the visible text of the page, and found.json.xz what the run found, of which `make near`
renders the page again. `python -m tools.compare_freezes A B` says what differs.
"""

import argparse
import lzma
import shutil
import tempfile
from pathlib import Path

from tools.freezing import compare, freeze, read_frozen, write_frozen
from tools.freezing.rendered import KEPT
from tools.standard import STANDARD
from tools.standard.run import run_standard


def main(into: Path) -> None:
    """Run every study and freeze it; studies that are no more go."""
    with tempfile.TemporaryDirectory() as around:
        for name in STANDARD:
            now = freeze(run_standard(name, Path(around), figures=()).folder)
            kept = into / name / KEPT
            # The last digits of what was found differ between machines: kept while nothing changes.
            if not kept.is_file() or any(compare(name, read_frozen(into / name), now)):
                found = Path(around) / f"{name}-results-whole.json"
                kept.parent.mkdir(parents=True, exist_ok=True)
                kept.write_bytes(lzma.compress(found.read_bytes()))
            write_frozen(now, into / name)
    for gone in {one.name for one in into.iterdir() if one.is_dir()} - STANDARD.keys():
        shutil.rmtree(into / gone)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("into", type=Path)
    main(parser.parse_args().into)
