"""Weights in a safetensors file, read where they lie: nothing is copied into memory.

The file starts with the length of a JSON header in 8 bytes, little-endian; the header gives each
tensor's type, shape, and place in the bytes behind it.
"""

import json
import mmap
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Final, TypedDict

import numpy as np
from numpy.typing import NDArray

from medassay.models.files import read_model, unusable

__all__ = ["Tensor", "tensor_values", "tensors_of"]

_LENGTH: Final = 8
_MUST: Final = "be a whole safetensors file"


class Tensor(TypedDict):
    """What the header says of a tensor."""

    dtype: str
    shape: list[int]
    data_offsets: tuple[int, int]


def tensors_of(path: Path) -> Mapping[str, Tensor]:
    """Give the tensors of a file by name, without their values.

    Raises:
        UnusableModel: The file is damaged.
    """
    header = read_model(path, _MUST, partial(_header, path))
    tensors = {name: tensor for name, tensor in header.items() if name != "__metadata__"}
    needed = _start(path) + max(
        (tensor["data_offsets"][1] for tensor in tensors.values()), default=0
    )
    size = path.stat().st_size
    if size < needed:
        raise unusable(path, _MUST, f"{size:,} bytes, where {needed:,} are said")
    return tensors


def tensor_values(path: Path) -> Mapping[str, NDArray[np.float32]]:
    """Give the fp32 tensors of a file, read-only, mapped from it."""
    start = _start(path)
    with path.open("rb") as file:
        content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    arrays = {}
    for name, tensor in tensors_of(path).items():
        if tensor["dtype"] == "F32":
            first, end = tensor["data_offsets"]
            values = np.frombuffer(content, "<f4", (end - first) // 4, start + first)
            arrays[name] = values.reshape(tensor["shape"])
    return arrays


def _start(path: Path) -> int:
    with path.open("rb") as file:
        return _LENGTH + int.from_bytes(file.read(_LENGTH), "little")


def _header(path: Path) -> dict[str, Tensor]:
    with path.open("rb") as file:
        file.seek(_LENGTH)
        header: dict[str, Tensor] = json.loads(file.read(_start(path) - _LENGTH))
    return header
