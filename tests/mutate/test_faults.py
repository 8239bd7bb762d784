"""Faults are of five kinds, can be compiled, and are one fault in two checkouts."""

import ast
from pathlib import Path

import pytest
from tools.mutate.drawing import PER_FILE, drawn
from tools.mutate.files import read_mutants, write_mutants
from tools.mutate.finding import mutants_of_file
from tools.mutate.mutant import Kind, Mutant

HERE = "src/medassay/one.py"
ROOM = Path(__file__).parents[2] / "src/medassay/stats"


def faults(kind: Kind, body: str) -> set[str]:
    """Give what the body of a function may become."""
    data = f"def f(a, b, study):\n    {body}\n".encode()
    found = mutants_of_file(data, HERE)
    changed = [place.changed(data, one) for one, place in found.items() if one.kind == kind]
    for one in changed:
        compile(one, HERE, "exec")
    return {one.decode().split("\n    ", 1)[1].rstrip("\n") for one in changed}


@pytest.mark.parametrize(
    ("kind", "body", "expected"),
    [
        (Kind.SIGN, "return a - b * (a + 1)", {"return a + b * (a + 1)", "return a - b * (a - 1)"}),
        (Kind.SIGN, "return -a", {"return (a)"}),
        (Kind.SIGN, "a += 1", {"a -= 1"}),
        (Kind.SIGN, "return a + 'words'", set()),
        (Kind.COMPARISON, "return 0 < a <= b", {"return 0 <= a <= b", "return 0 < a < b"}),
        (Kind.COMPARISON, "return (a) == (b)", {"return (a) != (b)"}),
        (Kind.COMPARISON, "return a not in b", {"return a in b"}),
        (
            Kind.ROW,
            "return [x for x in a if x]",
            {
                "return [x for x in list(a)[1:] if x]",
                "return [x for x in list(a)[:-1] if x]",
                "return [x for x in a if True]",
            },
        ),
        (Kind.ROW, "return {'n': a, 'mean': b}", {"return { 'mean': b}"}),
        (Kind.ROW, "return [a, b]", {"return [b]"}),
        (Kind.LABEL, "return a, b", {"return b, a"}),
        (Kind.LABEL, "return g(low=a, high=b)", {"return g(low=b, high=a)"}),
        (Kind.LABEL, "return 'best' if a else 'worst'", {"return 'worst' if a else 'best'"}),
        (Kind.LABEL, "return {'n': a, 'of': (b)}", set()),
        (Kind.LABEL, "return g('words', 2)", set()),
        (
            Kind.TAG,
            "return 1 if study.privacy else 0",
            {
                "return 1 if not (study.privacy) else 0",
                "return 1 if True else 0",
                "return 1 if False else 0",
            },
        ),
        (Kind.TAG, "return 1 if a else 0", set()),
        (Kind.TAG, "return pruned(a, b)", {"return a"}),
    ],
)
def test_what_a_statement_may_become(kind: Kind, body: str, expected: set[str]) -> None:
    assert faults(kind, body) == expected


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize(
    "body",
    [
        "raise ValueError(-1 < a - b, [a, b], study.privacy)",
        "problem = f'{a - b} {a < b}'",
        '"""a - b, a < b, [a, b]"""',
    ],
)
def test_messages_and_docstrings_are_left_alone(kind: Kind, body: str) -> None:
    assert faults(kind, body) == set()


def test_what_runs_when_a_file_is_imported_is_left_alone() -> None:
    data = b"A = 1 - 2\ndef f(a: int = 3 - 4) -> int:\n    return a\n"
    assert not mutants_of_file(data, HERE)


def test_a_fault_is_found_again_where_other_lines_moved_it() -> None:
    data = "def f(a):\n    # ä\n    return a - 1\ndef g(a):\n    return a - 1\n".encode()
    moved = b"import os\n\n" + data.replace(b"# \xc3\xa4", b"b = a > 2")
    here, there = mutants_of_file(data, HERE), mutants_of_file(moved, HERE)
    assert {one.function for one in here} == {"f", "g"}
    assert set(here) <= set(there)
    one = next(one for one in here if one.function == "g")
    assert there[one].changed(moved, one).decode().splitlines()[-1] == "    return a + 1"
    assert there[one].first_line == here[one].first_line + 2


def test_a_fault_is_refused_where_its_words_are_not() -> None:
    data = b"def f(a):\n    return a - 1\n"
    one, place = next(iter(mutants_of_file(data, HERE).items()))
    with pytest.raises(ValueError, match="'-' is not at byte"):
        place.changed(data.replace(b"-", b"+"), one)


def of_the_house() -> list[Mutant]:
    return [
        one
        for path in sorted(ROOM.glob("*.py"))
        for one in mutants_of_file(path.read_bytes(), f"src/medassay/stats/{path.name}")
    ]


@pytest.mark.slow
def test_every_fault_of_a_room_compiles() -> None:
    for path in sorted(ROOM.glob("*.py"))[:12]:
        data = path.read_bytes()
        before = ast.parse(data).body
        dumps = [ast.dump(statement) for statement in before]
        for mutant, place in mutants_of_file(data, path.name).items():
            at = next(
                n for n, node in enumerate(before) if place.first_line <= (node.end_lineno or 0)
            )
            after = ast.parse(place.changed(data, mutant)).body
            assert len(after) == len(before)
            assert ast.dump(after[at]) != dumps[at]


def test_a_draw_is_the_same_for_a_seed_and_has_each_kind(tmp_path: Path) -> None:
    every = of_the_house()
    chosen = drawn(every, 40, seed=16)
    assert chosen == drawn(reversed(every), 40, seed=16) != drawn(every, 40, seed=17)
    counts = [sum(one.kind == kind for one in chosen) for kind in Kind if kind != Kind.TAG]
    assert len(chosen) == 40
    assert max(counts) - min(counts) <= 1
    assert max(sum(one.path == path for one in chosen) for path in {c.path for c in chosen}) <= (
        PER_FILE
    )
    write_mutants(chosen, tmp_path / "mutants.jsonl")
    assert read_mutants(tmp_path / "mutants.jsonl") == chosen
