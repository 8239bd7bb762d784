"""What fewer options still let a user do: ranges, sign-on, raters, ports, options of a campaign."""

import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from medassay.cli.campaign_serve import signing_on
from medassay.errors import InvalidInput
from medassay.study import Study, read_range
from medassay.web.serve import Served, bind

Command = Callable[..., Any]


@pytest.mark.parametrize("said", ["", "..", "5", "a..b", "1..2..3", "0..inf", "nan..1"])
def test_what_is_no_range_is_refused(said: str) -> None:
    with pytest.raises(InvalidInput, match=r"--range: must have the form LOW\.\.HIGH"):
        read_range(said, "--range")


def test_a_range_may_lack_an_end() -> None:
    assert read_range("-0.5..2", "--range") == (-0.5, 2)
    assert read_range("..1e3", "--range") == (None, 1000)


def test_scores_keep_the_range_that_was_said(medassay: Command, tmp_path: Path) -> None:
    study, table = tmp_path / "study", tmp_path / "minutes.csv"
    assert medassay("new", study, "--protocol", "ratings").code == 0
    systems, cases = Study.open(study).systems, Study.open(study).cases.ids
    rows = [f"{system},{case},7" for system in systems for case in cases]
    table.write_text("\n".join(["system,case,value", *rows, ""]), encoding="utf-8")
    words = ("import", table, "--from", "scores", "--into", study, "--direction", "lower")
    beyond = medassay(*words, "--range", "0..5")
    assert beyond.code == 2
    assert "must be between 0 and 5, the range given for these scores; got 7" in beyond.err
    assert medassay(*words, "--range", "0..60").code == 0
    [imported] = Study.open(study).imported
    assert (imported.meaning.low, imported.meaning.high) == (0, 60)
    backwards = medassay(*words, "--range", "9..1", "--name", "other")
    assert "have low below high" in backwards.err


def test_a_header_is_believed_from_named_proxies_alone() -> None:
    assert signing_on("") == ("", ())
    assert signing_on("X-User@10.0.0.2, ::1") == ("X-User", ("10.0.0.2", "::1"))
    for said in ("X-User", "X-User@", "@10.0.0.2", "X-User@ , "):
        with pytest.raises(InvalidInput, match="--sign-on: must name a header and the proxy"):
            signing_on(said)


def test_what_labels_settle_is_one_way_of_rating(medassay: Command, tmp_path: Path) -> None:
    study = tmp_path / "study"
    assert medassay("new", study, "--protocol", "ratings").code == 0
    words = ("campaign", "create", study, "--raters", "eva", "--name", "last")
    assert medassay(*words, "--rate", "adjudication").code == 0
    plan = (study / "campaigns" / "last" / "plan.toml").read_text(encoding="utf-8")
    assert 'phase = "adjudication"' in plan


def test_a_port_that_is_taken_leaves_any_that_is_free() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, socket.socket() as listening:
        served = Served(port=taken.getsockname()[1])
        with pytest.raises(OSError, match="in use"):
            bind(listening, served, else_any=False)
        bind(listening, served, else_any=True)
        assert listening.getsockname()[1] not in {0, served.port}


def test_a_language_is_added_by_a_file_of_the_campaign(medassay: Command, tmp_path: Path) -> None:
    study = tmp_path / "study"
    assert medassay("new", study, "--protocol", "ratings").code == 0
    assert medassay("campaign", "create", study, "--raters", "eva").code == 0
    folder = study / "campaigns" / "main" / "languages"
    folder.mkdir()
    (folder / "fr.toml").write_text('direction = "up"\n', encoding="utf-8")
    (folder / "readme.txt").write_text("no language", encoding="utf-8")
    said = medassay("campaign", "serve", study)
    assert said.code == 2
    assert "fr.toml, column direction: must be ltr or rtl" in said.err
    assert "readme" not in said.err


def test_one_file_says_what_columns_are(medassay: Command, tmp_path: Path) -> None:
    table = tmp_path / "asked.csv"
    table.write_text("id,question,reply\nq1,Why is it?,So.\n", encoding="utf-8")
    into = ("import", table, "--into", tmp_path / "study", "--yes")
    said = medassay(*into, "--column", "a.csv", "--column", "b.toml")
    assert said.code == 2
    assert "--column: must name one file of columns; got a.csv, b.toml" in said.err
    columns = tmp_path / "columns.csv"
    columns.write_text("column,role\nreply,tag\n", encoding="utf-8")
    words = ("--column", columns, "--column", "answer=reply")
    assert medassay(*into, *words).code == 0
    assert len(Study.open(tmp_path / "study").answers) == 1  # what is typed wins


def test_questions_that_were_answered_are_not_called_open(
    medassay: Command, tmp_path: Path
) -> None:
    table = tmp_path / "asked.csv"
    table.write_text("id,question,answer\nq1,Why is it?,So.\n", encoding="utf-8")
    into = ("import", table, "--into", tmp_path / "study", "--yes")
    said = medassay(*into, "--asked", "none")
    assert said.code == 2
    assert "--asked: must be none where nobody has answered" in said.err
    assert "be some, all or none" in medassay(*into, "--asked", "few").err
    assert not (tmp_path / "study").exists()
