"""Metrics of other packages."""

import sys
from importlib.metadata import EntryPoint, EntryPoints, entry_points
from pathlib import Path

import pytest

from medassay import plugins
from medassay.__about__ import __version__
from medassay.__main__ import main
from medassay.errors import InvalidInput
from medassay.metrics import declarations, plugin_problems, registry, resolve
from medassay.metrics.registry import GROUP

PLUGIN = """
from medassay.metrics import Declaration, Direction, metric
from medassay.metrics.declaration import TEXT
from medassay.scores import Score

@metric(Declaration(
    name="NAME", question="How many question marks?", unit="marks", low=0, high=None,
    direction=Direction.NONE, needs=(TEXT,), if_no_answer=0, undefined_when="never",
    reference="a test"))
def marks(pairs, arguments):
    return [Score(float(answer.text.count("?"))) for _, answer in pairs]
"""

SPEECHLESS = """
class Speechless(Exception):
    def __str__(self):
        raise KeyError
raise Speechless
"""


@pytest.fixture(autouse=True)
def clean_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    declarations()
    monkeypatch.setattr(registry.REGISTRY, "known", dict(registry.REGISTRY.known))
    monkeypatch.setattr(registry.REGISTRY, "problems", None)


def install(monkeypatch: pytest.MonkeyPatch, folder: Path, modules: dict[str, str]) -> None:
    for module, code in modules.items():
        (folder / f"{module}.py").write_text(code)
        monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.syspath_prepend(folder)
    entries = EntryPoints(EntryPoint(name=m, value=m, group=GROUP) for m in modules)
    monkeypatch.setattr(plugins, "entry_points", lambda: entries)


def test_a_plug_in_registers_its_metric(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    install(monkeypatch, tmp_path, {"plugin_marks": PLUGIN.replace("NAME", "marks")})
    assert resolve("marks").declaration.unit == "marks"
    assert "marks" in [declaration.name for declaration in declarations()]


def test_the_package_that_brings_a_metric_is_known(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    install(monkeypatch, tmp_path, {"plugin_sums": PLUGIN.replace("NAME", "sums")})
    assert registry.provided_by(resolve("sums").compute) == ""  # a script's says nothing
    about = tmp_path / "plugin_sums-1.5.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: plugin-sums\nVersion: 1.5\n")
    (about / "entry_points.txt").write_text(f"[{GROUP}]\nsums = plugin_sums\n")
    monkeypatch.setattr(plugins, "entry_points", entry_points)
    assert registry.provided_by(resolve("sums").compute) == "plugin-sums 1.5"
    assert registry.provided_by(resolve("length").compute) == f"medassay {__version__}"


def test_a_broken_plug_in_is_named_and_harms_no_built_in_metric(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    install(monkeypatch, tmp_path, {"plugin_broken": "raise RuntimeError('no luck')"})
    assert resolve("length").declaration.name == "length"
    with pytest.raises(InvalidInput) as caught:
        resolve("marks")
    assert str(caught.value) == (
        'plug-in "plugin_broken" (plugin_broken): must load without an error; '
        "got RuntimeError: no luck. Update or uninstall that package."
    )
    assert [problem.got for problem in plugin_problems()] == ["RuntimeError: no luck"]
    assert declarations()


@pytest.mark.parametrize(
    ("code", "got"),
    [
        ("import sys; sys.exit(3)", "SystemExit: 3"),
        ("raise BaseException('out')", "BaseException: out"),
        ("raise GeneratorExit", "GeneratorExit"),
        ("raise ValueError('\\ud83d')", "ValueError: \\ud83d"),
        (SPEECHLESS, "Speechless"),
    ],
)
def test_a_plug_in_that_ends_the_process_is_named_and_left_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, code: str, got: str
) -> None:
    install(monkeypatch, tmp_path, {"plugin_exits": code})
    assert [problem.got for problem in plugin_problems()] == [got]
    assert declarations()


def test_the_list_of_metrics_names_a_plug_in_that_was_left_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    install(monkeypatch, tmp_path, {"plugin_red": "raise ValueError('\\x1b[31m')"})
    for words, code in ((["list"], 0), (["list", "--json"], 0), (["explain", "marks"], 2)):
        with pytest.raises(SystemExit) as ended:
            main(["metrics", *words])
        said = capsys.readouterr()
        assert ended.value.code == code
        assert 'plug-in "plugin_red" (plugin_red): must load without an error' in said.err
        assert "got ValueError: \\u001b[31m" in said.err
    with pytest.raises(SystemExit):
        main(["metrics", "explain", "length"])
    assert "plugin_red" not in capsys.readouterr().err


def test_whoever_stops_the_process_while_a_plug_in_loads_stops_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    install(monkeypatch, tmp_path, {"plugin_slow": "raise KeyboardInterrupt"})
    with pytest.raises(KeyboardInterrupt):
        plugin_problems()


def test_a_plug_in_cannot_take_a_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    install(monkeypatch, tmp_path, {"plugin_thief": PLUGIN.replace("NAME", "bleu")})
    assert "which medassay.metrics.builtin.bleu has registered" in str(plugin_problems()[0])
    assert resolve("bleu(ref=human)").declaration.parts
