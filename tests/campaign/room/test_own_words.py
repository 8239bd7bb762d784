"""What a room's verbs leave on the disk, and what they say that they did."""

import re
import stat
from pathlib import Path

import pytest
from typer.testing import CliRunner

from medassay.campaign import Wishes, create_campaign
from medassay.campaign.room import Guess, Room, open_room
from medassay.cli import app
from medassay.judgements.campaign import find_plans
from medassay.study import Study

from .conftest import SECRET, answer, said

pytestmark = pytest.mark.web
SHARED = {"plan.toml", "design.json", "campaign.toml"}


def medassay(*words: object) -> str:
    done = CliRunner().invoke(app, ["campaign", *map(str, words)])
    assert done.exit_code == 0, done.output
    return done.output


def row_of(table: str, rater: str) -> list[str]:
    """Give the cells of a rater's row."""
    rows = [re.findall(r"[\w-]+", line) for line in table.splitlines()]
    [row] = [row for row in rows if row[:1] == [rater]]
    return row


def rate(room: Room, rater: str) -> None:
    room.rating.consent(rater, room.design.options.information.version)
    marked = False
    while (stand := room.rating.stand(rater)).standing in {"task", "break"}:
        if stand.pause is not None:
            room.rating.take_break(rater, stand.pause.after)
            continue
        task = room.rating.next(rater)
        assert task is not None
        answer(room, rater, task)
        if not marked:
            marked = True
            room.rating.say(rater, said(task, "", dangerous=True, comment=f"zq{rater}"))
    for place, task in enumerate(room.rating.guesses_due(rater)):
        guess = Guess(f"guessed-{place}", task.code, room.design.systems[0], 0.5)
        assert room.rating.guess(rater, guess).saved


@pytest.fixture
def rated(study: Path) -> Path:
    """Give a study of which two raters rated everything in the room; it is exported."""
    create_campaign(Study.open_whole(study), Wishes(raters="anna,ben"), SECRET)
    medassay("invite", study)
    with open_room(Study.open_whole(study)) as room:
        for rater in ("anna", "ben"):
            rate(room, rater)
    medassay("export", study)
    return study


def test_what_names_people_or_holds_their_words_is_its_owners_alone(
    rated: Path, tmp_path: Path
) -> None:
    medassay("backup", rated, tmp_path / "copy.db")
    home = rated / "campaigns" / "main"
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in home.iterdir()}
    assert {"invitations.csv", "audit.csv", "guesses.csv", "room.db"} <= {p.name for p in modes}
    assert {path.name for path, mode in modes.items() if mode != 0o600} == SHARED
    assert stat.S_IMODE((tmp_path / "copy.db").stat().st_mode) == 0o600


def test_status_counts_what_the_room_holds(study: Path) -> None:
    create_campaign(Study.open_whole(study), Wishes(raters="anna,ben"), SECRET)
    with open_room(Study.open_whole(study)) as room:
        rate(room, "anna")
    told = medassay("status", study)
    anna, ben = row_of(told, "anna"), row_of(told, "ben")
    assert anna[1] == anna[2] != "0", told
    assert ben[2] == "0"
    assert "in the room and not yet in the study" in told
    medassay("export", study)
    after = medassay("status", study)
    assert row_of(after, "anna") == anna
    assert "not yet in the study" not in after


def test_erasing_somebody_leaves_what_is_others(rated: Path) -> None:
    home = rated / "campaigns" / "main"
    names = ("invitations.csv", "guesses.csv", "dangerous.csv", "audit.csv")
    before = {name: (home / name).read_text(encoding="utf-8").splitlines() for name in names}
    told = medassay("erase", rated, "anna")
    [code] = re.findall(r"erased-[A-Z]{4}-[A-Z]{4}", told)
    left = (home / "invitations.csv").read_text(encoding="utf-8")
    assert "ben" in left
    assert "anna" not in left
    for name in names[1:]:
        called = [re.sub(r"\banna\b", code, line) for line in before[name]]
        assert (home / name).read_text(encoding="utf-8").splitlines() == called
    told = medassay("erase", rated, code, "--labels")
    for name in names[1:]:
        assert f"wrote campaigns/main/{name}" in told
        after = (home / name).read_text(encoding="utf-8").splitlines()
        assert [line for line in before[name] if "ben" in line and "anna" not in line] == [
            line for line in after if "ben" in line and code not in line
        ]
    assert "zqanna" not in (home / "audit.csv").read_text(encoding="utf-8")
    [erased] = [
        line
        for line in (home / "audit.csv").read_text(encoding="utf-8").splitlines()
        if "with labels" in line
    ]
    for assignment in find_plans(rated)["main"].of_rater(code):
        assert assignment.code in erased
    assert "removed campaigns/main/guesses.csv" in medassay("erase", rated, "ben", "--labels")


def test_an_invitation_ends_nobody_elses_link_and_says_whose_it_ends(study: Path) -> None:
    create_campaign(Study.open_whole(study), Wishes(raters="anna,ben"), SECRET)
    with open_room(Study.open_whole(study)) as room:
        tokens = {name: room.access.invite(name) for name in ("lead", "reviewer", "anna")}
    told = medassay("invite", study)
    assert "lead: " not in told
    assert "note: Earlier links no longer work, and sessions ended: anna." in told
    with open_room(Study.open_whole(study)) as room:
        assert room.access.look_up(tokens["lead"]) is not None
        assert room.access.look_up(tokens["reviewer"]) is not None
        assert room.access.look_up(tokens["anna"]) is None
    assert "lead: http" in medassay("invite", study, "lead")
    done = CliRunner().invoke(app, ["campaign", "invite", str(study), "ana"])
    assert done.exit_code != 0
    assert 'Did you mean "anna"?' in str(done.exception)


def test_who_comes_later_is_invited_by_the_line_that_is_printed(study: Path) -> None:
    create_campaign(Study.open_whole(study), Wishes(raters="anna,ben"), SECRET)
    open_room(Study.open_whole(study)).close()
    told = medassay("raters", study, "--add", "dora")
    [line] = [line for line in told.splitlines() if "medassay campaign invite" in line]
    words = line.partition("medassay campaign ")[2].split()
    assert "dora: http" in medassay(*words)


def test_a_look_is_written_later_where_the_disk_is_full(
    study: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from medassay.campaign.room.database import UnusableRoom
    from medassay.errors import Problem

    create_campaign(Study.open_whole(study), Wishes(raters="anna,ben"), SECRET)
    with open_room(Study.open_whole(study)) as room:

        def full(_: object) -> None:
            raise UnusableRoom(Problem("room.db", "be writable", "full"), full=True)

        with monkeypatch.context() as patched:
            patched.setattr(room.database, "write", full)
            assert len(room.lead.progress("lead")) == 2
            with pytest.raises(UnusableRoom):
                room.lead.set_status("lead", "paused")
        assert len(room.database.unwritten) == 1
        room.lead.progress("lead")
        assert room.database.unwritten == []
        with room.database.reading() as connection:
            looks = connection.exec_driver_sql(
                "SELECT COUNT(*) FROM events WHERE what = 'look at progress'"
            )
            assert looks.scalar_one() == 2
