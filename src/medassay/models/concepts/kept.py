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
        keys, places, _ = header["lengths"]
    except (OSError, ValueError, KeyError, TypeError, zlib.error):
        return None
    concepts = whole[keys + places :].decode().split("\n")
    return Merged(
        tuple(whole[:keys].decode().split("\n")),
        tuple(map(int, whole[keys : keys + places].split(b","))),
        tuple((one.partition("\t")[0], one.partition("\t")[2]) for one in concepts),
    )
