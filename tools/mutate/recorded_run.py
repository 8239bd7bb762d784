"""Run a suite once, and note which test runs which line."""

import os
import subprocess
from pathlib import Path
from typing import Final

from tools.mutate.finding import SOURCE

_ELSEWHERE: Final = ("site", "torch", "gpu", "llm", "ray", "urls", "umls", "web")
QUICK: Final = " and ".join(f"not {mark}" for mark in ("browser", "latex", "slow", *_ELSEWHERE))
"""The tests of `make check`."""
_PLUGINS: Final = Path(__file__).parent / "in_pytest"


def record_suite(tree: Path, into: Path, marks: str = QUICK, place: str = ".venv") -> int:
    """Write the record of a checkout's suite into a folder, and give pytest's exit code.

    Args:
        tree: The checkout.
        into: The folder, which is made.
        marks: Which tests, as pytest's -m takes them.
        place: The environment in the checkout that runs them.
    """
    into.mkdir(parents=True)
    settings = into / "coverage.ini"
    settings.write_text(
        f"[run]\nsource = {tree / SOURCE}\ncontext = ${{MUTATE_CONTEXT-}}\n"
        f"parallel = true\ndata_file = {into / 'lines'}\n",
        encoding="utf-8",
    )
    around = os.environ.get("PYTHONPATH")
    told = {
        "MUTATE_COVERAGE": str(settings),
        "MUTATE_NOTES": str(into / "notes.json"),
        "PYTHONPATH": os.pathsep.join([str(_PLUGINS), *([around] if around else [])]),
    }
    words = ["-p", "recording", "-p", "no:cacheprovider", "-n", "auto", "--dist", "loadfile"]
    return subprocess.run(  # noqa: S603 - our own pytest
        [tree / place / "bin/python", "-m", "pytest", *words, "-m", marks],
        cwd=tree,
        env={**os.environ, **told},
        check=False,
    ).returncode
