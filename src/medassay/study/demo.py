"""The demo study, as it ships."""

from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from medassay.errors import InvalidInput, Problem, UnknownName
from medassay.study.synthetic import synthetic_files
from medassay.tables import write_atomically

__all__ = ["demo_names", "write_demo"]

_SYNTHETIC: Final = "archehr-synthetic"


def demo_names() -> list[str]:
    """List the studies that come with medassay.

    Example:
        >>> demo_names()[2:]
        ['cochrane', 'environmental-health', 'healthbench-synthetic']
    """
    folder = files("medassay") / "data" / "studies"
    return sorted([_SYNTHETIC, *(entry.name for entry in folder.iterdir())])


def write_demo(folder: Path, name: str = "cochrane") -> None:
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
            str(folder / one),
            "be as the demo ships it",
            "a changed file",
            "Give another folder; this one is left as it is.",
        )
        for one, content in contents.items()
        if (folder / one).exists() and (folder / one).read_bytes() != content
    ]
    if problems:
        raise InvalidInput(problems)
    for file, content in contents.items():
        if not (folder / file).exists():
            write_atomically(folder / file, content)


def _contents(name: str) -> dict[str, bytes]:
    shipped = files("medassay") / "data" / "studies" / name
    return synthetic_files() if name == _SYNTHETIC else dict(_files(shipped, ""))


def _other_demo(folder: Path, name: str) -> str:
    """Name the other demo whose settings the folder holds; empty where there is none."""
    settings = folder / "study.toml"
    held = settings.read_bytes() if settings.is_file() else b""
    others = (demo_name for demo_name in demo_names() if held and demo_name != name)
    return next((one for one in others if _contents(one)["study.toml"] == held), "")


def _files(source: Traversable, prefix: str) -> Iterator[tuple[str, bytes]]:
    for entry in sorted(source.iterdir(), key=lambda one: one.name):
        if entry.is_dir():
            yield from _files(entry, f"{prefix}{entry.name}/")
        else:
            yield f"{prefix}{entry.name}", entry.read_bytes()
