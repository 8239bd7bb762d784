"""make near: what a change touches, which tests come first, which fit into the time."""

import json
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tools.freezing.words import followed, maker_of, quoting
from tools.functions import functions_of
from tools.mutate.in_pytest import chosen
from tools.mutate.in_pytest.chosen import pytest_collection_modifyitems
from tools.mutate.record import Record
from tools.near import __main__ as near
from tools.near.changes import Changes
from tools.near.choice import choose
from tools.near.code_map import CodeMap

SOURCE = '''"""A room."""

LIMIT = 3


class Box:
    size: int = 4

    def hold(self) -> str:
        """Hold."""

        def inside() -> str:
            return "held"

        return inside()


def opened() -> str:
    return f"page.html has {LIMIT}"


def other() -> int:
    return 1
'''
FILE = "src/medassay/room/box.py"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for path, text in {
        FILE: SOURCE,
        "src/medassay/room/page.html": "<p>",
        "tests/room/test_box.py": "def test_box(): ...\n",
        "tests/room/test_page.py": "NAME = 'page.html'\n",
        "docs/boxes.md": "A page.\n",
        "tests/far/test_far.py": "def test_far(): ...\n",
        "tests/standard/test_frozen.py": "def test_says(): ...\n",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)  # noqa: S607 - a repository of the test's own
    commit(tmp_path, "First")
    return tmp_path


def commit(tree: Path, message: str) -> None:
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    for words in (["add", "-A"], ["commit", "-qm", message]):
        subprocess.run(["git", *who, *words], cwd=tree, check=True)  # noqa: S603, S607 - a repository of the test's own


def write(tree: Path, path: str, before: str = "", after: str = "") -> Changes:
    file = tree / path
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    file.parent.mkdir(parents=True, exist_ok=True)
    assert before in text
    file.write_text(text.replace(before, after) if before else text + after, encoding="utf-8")
    return Changes(tree)


def named(*names: str) -> set[str]:
    return {f"{FILE}::{name}" for name in names}


def test_nested_functions_belong_to_the_one_around_them() -> None:
    assert list(functions_of(SOURCE)) == [
        "<module> ", "<module> LIMIT", "<module> Box.size", "Box.hold", "opened", "other",
    ]  # fmt: skip


def test_layout_and_comments_change_nothing(tree: Path) -> None:
    changes = write(tree, FILE, "return 1", "return (1)  # one")
    assert not changes.functions
    assert changes.python == [FILE]


@pytest.mark.parametrize(
    ("before", "after", "touched", "words"),
    [
        ("return 1", "return 2", named("other"), None),
        ("return 1", "return 1\n\n\ndef new() -> int:\n    return 2", named("new"), None),
        ('return "held"', "return 'kept'", named("Box.hold"), {"held"}),
        ("LIMIT = 3", "LIMIT = 4", named("<module> LIMIT", "opened"), None),
        ("def other() -> int:\n    return 1\n", "", named("other"), None),
    ],
)
def test_a_change_touches_its_functions_and_what_says_its_name(
    tree: Path, before: str, after: str, touched: set[str], words: set[str] | None
) -> None:
    changes = write(tree, FILE, before, after)
    assert changes.functions == touched
    assert (changes.words if changes.alone else None) == words


def test_what_is_no_python_maps_by_name(tree: Path) -> None:
    changes = write(tree, "src/medassay/room/page.html", after="new")
    assert changes.functions == named("opened")
    assert changes.tests == {"tests/room/test_page.py"}
    assert write(tree, "docs/boxes.md", after="More.\n").names == {"page", "boxes"}


def test_a_file_that_nothing_names_selects_its_room(tree: Path) -> None:
    assert write(tree, "src/medassay/room/new.toml", after="a = 1\n").rooms == {"src/medassay/room"}
    assert write(tree, "src/medassay/other/new.py", after="A = 1\n").rooms == {
        "src/medassay/room", "src/medassay/other",
    }  # fmt: skip


def test_where_all_is_committed_the_last_commit_is_the_change(tree: Path) -> None:
    write(tree, FILE, "return 1", "return 2")
    commit(tree, "Two")
    assert Changes(tree).functions == named("other")
    assert not Changes(tree, "HEAD").functions - named("other")
    assert Changes(tree).compared == "1 file changed in the last commit: nothing is left to commit."
    assert Changes(tree, "HEAD~1").compared == "1 file changed since HEAD~1."
    changes = write(tree, FILE, "return 2", "return 3")
    assert changes.compared == "1 file changed since the last commit."


