"""A campaign that somebody sent, and a database that is not what it was: each verb says so."""

import os
import shutil
import socket
import sqlite3
import stat
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from medassay.__main__ import main
from medassay.campaign import Wishes, create_campaign
from medassay.campaign.options import VARIABLE, allow_database, allowed_database
from medassay.campaign.room import open_room
from medassay.errors import InvalidInput
from medassay.study import Study

from .conftest import SECRET

pytestmark = pytest.mark.web

VERBS = (
    ["invite", "{study}"],
    ["raters", "{study}", "--drop", "rater-1"],
    ["pause", "{study}"],
    ["resume", "{study}"],
    ["close", "{study}"],
    ["export", "{study}"],
    ["backup", "{study}", "{copy}"],
    ["erase", "{study}", "rater-1"],
    ["serve", "{study}", "--port", "0"],
)
Told = Callable[..., str]


@pytest.fixture
def told(study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Told:
    """Run a verb that must be refused: in one sentence or a few, without a traceback."""

    def run(words: list[str], **names: str) -> str:
        names = {"study": str(study), "copy": str(tmp_path / "copy.db"), **names}
        with pytest.raises(SystemExit) as ended:
            main(["campaign", *(word.format(**names) for word in words)])
        out, err = capsys.readouterr()
        assert ended.value.code == 2, out
        assert "Traceback" not in err
        return err

    return run


@pytest.fixture
def asked() -> Iterator[tuple[int, list[bytes]]]:
    """Listen where a database might be, and keep who came."""
    came: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def listen() -> None:
            while True:
                try:
                    caller, _ = listening.accept()
                except OSError:
                    return
                came.append(caller.recv(64))
                caller.close()

        threading.Thread(target=listen, daemon=True).start()
        yield listening.getsockname()[1], came
        listening.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def room_db(study: Path) -> Path:
    """Open a room of the study's once, with somebody in it; give its file."""
    create_campaign(Study.open_whole(study), Wishes(raters="2"), SECRET)
    with open_room(Study.open_whole(study)) as room:
        room.rating.consent("rater-1", room.design.options.information.version)
        room.database.forget_deleted()
    return study / "campaigns" / "main" / "room.db"


def ask_for(study: Path, address: str) -> None:
    settings = study / "campaigns" / "main" / "campaign.toml"
    text = settings.read_text(encoding="utf-8")
    settings.write_text(text.replace("[room]", f'[room]\ndatabase = "{address}"'), "utf-8")


@pytest.mark.parametrize("words", VERBS, ids=lambda words: str(words[0]))
def test_no_verb_asks_a_host_that_only_the_study_names(
    study: Path, told: Told, asked: tuple[int, list[bytes]], words: list[str]
) -> None:
    create_campaign(Study.open_whole(study), Wishes(raters="2"), SECRET)
    port, came = asked
    address = f"postgresql+psycopg://lead@127.0.0.1:{port}/room"
    ask_for(study, address)
    (study / "campaigns" / "main" / "design.json").write_text("{}", "utf-8")
    err = told(words)
    assert "campaign.toml, column room.database: must name a database that you allowed" in err
    assert f"medassay campaign serve {study} --database {address}" in err
    assert came == []


def test_a_database_is_asked_once_this_machines_user_says_so(
    study: Path, told: Told, asked: tuple[int, list[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    create_campaign(Study.open_whole(study), Wishes(raters="2"), SECRET)
    port, came = asked
    address = f"postgresql+psycopg://lead@127.0.0.1:{port}/room"
    ask_for(study, address)
    told(["serve", "{study}", "--database", address.replace("room", "other")])
    assert came == []
    err = told(["serve", "{study}", "--database", address])
    assert "must be a database that can be read and written" in err
    assert "Look whether the database runs" in err
    assert came != []
    # A database that could not be used was not kept; one that is set here is asked each time.
    came.clear()
    told(["export", "{study}"])
    assert came == []
    monkeypatch.setenv(VARIABLE, address)
    told(["export", "{study}"])
    assert came != []


def test_what_is_kept_holds_for_one_place_campaign_and_address(study: Path, tmp_path: Path) -> None:
    address = "postgresql+psycopg://lead@db.example/room"
    create_campaign(Study.open_whole(study), Wishes(raters="2", database=address), SECRET)
    assert allowed_database(study, "main") == address
    assert address in (study / "campaigns" / "main" / "campaign.toml").read_text(encoding="utf-8")
    shutil.copytree(study, tmp_path / "copy")
    shutil.copytree(study / "campaigns" / "main", study / "campaigns" / "other")
    for folder, name in ((tmp_path / "copy", "main"), (study, "other")):
        with pytest.raises(InvalidInput, match="a database that you allowed"):
            allowed_database(folder, name)
    link = tmp_path / "link"
    link.symlink_to(study)
    assert allowed_database(link, "main") == address
    ask_for(study, "unused")
    settings = study / "campaigns" / "main" / "campaign.toml"
    settings.write_text(f'[room]\ndatabase = "{address}2"\n', encoding="utf-8")
    with pytest.raises(InvalidInput, match="a database that you allowed"):
        allowed_database(study, "main")
    kept = [path for path in Path(os.environ["XDG_STATE_HOME"]).rglob("*") if path.is_file()]
    assert {stat.S_IMODE(path.stat().st_mode) for path in kept} == {0o600}


def test_a_line_that_allows_cannot_hold_a_second_command(study: Path) -> None:
    create_campaign(Study.open_whole(study), Wishes(raters="2"), SECRET)
    ask_for(study, "postgresql://x/y?a=';touch${IFS}pwned;'")
    with pytest.raises(InvalidInput) as refused:
        allowed_database(study, "main")
    assert """--database 'postgresql+psycopg://x/y?a='"'"';touch""" in str(refused.value)


@pytest.mark.parametrize("address", ["/elsewhere/x.db", "x.db", "sqlite:////x.db", "file:///x.db"])
def test_a_file_is_never_named(study: Path, address: str) -> None:
    create_campaign(Study.open_whole(study), Wishes(raters="2"), SECRET)
    with pytest.raises(InvalidInput, match=r"always room\.db in the campaign's folder"):
        allow_database(study, "main", address)
    ask_for(study, address)
    with pytest.raises(InvalidInput, match=r"always room\.db in the campaign's folder"):
        open_room(Study.open_whole(study))


def done(*words: object) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["campaign", *map(str, words)])
    assert ended.value.code == 0


def foreign(path: Path) -> Path:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE moz_cookies (value TEXT)")
    connection.close()
    return path


def link_to_foreign(room_db: Path, outside: Path) -> None:
    room_db.symlink_to(foreign(outside))


def link_to_nothing(room_db: Path, outside: Path) -> None:
    room_db.symlink_to(outside)


def foreign_inside(room_db: Path, outside: Path) -> None:
    del outside
    foreign(room_db)


def linked_log(room_db: Path, outside: Path) -> None:
    outside.write_bytes(b"precious")
    room_db.with_name("room.db-wal").symlink_to(outside)


def linked_memory(room_db: Path, outside: Path) -> None:
    outside.write_bytes(b"precious")
    room_db.with_name("room.db-shm").symlink_to(outside)


def journal(room_db: Path, outside: Path) -> None:
    del outside
    room_db.with_name("room.db-journal").write_bytes(b"x" * 512)


def pipe(room_db: Path, outside: Path) -> None:
    del outside
    os.mkfifo(room_db)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows links ask for rights")
@pytest.mark.parametrize("words", [VERBS[0], VERBS[6], VERBS[8]], ids=lambda words: str(words[0]))
@pytest.mark.parametrize(
    "laid",
    [
        link_to_foreign, link_to_nothing, foreign_inside, linked_log, linked_memory, journal, pipe,
    ],
)  # fmt: skip
def test_nothing_is_written_into_what_no_room_made(
    study: Path, tmp_path: Path, told: Told, laid: Callable[..., None], words: list[str]
) -> None:
    create_campaign(Study.open_whole(study), Wishes(raters="2"), SECRET)
    home = study / "campaigns" / "main"
    laid(home / "room.db", tmp_path / "outside.db")
    watched = [path for path in (tmp_path / "outside.db", home / "room.db") if path.is_file()]
    before = [path.read_bytes() for path in watched]
    err = told(words)
    assert "must be a file that the room made" in err or "another program's database" in err
    assert [path.read_bytes() for path in watched] == before
    assert (tmp_path / "outside.db").exists() == (laid not in {
        link_to_nothing, foreign_inside, journal, pipe,
    })  # fmt: skip


@pytest.mark.parametrize("words", VERBS, ids=lambda words: str(words[0]))
@pytest.mark.parametrize("left", ["nothing", "no bytes"])
def test_a_room_that_is_gone_is_never_made_anew(
    study: Path, room_db: Path, told: Told, words: list[str], left: str
) -> None:
    room_db.unlink()
    if left == "no bytes":
        room_db.touch()
    err = told(words)
    if words[0] != "backup":
        assert f"medassay campaign restore {study} FILE" in err
        assert "No new room was made." in err
    assert not room_db.exists() or not room_db.stat().st_size


def test_a_room_comes_back_from_its_own_copy_alone(
    study: Path, room_db: Path, told: Told, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.db"
    done("backup", study, copy)
    assert "Move the database that is there away first." in told(["restore", "{study}", "{copy}"])
    create_campaign(
        Study.open_whole(study), Wishes(raters="x,y", name="b", adjudicate=True), SECRET
    )
    err = told(["restore", "{study}", "{copy}", "--name", "b"])
    assert "must be a copy of this campaign's room" in err
    assert not (study / "campaigns" / "b" / "room.db").exists()
    room_db.unlink()
    done("restore", study, copy)
    with open_room(Study.open_whole(study)) as room, room.database.reading() as connection:
        assert connection.exec_driver_sql("SELECT rater FROM consents").all() == [("rater-1",)]
    for file in (copy, room_db):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


def random_bytes(room_db: Path) -> None:
    room_db.write_bytes(bytes(range(256)) * 64)


def half_written(room_db: Path) -> None:
    whole = room_db.read_bytes()
    room_db.write_bytes(whole[: len(whole) // 3])


def pages_overwritten(room_db: Path) -> None:
    whole = room_db.read_bytes()
    room_db.write_bytes(whole[:4096] + b"\xa5" * (len(whole) - 4096))


@pytest.mark.parametrize("words", VERBS, ids=lambda words: str(words[0]))
@pytest.mark.parametrize("broken", [random_bytes, half_written, pages_overwritten])
def test_a_broken_file_is_told_with_what_to_do(
    room_db: Path, told: Told, broken: Callable[[Path], None], words: list[str]
) -> None:
    broken(room_db)
    for path in (room_db.with_name("room.db-wal"), room_db.with_name("room.db-shm")):
        path.unlink(missing_ok=True)
    err = told(words)
    study = room_db.parents[2]
    assert f"put your last backup back: medassay campaign restore {study} FILE" in err


def test_a_room_that_was_cut_off_while_it_was_made_is_made_whole(study: Path) -> None:
    create_campaign(Study.open_whole(study), Wishes(raters="2"), SECRET)
    open_room(Study.open_whole(study)).close()
    design = study / "campaigns" / "main" / "design.json"
    frozen = design.read_bytes()
    design.unlink()
    open_room(Study.open_whole(study)).close()
    assert design.read_bytes() == frozen
