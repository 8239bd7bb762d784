"""Every verb and every option says in a short sentence what it is for."""

import re
from collections.abc import Callable
from typing import Any

import pytest

Command = Callable[..., Any]
VERBS = {
    "demo": "Write a study that comes with medassay",
    "new": "Write a new study",
    "import": "Import a spreadsheet of yours",
    "export": "Write what a study holds in the files of a shared task",
    "answer": "Have systems answer",
    "check": "Report every problem of a study at once",
    "score": "Score every answer",
    "agree": "Say how far the raters agree",
    "analyses": "List the analyses that a report can hold",
    "consensus": "Say what the raters jointly say",
    "validity": "Say which metrics may stand in for the raters",
    "judge": "Ask model judges, and hold them against people",
    "report": "Write the report of a study's run",
    "run": "Do everything in order",
    "merge": "Join the shards that run --shard scored",
    "compare": "Gate a new version",
    "monitor": "Hold the log of a system in use beside a study",
    "view": "Look at a study in the browser",
    "triage": "Say which answers people should judge next",
    "plan": "Say how many cases, systems, raters and judgements",
    "metrics": "List the metrics, or explain one",
    "rubric": "List the rubrics, make one's own, show or check one",
    "campaign": "Let people rate, in the browser or in sheets",
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
