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
from tools.near.choice import Choice, choose
from tools.near.code_map import CodeMap

_TREE: Final = Path(__file__).parents[2]
_PYTHON: Final = ".venv/bin/python"
_STARTING: Final = 5.0
"""Seconds of processor that pytest takes to start, and to read what all tests share."""


def main() -> int:
    """Check what changed, and say what was left."""
    words = argparse.ArgumentParser(prog="python -m tools.near", description=__doc__)
    words.add_argument("--since", default="", help="a commit or branch to compare with")
    words.add_argument("--seconds", type=float, default=45, help="of processor, at most")
    told = words.parse_args()
    began, known = time.monotonic(), CodeMap.read()
    try:
        changes = Changes(_TREE, told.since)
        age = known.age()
    except ValueError as error:
        words.error(str(error))
    except SyntaxError as error:
        print(f"{error.filename}, line {error.lineno}: {error.msg}. Until then nothing is tested.")
        return 1
    print(changes.compared, flush=True)
    failed = _style(changes.python) | _words(changes.words or set())
    choice = choose(changes, known, told.seconds - _spent() - _STARTING)
    failed |= _test(choice, known)
    some = f", the likeliest {', '.join(choice.left[:3])}" if choice.left else ""
    new = f" {len(choice.unknown):,} looked through for tests that are newer than the map."
    print(
        f"\n{len(changes.functions):,} functions that changed or say the name of what did; "
        f"{len(choice.run):,} tests or files of tests run, {len(choice.left):,} left to make check"
        f"{some}.{new if choice.unknown else ''}\n{age}\n"
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
    pages = pages_that_say(gone)
    makers = {page: f"tools.{path.stem}" for page in pages if (path := maker_of(page))}
    docs = [f"{page} says the old words: {_PYTHON} -m {maker}" for page, maker in makers.items()]
    shown = " ".join(page for page in pages if page not in makers or followed(page))
    docs += [f"Where the old words stand: {_PYTHON} -m tools.refresh_docs {shown}"] if shown else []
    print("\n".join([*lines, *docs, *["If all of this is meant: make freeze."][: len(lines)]]))
    return bool(lines)


def maker_of(page: str) -> Path | None:
    """Find the tool that writes a page of all that is declared."""
    name = f'{Path(page).name}"'
    tools = sorted((_TREE / "tools").glob("make_*_page.py"))
    return next((tool for tool in tools if name in tool.read_text(encoding="utf-8")), None)


def followed(page: str) -> bool:
    """Say whether a page shows what commands print."""
    return "```console" in (_TREE / page).read_text(encoding="utf-8")


def _test(choice: Choice, known: CodeMap) -> bool:
    """Run the chosen tests, each in the environment that it was recorded in."""
    places: dict[str, list[str]] = defaultdict(list)
    for test in [*choice.run, *choice.unknown]:
        places[known.place(test)].append(test)
    failed, plugin = False, {"PYTHONPATH": "tools/mutate/in_pytest"}
    lists = {"MUTATE_KNOWN": list(known.record.seconds), "MUTATE_UNKNOWN": choice.unknown}
    for place, tests in places.items():
        with tempfile.TemporaryDirectory() as around:
            listed = {"MUTATE_TESTS": [t for t in tests if t not in choice.unknown], **lists}
            for word, names in listed.items():
                plugin[word] = str(Path(around) / f"{word}.json")
                Path(plugin[word]).write_text(json.dumps(names), encoding="utf-8")
            words = ["-p", "chosen", "-p", "no:cacheprovider"]
            words += dict.fromkeys(test.partition("::")[0] for test in tests)
            failed |= _run(place, "pytest", *words, **plugin)
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
