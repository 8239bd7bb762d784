"""A fault is tried against the tests that ran its line, and the source is put back."""

import sys
from pathlib import Path

import pytest
from tools.mutate.files import add_trial, read_trials
from tools.mutate.finding import mutants_of_file
from tools.mutate.mutant import Kind, Mutant
from tools.mutate.record import Record
from tools.mutate.table import table
from tools.mutate.trying import Limits, Trial, failing, try_mutant

PATH = "src/medassay/one.py"
SOURCE = b"def less(a, b):\n    return a < b\n\ndef gone(a):\n    while a < 9:\n        a += 1\n"
TESTS = """
from importlib.machinery import SourceFileLoader

one = SourceFileLoader("one", "src/medassay/one.py").load_module()

def test_cheap():
    assert one.less(1, 2)

def test_dear():
    assert not one.less(2, 2)

def test_ends():
    one.gone(0)
"""
CHEAP, DEAR, ENDS = (f"tests/test_one.py::test_{name}" for name in ("cheap", "dear", "ends"))


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Give a checkout of one file, with this environment as its own."""
    for name, content in ((PATH, SOURCE), ("tests/test_one.py", TESTS.encode())):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_bytes(content)
    python = tmp_path / ".venv/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = -ra -q\n")
    return tmp_path


def fault(kind: Kind, function: str) -> Mutant:
    found = [one for one in mutants_of_file(SOURCE, PATH) if one.kind == kind]
    return next(one for one in found if one.function == function)


def record(lines: dict[int, set[str]], uses: dict[str, list[str]] | None = None) -> Record:
    return Record({CHEAP: 0.1, DEAR: 5.0, ENDS: 0.2, "fixture f": 3.0}, uses or {}, {PATH: lines})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ran", "limits", "outcome", "by"),
    [
        ({CHEAP, DEAR}, Limits(), "caught", DEAR),
        ({CHEAP}, Limits(), "survived", ""),
        ({CHEAP, DEAR}, Limits(tests=1), "out of time", ""),
        (set(), Limits(), "not covered", ""),
    ],
)
def test_a_fault_is_caught_by_a_test_that_ran_its_line(
    tree: Path, ran: set[str], limits: Limits, outcome: str, by: str
) -> None:
    trial = try_mutant(fault(Kind.COMPARISON, "less"), tree, record({2: ran}), limits, frozenset())
    assert (trial.outcome, trial.by, trial.tests) == (outcome, by, len(ran))
    assert (tree / PATH).read_bytes() == SOURCE


@pytest.mark.slow
def test_a_test_that_fails_without_a_fault_says_nothing(tree: Path) -> None:
    ran = record({2: {CHEAP, DEAR}})
    one = fault(Kind.COMPARISON, "less")
    assert try_mutant(one, tree, ran, Limits(), frozenset({DEAR})).outcome == "survived"
    ran.failed = frozenset({DEAR})
    assert try_mutant(one, tree, ran, Limits(), frozenset()).outcome == "survived"


@pytest.mark.slow
def test_tests_that_fail_without_a_fault_are_named(tree: Path) -> None:
    assert failing([CHEAP, DEAR, ENDS], tree, seconds=60) == []
    (tree / PATH).write_bytes(SOURCE.replace(b"<", b"<="))
    assert failing([CHEAP, DEAR, ENDS], tree, seconds=60) == [DEAR]


@pytest.mark.slow
def test_a_fault_that_never_ends_is_caught(tree: Path) -> None:
    limits = Limits(hang=1, start=1)
    trial = try_mutant(fault(Kind.SIGN, "gone"), tree, record({6: {ENDS}}), limits, frozenset())
    assert (trial.outcome, trial.by) == ("caught", "the tests hang")
    assert (tree / PATH).read_bytes() == SOURCE


def test_who_shares_a_fixture_runs_what_it_runs_and_comes_last() -> None:
    told = record({2: {CHEAP, "fixture f"}}, {ENDS: ["fixture f"], "fixture f": []})
    assert told.tests(PATH, [2]) == [CHEAP, ENDS]
    assert told.cost([CHEAP, ENDS]) == pytest.approx(3.3)
    assert told.affordable([CHEAP, ENDS], seconds=3.25) == [CHEAP]


def test_the_table_counts_by_kind(tmp_path: Path) -> None:
    one, two = fault(Kind.COMPARISON, "less"), fault(Kind.SIGN, "gone")
    file = tmp_path / "trials.jsonl"
    add_trial(one, Trial("out of time", "", 2, 1, 1.0), file)
    add_trial(two, Trial("survived", "", 2, 2, 1.0), file)
    add_trial(one, Trial("caught", DEAR, 2, 2, 2.0), file)
    found = read_trials(file)
    assert found[one].by == DEAR
    assert table([one, two], {"old": found}).splitlines()[2:] == [
        "| sign | 1 | old | 1 | 0 | 1 | 0 | 0 | 0.0% |",
        "| comparison | 1 | old | 1 | 1 | 0 | 0 | 0 | 100.0% |",
        "| all | 2 | old | 2 | 1 | 1 | 0 | 0 | 50.0% |",
    ]
