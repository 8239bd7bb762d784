"""What scores of support rest on, and which texts were too long, reaches the user."""

import json
import shutil
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest
from tools.toy_judge import ToyJudge
from typer.testing import CliRunner

from medassay.analyses.results import Results
from medassay.cli import app
from medassay.library import run_and_report
from medassay.models import ModelSetup
from medassay.models.nli import Question, SupportFinding
from medassay.report import read_results
from medassay.tables import jsonl_bytes

EVIDENCE = [
    {"id": "e1", "text": "The dose is 500 mg twice a day.", "relevance": "essential"},
    {"id": "e2", "text": "He is allergic to penicillin.", "relevance": "essential"},
]
ANSWERS = {
    "A": "The dose is 500 mg twice a day. The dose is not 500 mg twice a day. The sun shines.",
    "B": "",
    "C": "请多休息。",
}


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    given = partial(ModelSetup, given={"nli": ToyJudge()})
    monkeypatch.setattr("medassay.study.config.study_toml.ModelSetup", given)


@pytest.fixture
def supported(folder: Path) -> Path:
    case: dict[str, object] = {
        "case": "c1",
        "question": "How much?",
        "evidence": EVIDENCE,
        "references": [{"text": "500 mg twice a day."}],
    }
    (folder / "cases.jsonl").write_bytes(jsonl_bytes([case]))
    for system, text in ANSWERS.items():
        rows: list[dict[str, object]] = [{"case": "c1", "text": text}]
        (folder / "answers" / f"{system}.jsonl").write_bytes(jsonl_bytes(rows))
    (folder / "judgements.csv").write_text("rater,system,case,dimension,label\nr1,A,c1,quality,3\n")
    return folder


ASKED = ["faithfulness", "contradiction", "citation_support"]


def run(folder: Path, texts: str = "full") -> Results:
    assert texts in {"full", "ids"}
    done = run_and_report(folder, texts="full" if texts == "full" else "ids", only=ASKED)
    return read_results(done.folder / "report.json")


def test_each_statement_has_its_verdict_and_the_sentence_that_decides(supported: Path) -> None:
    (case,) = run(supported).cases
    first, empty, foreign = case.answers
    (checked,) = first.statements
    assert checked.metrics == ["faithfulness", "contradiction"]
    assert [(s.verdict, s.evidence, s.sentence) for s in checked.statements] == [
        ("supported", "e1", EVIDENCE[0]["text"]),
        ("contradicted", "e1", EVIDENCE[0]["text"]),
        ("not found", None, None),
    ]
    assert checked.statements[1].text == "The dose is not 500 mg twice a day."
    assert checked.statements[1].why == "a not"
    # Nothing is stated, and nothing can be read: neither has a verdict.
    assert not empty.statements
    assert not foreign.statements


def test_they_are_counted_and_only_ids_are_told_where_texts_are_kept(supported: Path) -> None:
    results = run(supported, "ids")
    (verdicts,) = results.verdicts
    assert (verdicts.supported, verdicts.contradicted, verdicts.not_found) == (1, 1, 1)
    assert verdicts.decided == 2
    (checked,) = results.cases[0].answers[0].statements
    assert [s.evidence for s in checked.statements] == ["e1", "e1", None]
    assert {(s.text, s.sentence, s.why) for s in checked.statements} == {(None, None, None)}
    files = [p for p in (supported / "results").rglob("*") if p.is_file()]
    assert not [p.name for p in files if b"500 mg" in p.read_bytes()]


@pytest.mark.slow
def test_statements_of_cases_that_are_not_shown_are_judged_once_and_counted_all_the_same(
    supported: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_full = run(supported)
    shutil.rmtree(supported / "results")
    judge = ToyJudge.judge
    asked: list[str] = []

    def counted(self: ToyJudge, questions: Sequence[Question]) -> list[SupportFinding]:
        asked.extend(statement for statement, _ in questions)
        return judge(self, questions)

    monkeypatch.setattr(ToyJudge, "judge", counted)
    monkeypatch.setattr("medassay.analyses.run.shown_cases", lambda *_: frozenset())
    assert run(supported).verdicts == in_full.verdicts
    # Three statements, once for both metrics that count them.
    assert len(asked) == 3


def test_the_screen_says_how_many(supported: Path) -> None:
    only = [part for name in ASKED for part in ("--only", name)]
    said = CliRunner().invoke(app, ["run", str(supported), *only])
    assert said.exit_code == 0, said.output
    assert (
        "Statements that faithfulness, contradiction counted: 1 supported, 1 contradicted, 1 not"
        " found; for 2 the report shows the sentence that decides"
    ) in said.output


@pytest.mark.slow
def test_long_texts_are_counted_on_screen_in_the_json_and_on_the_page(supported: Path) -> None:
    rows: list[dict[str, object]] = [{"case": "c1", "text": "Rest and drink water. " * 200}]
    (supported / "answers" / "A.jsonl").write_bytes(jsonl_bytes(rows))
    name = "embedding_similarity(ref=human)"
    said = CliRunner().invoke(app, ["run", str(supported), "--only", name])
    assert said.exit_code == 0, said.output
    line = f"Scored on a long text, whole, in windows: 1 of 1 by {name}."
    assert line in said.output
    assert line in CliRunner().invoke(app, ["score", str(supported), "--only", name]).output
    machine = CliRunner().invoke(app, ["run", str(supported), "--only", name, "--json"])
    found = json.loads(machine.output)
    assert found["shortened"] == [{"metric": name, "scored": 1, "cut": 0, "in_windows": 1}]
    page = Path(found["report"]).read_text(encoding="utf-8")
    assert f"<code>{name}</code> 1 in windows, of 1 score." in page
    table = (Path(found["folder"]) / "tables" / "sources.csv").read_text(encoding="utf-8")
    assert "in_windows" in table.splitlines()[0]
