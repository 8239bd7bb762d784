"""Which tests come first, and which fit into the time."""

from collections import Counter, defaultdict

from tools.mutate.record import is_test
from tools.near.changes import Changes
from tools.near.code_map import CodeMap

_COLLECTING = 0.3  # seconds of processor, for a file of tests


def choose(changes: Changes, known: CodeMap, seconds: float) -> tuple[list[str], list[str]]:
    """Choose tests: changed files of tests, then for each function the likeliest, then what fits.

    A test is likely where it is cheap, goes through few functions beside the changed ones, and
    stands in tests/ as its function stands in the source. The second list is what did not fit.
    """
    reach = {test: known.record.reach(test) for test in filter(is_test, known.record.seconds)}
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
    for test, names in reach.items():
        file = test.partition("::")[0]
        hit = set[str]().union(*(hits[name] for name in names if name in hits))
        named = file in changes.tests or any(name in test for name in changes.names)
        if not (hit or named) or file in chosen:
            continue
        room = file.removeprefix("tests/").rpartition("/")[0]
        beside = named or any(f"/{room}/" in function for function in hit)
        width = sum(breadth[name] for name in names) / (len(hit) or 1)
        unlikely[test] = known.record.cost([test]) * width / (10 if beside else 1)
        for function in hit & changes.functions:
            if unlikely[test] < unlikely[best.setdefault(function, test)]:
                best[function] = test
    order = sorted(unlikely, key=unlikely.__getitem__)
    first = sorted(set(best.values()), key=unlikely.__getitem__)
    paid = set[str]().union(*(reach[test] for test in reach if test.partition("::")[0] in chosen))
    spent, left = known.record.cost(paid), []
    for test in dict.fromkeys([*first, *order]):
        new = {test.partition("::")[0], *reach[test]} - paid
        needed = sum(seconds_of.get(name, _COLLECTING) for name in new)
        if spent + needed > seconds:
            left.append(test)
            continue
        chosen.append(test)
        spent += needed
        paid |= new
    return chosen, left
