"""The run's name, and the list of what it wrote.

A run is named by the hash of its inputs and choices, so the same study gives the same folder. Its
manifest is written last: a folder whose manifest is there and whose files match it is whole.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from medassay.study.files.links import leads_elsewhere
from medassay.study.files.names import file_hash
from medassay.tables import json_bytes, write_atomically

__all__ = ["MANIFEST", "any_manifest", "is_whole", "run_name", "write_manifest"]

MANIFEST: Final = "manifest.json"


def run_name(inputs: Mapping[str, str], choices: Mapping[str, object]) -> str:
    """Name a run by what it depends on.

    Example:
        >>> inputs = {"cases.jsonl": "ab"}
        >>> run_name(inputs, {"seed": 0}) == run_name(inputs, {"seed": 1})
        False
    """
    facts = json.dumps([dict(inputs), dict(choices)], sort_keys=True)
    return hashlib.sha256(facts.encode()).hexdigest()[:12]


def write_manifest(folder: Path, inputs: Mapping[str, str], choices: Mapping[str, object]) -> None:
    """Write down what the run read, chose and wrote."""
    written = {
        path.relative_to(folder).as_posix(): file_hash(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != MANIFEST and not path.name.startswith(".")
    }
    facts = {"schema": 1, "inputs": dict(inputs), "choices": dict(choices), "files": written}
    write_atomically(folder / MANIFEST, json_bytes(facts))


def any_manifest(results: Path) -> bool:
    """Tell whether any run in a study's folder of results has its manifest."""
    return any(results.glob(f"*/{MANIFEST}"))


def is_whole(folder: Path) -> bool:
    """Tell whether a run's folder has everything that its manifest lists, unchanged."""
    path = folder / MANIFEST
    if any(map(leads_elsewhere, (folder.parent, folder, path))) or not path.is_file():
        return False
    try:
        listed = dict(json.loads(path.read_text(encoding="utf-8"))["files"])
        return bool(listed) and all(
            _is_own(folder, name) and file_hash(folder / name) == digest
            for name, digest in listed.items()
        )
    # A received manifest may name what no file can be called.
    except (ValueError, KeyError, TypeError, RecursionError):
        return False


def _is_own(folder: Path, name: str) -> bool:
    """Tell whether a file is there and the folder's own, not one elsewhere that is named or linked.

    Example:
        >>> _is_own(Path(), "../cases.jsonl")
        False
    """
    path = folder / name
    own = ".." not in path.parts and path.is_relative_to(folder) and not path.is_symlink()
    return own and path.is_file()
