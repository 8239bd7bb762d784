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

from tools.freezing.words import lines_of
from tools.near.changes import Changes
from tools.near.choice import Choice, choose
from tools.near.code_map import CodeMap

_TREE: Final = Path(__file__).parents[2]
_SHOWN: Final = 3
"""So many things that nothing was run for are named."""
_STARTING: Final = 5.0
"""Seconds of processor that pytest takes to start, and to read what all tests share."""


def main() -> int:
    """Check what changed, and say what was left."""
    words = argparse.ArgumentParser(prog="python -m tools.near", description=__doc__)
    words.add_argument("--since", default="", help="a commit or branch to compare with")
    words.add_argument("--seconds", type=float, default=45, help="of processor, at most")
    told = words.parse_args()
    began, before, known = time.monotonic(), _spent(), CodeMap.read()
    try:
        changes = Changes(_TREE, told.since)
        age = known.age()
    except ValueError as error:
        words.error(str(error))
    except SyntaxError as error:
        print(f"{error.filename}, line {error.lineno}: {error.msg}. Until then nothing is tested.")
        return 1
    print(changes.compared, flush=True)
    failed = _style(changes.python) | _words(changes)
    choice = choose(changes, known, told.seconds - (_spent() - before) - _STARTING)
    tests_failed, ran = _test(choice, known)
    failed |= tests_failed
    unproven = {t: of for t, of in choice.proofs.items() if ran.isdisjoint(of)}
    some = f", the likeliest {', '.join(choice.left[:3])}" if choice.left else ""
    print(
        f"\n{len(changes.functions):,} functions that changed or say the name of what did; "
        f"{sum('::' in test for test in ran):,} tests run, {len(choice.left):,} left to make check"
        f"{some}.\n{age}\n"
        f"near: {'FAILED' if failed else 'NOT PROVEN' if unproven else 'done'} in "
        f"{time.monotonic() - began:.0f} s ({_spent() - before:.0f} s of processor time)"
    )
    for thing, of in list(unproven.items())[:_SHOWN]:
        this = f"{of[0]!r} -m ''" if of else ""
        how = f"This does: .venv/bin/pytest {this}" if of else "No test is known: add one."
        print(f"Nothing was run for {thing}. {how}")
    more = len(unproven) - _SHOWN
    print(f"Nor for {more:,} more: make check") if more > 0 else None
    return int(failed or bool(unproven))


def _style(files: list[str]) -> bool:
    """Check style and types of the files that changed; types keep what they learnt in a cache."""
    tools = [["ruff", "format", "--check", "-q"], ["ruff", "check", "-q"], ["mypy"]]
    return any([_run(".venv", *tool, *files) for tool in tools] if files else [])


def _words(changes: Changes) -> bool:
    """Render what prints the words that changed, and name what else says what is gone."""
    from tools.freezing.rendered import differences

    lines = differences(changes.words) if changes.alone and changes.words else []
    meant = ["If all of this is meant: make freeze."][: len(lines)]
    print("\n".join([*lines, *lines_of(changes.words), *meant]))
    return bool(lines)


def _test(choice: Choice, known: CodeMap) -> tuple[bool, set[str]]:
    """Run the chosen tests, each where it was recorded; say whether any failed, and what ran."""
    places: dict[str, list[str]] = defaultdict(list)
    for test in [*choice.run, *choice.unknown]:
        places[known.place(test)].append(test)
    failed, ran, told = False, set[str](), {"PYTHONPATH": "tools/mutate/in_pytest"}
    mapped = [t for t in known.record.seconds if t.partition("::")[0] not in choice.unknown]
    lists = {"MUTATE_KNOWN": mapped, "MUTATE_UNKNOWN": choice.unknown, "MUTATE_RAN": []}
    for place, tests in places.items():
        with tempfile.TemporaryDirectory() as around:
            listed = {"MUTATE_TESTS": [t for t in tests if t not in choice.unknown], **lists}
            for word, names in listed.items():
                told[word] = str(Path(around) / f"{word}.json")
                Path(told[word]).write_text(json.dumps(names), encoding="utf-8")
            words = ["-p", "chosen", "-p", "no:cacheprovider"]
            words += dict.fromkeys(test.partition("::")[0] for test in tests)
            failed |= _run(place, "pytest", *words, **told)
            ran |= set(json.loads(Path(told["MUTATE_RAN"]).read_text(encoding="utf-8")))
    return failed, ran | {test.partition("::")[0] for test in ran}


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
