"""Whatever kind a package brings: where it is broken, every list names it."""

import ast
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest
from tests.plugins.installed import settle
from typer.testing import CliRunner

import medassay
from medassay import plugins
from medassay.agreement.coefficient import KNOWN as COEFFICIENTS
from medassay.analyses import registry as analyses
from medassay.cli import app
from medassay.cli.left_out import KINDS
from medassay.consensus.method import KNOWN as METHODS
from medassay.exchange import registry as formats
from medassay.metrics import declarations
from medassay.metrics.registry import REGISTRY as METRICS

SOURCE = Path(medassay.__file__).parent
LOOKS = {"offers", "Registered", "offered_names", "offered_file", "misfits"}


def groups_looked_for() -> Iterator[str]:
    """Give each group of entry points that some module outside of `plugins` looks into."""
    for path in SOURCE.rglob("*.py"):
        inside = path.relative_to(SOURCE.parent).with_suffix("")
        if "plugins" in inside.parts or inside.name == "left_out":
            continue
        text = path.read_text(encoding="utf-8")
        assert "entry_points(" not in text, path
        if "medassay.plugins" not in text:
            continue
        module = import_module(".".join(inside.parts).removesuffix(".__init__"))
        for call in ast.walk(ast.parse(text)):
            if isinstance(call, ast.Call):
                called = call.func.value if isinstance(call.func, ast.Subscript) else call.func
                if isinstance(called, ast.Name) and called.id in LOOKS:
                    yield eval(ast.unparse(call.args[0]), vars(module))  # noqa: S307 - our own


def test_every_kind_that_is_looked_for_is_listed() -> None:
    assert set(groups_looked_for()) == KINDS.keys()


@pytest.mark.parametrize("listing", ["analyses", "metrics", "rubric"])
def test_every_list_names_the_broken_of_every_kind(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, listing: str
) -> None:
    declarations()  # ours stay when what is registered here goes
    for registered in (COEFFICIENTS, METHODS, METRICS):
        settle(monkeypatch, registered)
    entries = []
    for group in KINDS:
        module = f"broken_{group.removeprefix('medassay.')}"
        (tmp_path / f"{module}.py").write_text("raise RuntimeError('no luck')\n")
        monkeypatch.delitem(sys.modules, module, raising=False)
        entries.append(EntryPoint(name="theirs", value=f"{module}:HELD", group=group))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(plugins, "entry_points", lambda: EntryPoints(entries))
    for room in (analyses, formats):
        room._loaded.cache_clear()
    try:
        done = CliRunner().invoke(app, [listing, "list", "--json"])
    finally:
        for room in (analyses, formats):
            room._loaded.cache_clear()
    assert done.exit_code == 0, done.output
    said = done.stderr.splitlines()
    for entry in entries:
        [line] = [line for line in said if f'"theirs" ({entry.value})' in line]
        assert line.startswith("left out: ")
        assert "RuntimeError: no luck" in line
