"""The hash of a model: what a number depends on when weights computed it."""

import glob
import hashlib
from functools import cache
from pathlib import Path
from typing import Final

__all__ = ["file_digest", "model_digest"]

# What decides a model's output: weights, configuration, vocabulary. Readmes do not.
_DECIDES: Final = frozenset(
    {
        ".bin",
        ".ckpt",
        ".json",
        ".model",
        ".onnx",
        ".onnx_data",
        ".pt",
        ".safetensors",
        ".tsv",
        ".txt",
        ".data",
    }
)

_BESIDE: Final = ("config.json", "tokenizer.json", "tokenizer_config.json", "vocab.txt")


def file_digest(path: Path) -> str:
    """Give the SHA-256 of a file; it is read once as long as its size and time stay."""
    facts = path.stat()
    return _hashed(str(path), facts.st_size, facts.st_mtime_ns)


def model_digest(path: Path) -> str:
    """Give the SHA-256 of a model: of a file, or of all files of a folder that decide its output.

    Of a file in ONNX form its weights beside it decide too, and its tokenizer and configuration.
    Moving or renaming the folder does not change it.
    """
    if path.is_file() and path.suffix != ".onnx":
        return file_digest(path)
    whole = hashlib.sha256()
    for name, file in sorted((_of_file if path.is_file() else _of_folder)(path).items()):
        whole.update(f"{name}\0{file_digest(file)}\n".encode())
    return whole.hexdigest()


def _of_folder(folder: Path) -> dict[str, Path]:
    files = [file for file in folder.iterdir() if file.is_file()]
    paths = {
        file.name: file
        for file in files
        if file.suffix in _DECIDES and not file.name.startswith(".")
    }
    return paths | {f"onnx/{file.name}": file for file in folder.glob("onnx/model.onnx*")}


def _of_file(onnx: Path) -> dict[str, Path]:
    paths = {file.name: file for file in onnx.parent.glob(f"{glob.escape(onnx.name)}*")}
    beside = (folder / name for folder in onnx.parents[:2] for name in _BESIDE)
    return paths | {
        f"{file.parent == onnx.parent} {file.name}": file for file in beside if file.is_file()
    }


@cache
def _hashed(path: str, _size: int, _changed: int) -> str:
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
