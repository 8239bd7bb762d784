"""make near: what a change touches, which tests come first, which fit into the time."""

import subprocess
from pathlib import Path

import pytest
from tools.mutate.record import Record
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
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "First"]):
        who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
        subprocess.run(["git", *who, *words], cwd=tmp_path, check=True)  # noqa: S603, S607 - a repository of the test's own
    return tmp_path


def write(tree: Path, path: str, before: str = "", after: str = "") -> Changes:
    file = tree / path
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    file.parent.mkdir(exist_ok=True)
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
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    subprocess.run(["git", *who, "commit", "-qam", "Two"], cwd=tree, check=True)  # noqa: S603, S607 - a repository of the test's own
    assert Changes(tree).functions == named("other")
    assert not Changes(tree, "HEAD").functions - named("other")


SECONDS = {
    "tests/room/test_box.py::test_narrow": 1.0,
    "tests/room/test_box.py::test_wide": 1.0,
    "tests/far/test_far.py::test_far": 1.0,
    "tests/far/test_far.py::test_dear": 50.0,
    "tests/far/test_far.py::test_none": 0.1,
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
    chosen, left = choose(changes, KNOWN, 45)
    assert chosen == [
        "tests/room/test_box.py::test_narrow",
        "tests/room/test_box.py::test_wide",
        "tests/far/test_far.py::test_far",
        "tests/standard/test_frozen.py::test_says[panel]",
    ]
    assert left == ["tests/far/test_far.py::test_dear"]
    chosen, left = choose(changes, KNOWN, 2.5)
    assert len(chosen) == 2
    assert len(left) == 3


def test_changed_tests_are_run_whole_whatever_they_take(tree: Path) -> None:
    changes = write(tree, "tests/room/test_box.py", "...", "assert True")
    assert choose(changes, KNOWN, 0) == (["tests/room/test_box.py"], [])
