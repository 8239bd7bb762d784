"""The demo study, as it ships."""

from collections.abc import Callable, Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from medassay.errors import InvalidInput, Problem, UnknownName
from medassay.study.synthetic import synthetic_files
from medassay.tables import write_atomically

__all__ = ["FIRST_DEMO", "demo_names", "write_demo"]

FIRST_DEMO: Final = "misleading"
"""What `medassay demo` shows to who names none."""
_MADE: Final[dict[str, Callable[[], dict[str, bytes]]]] = {"archehr-synthetic": synthetic_files}
"""Studies that a program writes; every other demo is a folder of data/studies, known by being
there."""


def demo_names() -> list[str]:
    """List the studies that come with medassay.

    Example:
        >>> demo_names()[2:]
        ['cochrane', 'environmental-health', 'healthbench-synthetic', 'misleading']
    """
    folder = files("medassay") / "data" / "studies"
    return sorted([*_MADE, *(entry.name for entry in folder.iterdir())])


def write_demo(folder: Path, name: str = FIRST_DEMO) -> None:
    """Write a demo study's files; those that are there already and the same are left alone.

    Raises:
        UnknownName: There is no such study.
        InvalidInput: The folder holds another study, or a file of the demo that was changed.
    """
    if name not in demo_names():
        raise UnknownName("demo study", name, demo_names())
    contents = _contents(name)
    other = _other_demo(folder, name)
    if other:
        must, hint = f"be a new folder, or that of the demo {name}", "Give another folder."
        raise InvalidInput(Problem(str(folder), must, f"that of the demo {other}", hint))
    problems = [
        Problem(
            str(folder / shipped),
            "be as the demo ships it",
            "a changed file",
            "Give another folder; this one is left as it is.",
        )
        for shipped, content in contents.items()
        if (folder / shipped).exists() and (folder / shipped).read_bytes() != content
    ]
    if problems:
        raise InvalidInput(problems)
    for file, content in contents.items():
        if not (folder / file).exists():
            write_atomically(folder / file, content)


def _contents(name: str) -> dict[str, bytes]:
    if name in _MADE:
        return _MADE[name]()
    return dict(_files(files("medassay") / "data" / "studies" / name, ""))


def _other_demo(folder: Path, name: str) -> str:
    """Name the other demo whose settings the folder holds; empty where there is none."""
    settings = folder / "study.toml"
    held = settings.read_bytes() if settings.is_file() else b""
    others = (demo_name for demo_name in demo_names() if held and demo_name != name)
    return next((demo for demo in others if _contents(demo)["study.toml"] == held), "")


def _files(source: Traversable, prefix: str) -> Iterator[tuple[str, bytes]]:
    for entry in sorted(source.iterdir(), key=lambda item: item.name):
        if entry.is_dir():
            yield from _files(entry, f"{prefix}{entry.name}/")
        else:
            yield f"{prefix}{entry.name}", entry.read_bytes()
