"""The demo study, as it ships."""

from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from medassay.errors import InvalidInput, Problem
from medassay.tables import write_atomically

__all__ = ["write_demo"]

_STUDY: Final = "cochrane"


def write_demo(folder: Path) -> None:
    """Write the demo study's files; those that are there already and the same are left alone.

    Raises:
        InvalidInput: The folder holds another study, or a file of the demo that was changed.
    """
    source = files("medassay") / "data" / "studies" / _STUDY
    contents = dict(_files(source, ""))
    problems = [
        Problem(
            str(folder / name),
            "be as the demo ships it",
            "a changed file",
            "Give another folder; this one is left as it is.",
        )
        for name, content in contents.items()
        if (folder / name).exists() and (folder / name).read_bytes() != content
    ]
    if problems:
        raise InvalidInput(problems)
    for name, content in contents.items():
        if not (folder / name).exists():
            write_atomically(folder / name, content)


def _files(source: Traversable, prefix: str) -> Iterator[tuple[str, bytes]]:
    for entry in sorted(source.iterdir(), key=lambda one: one.name):
        if entry.is_dir():
            yield from _files(entry, f"{prefix}{entry.name}/")
        else:
            yield f"{prefix}{entry.name}", entry.read_bytes()
