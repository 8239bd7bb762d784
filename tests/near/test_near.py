"""make near: what a change touches, which tests come first, which fit into the time."""

import json
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tools.mutate.in_pytest.chosen import pytest_collection_modifyitems
from tools.mutate.record import Record
from tools.near.__main__ import followed, maker_of
from tools.near.changes import Changes
from tools.near.choice import choose
from tools.near.code_map import CodeMap
from tools.near.functions import functions_of

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
    assert changes.words == words


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
    chosen, left, _ = choose(changes, KNOWN, 45)
    assert chosen == [
        "tests/room/test_box.py::test_narrow",
        "tests/room/test_box.py::test_wide",
        "tests/far/test_far.py::test_far",
        "tests/standard/test_frozen.py::test_says[panel]",
    ]
    assert left == ["tests/far/test_far.py::test_dear"]
    chosen, left, _ = choose(changes, KNOWN, 2.5)
    assert len(chosen) == 2
    assert len(left) == 3


def test_changed_tests_are_run_whole_whatever_they_take(tree: Path) -> None:
    changes = write(tree, "tests/room/test_box.py", "...", "assert True")
    assert choose(changes, KNOWN, 0) == (["tests/room/test_box.py"], [], [])


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


def test_who_writes_a_page_of_old_words_is_named() -> None:
    written = maker_of("docs/metrics.md")
    assert written is not None
    assert written.stem == "make_metrics_page"
    assert maker_of("docs/tutorials/reader.md") is None
    # What a tool writes into a page of commands is not all that may say the old words there.
    assert followed("docs/tutorials/reader.md")
    assert not followed("docs/metrics.md")
