"""A run that tests of a file share is made in one lane, and not in the quick and the slow one."""

import ast
import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
RUNS = re.compile(r"\b(run_study|run_and_report|write_paper|render)\(")
SLOW = "pytest.mark.{}".format(
    "slow"
)  # in one piece the Makefile would count this file with the slow
LATER = {"pytest.mark.{}".format("latex"), SLOW}


def lanes(text: str) -> dict[str, set[bool]]:
    """Say of each shared fixture that makes a run whether slow tests use it, and others."""
    functions = {one.name: one for one in ast.parse(text).body if isinstance(one, ast.FunctionDef)}
    asks = {name: {part.arg for part in one.args.args} for name, one in functions.items()}
    marks = {name: [*map(ast.unparse, one.decorator_list)] for name, one in functions.items()}

    calls = {
        name: {inner for inner in functions if re.search(rf"\b{inner}\(", ast.unparse(one))}
        - {name}
        for name, one in functions.items()
    }

    def needed(name: str) -> set[str]:
        return {name}.union(*(needed(inner) for inner in asks[name] & functions.keys() - {name}))

    def runs(name: str) -> bool:
        return bool(RUNS.search(ast.unparse(functions[name]))) or any(map(runs, calls[name]))

    return {
        fixture: {
            not LATER.isdisjoint(marks[name])
            for name in functions
            if name.startswith("test_") and fixture in needed(name)
        }
        for fixture in functions
        if any("scope=" in mark for mark in marks[fixture]) and runs(fixture)
    }


def test_a_shared_run_is_made_in_one_lane() -> None:
    found = {
        f"{path.relative_to(TESTS)}::{fixture}": of
        for path in sorted(TESTS.rglob("test_*.py"))
        for fixture, of in lanes(path.read_text(encoding="utf-8")).items()
    }
    assert len(found) > 20
    assert {name for name, of in found.items() if len(of) > 1} == set()


def test_what_both_lanes_make_would_be_seen() -> None:
    file = """
@pytest.fixture(scope="module")
def ran(folder): return found(folder)

def found(folder): return run_study(open_run(folder))

@pytest.fixture
def tables(ran): return ran.tables

def test_one(tables): ...

@SLOW
def test_other(ran): ...
"""
    assert lanes(file.replace("SLOW", SLOW)) == {"ran": {False, True}}
    assert lanes(file.replace("@SLOW", "")) == {"ran": {False}}
