"""Scores of retrieved documents come with them; files that differ in these alone are both read."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from medassay.cli.app import app
from medassay.study import Study

from .test_intake import Write, question, refused, run, write

__all__ = ["write"]


def results(write: Write, name: str, *scores: float | None, first: str = "GL_002") -> Path:
    other = "GL_001" if first == "GL_002" else "GL_002"
    documents = [
        {"guideline_id": document, **({} if score is None else {"score": score})}
        for document, score in zip((first, other), scores, strict=True)
    ]
    row = {"question_id": "Q_1", "predicted_answer": "A", "retrieved_documents": documents}
    return write(name, {"per_question_results": [row]})


@pytest.fixture
def into(write: Write, tmp_path: Path) -> Path:
    questions = write("questions.json", {"questions": [question("Q_1")]})
    for number in ("01", "02"):
        write(f"guidelines/guideline_{number}_x.txt", "# Rest\n\nRest.\n")
    first = results(write, "first.json", 0.9, 0.5)
    run("import", "--from", "clinical-mcq", questions, tmp_path / "guidelines", first,
        "--system", "x", "--into", tmp_path / "study")  # fmt: skip
    return tmp_path / "study"


def found(study: Path) -> list[tuple[str, float | None]]:
    [answer] = Study.open_whole(study).answers
    return [(one.document, one.score) for one in answer.retrieved or ()]


def test_scores_come_with_their_documents(into: Path) -> None:
    assert found(into) == [("GL_002", 0.9), ("GL_001", 0.5)]


@pytest.mark.parametrize("scores", [(0.8, 0.4), (None, None), (0.9, None)])
def test_a_file_that_differs_in_scores_alone_is_read(
    into: Path, write: Write, scores: tuple[float | None, float | None]
) -> None:
    more = results(write, "more.json", *scores)
    line = ["import", "--from", "clinical-mcq", str(more), "--system", "x", "--into", str(into)]
    done = CliRunner().invoke(app, line, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    assert found(into) == [("GL_002", 0.9), ("GL_001", 0.5)]
    assert ("the scores that came first stay" in done.output) == (scores == (0.8, 0.4))


def test_two_such_files_at_once_are_read_too(into: Path, write: Write, tmp_path: Path) -> None:
    questions = tmp_path / "questions.json"
    files = [results(write, "a.json", 0.9, 0.5), results(write, "b.json", 0.8, 0.4)]
    line = ["import", "--from", "clinical-mcq", str(questions), str(into.parent / "guidelines")]
    line += [*map(str, files), "--system", "x", "--into", str(tmp_path / "both")]
    done = CliRunner().invoke(app, line, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    assert "1 ranking with the same documents in the same order and other scores" in done.output
    assert found(tmp_path / "both") == [("GL_002", 0.9), ("GL_001", 0.5)]


def test_another_ranking_is_refused_still(into: Path, write: Write) -> None:
    other = results(write, "other.json", 0.9, 0.5, first="GL_001")
    line = ("import", "--from", "clinical-mcq", other, "--system", "x", "--into", into)
    assert "another retrieved" in refused(*line)[0]


def test_scores_that_rank_otherwise_are_named_and_left(into: Path, write: Write) -> None:
    odd = results(write, "odd.json", 0.2, 0.5)
    told = run("import", "--from", "clinical-mcq", odd, "--system", "y", "--into", into)
    assert any("retrieved_documents.score" in note for note in told["notes"])
