"""medassay: the assay for health question-answering systems.

It scores answers, runs the expert review, and measures which of its own numbers the experts bear
out. `import medassay` is light: every public name below is loaded when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from medassay.__about__ import __version__

if TYPE_CHECKING:
    from medassay.errors import InvalidInput, MedassayError, MissingBackend, Problem, UnknownName

# Public name -> the room that holds it.
_ROOMS = {
    "InvalidInput": "medassay.errors",
    "MedassayError": "medassay.errors",
    "MissingBackend": "medassay.errors",
    "Problem": "medassay.errors",
    "UnknownName": "medassay.errors",
}

__all__ = [
    "InvalidInput",
    "MedassayError",
    "MissingBackend",
    "Problem",
    "UnknownName",
    "__version__",
]


def __getattr__(name: str) -> object:
    """Load a public name from its room on first use."""
    if name not in _ROOMS:
        message = f"module 'medassay' has no attribute '{name}'"
        raise AttributeError(message)
    value: object = getattr(import_module(_ROOMS[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted(__all__)
