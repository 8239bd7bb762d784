"""Packages of others, as an entry point names them: written, offered, and gone after the test."""

import sys
from collections.abc import Mapping
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from typing import Any

import pytest

from medassay import plugins
from medassay.plugins import Registered


def settle(monkeypatch: pytest.MonkeyPatch, registered: Registered[Any]) -> None:
    """Let what a test registers be gone after it, and let packages be looked for anew."""
    monkeypatch.setattr(registered, "known", dict(registered.known))
    monkeypatch.setattr(registered, "problems", None)


def install(
    monkeypatch: pytest.MonkeyPatch,
    folder: Path,
    registered: Registered[Any],
    modules: Mapping[str, str],
) -> None:
    """Write modules, name to code, and offer each in the group under its own name."""
    settle(monkeypatch, registered)
    for module, code in modules.items():
        (folder / f"{module}.py").write_text(code, encoding="utf-8")
        monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.syspath_prepend(folder)
    entries = EntryPoints(EntryPoint(name=m, value=m, group=registered.group) for m in modules)
    monkeypatch.setattr(plugins, "entry_points", lambda: entries)
