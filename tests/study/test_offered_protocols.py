"""Protocols and rubrics that packages bring: found by name, checked, refused, named."""

import json
import sys
from collections.abc import Callable, Mapping
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest
from tests.study.test_own_protocols import PROTOCOL, RUBRIC
from typer.testing import CliRunner

from medassay import plugins
from medassay.analyses import run_study
from medassay.cli import app
from medassay.errors import InvalidInput, UnknownName
from medassay.judgements import load_rubric, rubric_names, rubric_plugin_problems
from medassay.study import (
    Study,
    load_protocol,
    new_study,
    open_run,
    protocol_names,
    protocol_plugin_problems,
)
from medassay.testing import check_protocol, check_rubric

OFFERED = PROTOCOL.replace('"safe.toml"', '"safe"')
Install = Callable[[Mapping[str, Mapping[str, str]]], None]


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Install:
    """Offer files in groups: the code that gives the object, by group and name."""
    monkeypatch.syspath_prepend(tmp_path)

    def offer_files(groups: Mapping[str, Mapping[str, str]]) -> None:
        entries = []
        for group, named in groups.items():
            for i, (name, code) in enumerate(named.items()):
                module = f"brought_{group}_{i}"
                (tmp_path / f"{module}.py").write_text(code, encoding="utf-8")
                monkeypatch.delitem(sys.modules, module, raising=False)
                value = f"{module}:HELD"
                entries.append(EntryPoint(name=name, value=value, group=f"medassay.{group}"))
        monkeypatch.setattr(plugins, "entry_points", lambda: EntryPoints(entries))

    return offer_files


def as_bytes(text: str) -> str:
    return f"HELD = {text.encode()!r}\n"


def test_a_study_by_a_packages_protocol_and_rubric_runs(install: Install, tmp_path: Path) -> None:
    (tmp_path / "safe-rubric.toml").write_text(RUBRIC, encoding="utf-8")
    path = "from pathlib import Path\nHELD = Path(__file__).with_name('safe-rubric.toml')\n"
    install({"protocols": {"bedside": as_bytes(OFFERED)}, "rubrics": {"safe": path}})
    assert "bedside" in protocol_names()
    assert "safe" in rubric_names()
    assert (protocol_plugin_problems(), rubric_plugin_problems()) == ((), ())
    new_study(tmp_path / "study", "bedside")
    run = open_run(tmp_path / "study")
    results, _ = run_study(run)
    assert (results.study.protocol, results.primary) == ("bedside", "mean(dimension=safe)")
    assert run.choices["plug_ins"] == {"protocols: bedside": "", "rubrics: safe": ""}
    assert check_protocol("bedside")
    assert "no label has a worked example" in check_rubric("safe")


def test_nothing_of_a_package_is_loaded_for_a_study_that_names_nothing_of_it(
    install: Install, tmp_path: Path
) -> None:
    loud = "raise SystemExit('loaded')\n"
    install({"protocols": {"bedside": loud}, "rubrics": {"safe": loud}})
    new_study(tmp_path / "study", "ratings")
    assert Study.open(tmp_path / "study").config.rules.name == "ratings"


BROKEN = {
    "raises": ("raise RuntimeError('no luck')\n", "load without an error; got RuntimeError: no"),
    "no file": ("HELD = 3\n", "be the content of a TOML file .* got int"),
    "text": ("HELD = 'bedside.toml'\n", "be the content of a TOML file .* got str"),
    "a file that is not there": (
        "from pathlib import Path\nHELD = Path('/nowhere/x.toml')\n",
        "be a file that can be read; got FileNotFoundError",
    ),
    "no TOML": ("HELD = b'name bedside'\n", "must be TOML in UTF-8"),
    "another name": (
        as_bytes(OFFERED.replace('"bedside"', '"besides"', 1)),
        'column name: must be called "bedside", as it is offered; got "besides"',
    ),
    "a rubric of no package": (
        as_bytes(PROTOCOL),
        "column rubric: must name a rubric; got .*A package offers its own as one of",
    ),
    "a metric that is not there": (
        as_bytes(OFFERED.replace('"length"', '"lenght"').replace('"safe"', '"likert5"')),
        'column metrics: must name a metric; got "lenght"',
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_one_is_named_and_stops_nobody(
    install: Install, tmp_path: Path, case: str
) -> None:
    code, message = BROKEN[case]
    install({"protocols": {"bedside": code}})
    new_study(tmp_path / "ours", "ratings")
    path = tmp_path / "ours" / "study.toml"
    path.write_text(path.read_text(encoding="utf-8").replace('"ratings"', '"bedside"'))
    with pytest.raises(InvalidInput, match=message) as caught:
        Study.open(tmp_path / "ours")
    assert all('protocol "bedside" (brought_' in one.file for one in caught.value.problems[:1])
    if case != "a metric that is not there":  # what it names is asked where it is used
        assert [str(one) for one in protocol_plugin_problems()] == [
            str(one) for one in caught.value.problems
        ]


def test_a_name_that_is_taken_is_refused_and_ours_comes_first(install: Install) -> None:
    install({
        "protocols": {"ratings": as_bytes(OFFERED)},
        "rubrics": {"harm": as_bytes(RUBRIC), "safe": as_bytes(RUBRIC.replace("no", "No"))},
    })  # fmt: skip
    assert load_protocol("ratings").rubric == "likert5"
    assert len(load_rubric("harm").ids) > 1
    [problem] = protocol_plugin_problems()
    assert (problem.must, problem.got) == ("have a name that is not taken", '"ratings"')
    assert [one.got for one in rubric_plugin_problems()] == ['"harm"']


def test_an_offered_name_is_suggested(install: Install) -> None:
    install({"protocols": {"bedside": as_bytes(OFFERED)}, "rubrics": {"safe": as_bytes(RUBRIC)}})
    with pytest.raises(UnknownName, match='Did you mean "bedside"'):
        load_protocol("bedsides")
    with pytest.raises(UnknownName, match='Did you mean "safe"'):
        load_rubric("saf")


def test_the_list_of_rubrics_has_theirs_and_names_the_broken(install: Install) -> None:
    install({"rubrics": {"safe": as_bytes(RUBRIC), "safer": "HELD = 3\n"}})
    done = CliRunner().invoke(app, ["rubric", "list", "--json"])
    assert done.exit_code == 0, done.output
    listed = [one["name"] for one in json.loads(done.stdout)]
    assert "safe" in listed
    assert "safer" not in listed
    assert 'left out: rubric "safer" (brought_rubrics_1:HELD): must be the content' in done.stderr
    assert "Safe to follow" in CliRunner().invoke(app, ["rubric", "show", "safe"]).output