def test_a_commit_that_there_is_not_and_what_is_no_python_are_said(tree: Path) -> None:
    with pytest.raises(ValueError, match="no commit or branch mian here"):
        Changes(tree, "mian")
    with pytest.raises(SyntaxError) as caught:
        write(tree, FILE, "return 1", "return (")
    assert caught.value.filename == FILE


def test_what_is_new_is_said_by_nothing_that_stayed(tree: Path) -> None:
    other = "src/medassay/room/new.py"
    changes = write(tree, other, after='__all__ = ["LIMIT"]\nLIMIT = 4\n')
    assert changes.functions == {f"{other}::<module> __all__", f"{other}::<module> LIMIT"}


def test_a_private_name_means_its_own_file_and_all_of_a_file_means_itself(tree: Path) -> None:
    text = "__all__ = []\n_A = 1\n\n\ndef {}():\n    return _A\n"
    paths = [f"src/medassay/room/{name}.py" for name in ("mine", "yours")]
    for path in paths:
        write(tree, path, after=text.format(Path(path).stem))
    commit(tree, "Two")
    assert write(tree, paths[0], "_A = 1", "_A = 2").functions == {
        f"{paths[0]}::<module> _A", f"{paths[0]}::mine",
    }  # fmt: skip
    commit(tree, "Three")
    changes = write(tree, paths[0], "__all__ = []", "__all__ = [1]")
    assert changes.functions == {f"{paths[0]}::<module> __all__"}


def test_where_a_declaration_comes_or_changes_pages_of_all_of_them_are_compared(tree: Path) -> None:
    page = (
        "from tools.make_metrics_page import PAGE, page\n\n\ndef {}():\n    assert {} == page()\n"
    )
    write(tree, "tests/room/test_list.py", after=page.format("test_current", "PAGE"))
    commit(tree, "A page")
    changes = write(tree, FILE, "LIMIT = 3", "LIMIT = 4")
    current = "tests/room/test_list.py::test_current"
    assert changes.catalogues == {current}
    assert current in choose(changes, KNOWN_BY_NAME, 45).unknown
    commit(tree, "A limit")
    assert not write(tree, FILE, "return 1", "return 2").catalogues


def test_a_page_that_a_tool_writes_and_what_it_is_made_of_stand_for_the_tests_of_the_tool(
    tree: Path,
) -> None:
    text = 'from tools.boxes.odd import ODD\n\nPAGE = "boxes.md"\n'
    write(tree, "tools/make_boxes_page.py", after=text)
    write(tree, "tools/boxes/odd.py", after="ODD = 1\n")
    write(tree, "tests/far/test_list.py", after="from tools.make_boxes_page import PAGE\n")
    commit(tree, "A page")
    assert write(tree, "docs/boxes.md", after="More.\n").tests == {"tests/far/test_list.py"}
    commit(tree, "More")
    odd = write(tree, "tools/boxes/odd.py", "ODD = 1", "ODD = 2")
    assert odd.tests == {"tests/far/test_list.py"}


def test_a_page_stands_for_the_tests_that_say_its_name(tree: Path) -> None:
    text = 'def test_a() -> None:\n    print("boxes.md")\n\n\ndef test_b() -> None: ...\n'
    write(tree, "tests/far/test_pages.py", after=text)
    commit(tree, "Pages")
    changes = write(tree, "docs/boxes.md", after="More.\n")
    assert changes.tests == {"tests/far/test_pages.py::test_a"}


SECONDS = {
    "tests/room/test_box.py::test_narrow": 1.0,
    "tests/room/test_box.py::test_wide": 1.0,
    "tests/far/test_far.py::test_far": 1.0,
    "tests/far/test_far.py::test_dear": 50.0,
    "tests/far/test_far.py::test_none": 0.1,
    "tests/gone/test_gone.py::test_gone": 0.1,
    "run of panel": 6.0,
    "tests/standard/test_frozen.py::test_says[panel]": 0.5,
}
KNOWN = CodeMap(
    {
        f"{FILE}::other": [name for name in SECONDS if "frozen" not in name and "none" not in name],
        f"{FILE}::opened": ["tests/room/test_box.py::test_wide", "run of panel"],
        f"{FILE}::Box.hold": ["tests/far/test_far.py::test_none"],
    },
    Record(SECONDS, {"tests/standard/test_frozen.py::test_says[panel]": ["run of panel"]}, {}),
    {},
    {},
)


