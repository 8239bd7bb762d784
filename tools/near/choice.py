"""Which tests come first, and which fit into the time."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import accumulate
from typing import Final, NamedTuple

from tools.mutate.record import is_test
from tools.near.changes import Changes
from tools.near.code_map import CodeMap

_COLLECTING: Final = 0.3
"""Seconds of processor, for a file of tests."""
_UNKNOWN: Final = 2.0
"""Seconds of processor that the quick tests of a file are taken to need that no map knows."""


class Choice(NamedTuple):
    """What is run.

    Attributes:
        run: Files of tests, whole, then tests in the order of how likely they are to fail.
        left: Tests that did not fit into the time, likeliest first.
        unknown: What no map knows: files of tests and, as `file::test`, tests of which some with
            other parameters were likely, of both what is quick; and the tests of catalogues.
    """

    run: list[str]
    left: list[str]
    unknown: list[str]


def choose(changes: Changes, known: CodeMap, seconds: float) -> Choice:
    """Choose tests: changed files of tests, then for each function the likeliest, then what fits.

    A test is likely where it is cheap, goes through few functions beside the changed ones, and
    stands in tests/ as its function stands in the source.
    """
    files = {
        str(path.relative_to(changes.tree)) for path in changes.tree.glob("tests/**/test_*.py")
    }
    files |= {str(path.relative_to(changes.tree)) for path in changes.tree.glob("src/**/*.py")}
    tests = [test for test in known.record.seconds if is_test(test) and _file(test) in files]
    reach = {test: known.record.reach(test) for test in tests}
    seconds_of = known.record.seconds
    breadth = Counter(name for names in known.contexts.values() for name in names)
    neighbours = {name for name in known.marks if name.rpartition("/")[0] in changes.rooms}
    hits: dict[str, set[str]] = defaultdict(set)
    for function in changes.functions | neighbours:
        for name in known.contexts.get(function, ()):
            hits[name].add(function)
    chosen = sorted(changes.tests & set(changes.python))
    unlikely: dict[str, float] = {}
    best: dict[str, str] = {}
    said = {test for test in reach if _says(test, changes.names)}
    by_name = {_bare(test) for test in said}  # of these, what has other parameters is not named
    for test, names in reach.items():
        hit = set[str]().union(*(hits[name] for name in names if name in hits))
        page = test in changes.catalogues
        told = not changes.tests.isdisjoint({_file(test), _bare(test)})
        named = page or test in said or (told and _bare(test) not in by_name)
        if not (hit or named) or _file(test) in chosen:
            continue
        beside = named or any(_stands_by(_file(test), function) for function in hit)
        width = sum(breadth[name] for name in names) / (len(hit) or 1)
        unlikely[test] = known.record.cost([test]) * width / (10 if beside else 1)
        for function in hit & changes.functions | ({test} if page else set()):
            if unlikely[test] < unlikely[best.setdefault(function, test)]:
                best[function] = test
    order = sorted(unlikely, key=unlikely.__getitem__)
    first = sorted(set(best.values()), key=unlikely.__getitem__)
    paid = set[str]().union(*(reach[test] for test in reach if _file(test) in chosen))
    new_files = files - {_file(test) for test in known.record.seconds} - set(chosen)
    unknown = _unknown(changes, known, sorted(new_files))[: int(seconds / _UNKNOWN / 4)]
    pages = (page for page in changes.catalogues if known.place(page) == ".venv")
    unknown += sorted(page for page in pages if page not in known.record.seconds)
    spent, left = known.record.cost(paid) + _UNKNOWN * len(unknown), []
    for test in dict.fromkeys([*first, *order]):
        new = {_file(test), *reach[test]} - paid
        needed = sum(seconds_of.get(name, _COLLECTING) for name in new)
        if spent + needed > seconds:
            left.append(test)
            continue
        chosen.append(test)
        spent += needed
        paid |= new
    read = {_file(test) for test in chosen}
    of_several = [test for test in order if "[" in test and _file(test) in read]
    return Choice(chosen, left, [*unknown, *_others(of_several, known, seconds / 8)])


def _others(tests: Iterable[str], known: CodeMap, seconds: float) -> list[str]:
    """Give the tests, without their parameters, that one set of parameters more has time for."""
    takes: dict[str, float] = {}
    for test in tests:
        takes.setdefault(_bare(test), known.record.seconds[test])
    spent = accumulate(takes.values())
    return [test for test, needed in zip(takes, spent, strict=True) if needed <= seconds]


def _unknown(changes: Changes, known: CodeMap, files: Iterable[str]) -> list[str]:
    """Give the files that no map knows and that a change names, or that name what changed."""
    named = {_file(test) for test in changes.tests}
    likely = []
    for file in files:
        if not file.startswith("tests/") or known.place(file) != ".venv":
            continue
        text = (changes.tree / file).read_text(encoding="utf-8")
        bare = {
            function.rpartition("::")[2].rpartition(".")[2]
            for function in changes.functions
            if _stands_by(file, function)
        }
        words = set(re.findall(r"\w+", text)) & bare
        if file in named or words:
            likely.append(file)
    return likely


def _says(test: str, names: Iterable[str]) -> bool:
    """Say whether a test's parameters name a page, a table or a study."""
    parameters = test.partition("[")[2]
    for named in names:
        room, _, name = named.rpartition("/")
        word = rf"(?<![\w-]){re.escape(name)}(?![\w-])"
        if name in parameters and test.startswith(f"tests/{room}") and re.search(word, parameters):
            return True
    return False


def _stands_by(file: str, function: str) -> bool:
    """Say whether a file stands in tests/ where a function stands in the source."""
    return f"/{file.removeprefix('tests/').rpartition('/')[0]}/" in function


def _bare(test: str) -> str:
    return test.partition("[")[0]


def _file(test: str) -> str:
    return test.partition("::")[0]
