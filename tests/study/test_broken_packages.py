"""A study that names what a broken package brings says which package it was."""

import sys
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from typing import Any

import pytest
from tests.plugins.installed import settle

from medassay import plugins
from medassay.__main__ import BAD_INPUT, main
from medassay.agreement.coefficient import KNOWN as COEFFICIENTS
from medassay.consensus.method import KNOWN as METHODS
from medassay.metrics import declarations
from medassay.metrics.registry import REGISTRY as METRICS


def command(*words: str) -> int:
    try:
        main(words)
    except SystemExit as ended:
        return int(ended.code or 0)
    return 0


def test_each_is_named_as_what_it_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    declarations()
    rooms: dict[str, plugins.Registered[Any]] = {
        "scales": COEFFICIENTS,
        "joins": METHODS,
        "marks": METRICS,
    }
    for module, room in rooms.items():
        settle(monkeypatch, room)
        (tmp_path / f"{module}.py").write_text(f"raise RuntimeError('no {module}')")
        monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    entries = EntryPoints(EntryPoint(name=m, value=m, group=r.group) for m, r in rooms.items())
    monkeypatch.setattr(plugins, "entry_points", lambda: entries)
    monkeypatch.chdir(tmp_path)
    assert command("new", "named", "--protocol", "ratings") == 0
    with (tmp_path / "named" / "study.toml").open("a", encoding="utf-8") as file:
        file.write('[agreement]\ncoefficients = ["theirs", "also"]\n')
        file.write('[consensus]\nmethods = ["theirs"]\n[[metrics]]\nname = "theirs"\n')
    capsys.readouterr()
    assert command("check", "named") == BAD_INPUT
    said = capsys.readouterr().err
    for module in rooms:
        line = f'plug-in "{module}" ({module}): must load without an error; got RuntimeError'
        assert said.count(line) == 1
    for what in ("a coefficient of agreement", "a consensus method", "a metric"):
        assert f'must name {what}; got "theirs"' in said
    assert command("agree", "named", "--coefficient", "all") == BAD_INPUT


def test_all_coefficients_are_computed_and_a_broken_package_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settle(monkeypatch, COEFFICIENTS)
    (tmp_path / "scales.py").write_text("raise RuntimeError('no scales')")
    monkeypatch.delitem(sys.modules, "scales", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    entry = EntryPoint(name="scales", value="scales", group=COEFFICIENTS.group)
    monkeypatch.setattr(plugins, "entry_points", lambda: EntryPoints([entry]))
    monkeypatch.chdir(tmp_path)
    assert command("new", "all", "--protocol", "ratings") == 0
    assert command("agree", "all", "--coefficient", "all") == 0
    said = capsys.readouterr()
    assert "Unanimous" in said.out
    assert 'left out: plug-in "scales" (scales): must load without an error' in said.err
