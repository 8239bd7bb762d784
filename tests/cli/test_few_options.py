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
    assert "must be between 0 and 5, as was said of these scores; got 7" in beyond.err
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
