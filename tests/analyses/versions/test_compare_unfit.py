"""No verdict rests on a metric by which even the reference's own text is not at its best."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from medassay.cli import app
from medassay.errors import InvalidInput

CASES = 60
SHORT = "Rest it."
"""Under four tokens: by BLEU's published rule a text equal to it gets 0."""


def write(path: Path, text: str, metrics: tuple[str, ...]) -> None:
    (path / "answers").mkdir(parents=True)
    named = "".join(f'\n[[metrics]]\nname = "{name}"\n' for name in metrics)
    (path / "study.toml").write_text(
        f'schema = 1\ntitle = "t"\nsynthetic = true\n[protocol]\nname = "ratings"\n{named}'
    )
    cases = [
        {"case": f"c{i}", "question": "What?", "references": [{"text": SHORT}]}
        for i in range(CASES)
    ]
    rows = [{"case": f"c{i}", "text": text} for i in range(CASES)]
    (path / "cases.jsonl").write_text("\n".join(map(json.dumps, cases)) + "\n")
    (path / "answers" / "A.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n")


def compared(tmp_path: Path, *more: str, metrics: tuple[str, ...]) -> Result:
    """Compare right answers with wrong ones that BLEU takes for better."""
    write(tmp_path / "old", SHORT, metrics)
    write(tmp_path / "new", "Rest it not at all, run on it, and lift all you can.", metrics)
    sides = str(tmp_path / "old"), str(tmp_path / "new")
    return CliRunner().invoke(app, ["compare", *sides, *more])


BOTH = ("bleu(ref=human)", "rouge1(ref=human)")


def test_it_has_no_verdict_and_the_first_line_says_so(tmp_path: Path) -> None:
    done = compared(tmp_path, metrics=BOTH)
    first = done.stdout.partition("\n")[0]
    assert first.startswith("Worse: A by rouge1(ref=human).")
    assert "No verdict by bleu" in first
    assert "even for the reference's own text." in first
    assert "rouge1(ref=human)" in done.stdout
    assert not [
        line for line in done.stdout.splitlines() if line.startswith("A") and "bleu" in line
    ]


def test_json_and_markdown_say_so_too(tmp_path: Path) -> None:
    facts = json.loads(compared(tmp_path / "json", "--json", metrics=BOTH).stdout)
    [unfit] = facts["unfit_metrics"]
    assert unfit["metric"].startswith("bleu")
    assert facts["tests"] == 1
    told = compared(tmp_path / "md", "--to", "markdown", metrics=BOTH).stdout
    assert "No verdict by bleu" in told


@pytest.mark.parametrize("more", [(), ("--metric", BOTH[0])])
def test_alone_or_asked_for_it_is_refused(tmp_path: Path, more: tuple[str, ...]) -> None:
    metrics = BOTH if more else BOTH[:1]
    done = compared(tmp_path, *more, metrics=metrics)
    assert isinstance(done.exception, InvalidInput)
    assert "--metric: must be a metric that tells better answers from worse" in str(done.exception)
    assert "even for the reference's own text" in str(done.exception)
