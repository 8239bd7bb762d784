"""What the modules of other packages register: found, refused or named."""

from pathlib import Path

import pytest
from tests.plugins.installed import install, settle

from medassay.errors import InvalidInput, UnknownName
from medassay.plugins import Registered

SPICE = """
from tests.plugins.test_registered import SPICES
SPICES.add("NAME", "ground", api=API, module=__name__)
"""
SPICES = Registered[str]("medassay.spices", "spice", api=2)
TEAS = Registered[str]("medassay.teas", "tea", api=2)


def spice(name: str, api: int = 2) -> str:
    return SPICE.replace("NAME", name).replace("API", str(api))


@pytest.fixture(autouse=True)
def salt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SPICES, "known", {"salt": "NaCl"})


def test_a_package_is_loaded_when_a_name_is_not_there_and_when_all_are_listed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    install(monkeypatch, tmp_path, SPICES, {"pepper_mill": spice("pepper")})
    assert SPICES.find("salt") == "NaCl"
    assert SPICES.problems is None  # nobody needed it
    assert SPICES.find("pepper") == "ground"
    assert SPICES.problems == ()
    assert SPICES.every() == ("ground", "NaCl")


def test_a_broken_package_is_named_and_what_it_had_registered_goes_with_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    half = f"{spice('half')}\nraise RuntimeError('no luck')\n"
    install(monkeypatch, tmp_path, SPICES, {"half_mill": half, "pepper_mill": spice("pepper")})
    assert [str(one) for one in SPICES.load_plug_ins()] == [
        (
            'plug-in "half_mill" (half_mill): must load without an error; '
            "got RuntimeError: no luck. Update or uninstall that package."
        )
    ]
    assert SPICES.every() == ("ground", "NaCl")
    with pytest.raises(InvalidInput, match="no luck") as caught:
        SPICES.find("half")
    assert isinstance(caught.value.__cause__, UnknownName)


def test_what_a_broken_package_had_registered_elsewhere_goes_too(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    both = spice("pepper") + SPICE.replace("SPICES", "TEAS").replace("NAME", "mint")
    code = f"{both.replace('API', '2')}\nraise RuntimeError('no luck')\n"
    install(monkeypatch, tmp_path, SPICES, {"both_mill": code})
    settle(monkeypatch, TEAS)
    assert [one.got for one in SPICES.load_plug_ins()] == ["RuntimeError: no luck"]
    assert TEAS.known == {}


@pytest.mark.parametrize(
    ("code", "got"),
    [
        (spice("salt"), 'must have a name that is not taken; got "salt", which'),
        (spice("pepper", api=1), "must be written for version 2 of its declaration; got 1"),
        ("x = 1", "must register its spice when it is loaded; got none"),
        ("raise SystemExit(3)", "must load without an error; got SystemExit: 3"),
    ],
)
def test_what_is_wrong_with_a_package_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, code: str, got: str
) -> None:
    install(monkeypatch, tmp_path, SPICES, {"odd_mill": code})
    [problem] = SPICES.load_plug_ins()
    assert got in str(problem)
    assert SPICES.every() == ("NaCl",)


def test_a_package_that_looks_for_a_name_while_it_is_loaded_is_loaded_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asking = f"{spice('pepper')}\ntry:\n    SPICES.find('saffron')\nexcept Exception:\n    pass\n"
    install(monkeypatch, tmp_path, SPICES, {"asking_mill": asking})
    assert SPICES.find("pepper") == "ground"


def test_whoever_stops_the_process_while_a_package_loads_stops_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    install(monkeypatch, tmp_path, SPICES, {"slow_mill": "raise KeyboardInterrupt"})
    with pytest.raises(KeyboardInterrupt):
        SPICES.load_plug_ins()
    assert SPICES.problems is None
