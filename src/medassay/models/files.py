"""Reading a model's files: whatever a library says of a damaged one, the file is named."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

from medassay.errors import MedassayError, Problem, UnusableModel

__all__ = ["read_json_object", "read_model", "unusable"]

_CODE: Final = re.compile(r"^\[ONNXRuntimeError\] : \d+ : \w+ : ")
_Read = TypeVar("_Read")


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
