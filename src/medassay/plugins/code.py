"""What a plug-in's arithmetic is, beside the version that its package gives itself."""

import hashlib
import sys
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec
from pathlib import Path
from typing import Final

__all__ = ["code_of"]

_SHOWN: Final = 12


def code_of(module: str) -> str:
    """Hash the file that a module is defined in, without loading it; empty where there is none.

    A version is raised by hand, and forgotten while somebody writes; the file tells.

    Example:
        >>> len(code_of("json.decoder")), code_of("nowhere.at_all")
        (12, '')
    """
    file = getattr(sys.modules.get(module), "__file__", None) or _file_of(module)
    try:
        content = Path(file).read_bytes() if file else b""
    except OSError:
        return ""
    return hashlib.sha256(content).hexdigest()[:_SHOWN] if content else ""


def _file_of(module: str) -> str | None:
    """Find the file as an import would; packages above it are looked through, not loaded."""
    name, *rest = module.split(".")
    try:
        spec: ModuleSpec | None = find_spec(name)
        for part in rest:
            if spec is None or spec.submodule_search_locations is None:
                return None
            name = f"{name}.{part}"
            spec = PathFinder.find_spec(name, list(spec.submodule_search_locations))
    except (ImportError, ValueError):
        return None
    return spec.origin if spec is not None and spec.has_location else None
