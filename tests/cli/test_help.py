"""Every verb and every option says in a short sentence what it is for."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from medassay.__main__ import main
from medassay.cli.app import app
from medassay.cli.verb import Verb

Command = Callable[..., Any]
VERBS = {
    "demo": "Create and run an example study",
    "new": "Create a study",
    "import": "Import a spreadsheet",
    "export": "Export a study to the files of a shared task",
    "answer": "Generate answers",
    "check": "Check a study: every problem at once",
    "score": "Score every answer",
    "agree": "Measure inter-rater agreement",
    "analyses": "List the analyses that a report can hold",
    "consensus": "Combine ratings into one value per answer",
    "validity": "Test which automatic scores agree with the raters",
    "judge": "Ask model judges, and compare them with people",
    "report": "Write a study's report",
    "run": "Run a study: scores, agreement",
    "merge": "Join the parts that run --shard scored",
    "compare": "Compare a new version with an old one",
    "monitor": "Compare live logs with a study",
    "view": "View a study in the browser",
    "triage": "Choose which answers people should judge next",
    "plan": "Plan how many cases, systems, raters and judgements",
    "metrics": "List the metrics, or explain one",
    "rubric": "List, create, show or check rubrics",
    "campaign": "Collect ratings, in the browser or in sheets",
}
LONGEST = 45


def entries(text: str, heading: str) -> dict[str, str]:
    """Read the commands or options that a help page lists, and what it says of each."""
    block = text.partition(f"{heading}:\n")[2].partition("\n\n")[0]
    found: dict[str, str] = {}
    for line in block.splitlines():
        entry = re.match(r"  (\S.*?)(?:  +(.*))?$", line)
        if entry:
            found[entry[1]] = entry[2] or ""
        else:
            found[list(found)[-1]] += " " + line.strip()
    return found


def test_the_verbs_are_these_in_groups(medassay: Command) -> None:
    said = medassay("--help").out
    headings = re.findall(r"^(\w[^:\n]*):$", said, re.MULTILINE)[1:]
    assert len(headings) == 4
    listed = {name: told for heading in headings for name, told in entries(said, heading).items()}
    assert set(listed) == set(VERBS)
    assert [name for name, told in listed.items() if not told or "..." in told] == []


@pytest.mark.parametrize(
    "words", [*([verb] for verb in VERBS), *(["import", "--from", kind] for kind in
              ("answers", "archehr", "environmental-health", "judgements", "med-gpt", "preferences",
               "scores", "spreadsheet")),
              ["metrics", "list"],
              *(["campaign", step] for step in ("create", "sheets", "collect", "status")),
              ["export", "--to", "archehr"], ["export", "--to", "clinical-mcq"],
              *([*way, kind] for way in (("import", "--from"), ("export", "--to")) for kind in
                ("inspect", "label-studio", "mt-metrics-eval", "potato", "redcap",
                 "trec-run", "trec-qrels"))]
)  # fmt: skip
def test_every_page_is_short_and_every_option_explained(
    medassay: Command, words: list[str]
) -> None:
    said = medassay(*words, "-h")
    assert said.code == 0
    assert said.out.partition("\nExamples:")[0].count("\n") < LONGEST
    if len(words) == 1:
        assert VERBS[words[0]] in " ".join(said.out.split())
    assert [name for name, text in entries(said.out, "Options").items() if not text.strip()] == []
    assert not re.search(r"<(?:list|str|int|float|path|file)|x>=", said.out)


@pytest.mark.parametrize("verb", ["import", "run", "compare"])
def test_the_help_of_the_verbs_of_every_day_fits_a_screen(
    medassay: Command, verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = medassay(verb, "--help").out.splitlines()
    assert len(lines) <= 24
    assert all(len(line) <= 80 for line in lines if not line.startswith("  medassay "))
    assert any("--help-all" in line for line in lines)


def test_all_options_stand_in_one_of_the_two_helps(medassay: Command) -> None:
    kept = 0
    for name, command in get_command(app).commands.items():  # type: ignore[attr-defined]  # a group
        if not isinstance(command, Verb):
            continue
        short = medassay(name, "--help").out
        whole = medassay(name, "--help-all").out if "--help-all" in short else short
        assert [o for p in command.params for o in p.opts if o[0] == "-" and o not in whole] == []
        kept += short != whole
    assert kept >= 4


def test_completion_is_installed_and_says_so_in_plain_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    # Else it is for the shell that started the tests, which may be one that has none.
    monkeypatch.setattr("shellingham.detect_shell", lambda: ("bash", "/bin/bash"))
    with pytest.raises(SystemExit) as ended:
        main(["--install-completion"])
    assert ended.value.code == 0
    assert "medassay" in (tmp_path / ".bash_completions" / "medassay.sh").read_text()
    assert capsys.readouterr().out.startswith("bash completion installed in ")


def test_a_shell_is_told_verbs_and_options(monkeypatch: pytest.MonkeyPatch) -> None:
    for words, found in (("medassay ag", "agree"), ("medassay import --in", "--into")):
        monkeypatch.setenv("COMP_WORDS", words)
        monkeypatch.setenv("COMP_CWORD", str(len(words.split()) - 1))
        done = CliRunner().invoke(
            app, prog_name="medassay", env={"_MEDASSAY_COMPLETE": "complete_bash"}
        )
        assert found in done.output.split()
