"""Prove a change in half a minute: python -m tools.near [--since COMMIT] [--seconds 45]."""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Final

from tools.near.changes import Changes
from tools.near.choice import choose
from tools.near.code_map import CodeMap

_TREE: Final = Path(__file__).parents[2]


def main() -> int:
    """Check what changed, and say what was left."""
    words = argparse.ArgumentParser(prog="python -m tools.near", description=__doc__)
    words.add_argument("--since", default="", help="a commit or branch to compare with")
    words.add_argument("--seconds", type=float, default=45, help="of processor, at most")
    told = words.parse_args()
    began, known = time.monotonic(), CodeMap.read()
    changes = Changes(_TREE, told.since)
    failed = _style(changes.python) | _words(changes.words or set())
    chosen, left = choose(changes, known, told.seconds - _spent())
    failed |= _test(chosen, known)
    some = f", the likeliest {', '.join(left[:3])}" if left else ""
    print(
        f"\n{len(changes.functions):,} functions touched; {len(chosen):,} tests or files of tests "
        f"run, {len(left):,} left to make check{some}\n{known.age()}\n"
        f"near: {'FAILED' if failed else 'done'} in {time.monotonic() - began:.0f} s "
        f"({_spent():.0f} s of processor time)"
    )
    return int(failed)


def _style(files: list[str]) -> bool:
    """Check style and types of the files that changed; types keep what they learnt in a cache."""
    tools = [["ruff", "format", "--check", "-q"], ["ruff", "check", "-q"], ["mypy"]]
    return any([_run(".venv", *tool, *files) for tool in tools] if files else [])


def _words(gone: set[str]) -> bool:
    """Render what prints the words that changed, and name the pages that say what is gone."""
    from tools.freezing.rendered import differences, pages_that_say

    lines = differences(gone) if gone else []
    docs = [f"{page}: python -m tools.refresh_docs {page}" for page in pages_that_say(gone)]
    print("\n".join([*lines, *docs, *["If all of this is meant: make freeze."][: len(lines)]]))
    return bool(lines)


def _test(chosen: list[str], known: CodeMap) -> bool:
    """Run the chosen tests, each in the environment that it was recorded in."""
    places: dict[str, list[str]] = defaultdict(list)
    for test in chosen:
        places[known.place(test)].append(test)
    failed, plugin = False, {"PYTHONPATH": "tools/mutate/in_pytest"}
    for place, tests in places.items():
        with tempfile.TemporaryDirectory() as around:
            listed = Path(around) / "tests.json"
            listed.write_text(json.dumps(tests), encoding="utf-8")
            words = ["-p", "chosen", "-p", "no:cacheprovider"]
            words += dict.fromkeys(test.partition("::")[0] for test in tests)
            failed |= _run(place, "pytest", *words, MUTATE_TESTS=str(listed), **plugin)
    return failed


def _run(place: str, word: str, *words: str, **told: str) -> bool:
    """Run a program of an environment, and say whether it failed."""
    program = _TREE / place / "bin" / word
    if program.is_file():
        return bool(subprocess.call([program, *words], cwd=_TREE, env={**os.environ, **told}))  # noqa: S603 - our own tools
    print(f"NOT RUN: {word} {' '.join(words)}. It needs {place}: make {place}/.installed")
    return True


def _spent() -> float:
    whose = resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN
    return sum(sum(resource.getrusage(who)[:2]) for who in whose)


if __name__ == "__main__":
    sys.exit(main())
