"""The shape of the code itself."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
LARGEST = 800
CODE = [
    path
    for folder in ("src", "tests", "simulations", "bench", "tools", "examples")
    for path in sorted((ROOT / folder).rglob("*"))
    if path.suffix in {".py", ".html", ".css", ".js", ".j2"}
]
FIRST_SEEN = {
    "CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "LICENSE", "Makefile", "NOTICE", "README.md",
    "mkdocs.yml", "pyproject.toml",
}  # fmt: skip


def test_the_root_holds_what_a_visitor_needs_and_folders() -> None:
    files = {path.name for path in ROOT.iterdir() if path.is_file()}
    assert {name for name in files if not name.startswith(".")} == FIRST_SEEN


def test_each_release_has_one_screen_of_changes() -> None:
    head, *releases = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split("\n## ")
    assert releases
    assert [part.split("\n")[0] for part in (head, *releases) if part.count("\n") > 40] == []


def test_the_decisions_stand_in_twenty_pages_that_the_first_lists() -> None:
    pages = {path.name for path in (ROOT / "design").iterdir()}
    listed = (ROOT / "design" / "README.md").read_text(encoding="utf-8")
    assert len(pages) <= 20
    assert {name for name in pages if f"]({name})" not in listed} == {"README.md"}


def test_no_file_is_longer_than_eight_hundred_lines() -> None:
    long = {
        str(path.relative_to(ROOT)): count
        for path in CODE
        if (count := path.read_text(encoding="utf-8").count("\n")) > LARGEST
    }
    assert CODE
    assert not long


def test_every_room_says_what_it_is_for() -> None:
    house = ROOT / "src" / "medassay"
    rooms = sorted([*house.glob("*/__init__.py"), *house.glob("[a-z]*.py")])
    silent = [
        str(room.relative_to(house))
        for room in rooms
        if not re.match(r'"""\w', room.read_text(encoding="utf-8"))
    ]
    assert rooms
    assert not silent


def test_no_module_asks_the_package_that_it_stands_in() -> None:
    """A package imports its modules: one that imports names of it back closes a circle."""
    source = ROOT / "src"
    circles = [
        f"{path.relative_to(source)}: {node.module}"
        for path in sorted((source / "medassay").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module is not None
        for package in [source / node.module.replace(".", "/")]
        if path.parent.is_relative_to(package) and path != package / "__init__.py"
        if any(not _is_module(package / alias.name) for alias in node.names)
    ]
    assert not circles


def _is_module(path: Path) -> bool:
    return path.is_dir() or path.with_suffix(".py").is_file()


def test_nothing_is_called_utils() -> None:
    assert not [path for path in CODE if path.stem in {"utils", "helpers", "misc", "common"}]


def test_no_private_name_is_left_over() -> None:
    """What a module keeps for itself and never uses again was part of something that is gone."""
    left = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in (ROOT / "src").rglob("*.py")
        for text in [path.read_text(encoding="utf-8")]
        for name in _private_names(text)
        if len(re.findall(rf"\b{name}\b", text)) == 1
    ]
    assert not left


def _private_names(text: str) -> list[str]:
    found = []
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.append(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.append(node.target.id)
        elif isinstance(node, ast.Assign):
            found += [one.id for one in node.targets if isinstance(one, ast.Name)]
    return [name for name in found if name.startswith("_") and not name.startswith("__")]
