"""Which tests come first, and which fit into the time."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import accumulate
from pathlib import Path
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
        unknown: Files of which the quick tests are run, whether a map knows them or not; as
            `file::test`, tests of which some with other parameters were likely, and the tests of
            catalogues.
        proofs: To each thing that changed the tests and files of tests that run it, likeliest
            first; where no map knows one, its own doctests and the tests of its room.
    """

    run: list[str]
    left: list[str]
    unknown: list[str]
    proofs: dict[str, list[str]]


def choose(changes: Changes, known: CodeMap, seconds: float) -> Choice:
    """Choose tests: changed files of tests, then for each function the likeliest, then what fits.

    A test is likely where it is cheap, goes through few functions beside the changed ones, and
    stands in tests/ as its function stands in the source.
    """
    texts = {
        str(path.relative_to(changes.tree)): path.read_text(encoding="utf-8")
        for pattern in ("tests/**/test_*.py", "src/**/*.py")
        for path in sorted(changes.tree.glob(pattern))
    }
    tests = [test for test in known.record.seconds if is_test(test) and _file(test) in texts]
    reach = {test: known.record.reach(test) for test in tests}
    seconds_of = known.record.seconds
    breadth = Counter(name for names in known.contexts.values() for name in names)
    neighbours = {name for name in known.marks if name.rpartition("/")[0] in changes.rooms}
    through: dict[str, set[str]] = defaultdict(set)
    for function in changes.functions | neighbours:
        for name in known.contexts.get(function, ()):
            through[name].add(function)
    hits = {t: set[str]().union(*(through.get(n, ()) for n in names)) for t, names in reach.items()}
    chosen = [*sorted(changes.tests & set(changes.python)), *sorted(changes.studied)]
    unlikely: dict[str, float] = {}
    best: dict[str, str] = {}
    said = {test for test in reach if _says(test, changes.names)}
    by_name = {_bare(test) for test in said}  # of these, what has other parameters is not named
    for test, hit in hits.items():
        page = test in changes.catalogues
        told = not changes.tests.isdisjoint({_file(test), _bare(test)})
        named = page or test in said or (told and _bare(test) not in by_name)
        if not (hit or named) or not {test, _file(test)}.isdisjoint(chosen):
            continue
        beside = named or any(_stands_by(_file(test), function) for function in hit)
        width = sum(breadth[name] for name in reach[test]) / (len(hit) or 1)
        unlikely[test] = known.record.cost([test]) * width / (10 if beside else 1)
        for function in hit & changes.functions | ({test} if page else set()):
            if unlikely[test] < unlikely[best.setdefault(function, test)]:
                best[function] = test
    order = sorted(unlikely, key=unlikely.__getitem__)
    first = sorted(set(best.values()), key=unlikely.__getitem__)
    proofs = {
        thing: sorted((t for t in hits if functions & hits[t]), key=lambda t: unlikely.get(t, 0))
        for thing, functions in changes.changed.items()
    }
    named_files, files = _files(changes, proofs, tests, texts, chosen)
    pages = (page for page in changes.catalogues if known.place(page) == ".venv")
    unknown = sorted(page for page in pages if page not in seconds_of)
    paid = set[str]().union(*(reach[test] for test in reach if _file(test) in chosen))
    spent, left = known.record.cost(paid) + _UNKNOWN * len(unknown), []
    first = [*named_files[: int(seconds / _UNKNOWN / 4)], *first]
    for test in dict.fromkeys([*first, *files, *order]):
        new = {_file(test), *reach.get(test, ())} - paid
        needed = sum(seconds_of.get(name, _COLLECTING) for name in new)
        if test in texts:
            needed = max(_UNKNOWN, sum(seconds_of[t] for t in tests if _file(t) == test))
        if spent + needed > seconds:
            left.append(test)
            continue
        (unknown if test in texts else chosen).append(test)
        spent += needed
        paid |= new
    read = {_file(test) for test in chosen}
    of_several = [test for test in order if "[" in test and _file(test) in read]
    unknown += _others(of_several, known, seconds / 8)
    return Choice(chosen, left, unknown, proofs)


def _others(tests: Iterable[str], known: CodeMap, seconds: float) -> list[str]:
    """Give the tests, without their parameters, that one set of parameters more has time for."""
    takes: dict[str, float] = {}
    for test in tests:
        takes.setdefault(_bare(test), known.record.seconds[test])
    spent = accumulate(takes.values())
    return [test for test, needed in zip(takes, spent, strict=True) if needed <= seconds]


def _files(
    changes: Changes, proofs: dict[str, list[str]], tests: list[str], texts: dict[str, str],
    chosen: list[str],
) -> tuple[list[str], list[str]]:  # fmt: skip
    """Give files with tests that no map knows: those that a change names, and those beside it.

    Beside a thing are its file, for its doctests, then the tests of its room and of its module:
    likely are those that say its name, its module's, much else that its file binds.
    """
    names = {*tests, *map(_bare, tests), *map(_file, tests)}
    words = {file: set(re.findall(r"\w+", text)) for file, text in texts.items() if proofs}
    ranks: dict[str, int] = {}
    for thing, proof in proofs.items():
        path, _, function = thing.partition("::")
        parts = Path(path).with_suffix("").parts
        module, name = ".".join(parts[1:]).removesuffix(".__init__"), re.split("[ .]", function)[-1]
        bound = set(re.findall(r"^(?:def|class) (\w+)", texts.get(path, ""), re.MULTILINE))
        rank = {path: (False, False, -len(bound) - 1)} if ">>> " in texts.get(path, "") else {}
        for file, text in texts.items():
            if file.startswith(f"tests/{parts[2]}/") or (file[:6] == "tests/" and module in text):
                rank[file] = (
                    name not in words[file],
                    module not in text,
                    -len(words[file] & bound),
                )
        room, unmapped = sorted(rank, key=rank.__getitem__), not proof
        proof += [file for file in room if unmapped or file in chosen]
        for place, file in enumerate(file for file in room if file not in chosen):
            if unmapped or (file not in names and not rank[file][0]):
                ranks[file] = min(place, ranks.get(file, place))
    named = {_file(test) for test in changes.tests - names} - set(chosen)
    return sorted(named), sorted(ranks, key=ranks.__getitem__)


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
