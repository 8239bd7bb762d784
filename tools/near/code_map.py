"""The map: which test, shared fixture and standard run goes through which function."""

import json
import lzma
import re
import sys
from pathlib import Path
from typing import Final, NamedTuple

from tools.functions import MODULE, Function, functions_of
from tools.mutate.record import Record, is_test

SOURCE: Final = "src/medassay"
_TREE: Final = Path(__file__).parents[2]
_FILE: Final = Path(__file__).with_name("map.json.xz")
_OLD: Final = 0.1
"""The share of functions that may have changed before the map is called old."""


class CodeMap(NamedTuple):
    """What the suites were seen to run.

    Attributes:
        contexts: By function (`file::function`): the tests, fixtures and runs that go through it.
        record: What each of these takes and builds upon.
        places: By test: the environment whose Python runs it.
        marks: What each function looked like when the map was made.
    """

    contexts: dict[str, list[str]]
    record: Record
    places: dict[str, str]
    marks: dict[str, str]

    def place(self, test: str) -> str:
        """Name the environment of a test, or of a file that is in no map."""
        room = Path(test).parts[1].upper()
        makefile = (_TREE / "Makefile").read_text(encoding="utf-8")
        own = re.search(rf"^{room} *:= (\.venv\S*)$", makefile, re.MULTILINE)
        return self.places.get(test, own[1] if own else ".venv")

    def age(self) -> str:
        """Say how much of the source changed since the map was made."""
        now = _functions(_TREE)
        changed = sum(self.marks.get(name) != function.mark for name, function in now.items())
        old = " That is old: make map." if changed > _OLD * len(now) else ""
        share = f"{changed:,} of {len(now):,} functions changed since it was made"
        return f"The map of which test runs which function: {share}.{old}"

    @classmethod
    def read(cls) -> "CodeMap":
        """Read the map of this checkout."""
        told = json.loads(lzma.decompress(_FILE.read_bytes()))
        names, numbers, seconds, uses, places, marks = told
        contexts = {name: [names[at] for at in those] for name, those in numbers.items()}
        return cls(contexts, Record(seconds, uses, {}), places, marks)

    @classmethod
    def write(cls, records: dict[str, Path]) -> None:
        """Make it of what `tools.mutate` recorded: a folder for each environment."""
        functions = _functions(_TREE)
        contexts: dict[str, set[str]] = {name: set() for name in functions}
        seconds: dict[str, float] = {}
        uses: dict[str, list[str]] = {}
        places: dict[str, str] = {}
        for place, folder in records.items():
            record = Record.read([folder], _TREE, {name.partition("::")[0] for name in functions})
            if not any(map(is_test, record.seconds)):
                raise SystemExit(
                    f"The map stays as it was: in {place} no test was recorded. See above."
                )
            seconds |= {name: round(took, 2) for name, took in record.seconds.items()}
            uses |= record.uses
            places |= dict.fromkeys(filter(is_test, record.seconds), place)
            for name, function in functions.items():
                lines = record.lines[name.partition("::")[0]]
                for line in function.lines if f"::{MODULE}" not in name else ():
                    contexts[name] |= lines.get(line, set())
        known = sorted(seconds)
        at = {name: number for number, name in enumerate(known)}
        numbers = {of: sorted(at[n] for n in names if n in at) for of, names in contexts.items()}
        marks = {name: function.mark for name, function in functions.items()}
        told = json.dumps([known, numbers, seconds, uses, places, marks], separators=(",", ":"))
        _FILE.write_bytes(lzma.compress(told.encode(), preset=9))


def _functions(tree: Path) -> dict[str, Function]:
    return {
        f"{path.relative_to(tree)}::{name}": function
        for path in sorted((tree / SOURCE).rglob("*.py"))
        for name, function in functions_of(path.read_text(encoding="utf-8"), str(path)).items()
    }


if __name__ == "__main__":
    if sys.argv[1:]:
        CodeMap.write(
            {place: Path(folder) for place, folder in (w.split("=") for w in sys.argv[1:])}
        )
    print(CodeMap.read().age())
