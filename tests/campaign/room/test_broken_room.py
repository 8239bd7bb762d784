"""However a room is broken, each verb of campaign ends well or says why in words."""

import contextlib
import io
import shutil
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from medassay.__main__ import main
from medassay.campaign import Wishes, create_campaign
from medassay.campaign.options import VARIABLE
from medassay.campaign.room import open_room
from medassay.cli.campaign_correct import app
from medassay.study import Study

from .conftest import SECRET

pytestmark = pytest.mark.web

ROOM = {
    "backup": ["{study}", "{copy}"],
    "close": ["{study}"],
    "erase": ["{study}", "rater-1"],
    "export": ["{study}"],
    "invite": ["{study}"],
    "pause": ["{study}"],
    "raters": ["{study}", "--drop", "rater-1"],
    "resume": ["{study}"],
    "serve": ["{study}", "--port", "0"],
    "status": ["{study}"],
}
"""The verbs that read a room, with what is typed behind them."""
ELSE = {
    "collect": ["{study}", "{study}/sheet.csv"],
    "correct": ["{study}", "rater-1", "correct", "as-given", "asked"],
    "create": ["{study}", "--raters", "2"],
    "demo": ["{study}-demo"],
    "documents": ["{study}", "--raters", "anna"],
    "restore": ["{study}", "{copy}"],
    "sheets": ["{study}"],
}
"""The verbs that need no room, or put one where none is."""


def typed(verb: str, study: Path) -> tuple[int, str]:
    """Give the exit code of a verb, and what it said on both streams."""
    words = [word.format(study=study, copy=study / "copy.db") for word in {**ROOM, **ELSE}[verb]]
    heard = io.StringIO()
    with (
        contextlib.redirect_stdout(heard),
        contextlib.redirect_stderr(heard),
        pytest.raises(SystemExit) as ended,
    ):
        main(["campaign", verb, *words])
    return int(ended.value.code or 0), heard.getvalue()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a study with an open room in which somebody has been."""
    from tests.campaign.conftest import write_study

    study = write_study(tmp_path_factory.mktemp("broken") / "study")
    create_campaign(Study.open_whole(study), Wishes(raters="2"), SECRET)
    with open_room(Study.open_whole(study)) as room:
        room.rating.consent("rater-1", room.design.options.information.version)
        room.database.forget_deleted()
    return study


@pytest.fixture
def _no_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("medassay.web.serve", lambda *_: None)


def damaged(room_db: Path, at: float, junk: bytes, *, cut: bool) -> None:
    """Break a room's file from a place in it onwards: cut off there, or overwritten there."""
    bytes_there = room_db.read_bytes()
    place = round(at * len(bytes_there))
    left = b"" if cut else bytes_there[place + len(junk) :]
    room_db.write_bytes(bytes_there[:place] + junk + left)


def test_each_verb_of_campaign_is_tried() -> None:
    verbs = {(one.name or one.callback.__name__) for one in app.registered_commands if one.callback}
    assert verbs == {*ROOM, *ELSE}


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    verb=st.sampled_from(sorted({**ROOM, **ELSE})),
    at=st.floats(0, 1),
    junk=st.binary(max_size=5000),
    cut=st.booleans(),
)
@example(verb="status", at=0.3, junk=b"", cut=True)
@example(verb="status", at=0.0, junk=b"x" * 5000, cut=True)
@example(verb="status", at=0.0, junk=b"", cut=True)
@pytest.mark.usefixtures("_no_server")
def test_a_broken_file_is_never_a_traceback(
    whole: Path,
    tmp_path_factory: pytest.TempPathFactory,
    verb: str,
    at: float,
    junk: bytes,
    cut: bool,  # noqa: FBT001 - hypothesis gives it
) -> None:
    study = tmp_path_factory.mktemp("drawn") / "study"
    shutil.copytree(whole, study)
    room_db = study / "campaigns" / "main" / "room.db"
    for beside in room_db.parent.glob("room.db-*"):
        beside.unlink()
    damaged(room_db, at, junk, cut=cut)
    code, told = typed(verb, study)
    assert code in {0, 2}, told
    assert "Traceback" not in told
    # A header that is gone is no room: whoever needs one cannot go on.
    if verb in ROOM and cut and round(at * (whole / "campaigns/main/room.db").stat().st_size) < 100:
        assert code == 2, told
        assert "must" in told


@pytest.mark.parametrize("verb", sorted(ROOM))
@pytest.mark.usefixtures("_no_server")
def test_a_server_that_is_down_is_told(
    whole: Path, tmp_path: Path, verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = tmp_path / "study"
    shutil.copytree(whole, study)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    monkeypatch.setenv(VARIABLE, f"postgresql+psycopg://lead@127.0.0.1:{port}/room")
    code, told = typed(verb, study)
    assert code == 2, told
    assert "must be a database that can be read and written" in told
    assert "Look whether the database runs and its address is right" in told


def test_status_shows_the_campaigns_whose_rooms_are_whole(whole: Path, tmp_path: Path) -> None:
    study = tmp_path / "study"
    shutil.copytree(whole, study)
    create_campaign(Study.open_whole(study), Wishes(raters="x,y", name="b"), SECRET)
    (study / "campaigns" / "main" / "room.db").write_bytes(b"x" * 5000)
    code, told = typed("status", study)
    assert code == 2
    assert "Campaign b" in told
    assert "Campaign main" not in told
    assert f"medassay campaign restore {study} FILE" in told


def first_code(key: list[str]) -> str:
    return key[1].partition(",")[0]


def twice(key: list[str]) -> list[str]:
    return [*key[:2], key[2].replace(key[2].partition(",")[0], first_code(key)), *key[3:]]


def a_path(key: list[str]) -> list[str]:
    return [key[0], key[1].replace(first_code(key), "../../x"), *key[2:]]


def nobodys(key: list[str]) -> list[str]:
    return [key[0], key[1].replace(",rater-", ",../rater-"), *key[2:]]


@pytest.mark.parametrize("verb", sorted(ROOM.keys() - {"backup"}))
@pytest.mark.parametrize("forged", [twice, a_path, nobodys])
@pytest.mark.usefixtures("_no_server")
def test_a_forged_key_is_refused_with_its_row(
    whole: Path, tmp_path: Path, verb: str, forged: Callable[[list[str]], list[str]]
) -> None:
    study = tmp_path / "study"
    shutil.copytree(whole, study)
    key = study / "campaigns" / "main" / "key.csv"
    lines = key.read_text(encoding="utf-8").splitlines(keepends=True)
    key.write_text("".join(forged(lines)), encoding="utf-8")
    code, told = typed(verb, study)
    assert code == 2, told
    assert "campaigns/main/key.csv, row " in told
    assert "Take the file from your backup." in told
