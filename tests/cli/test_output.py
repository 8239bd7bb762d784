"""Tables on narrow screens."""

import re
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich import console
from tools.read_sentences import found_sentences
from tools.standard.shared import SharedRuns

from medassay.cli import output
from medassay.cli.app import app
from medassay.cli.output import in_width, print_paragraph, print_table, progress
from medassay.progress import told

HEADER = ["dimension", "coefficient", "estimate", "95% CI", "answers"]
ROWS = [
    ["follows", "Mean of Cohen's kappa over rater pairs", "0.721", "[0.664, 0.771]", "399"],
    ["follows", "Fleiss' kappa", "none", "", "399"],
]


@pytest.mark.parametrize("width", [64, 80, 120])
def test_numbers_are_never_broken_over_lines(
    width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(console.Console, "is_terminal", True)
    monkeypatch.setenv("COLUMNS", str(width))
    print_table("A table", HEADER, ROWS)
    said = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out)
    for text in ("[0.664, 0.771]", "0.721", "dimension", "answers"):
        assert text in said
    assert max(map(len, said.splitlines())) <= width


def test_a_value_with_its_interval_breaks_before_the_interval(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(console.Console, "is_terminal", True)
    monkeypatch.setenv("COLUMNS", "80")
    needed = [f"for {at}, {what} needed" for what in ("Raters", "Cases") for at in (0.7, 0.8, 0.9)]
    row = ["Systems, compared", "0.97 [0.89, 0.99]", *["1 [1–2]"] * 6]
    print_table("A table", ["Reliability of", "Now", *needed], [row])
    said = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out)
    assert "[0.89, 0.99]" in said
    assert max(map(len, said.splitlines())) <= 80


@pytest.mark.parametrize("width", [100, 120, 160])
def test_a_name_that_cannot_break_costs_no_other_column(
    width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(console.Console, "is_terminal", True)
    monkeypatch.setenv("COLUMNS", str(width))
    name = "hallucination(against=retrieved,count=statements,of=reasoning)"
    needs = "documents with their content, retrieved documents, text of reasoning"
    header = ["metric", "needs", "cases that have it", "answers that have it"]
    print_table("A table", header, [[name, needs, "100 of 100", "98 of 98"]])
    said = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out)
    for text in (name, "reasoning", "100 of 100", "98 of 98", "answers"):
        assert text in said
    assert max(map(len, said.splitlines())) <= width


CELLS = st.text(
    st.sampled_from("ab-1. é日\u0301\u200d\ufe0f👩❤\t\n\x1b:"), max_size=9
) | st.sampled_from(["none", "-0.25", "[0.1, 0.2]", ":cat:", "two words", " 5 "])


@given(st.data(), CELLS, st.integers(1, 4))
def test_a_pipe_gets_the_bytes_that_rich_writes(
    data: st.DataObject, title: str, columns: int
) -> None:
    rows = data.draw(st.lists(st.lists(CELLS, min_size=columns, max_size=columns), min_size=1))
    written: list[str] = []
    for _ in range(2):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("sys.stdout", stream := StringIO())
            if written:
                patch.setattr(output, "_is_plain", lambda *_: False)
            print_table(title, rows[0], rows[1:])
        written.append(stream.getvalue())
    assert written[0] == written[1]


def test_a_name_between_colons_is_no_picture(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(":cat:", ["system"], [[":dog:"]])
    assert capsys.readouterr().out.split() == [":cat:", "system", "─" * 8, ":dog:"]


FROZEN = Path(__file__).parents[1] / "standard" / "frozen"
INTERVAL = re.compile(r"95% CI \S+ to \S+?(?=[);,. ]|$)|\[\S+, \S+\]|\b\d+ of \d+\b(?!\.)")


@pytest.mark.parametrize("width", [60, 80])
def test_no_interval_of_a_finding_is_broken_over_lines(width: int) -> None:
    held = 0
    for page in sorted(FROZEN.glob("*/page.txt")):
        for sentence in found_sentences(page.read_text(encoding="utf-8")):
            lines = in_width(sentence, width).splitlines()
            assert " ".join(lines) == sentence
            assert all(len(line) <= width for line in lines)
            for interval in INTERVAL.findall(sentence):
                assert any(interval in line for line in lines), (interval, lines)
                held += 1
    assert held >= 100


def test_colours_are_for_a_terminal_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "ClinicBot harmed in 13 of 20 answers. The others are undecided."
    print_paragraph(text, alarming=True)
    assert capsys.readouterr().out == f"{text}\n"
    monkeypatch.setattr(console.Console, "is_terminal", True)
    monkeypatch.setenv("TERM", "xterm")
    print_paragraph(text, alarming=True)
    said = capsys.readouterr().out
    assert said.startswith("\x1b[31m")
    assert re.search(r"\x1b\[2;31mundecided", said)


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("looked_at", [True, False])
def test_work_is_shown_where_somebody_looks_on(
    looked_at: bool,  # noqa: FBT001 - a parameter of the test
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stream = Terminal() if looked_at else StringIO()
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setenv("FORCE_COLOR", "1")  # a pipe stays empty even so
    with progress("reading 2 files"):
        list(told("letters", "abc"))
    assert ("letters" in stream.getvalue()) == looked_at
    assert bool(stream.getvalue()) == looked_at
    list(told("after", "abc"))
    assert "after" not in stream.getvalue()


LONG_WORK = {
    "agree": ["agree", "{study}"],
    "consensus": ["consensus", "{study}"],
    "judge": ["judge", "{study}"],
    "check": ["check", "{study}"],
    "import": ["import", "{labels}", "--from", "judgements", "--into", "{study}"],
}


@pytest.mark.parametrize("verb", LONG_WORK)
def test_long_work_of_a_command_is_shown(
    verb: str, standard_run: SharedRuns, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = {"study": standard_run.copy("judges", tmp_path).study}
    if verb == "import":
        words["labels"] = tmp_path / "labels.csv"
        (words["study"] / "judgements.csv").rename(words["labels"])
    monkeypatch.setattr("sys.stderr", terminal := Terminal())
    app([word.format(**words) for word in LONG_WORK[verb]], standalone_mode=False)
    assert re.search(r"reading|agreement|judges|consensus|checking", terminal.getvalue())
