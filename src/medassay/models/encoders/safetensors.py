"""Weights in a safetensors file, read where they lie: nothing is copied into memory.

The file starts with the length of a JSON header in 8 bytes, little-endian; the header gives each
tensor's type, shape, and place in the bytes behind it.
"""

import json
import mmap
from collections.abc import Mapping
from pathlib import Path
from typing import Final, TypedDict

import numpy as np
from numpy.typing import NDArray

__all__ = ["Tensor", "tensor_values", "tensors_of"]

_LENGTH: Final = 8


class Tensor(TypedDict):
    """What the header says of a tensor."""

    dtype: str
    shape: list[int]
    data_offsets: tuple[int, int]


def tensors_of(path: Path) -> Mapping[str, Tensor]:
    """Give the tensors of a file by name, without their values."""
    with path.open("rb") as file:
        length = int.from_bytes(file.read(_LENGTH), "little")
        header: dict[str, Tensor] = json.loads(file.read(length))
    return {name: tensor for name, tensor in header.items() if name != "__metadata__"}


def tensor_values(path: Path) -> Mapping[str, NDArray[np.float32]]:
    """Give the fp32 tensors of a file, read-only, mapped from it."""
    with path.open("rb") as file:
        start = _LENGTH + int.from_bytes(file.read(_LENGTH), "little")
        content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    found = {}
    for name, tensor in tensors_of(path).items():
        if tensor["dtype"] == "F32":
            first, end = tensor["data_offsets"]
            values = np.frombuffer(content, "<f4", (end - first) // 4, start + first)
            found[name] = values.reshape(tensor["shape"])
    return found
