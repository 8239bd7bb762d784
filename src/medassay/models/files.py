"""Read the files of models, and say which bytes they are."""

import glob
import hashlib
import json
import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np

from medassay.errors import MedassayError, Problem, UnusableModel

_CODE: Final = re.compile(r"^\[ONNXRuntimeError\] : \d+ : \w+ : ")
_Read = TypeVar("_Read")
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
# Tokenizers without a limit say so by a number that no model can mean.
_NO_LIMIT: Final = 1_000_000
_WHERE_UNKNOWN: Final = 512
# Families that count positions from behind the padding mark.
_SHIFTED: Final = frozenset({"camembert", "longformer", "mpnet", "roberta", "xlm-roberta"})


def read_model(path: Path, must: str, read: Callable[[], _Read]) -> _Read:
    """Read a file or folder of a model by any library.

    Args:
        path: What is read.
        must: What it must be, for the message.
        read: Reads it.

    Raises:
        UnusableModel: The library refuses it, whatever it raises.
    """
    try:
        return read()
    except MedassayError:
        raise
    # Each library has errors of its own; to the reader they are one.
    except Exception as error:
        text = (str(error).strip() or type(error).__name__).partition("\n")[0]
        text = text.replace(f"Load model from {path} failed:", "").replace(str(path), path.name)
        got = _CODE.sub("", text)
        raise unusable(path, must, got.rstrip(".")) from error


def read_json_object(path: Path) -> dict[str, Any]:
    """Read a model's configuration.

    Raises:
        UnusableModel: It is no JSON object.
    """
    must = "be a JSON object, as published"
    config = read_model(path, must, lambda: json.loads(path.read_text(encoding="utf-8")))
    if not isinstance(config, dict):
        raise unusable(path, must, f"JSON of another kind ({type(config).__name__})")
    return config


def unusable(
    path: Path, must: str, got: str, try_: str = "Fetch or export it again."
) -> UnusableModel:
    """Make the error, naming the file by its folder and name: where that lies is no result."""
    file = f"{path.parent.name}/{path.name}" if path.parent.name else path.name
    return UnusableModel(Problem(file, must, got, try_))


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


def longest_of(tokenizer_limit: int, config: object) -> int:
    """Give how many pieces a model reads: what its tokenizer and its positions both allow.

    Many tokenizers come without a limit, and then say 10³⁰, which overflows wherever it is used.

    Example:
        >>> from types import SimpleNamespace
        >>> longest_of(10**30, SimpleNamespace(model_type="bert", max_position_embeddings=512))
        512
    """
    limits = [tokenizer_limit] if 0 < tokenizer_limit < _NO_LIMIT else []
    positions = getattr(config, "max_position_embeddings", None)
    if isinstance(positions, int) and positions > 0:
        padding = getattr(config, "pad_token_id", None) or 0
        shifted = getattr(config, "model_type", "") in _SHIFTED
        limits.append(positions - padding - 1 if shifted else positions)
    return min(limits, default=_WHERE_UNKNOWN)


_ROUNDING = 1e-3  # of sums in single precision


def numbers_in(content: bytes, ends: Sequence[tuple[float, float]]) -> bool:
    """Tell whether a content is as many numbers as there are ends, each between its two.

    Example:
        >>> numbers_in(np.array([0.5, 1.0]).tobytes(), [(0, 1), (0, 1)])
        True
        >>> numbers_in(np.array([0.5, np.nan]).tobytes(), [(0, 1), (0, 1)])
        False
    """
    if len(content) != np.dtype(np.float64).itemsize * len(ends):
        return False
    numbers = np.frombuffer(content, dtype=np.float64)
    low, high = np.asarray(ends, dtype=np.float64).T
    inside = (numbers >= low - _ROUNDING) & (numbers <= high + _ROUNDING)
    return bool(np.all(inside & np.isfinite(numbers)))


def unit_vectors_in(
    content: bytes, rows: int, kind: type[np.float32] | type[np.float64] = np.float64
) -> bool:
    """Tell whether a content is so many rows of numbers, each of length 1 or, of nothing, 0.

    Example:
        >>> unit_vectors_in(np.array([0.6, 0.8]).tobytes(), 1)
        True
        >>> unit_vectors_in(np.array([6.0, 8.0]).tobytes(), 1)
        False
    """
    size = np.dtype(kind).itemsize * rows
    if not size or not content or len(content) % size:
        return False
    vectors = np.frombuffer(content, dtype=kind).astype(np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        lengths = np.linalg.norm(vectors.reshape(rows, -1), axis=1)
    return bool(np.all((np.abs(lengths - 1) < _ROUNDING) | (lengths == 0)))
