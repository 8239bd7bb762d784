"""The hash of a model: what a number depends on when weights computed it."""

import hashlib
from functools import cache
from pathlib import Path
from typing import Final

__all__ = ["file_digest", "model_digest"]

# What decides a model's output: weights, configuration, vocabulary. Readmes do not.
_DECIDES: Final = frozenset(
    {".bin", ".ckpt", ".json", ".model", ".onnx", ".pt", ".safetensors", ".tsv", ".txt", ".data"}
)


def file_digest(path: Path) -> str:
    """Give the SHA-256 of a file; it is read once as long as its size and time stay."""
    facts = path.stat()
    return _hashed(str(path), facts.st_size, facts.st_mtime_ns)


def model_digest(path: Path) -> str:
    """Give the SHA-256 of a model: of a file, or of all files of a folder that decide its output.

    Moving or renaming the folder does not change it.
    """
    if path.is_file():
        return file_digest(path)
    whole = hashlib.sha256()
    for file in sorted(path.iterdir()):
        if file.is_file() and file.suffix in _DECIDES and not file.name.startswith("."):
            whole.update(f"{file.name}\0{file_digest(file)}\n".encode())
    return whole.hexdigest()


@cache
def _hashed(path: str, _size: int, _changed: int) -> str:
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
