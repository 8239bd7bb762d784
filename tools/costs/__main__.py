"""Run words of a Makefile one after another; print what each and the dearest tests cost."""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

from tools.costs import __doc__ as how

_PLUGINS: Final = Path(__file__).parent / "in_pytest"
_PARTS: Final = "parts.tsv"
_Row = tuple[str, str, float, float]


def main() -> int:
    """Run, and print the tables."""
    words = argparse.ArgumentParser(
        prog="python -m tools.costs",
        description=how,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    words.add_argument("word", nargs="*", help="of the Makefile; without any, what is there")
    words.add_argument("--tree", type=Path, default=Path(), help="the checkout")
    words.add_argument("--into", type=Path, required=True, help="a folder for what is found")
    words.add_argument("--against", type=Path, help="such a folder from before")
    words.add_argument("--dearest", type=int, default=150, help="how many tests to list")
    told = words.parse_args()
    told.into.mkdir(parents=True, exist_ok=True)
    for word in told.word:
        _run(word, told.tree, told.into.resolve())
    now = _parts(told.into)
    before = _parts(told.against) if told.against else {}
    print("| part | ended | clock, s | processor, s | processor before, s |")
    print("| --- | --- | --- | --- | --- |")
    for word, (_, ended, clock, processor) in now.items():
        then = f"{before[word][3]:.0f}" if word in before else ""
        print(f"| {word} | {ended} | {clock:.0f} | {processor:.0f} | {then} |")
    tests = sorted(
        (row for file in told.into.glob("*.jsonl") for row in _tests(file)), key=lambda row: -row[1]
    )
    dear = tests[: told.dearest]
    print(
        f"\n{len(tests):,} tests, {sum(row[1] for row in tests):.0f} s of processor; the "
        f"{len(dear)} dearest {sum(row[1] for row in dear):.0f} s:"
    )
    for name, processor, _ in dear:
        print(f"{processor:8.2f}  {name}")
    return 0


def _run(word: str, tree: Path, into: Path) -> None:
    """Run one word, and note what it took."""
    (into / f"{word}.jsonl").unlink(missing_ok=True)
    told = {
        "COSTS": str(into / f"{word}.jsonl"),
        "PYTEST_ADDOPTS": f"-p costing {os.environ.get('PYTEST_ADDOPTS', '')}",
        "PYTHONPATH": str(_PLUGINS),
    }
    began = time.monotonic()
    with (into / f"{word}.log").open("wb") as log:
        process = subprocess.Popen(  # noqa: S603 - our own Makefile
            ["make", "--no-print-directory", word],  # noqa: S607 - the one on the path
            cwd=tree, env={**os.environ, **told}, stdout=log, stderr=subprocess.STDOUT,
        )  # fmt: skip
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    ended = "done" if process.returncode == 0 else f"failed ({process.returncode})"
    took = time.monotonic() - began, used.ru_utime + used.ru_stime
    with (into / _PARTS).open("a", encoding="utf-8") as out:
        out.write(f"{word}\t{ended}\t{took[0]:.1f}\t{took[1]:.1f}\n")


def _parts(folder: Path) -> dict[str, _Row]:
    """Read the parts; one that was run again counts as it was last."""
    lines = (folder / _PARTS).read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines)
    return {row[0]: (row[0], row[1], float(row[2]), float(row[3])) for row in rows}


def _tests(file: Path) -> list[tuple[str, float, float]]:
    return [tuple(json.loads(line)) for line in file.read_text(encoding="utf-8").splitlines()]


if __name__ == "__main__":
    sys.exit(main())
