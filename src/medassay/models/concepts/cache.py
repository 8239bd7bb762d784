"""A built vocabulary as a file: written whole, with the hash of its contents in front."""

import hashlib
import json
import zlib
from pathlib import Path
from typing import Final

from medassay.models.concepts.merge import Merged
from medassay.tables import write_atomically

__all__ = ["read_kept", "write_kept"]

_FORM: Final = "medassay vocabulary 1"


def write_kept(path: Path, merged: Merged) -> None:
    """Write a vocabulary beside the file, then rename over it."""
    tables = [
        "\n".join(merged.keys).encode(),
        ",".join(map(str, merged.places)).encode(),
        "\n".join(f"{concept}\t{name}" for concept, name in merged.concepts).encode(),
    ]
    body = zlib.compress(b"".join(tables), 6)
    header = {
        "form": _FORM,
        "sha256": hashlib.sha256(body).hexdigest(),
        "lengths": [len(table) for table in tables],
    }
    write_atomically(path, json.dumps(header, sort_keys=True).encode() + b"\n" + body)


def read_kept(path: Path) -> Merged | None:
    """Read a vocabulary; None if the file is damaged, cut off or of another form."""
    try:
        first, _, body = path.read_bytes().partition(b"\n")
        header = json.loads(first)
        if header["form"] != _FORM or header["sha256"] != hashlib.sha256(body).hexdigest():
            return None
        whole = zlib.decompress(body)
        end_of_keys, length_of_places, _ = map(int, header["lengths"])
        end_of_places = end_of_keys + length_of_places
        keys = tuple(whole[:end_of_keys].decode().split("\n"))
        places = tuple(map(int, whole[end_of_keys:end_of_places].split(b",")))
        lines = whole[end_of_places:].decode().split("\n")
    except (OSError, ValueError, KeyError, TypeError, RecursionError, zlib.error):
        return None
    if len(keys) != len(places) or not 0 <= min(places) <= max(places) < len(lines):
        return None
    concepts = ((concept, name) for concept, _, name in (line.partition("\t") for line in lines))
    return Merged(keys, places, tuple(concepts))
