"""A study that somebody sent: nothing in it may lead writing elsewhere."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from medassay.errors import InvalidInput, Problem
from medassay.study.files.names import ANSWERS, CALLS, SCORES
from medassay.study.files.placed import FETCHED
from medassay.tables import is_there

__all__ = ["leads_elsewhere", "refuse_links"]

RESULTS: Final = "results"
_WRITTEN: Final = (
    ANSWERS, CALLS, SCORES, "campaigns", "certificates", FETCHED, "original"
)  # fmt: skip
"""Folders beside results that commands write into."""


def refuse_links(folder: Path) -> None:
    """Refuse to write into a study of which a part leads elsewhere.

    Under `results` medassay alone writes: nothing there may be but files and folders. Elsewhere a
    file may be a link, as git-annex and DataLad keep large ones: it is read, and replaced whole
    when it is written. A folder may not, since what is written into it would land elsewhere.

    Raises:
        InvalidInput: Names the first such part, and how many more there are.
    """
    links = [*_in_results(folder / RESULTS), *_linked_folders(folder)]
    if links:
        path, got = links[0]
        more = f", and {len(links) - 1:,} more like it" if links[1:] else ""
        must = "be the study's own file or folder, since it is written to"
        hint = "Remove it; or copy the study with files in place of links (cp -rL)."
        raise InvalidInput(Problem(str(path), must, f"{got}{more}", hint))


def leads_elsewhere(path: Path) -> bool:
    """Tell whether a path is a link, or what Windows calls a junction."""
    return path.is_symlink() or bool(getattr(path, "is_junction", bool)())


def _in_results(results: Path) -> Iterator[tuple[Path, str]]:
    if leads_elsewhere(results):
        yield results, _said(results)
        return
    for path in _below(results):
        if leads_elsewhere(path):
            yield path, _said(path)
        elif not (path.is_file() or path.is_dir()) and is_there(path):
            # What another shard wrote beside and has just renamed is there no more.
            yield path, "something that is no file, such as a pipe or a device"


def _linked_folders(folder: Path) -> Iterator[tuple[Path, str]]:
    for name in _WRITTEN:
        outer = folder / name
        inner = [] if leads_elsewhere(outer) else [file for file in _below(outer) if file.is_dir()]
        for path in (outer, *inner):
            if leads_elsewhere(path):
                yield path, _said(path)


def _below(folder: Path) -> list[Path]:
    """List everything in a folder and in the folders below it, links not followed; sorted."""
    return sorted(
        Path(place) / name
        for place, folders, files in os.walk(folder, followlinks=False)
        for name in (*folders, *files)
    )


def _said(path: Path) -> str:
    return f'a link to "{path.readlink()}"'
