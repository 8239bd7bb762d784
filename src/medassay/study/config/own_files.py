"""The files that study.toml names: each lies in the study, and nowhere else."""

from pathlib import Path, PurePosixPath, PureWindowsPath

from medassay.errors import Problem
from medassay.study.files.links import leads_elsewhere
from medassay.study.files.names import STUDY_FILE

__all__ = ["outside_problem"]


def outside_problem(folder: Path, name: str, column: str, file: str = STUDY_FILE) -> Problem | None:
    """Say why a name leads out of the study; None where it does not.

    The file itself may be a link, as git-annex and DataLad keep large ones; a folder on the way to
    it may not. What leads out on Windows is refused everywhere: a study travels.

    Args:
        folder: The study's folder.
        name: What is named, from the study's folder.
        column: Where it is named.
        file: In which file.

    Example:
        >>> print(outside_problem(Path(), "../x.toml", "protocol.name"))
        study.toml, column protocol.name: must name a file of the study; got "../x.toml". Copy it \
beside study.toml, so that the study is whole by itself.
        >>> outside_problem(Path(), "rules/x.toml", "protocol.name")
    """
    inside, on_windows = PurePosixPath(name), PureWindowsPath(name)
    folders = [parent for parent in inside.parents if parent.name]
    over = next((part for part in folders if leads_elsewhere(folder / part)), None)
    out = not inside.name or inside.is_absolute() or on_windows.anchor or ".." in on_windows.parts
    if not out and over is None:
        return None
    got = f'"{name}"' if out else f'"{name}", and {over} is a link'
    hint = "Copy it beside study.toml, so that the study is whole by itself."
    return Problem(file, "name a file of the study", got, hint, None, column)
