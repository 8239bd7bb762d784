"""The account of each import, kept in the study: counts alone, and nobody's name."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from medassay.errors import InvalidInput, Problem
from medassay.tables import file_bytes, is_there, json_bytes, read_json, write_atomically

__all__ = ["ACCOUNTS", "keep_account"]

ACCOUNTS: Final = "import.json"


def keep_account(into: Path, files: Sequence[Path], facts: Mapping[str, object]) -> list[str]:
    """Add an import's account to those of the study; the same files again change nothing.

    Files are known by what they hold, since their names may be people's.

    Args:
        into: The study's folder.
        files: The files that were imported.
        facts: The account, without names of people.

    Returns:
        The file, where it changed.

    Raises:
        InvalidInput: What is there is no such file.
    """
    path = into / ACCOUNTS
    held = read_json(path, ACCOUNTS) if is_there(path) else {"imports": []}
    before = held.get("imports") if isinstance(held, dict) else None
    if not isinstance(before, list):
        hint = "Remove it: the next import writes it again."
        raise InvalidInput(Problem(ACCOUNTS, "be a list of imports", type(held).__name__, hint))
    inside = [
        path
        for file in files
        for path in (sorted(filter(Path.is_file, file.rglob("*"))) if file.is_dir() else [file])
    ]
    hashes = [hashlib.sha256(file_bytes(path, path.name)).hexdigest() for path in inside]
    now = json.loads(json.dumps({"sha256": hashes, **facts}))
    if now in before:
        return []
    write_atomically(path, json_bytes({"imports": [*before, now]}))
    return [ACCOUNTS]