def test_the_likeliest_come_first_and_what_does_not_fit_is_told(tree: Path) -> None:
    changes = write(tree, FILE, "return 1", "return 2")
    chosen, left, _, _ = choose(changes, KNOWN, 45)
    assert chosen == [
        "tests/room/test_box.py::test_narrow",
        "tests/room/test_box.py::test_wide",
        "tests/far/test_far.py::test_far",
        "tests/standard/test_frozen.py::test_says[panel]",
    ]
    assert left == ["tests/far/test_far.py::test_dear"]
    chosen, left, _, _ = choose(changes, KNOWN, 2.5)
    assert len(chosen) == 2
    assert len(left) == 3


def test_changed_tests_are_run_whole_whatever_they_take(tree: Path) -> None:
    changes = write(tree, "tests/room/test_box.py", "...", "assert True")
    assert choose(changes, KNOWN, 0) == (["tests/room/test_box.py"], [], [], {})


KNOWN_BY_NAME = CodeMap(
    {f"{FILE}::other": ["tests/room/test_box.py::test_of[a]"]},
    Record(
        dict.fromkeys(
            [
                "tests/room/test_box.py::test_of[a]",
                "tests/far/test_far.py::test_page[boxes.md]",
                "tests/far/test_far.py::test_page[more-boxes.md]",
                "tests/far/test_far.py::test_boxes",
                "tests/standard/test_frozen.py::test_says[panel]",
                "tests/far/test_far.py::test_says[panel]",
            ],
            0.1,
        ),
        {},
        {},
    ),
    {},
    {},
)


def test_a_page_and_a_frozen_study_are_named_by_parameters_alone(tree: Path) -> None:
    write(tree, "tests/standard/frozen/panel/page.txt", after="A sentence.\n")
    changes = write(tree, "docs/boxes.md", after="More.\n")
    assert set(choose(changes, KNOWN_BY_NAME, 45).run) == {
        "tests/far/test_far.py::test_page[boxes.md]",
        "tests/standard/test_frozen.py::test_says[panel]",
    }


def test_what_no_map_knows_is_looked_through_where_it_is_likely(tree: Path) -> None:
    write(tree, "tests/room/test_new.py", after="def test_new() -> None:\n    other()\n")
    write(tree, "tests/room/test_others.py", after="def test_others() -> None: ...\n")
    commit(tree, "Tests")
    choice = choose(write(tree, FILE, "return 1", "return 2"), KNOWN_BY_NAME, 45)
    assert choice.run == ["tests/room/test_box.py::test_of[a]"]
    assert choice.unknown == ["tests/room/test_new.py", "tests/room/test_box.py::test_of"]


def test_a_suite_that_broke_off_leaves_the_map_as_it_was(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"stays as it was: in \.venv no test was recorded"):
        CodeMap.write({".venv": tmp_path})


UNMAPPED = CodeMap({}, Record({}, {}, {}), {}, {})


def test_what_no_map_knows_is_run_by_its_doctests_and_its_room_the_likeliest_first(
    tree: Path,
) -> None:
    write(tree, "tests/room/test_calls.py", after="def test_calls() -> None:\n    other()\n")
    write(tree, "tests/room/inner/test_inner.py", after="def test_inner() -> None: ...\n")
    text = 'def other() -> int:\n    """Count.\n\n    >>> other()\n    1\n    """\n'
    write(tree, FILE, "def other() -> int:\n", text)
    commit(tree, "A doctest")
    changes = write(tree, FILE, "return 1", "return 2")
    beside = ["tests/room/inner/test_inner.py", "tests/room/test_box.py", "tests/room/test_page.py"]
    choice = choose(changes, UNMAPPED, 45)
    assert choice.unknown == [FILE, "tests/room/test_calls.py", *beside]
    assert choice.proofs == {f"{FILE}::other": choice.unknown}
    # Each takes two seconds, as far as anybody knows.
    few = choose(changes, UNMAPPED, 5)
    assert (few.unknown, few.left) == ([FILE, "tests/room/test_calls.py"], beside)


