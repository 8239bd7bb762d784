"""What a suite was seen to run: which tests a fault could fail, cheapest first."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Record:
    """What `in_pytest/recording.py` noted.

    Attributes:
        seconds: What each test, fixture and shared run took by itself.
        uses: What each of them builds upon.
        lines: By file, and by line, which of them ran it.
        failed: Tests that failed without any fault, and say nothing of one.
    """

    seconds: Mapping[str, float]
    uses: Mapping[str, list[str]]
    lines: dict[str, dict[int, set[str]]]
    failed: frozenset[str] = frozenset()

    @classmethod
    def read(cls, folders: Iterable[Path], tree: Path, paths: Iterable[str]) -> "Record":
        """Read what was noted of these files, in one run of the suite or in several."""
        from coverage import CoverageData

        told = cls({}, {}, {path: defaultdict(set) for path in paths})
        for folder in folders:
            for file in sorted(folder.glob("notes*.json")):
                notes = json.loads(file.read_text(encoding="utf-8"))
                told.seconds = {**told.seconds, **notes["seconds"]}
                told.uses = {**told.uses, **notes["uses"]}
                told.failed |= frozenset(notes["failed"])
            for file in folder.glob("lines.*"):
                data = CoverageData(str(file))
                data.read()
                for path, ran in told.lines.items():
                    for line, contexts in data.contexts_by_lineno(str(tree / path)).items():
                        ran[line] |= set(contexts) - {""}
        return told

    def tests(self, path: str, lines: Iterable[int]) -> list[str]:
        """Give the tests that ran one of these lines, cheapest first.

        Those that build upon what is shared come last, file by file, so that nothing is set up
        twice.
        """
        ran = set[str]().union(*(self.lines[path].get(line, ()) for line in lines))
        tests = {one for one in self.seconds if is_test(one)} - self.failed
        found = {test for test in tests if self.reach(test) & ran}
        of_file: dict[str, float] = defaultdict(float)
        for test in found:
            of_file[_file_of(test)] += self.cost([test])
        alone = sorted((t for t in found if not self.uses.get(t)), key=self.seconds.__getitem__)
        sharing = sorted(
            (t for t in found if self.uses.get(t)),
            key=lambda t: (of_file[_file_of(t)], _file_of(t), self.seconds[t]),
        )
        return [*alone, *sharing]

    def reach(self, context: str) -> set[str]:
        """Give a test and all that it builds upon."""
        found: set[str] = set()
        left = [context]
        while left:
            one = left.pop()
            if one not in found:
                found.add(one)
                left += self.uses.get(one, [])
        return found

    def cost(self, tests: Iterable[str]) -> float:
        """Give the seconds that these tests take, what they share once."""
        needed = set[str]().union(*map(self.reach, tests))
        return sum(self.seconds.get(one, 0.0) for one in needed)

    def affordable(self, tests: list[str], seconds: float) -> list[str]:
        """Give as many of the tests, from the first, as fit into the time; at least one."""
        needed: set[str] = set()
        spent = 0.0
        for place, test in enumerate(tests):
            new = self.reach(test) - needed
            spent += sum(self.seconds.get(one, 0.0) for one in new)
            if place and spent > seconds:
                return tests[:place]
            needed |= new
        return tests


def is_test(context: str) -> bool:
    """Tell a test from a fixture and from a shared run."""
    return not context.startswith(("fixture ", "run of "))


def _file_of(test: str) -> str:
    return test.split("::", 1)[0]
