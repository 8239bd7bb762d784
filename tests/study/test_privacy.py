"""What a study keeps to itself is nowhere outside its own input files."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

import polars as pl
import pytest

from medassay.analyses import run_study
from medassay.answers import Answer
from medassay.cases import Case
from medassay.library import run_and_report
from medassay.metrics import BoundMetric
from medassay.report import read_results
from medassay.scores import Reason, Score, Unscored
from medassay.study import open_run
from medassay.tables import csv_bytes, jsonl_bytes

pytestmark = pytest.mark.usefixtures("figures")

TEXTS = ("question", "narrative", "evidence", "reference", "tag", "option", "document", "answer",
         "statement", "reasoning", "raw", "comment", "preference", "detail")  # fmt: skip
SECRET = {name: f"zq{name}qz" for name in TEXTS}


@pytest.fixture
def secretive(folder: Path) -> Path:
    """Plant a word of its own in every place where a study holds text."""
    s = SECRET
    case: dict[str, object] = {
        "case": "c1",
        "question": s["question"],
        "narrative": s["narrative"],
        "evidence": [{"id": "1", "text": s["evidence"], "relevance": "essential"}],
        "references": [{"text": s["reference"]}],
        "options": {"a": s["option"], "b": "Wait."},
        "documents": [{"id": "d", "title": s["document"], "text": s["document"]}],
        "tags": {"word": s["tag"]},
    }
    (folder / "cases.jsonl").write_bytes(jsonl_bytes([case]))
    kept: dict[str, object] = {"case": "c1", "reasoning": s["reasoning"], "raw": s["raw"]}
    said = [{"text": s["statement"], "citations": ["1"]}]
    for system in "ABC":
        own = {"statements": said} if system == "A" else {"text": s["answer"] + system}
        (folder / "answers" / f"{system}.jsonl").write_bytes(jsonl_bytes([{**kept, **own}]))
    rows = [[r, x, "c1", "quality", "3", s["comment"]] for r in ("r1", "r2") for x in "ABC"]
    header = ["rater", "system", "case", "dimension", "label", "comment"]
    (folder / "judgements.csv").write_bytes(csv_bytes(header, rows))
    header = ["rater", "case", "system_a", "system_b", "choice", "comment"]
    (folder / "preferences.csv").write_bytes(
        csv_bytes(header, [["r1", "c1", "A", "B", "a", s["preference"]]])
    )
    (folder / "scores").mkdir()
    header = ["system", "case", "value", "reason", "detail"]
    table = csv_bytes(header, [["A", "c1", None, "failed", s["detail"]], ["B", "c1", 1, "", ""]])
    (folder / "scores" / "mine.csv").write_bytes(table)
    return folder


def leaked(folder: Path) -> set[str]:
    """Give the planted words that stand in any file under results/."""
    contents = [_plain(path) for path in (folder / "results").rglob("*") if path.is_file()]
    assert contents
    return {name for name, word in SECRET.items() if any(word.encode() in c for c in contents)}


def _plain(path: Path) -> bytes:
    """Read a file; Parquet is packed, so its cells are written out."""
    if path.suffix == ".parquet":
        return repr(pl.read_parquet(path).rows()).encode()
    return path.read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize(("texts", "by"), [("ids", "option"), ("none", "file")])
def test_no_text_leaves(secretive: Path, texts: Literal["ids", "none"], by: str) -> None:
    if by == "file":
        path = secretive / "study.toml"
        path.write_text(path.read_text() + f'[privacy]\ntexts = "{texts}"\n')
    done = run_and_report(secretive, texts=texts if by == "option" else None)
    assert leaked(secretive) == set()
    results = read_results(done.folder / "report.json")
    assert results.study.texts == texts
    assert bool(results.cases) is (texts == "ids")


@pytest.mark.slow
def test_the_words_would_be_found(secretive: Path) -> None:
    """Under `full` the report shows them, so the search above can find what it looks for."""
    run_and_report(secretive)
    shown = {"question", "narrative", "evidence", "reference", "tag", "answer", "statement"}
    assert {*shown, "comment", "detail"} <= leaked(secretive)


@pytest.mark.parametrize("texts", ["ids", "none"])
def test_an_error_that_quotes_an_answer_is_not_kept(
    secretive: Path, texts: Literal["ids", "none"]
) -> None:
    def quotes(
        pairs: Sequence[tuple[Case, Answer]], _arguments: Mapping[str, str]
    ) -> list[Score | Unscored]:
        if pairs[0][1].system == "A":
            raise ValueError(f"cannot read {pairs[0][1].text}")
        return [Unscored(Reason.UNDEFINED, f"no number in {a.text}") for _, a in pairs]

    run = open_run(secretive, texts=texts, only=["length"])
    (length,) = run.metrics
    bad = BoundMetric(length.name, length.declaration, length.arguments, quotes)
    results, _ = run_study(replace(run, metrics=(bad,)))
    said = results.model_dump_json()
    assert [word for word in SECRET.values() if word in said] == []
    assert {source.name: source.unscored for source in results.sources}["length"]
    assert leaked(secretive) == set()