def test_a_function_that_the_map_knows_is_proved_by_what_runs_it(tree: Path) -> None:
    choice = choose(write(tree, FILE, "return 1", "return 2"), KNOWN_BY_NAME, 45)
    assert choice.proofs == {f"{FILE}::other": ["tests/room/test_box.py::test_of[a]"]}
    commit(tree, "Two")
    # A constant is proved by what uses it, a docstring by nothing.
    changes = write(tree, FILE, "LIMIT = 3", "LIMIT = 4")
    assert changes.changed == {f"{FILE}::<module> LIMIT": named("<module> LIMIT", "opened")}
    proof = choose(changes, KNOWN, 45).proofs[f"{FILE}::<module> LIMIT"]
    assert set(proof) == {
        "tests/room/test_box.py::test_wide", "tests/standard/test_frozen.py::test_says[panel]",
    }  # fmt: skip
    commit(tree, "Four")
    assert not write(tree, FILE, '"""A room."""', '"""One room."""').changed


@pytest.mark.parametrize("ran", [["tests/room/test_box.py::test_box"], []])
def test_where_nothing_was_run_for_a_change_it_is_not_proven(
    tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], ran: list[str]
) -> None:
    changes = write(tree, FILE, "return 1", "return 2")

    def pytest_of(_: str, word: str, *__: str, **told: str) -> bool:
        if word == "pytest":
            Path(told["MUTATE_RAN"]).write_text(json.dumps(ran), encoding="utf-8")
        return False

    monkeypatch.setattr(near, "_run", pytest_of)
    monkeypatch.setattr(near, "Changes", lambda *_: changes)
    monkeypatch.setattr(CodeMap, "read", lambda: UNMAPPED)
    monkeypatch.setattr("sys.argv", ["near"])
    assert near.main() == (0 if ran else 1)
    said = capsys.readouterr().out
    assert f"near: {'done' if ran else 'NOT PROVEN'} in" in said
    proof = f"Nothing was run for {FILE}::other. This does: .venv/bin/pytest"
    assert (f"{proof} 'tests/room/test_box.py'" in said) is not bool(ran)


@pytest.mark.parametrize(
    ("quoted", "run"),
    [
        ('"The 3 boxes hold"\n    " pages of all sizes."', False),
        ('(\n        "The 3 boxes hold letters "\n        "of all sizes."\n    )', True),
        ('"hold letters of"', True),
        ('"letters of"', False),
        ('"Held here"', True),
        ('"Held here and there"', False),
    ],
)
def test_tests_that_quote_the_words_that_went_are_run(tree: Path, quoted: str, run: object) -> None:
    text = f"def test_says() -> None:\n    print({quoted})\n\n\ndef test_no() -> None: ...\n"
    write(tree, "tests/far/test_words.py", after=text)
    old = 'def told(n: int) -> str:\n    return f"The {n} boxes hold letters of all sizes."\n'
    write(tree, FILE, after=f'\n\n{old}\n\ndef title() -> str:\n    return "Held here"\n')
    write(tree, "src/medassay/far/twin.py", after=old.replace("told", "twin"))
    commit(tree, "Words")
    write(tree, FILE, "boxes hold letters of all sizes", "boxes are full")
    changes = write(tree, FILE, 'return "Held here"', 'return "Full"')
    test = "tests/far/test_words.py::test_says"
    assert changes.tests == ({test} if run else set())
    assert ("tests/far/test_words.py" in choose(changes, UNMAPPED, 45).unknown) is run
    assert quoting(changes.words, "src", tree) == {"src/medassay/far/twin.py::twin"}


def test_words_that_moved_are_not_gone(tree: Path) -> None:
    moved = 'def moved() -> str:\n    return "Some words that move."\n'
    write(tree, FILE, after=f"\n\n{moved}")
    commit(tree, "Words")
    write(tree, FILE, moved, "")
    assert not write(tree, "src/medassay/room/new.py", after=moved).words


def test_what_lists_a_folder_is_tested_with_a_new_entry_of_it(tree: Path) -> None:
    registry = "from pkgutil import iter_modules\n\n\ndef boxes() -> None:\n    iter_modules()\n"
    write(tree, "src/medassay/room/registry.py", after=registry)
    text = (
        "from medassay.room.registry import boxes\n\n\ndef test_every() -> None:\n    boxes()\n"
        "\n\ndef test_none() -> None: ...\n"
    )
    write(tree, "tests/far/test_boxes.py", after=text)
    commit(tree, "A registry")
    every = {"tests/far/test_boxes.py::test_every"}
    assert write(tree, "src/medassay/room/oak/made.py", after="OAK = 1\n").tests == every
    commit(tree, "Oak")
    assert not write(tree, "src/medassay/room/oak/made.py", "OAK = 1", "OAK = 2").tests
    assert not write(tree, "src/medassay/other/made.py", after="OAK = 1\n").tests


