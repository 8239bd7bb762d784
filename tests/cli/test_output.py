"""Tables on narrow screens."""

import re

import pytest
from rich import console

from medassay.cli.output import print_table

HEADER = ["dimension", "coefficient", "estimate", "95% interval", "answers"]
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
