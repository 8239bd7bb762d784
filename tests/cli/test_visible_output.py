"""No name or text of a study gives the terminal an order, or turns other text around."""

import io
import json
import sys
from pathlib import Path

import pytest

from medassay.__main__ import main
from medassay.analyses import run_study
from medassay.cli.output import print_table
from medassay.cli.streams import only_visible
from medassay.report import render
from medassay.study import Study, open_run
from medassay.tables import csv_bytes, visible

ORDERS = "\x1b]0title\x07\x1b[31mred\u202etxt\x9b2J"
ID_PLACES = {
    "cases.csv": "case,question\n{},How long?\n",
    "judgements.csv": "rater,system,case,dimension,label\n{},A,c1,quality,5\n",
    "preferences.csv": "rater,case,system_a,system_b,choice\n{},c1,A,B,a\n",
    "raters.csv": "rater,expertise\n{},nurse\n",
    "relevance.csv": "rater,case,document,relevance\n{},c1,d1,1\n",
    "answers/A.csv": "system,case,text\n{},c1,Rest.\n",
    "scores/mine.csv": "system,case,source,value\nA,c1,{},1\n",
}


def write_study(folder: Path, title: str = "T", text: str = "Rest.") -> Path:
    files = {
        "study.toml": f"schema = 1\ntitle = {json.dumps(title)}\n[run]\nreplicates = 100\n"
        f"[systems.A]\ntitle = {json.dumps(title)}\n",
        "judgements.csv": "rater,system,case,dimension,label,comment\nr1,A,c1,quality,5,ok\n"
        "r1,B,c1,quality,4,ok\nr2,A,c1,quality,5,ok\nr2,B,c1,quality,3,ok\n",
        "answers/B.csv": "case,text\nc1,No.\n",
    }
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
    (folder / "cases.csv").write_bytes(csv_bytes(["case", "question"], [["c1", f"How? {text}"]]))
    (folder / "answers" / "A.csv").write_bytes(csv_bytes(["case", "text"], [["c1", text]]))
    return folder


def orders_in(text: str) -> set[str]:
    return set(text) & set("\x1b\x07\x9b\u202e\u2066")


@pytest.mark.parametrize("file", ID_PLACES)
@pytest.mark.parametrize("name", ["anna\x1b[31m", "anna\x07", "an\u202ena", "an\u2066na", "a\nb"])
def test_a_name_with_a_sign_that_nobody_sees_is_refused_and_the_sign_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], file: str, name: str
) -> None:
    folder = write_study(tmp_path / "study")
    header, line = ID_PLACES[file].splitlines()
    cells = [name if cell == "{}" else cell for cell in line.split(",")]
    (folder / file).parent.mkdir(exist_ok=True)
    (folder / file).write_bytes(csv_bytes(header.split(","), [cells]))
    with pytest.raises(SystemExit) as ended:
        main(["check", str(folder)])
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert not orders_in(said)
    hidden = next(sign for sign in name if not sign.isprintable())
    assert f"U+{ord(hidden):04X}" in said or file.startswith("scores")


@pytest.mark.parametrize("file", ["judgements.csv", "answers/A.csv", "cases.csv"])
def test_messages_write_orders_as_codes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], file: str
) -> None:
    folder = write_study(tmp_path / "study")
    (folder / file).write_bytes(csv_bytes([f"col\x1b[31m{ORDERS}", "case"], [["1", "c1"]]))
    for more in ([], ["--json"]):
        with pytest.raises(SystemExit) as ended:
            main(["check", str(folder), *more])
        assert ended.value.code == 2
    said = capsys.readouterr()
    assert not orders_in(said.out + said.err)
    assert "\\u001b" in said.err
    # As JSON it says the very signs.
    assert "\u202e" in json.loads(said.out)["error"]


def test_what_a_report_prints_is_visible(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_study(tmp_path / "study", f"Title {ORDERS}", f"Rest {ORDERS}")
    results, _ = run_study(open_run(folder))
    written = render(results, tmp_path / "out", ("svg",), forms=("md", "csv"))
    texts = [path.read_bytes().decode() for path in written if path.suffix in {".md", ".csv"}]
    assert len(texts) > 5
    assert not set().union(*map(orders_in, texts))
    assert any("\\u202e" in text for text in texts)
    with pytest.raises(SystemExit) as ended:
        main(["check", str(folder)])
    assert ended.value.code == 0
    said = capsys.readouterr()
    assert not orders_in(said.out + said.err)


def test_answers_keep_their_own_signs(tmp_path: Path) -> None:
    folder = write_study(tmp_path / "study", text=f"Rest {ORDERS}now")
    [answer, _] = Study.open(folder).answers
    assert answer.text == f"Rest {ORDERS}now"


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_table_on_a_terminal_has_only_its_own_orders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    with only_visible():
        print_table(ORDERS, [f"a{ORDERS}"], [[f"b{ORDERS}"]])
    said = terminal.getvalue()
    # Rich makes the title bold, and ends that.
    assert said.count("\x1b[1m") == said.count("\x1b[0m") > 0
    assert not orders_in(said.replace("\x1b[1m", "").replace("\x1b[0m", ""))


def test_streams_are_given_back() -> None:
    before = sys.stdout, sys.stderr
    with pytest.raises(ValueError, match="x"), only_visible():
        raise ValueError("x")
    assert (sys.stdout, sys.stderr) == before


def test_text_of_every_script_is_left_as_it_is() -> None:
    text = "naïve שלום مرحبا 中文 हिन्दी e\u0301 👩\u200d⚕️ \u200f\tx\r\ny\n"
    assert visible(text) == text