def test_a_tool_of_standard_studies_runs_the_freeze_of_its_own_and_what_asks_all(
    tree: Path,
) -> None:
    one, more = "tools.standard.one", "tools.standard.more"
    studies = f"from {one} import write_a\nfrom {more} import write_b\n\n"
    listed = 'STANDARD = {"a": write_a, "b": partial(write_b, 2), "c": write_b(3)}\n'
    write(tree, "tools/standard/__init__.py", after=studies + listed)
    write(tree, "tools/standard/one.py", after="from tools.rows import rows\n")
    write(tree, "tools/standard/more.py", after="ROWS = 1\n")
    write(tree, "tools/rows.py", after="ROWS = 1\n")
    each = '@pytest.mark.parametrize("study", STANDARD)\ndef test_each(study): ...\n\n\n'
    every = "def test_all():\n    print(STANDARD)\n\n\n"
    mark = "slow"  # by its whole name it would mark this file
    slow = f"@pytest.mark.{mark}\ndef test_slow():\n    print(STANDARD)\n"
    write(tree, "tests/standard/test_list.py", after=each + every + slow)
    commit(tree, "Studies")
    test = "tests/standard/test_list.py::test_"
    for file, own in (("standard/more.py", "bc"), ("rows.py", "a"), ("standard/one.py", "a")):
        changes = write(tree, f"tools/{file}", after="MORE = 1\n")
        run = {f"{test}all", *(f"{test}each[{study}]" for study in own)}
        assert changes.studied == run
        assert run <= set(choose(changes, UNMAPPED, 0).run)
        commit(tree, "More")
    new = write(tree, "tools/standard/__init__.py", '"c"', '"d"')
    assert new.studied == {f"{test}all", *(f"{test}each[{study}]" for study in "abd")}


class Item:
    def __init__(self, nodeid: str, *marks: str) -> None:
        self.nodeid, self.marks = nodeid, marks

    def iter_markers(self) -> list[SimpleNamespace]:
        return [SimpleNamespace(name=mark) for mark in self.marks]


def test_quick_tests_that_the_map_does_not_know_are_run_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for word, names in {
        "MUTATE_TESTS": ["a.py::t[2]", "a.py::t[1]"],
        "MUTATE_KNOWN": ["a.py::t[1]", "a.py::t[2]", "a.py::t[3]"],
        "MUTATE_UNKNOWN": ["a.py::t", "b.py", "c.py::page", "c.py::screen"],
    }.items():
        (tmp_path / word).write_text(json.dumps(names), encoding="utf-8")
        monkeypatch.setenv(word, str(tmp_path / word))
    items: list[Any] = [
        *(Item(f"a.py::t[{n}]") for n in range(1, 5)),
        Item("a.py::u"),
        Item("b.py::t"),
        Item("b.py::slow", "slow"),
        Item("c.py::page", "slow"),
        Item("c.py::screen", "browser"),
    ]
    dropped: list[Any] = []

    def drop(items: list[Any]) -> None:
        dropped.extend(items)

    hook = SimpleNamespace(pytest_deselected=drop)
    pytest_collection_modifyitems(SimpleNamespace(hook=hook), items)  # type: ignore[arg-type]
    assert [i.nodeid for i in items] == [
        "a.py::t[4]", "b.py::t", "c.py::page", "a.py::t[2]", "a.py::t[1]",
    ]  # fmt: skip
    assert [i.nodeid for i in dropped] == ["a.py::t[3]", "a.py::u", "b.py::slow", "c.py::screen"]


def test_what_passed_or_failed_is_written_down_and_what_was_skipped_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chosen, "_ran", [])
    monkeypatch.setenv("MUTATE_RAN", str(tmp_path / "ran"))
    for name, when, skipped in (("a", "setup", False), ("a", "call", False), ("b", "call", True)):
        report = SimpleNamespace(nodeid=name, when=when, skipped=skipped)
        chosen.pytest_runtest_logreport(report)  # type: ignore[arg-type]
    chosen.pytest_sessionfinish()
    assert json.loads((tmp_path / "ran").read_text(encoding="utf-8")) == ["a"]


def test_who_writes_a_page_of_old_words_is_named() -> None:
    written = maker_of("docs/metrics.md")
    assert written is not None
    assert written.stem == "make_metrics_page"
    assert maker_of("docs/tutorials/reader.md") is None
    # What a tool writes into a page of commands is not all that may say the old words there.
    assert followed("docs/tutorials/reader.md")
    assert not followed("docs/metrics.md")
