"""`check --format answers` holds a submission against the questions that teams were given."""

import json
from pathlib import Path

from tests.cli.conftest import Command


def test_the_command_needs_no_references_and_exits_with_2(
    medassay: Command, tmp_path: Path
) -> None:
    handed_out = tmp_path / "questions.csv"
    handed_out.write_text("case,question\nTQ1,Why?\nTQ2,How?\n", encoding="utf-8")
    ours = tmp_path / "ours.csv"
    ours.write_text("case,answer\nTQ1,Rest.\n", encoding="utf-8")
    words = ("check", ours, "--format", "answers")
    said = medassay(*words, "--cases", handed_out)
    assert said.code == 2
    assert said.out.splitlines() == [
        "ours.csv: must answer every question; got no row of ours for TQ2.",
        "ours.csv: ours answers 1 of 2 questions",
        "Words an answer: 1 to 1, half of them at most 1.",
        "1 problem.",
    ]
    told = json.loads(medassay(*words, "--cases", handed_out, "--json").out)
    assert (told["answers"], told["problems"][0]["must"]) == ({"ours": 1}, "answer every question")
    assert "--cases: must come with --format answers" in medassay(*words).err
