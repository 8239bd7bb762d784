"""Two logs of a RAG pipeline are compared by one command, and what is open is settled for good."""

import json
import re
import shlex
import shutil
from pathlib import Path

from typer.testing import CliRunner, Result

from medassay.cli.app import app
from medassay.errors import InvalidInput
from medassay.study import Study

PARTS = ("Rest it for a day or two.", "Then move it gently.", "See a doctor if it swells.")


def log(file: Path, *, parts: int, extra: str = "", cases: int = 40, mark: str = "") -> Path:
    rows = [
        {
            "question": f"What should I do about sprain number {n}?",
            "answer": mark + " ".join(PARTS[: parts if n % 2 else 3]) + f" That is all of {n}.",
            "contexts": [f"Passage {n} says to rest.", f"Passage {n} says to move."],
            "retrieved_ids": [f"doc-{n}a", f"doc-{n}b"],
            "ground_truth": " ".join(PARTS) + f" That is all of {n}.",
            "confidence": round(0.5 + n / 100, 2),
            "latency": 1.5 + n / 10,
        }
        for n in range(cases)
    ]
    if extra:
        for row in rows:
            row[extra] = f"Somebody wrote a long thought about {row['question']!s:.9} here."
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return file


def compare(*words: object) -> Result:
    return CliRunner().invoke(app, ["compare", *map(str, words)])


METRIC = ("--metric", "rouge1(ref=human)")


def test_two_logs_become_two_studies_of_one_reading(tmp_path: Path) -> None:
    old, new = log(tmp_path / "old.jsonl", parts=3), log(tmp_path / "new.jsonl", parts=1)
    told = compare(old, new, "--into", tmp_path / "v", *METRIC)
    assert told.exit_code == 3, (told.output, told.exception)
    before, after = (Study.open_whole(tmp_path / "v" / name) for name in ("old", "new"))
    assert before.systems == after.systems
    assert before.cases.ids == after.cases.ids
    answer = next(iter(before.answers))
    assert answer.confidence is not None
    assert answer.seconds is not None
    assert len(answer.retrieved or ()) == 2
    again = compare(old, new, "--into", tmp_path / "v", *METRIC)
    assert (again.exit_code, again.output) == (3, told.output)


def test_a_question_that_only_the_new_log_asks_is_named(tmp_path: Path) -> None:
    old = log(tmp_path / "old.jsonl", parts=3, cases=40)
    new = log(tmp_path / "new.jsonl", parts=3, cases=42)
    told = compare(old, new, "--into", tmp_path / "v", *METRIC)
    assert told.exit_code == 0, (told.output, told.exception)
    assert len(Study.open_whole(tmp_path / "v" / "new").cases) == 42
    assert "2 cases" in told.output


def test_what_is_open_is_refused_with_the_line_that_settles_it_for_good(tmp_path: Path) -> None:
    old = log(tmp_path / "old.jsonl", parts=3, extra="musing")
    new = log(tmp_path / "new.jsonl", parts=1, extra="musing")
    told = compare(old, new, "--into", tmp_path / "v", *METRIC)
    assert isinstance(told.exception, InvalidInput)
    said = str(told.exception)
    line = said.partition("first answer of each: ")[2].partition(". ")[0]
    assert line.startswith("medassay compare")
    line = line.replace("answer=musing", "skip=musing")
    settled = CliRunner().invoke(app, [*shlex.split(line)[1:], *METRIC])
    assert settled.exit_code == 3, (settled.output, settled.exception)
    # The folder as it is committed: that file alone.
    (tmp_path / "w").mkdir()
    shutil.copyfile(tmp_path / "v" / "import.toml", tmp_path / "w" / "import.toml")
    again = compare(old, new, "--into", tmp_path / "w", *METRIC)
    assert again.exit_code == 3, again.exception


def test_the_comment_shows_old_and_new_text_of_the_five_worst(tmp_path: Path) -> None:
    old = log(tmp_path / "old.jsonl", parts=3)
    new = log(tmp_path / "new.jsonl", parts=1, mark="<b>@you</b> ")
    words = (old, new, "--into", tmp_path / "v", "--to", "markdown", *METRIC)
    told = compare(*words).output
    assert "Old and new text of the 5 answers that lost most" in told
    assert told.count("> **old**: ") == told.count("> **new**: ") == 5
    assert "Then move it gently" in told
    assert "\\<b>" in told
    assert "@you" not in told.replace("@<!-- -->you", "")
    for name in ("old", "new"):
        place = tmp_path / "v" / name / "study.toml"
        said = place.read_text(encoding="utf-8")
        place.write_text(f'{said}\n[privacy]\ntexts = "ids"\n', encoding="utf-8")
    kept = compare(tmp_path / "v" / "old", tmp_path / "v" / "new", "--to", "markdown", *METRIC)
    assert "Old and new text" not in kept.output
    assert "Then move it" not in kept.output


def test_what_is_said_of_logs_needs_a_folder(tmp_path: Path) -> None:
    told = compare(tmp_path, tmp_path, "--column", "answer=x")
    assert "must be given with --into" in str(told.exception)


def test_one_id_for_two_texts_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    file = log(tmp_path / "old.jsonl", parts=3)
    text = file.read_text(encoding="utf-8")
    for piece in "ab":
        text = re.sub(rf"(doc-\d+){piece}", r"\1", text)
    file.write_text(text, encoding="utf-8")
    words = ["import", str(file), "--into", str(tmp_path / "s"), "--yes"]
    told = CliRunner().invoke(app, words)
    assert '"doc-0" for several texts, and 39 other ids' in str(told.exception)
    assert not (tmp_path / "s").exists()
    assert CliRunner().invoke(app, [*words, "-c", "skip=retrieved_ids"]).exit_code == 0


def test_a_column_whose_place_was_taken_is_never_left_out_in_silence(tmp_path: Path) -> None:
    file = log(tmp_path / "old.jsonl", parts=3, extra="musing")
    words = ["import", str(file), "--into", str(tmp_path / "s"), "--yes", "-c", "answer=musing"]
    told = CliRunner().invoke(app, words)
    assert "column answer: must have a role too, since other columns were given one" in str(
        told.exception
    )
