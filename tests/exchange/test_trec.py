"""TREC's files in and out, and retrieval equal to trec_eval on runs with ties and lost topics."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from medassay.answers import Answer, read_answers
from medassay.cli.app import app
from medassay.errors import InvalidInput
from medassay.exchange.trec.declared import (
    read_trec_qrels,
    read_trec_run,
    write_trec_qrels,
    write_trec_run,
)
from medassay.metrics import resolve
from medassay.scores import Score
from medassay.study import Study
from medassay.study.intake.answers import add_answers, other_than

GOLDEN: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "golden" / "trec.json").read_bytes()
)
OURS = {
    "map": "average_precision", "recip_rank": "reciprocal_rank", "Rprec": "r_precision",
    "bpref": "bpref", "ndcg_cut_10": "ndcg@10",
    **{f"P_{k}": f"precision@{k}" for k in (1, 3, 5, 10)},
    **{f"recall_{k}": f"recall@{k}" for k in (1, 3, 5, 10)},
    **{f"success_{k}": f"success@{k}" for k in (1, 5, 10)},
}  # fmt: skip
NO_RELEVANT = {"t05", "t17"}
LOST = {"t03", "t21"}


def medassay(*words: str) -> str:
    done = CliRunner().invoke(app, list(words), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """Give a study that knows its topics and nothing else, with both files beside it."""
    folder = tmp_path / "study"
    folder.mkdir()
    (folder / "study.toml").write_text('schema = 1\ntitle = "Runs"\n')
    cases = "".join(f'{{"case": "{topic}"}}\n' for topic in GOLDEN["qrels"])
    (folder / "cases.jsonl").write_text(cases)
    run = [f"{t} Q0 {d} 0 {s} x\n" for t, found in GOLDEN["run"].items() for d, s in found.items()]
    (tmp_path / "mine.run").write_text("".join(run))
    qrels = [f"{t} 0 {d} {g}\n" for t, found in GOLDEN["qrels"].items() for d, g in found.items()]
    (tmp_path / "qrels.txt").write_text("".join(qrels))
    return folder


@pytest.fixture
def filled(study: Path) -> Path:
    medassay(
        "import", "--from", "trec-qrels", str(study.parent / "qrels.txt"), "--into", str(study)
    )
    said = medassay(
        "import", "--from", "trec-run", str(study.parent / "mine.run"), "--into", str(study)
    )
    assert "38 answers added" in said
    assert "must list documents by falling score" in said
    return study


def test_every_measure_is_trec_evals(filled: Path) -> None:
    opened = Study.open(filled)
    for theirs, ours in OURS.items():
        metric = resolve(ours)
        for case in opened.cases:
            answer = opened.answers.get("mine", case.case)
            if answer is None:
                assert case.case in LOST
                continue
            (found,) = metric.score_batch([(case, answer)])
            if case.case in NO_RELEVANT and not ours.startswith(("precision", "success")):
                assert not isinstance(found, Score)
                continue
            assert isinstance(found, Score)
            expected = GOLDEN["values"][case.case][theirs]
            assert found.value == pytest.approx(expected, abs=1e-12), (ours, case.case)


def test_what_is_written_reads_as_the_same(filled: Path, tmp_path: Path) -> None:
    run, qrels = tmp_path / "out.run", tmp_path / "out.qrels"
    medassay("export", "--to", "trec-run", str(filled), "--system", "mine", "--into", str(run))
    medassay("export", "--to", "trec-qrels", str(filled), "--into", str(qrels))
    again = read_trec_run(run)
    assert again.notes == ()
    assert {topic: dict(found) for topic, found in again.rankings.items()} == GOLDEN["run"]
    assert again.rankings == read_trec_run(tmp_path / "mine.run").rankings
    assert read_trec_qrels(qrels) == GOLDEN["qrels"]


def test_importing_twice_changes_nothing(filled: Path) -> None:
    before = {path: path.read_bytes() for path in filled.rglob("*.jsonl")}
    for kind, file in (("trec-run", "mine.run"), ("trec-qrels", "qrels.txt")):
        said = medassay("import", "--from", kind, str(filled.parent / file), "--into", str(filled))
        assert said.startswith("0 ")
    assert {path: path.read_bytes() for path in filled.rglob("*.jsonl")} == before


PARTS: dict[str, dict[str, Any]] = {
    "text": {"text": "Rest."},
    "statements": {"statements": [{"text": "Rest.", "citations": ["1"]}]},
    "choice": {"choice": "A", "confidence": 0.5, "reasoning": "Therefore A."},
    "turns": {"turns": [{"role": "user", "text": "x"}, {"role": "assistant", "text": "Rest."}]},
}


@pytest.mark.parametrize("parts", PARTS)
@pytest.mark.parametrize("named_by", ["file", "column"])
def test_a_run_adds_to_answers_that_are_there(study: Path, parts: str, named_by: str) -> None:
    if parts == "choice":
        options = '{"case": "%s", "options": {"A": "Rest", "B": "Run"}, "gold": "A"}\n'
        lines = [options % topic for topic in GOLDEN["qrels"]]
        (study / "cases.jsonl").write_text("".join(lines))
    name = {} if named_by == "file" else {"system": "mine"}
    row = {**name, "case": "t00", "cost": None, **PARTS[parts]}
    other = {**name, "case": "t03", **PARTS[parts]}
    file = study / "answers" / "mine.jsonl"
    file.parent.mkdir()
    file.write_text(f"{json.dumps(row)}\n\n{json.dumps(other)}\n")
    before = Study.open(study).answers.get("mine", "t00")
    run = str(study.parent / "mine.run")
    said = medassay("import", "--from", "trec-run", run, "--into", str(study))
    assert "37 answers added, 1 was there already" in said
    assert "1 answer of the study gained: retrieved (1)." in said
    answer = Study.open(study).answers.get("mine", "t00")
    assert before is not None
    assert answer is not None
    assert answer.retrieved
    assert answer.model_copy(update={"retrieved": None}) == before
    # Lines of which nothing was said are as they were.
    assert json.dumps(other) in file.read_text().splitlines()
    whole = file.read_bytes()
    said = medassay("import", "--from", "trec-run", run, "--into", str(study))
    assert said.startswith("0 answers added, 38 were there already")
    assert file.read_bytes() == whole


def test_a_run_gives_scores_to_the_documents_that_an_answer_lists(study: Path) -> None:
    run = study.parent / "own.run"
    run.write_text("t00 Q0 b 1 9 x\nt00 Q0 a 2 7.5 x\n")
    (study / "answers").mkdir()
    file = study / "answers" / "own.jsonl"
    row = {"case": "t00", "text": "Rest.", "retrieved": [{"document": "b"}, {"document": "a"}]}
    other = '{"case":  "t03", "text": "Rest."}'
    file.write_text(f"{json.dumps(row)}\n{other}\n")
    words = ["import", "--from", "trec-run", str(run), "--into", str(study)]
    assert "1 answer of the study gained: scores of retrieved documents (1)." in medassay(*words)
    found = [{"document": "b", "score": 9.0}, {"document": "a", "score": 7.5}]
    first, second = file.read_text().splitlines()
    assert (json.loads(first), second) == ({**row, "retrieved": found}, other)
    # Neither the run again nor the list without scores says anything else.
    whole = file.read_bytes()
    assert medassay(*words).startswith("0 answers added, 1 was there already")
    bare = study.parent / "bare.jsonl"
    bare.write_text(json.dumps({"system": "own", **row}) + "\n")
    opened = Study.open(study)
    summary = add_answers(opened, read_answers(bare, opened.cases), bare.name)
    assert (summary.added, summary.files, file.read_bytes()) == (0, [], whole)
    for lines in ("t00 Q0 b 1 9 x\nt00 Q0 a 2 7 x\n", "t00 Q0 a 1 9 x\nt00 Q0 b 2 7.5 x\n",
                  "t00 Q0 b 1 9 x\n"):  # fmt: skip
        run.write_text(lines)
        done = CliRunner().invoke(app, words)
        assert 'got another retrieved in the answer of "own" to "t00"' in str(done.exception)
    assert file.read_bytes() == whole


def test_scores_that_would_rank_otherwise_are_another_ranking() -> None:
    listed = [{"document": "a"}, {"document": "b"}]
    ours = Answer.model_validate({"system": "S", "case": "1", "retrieved": listed})
    for scores, other in (([2, 1], []), ([1, 2], ["retrieved"]), ([1, 1], ["retrieved"])):
        scored = [{**one, "score": score} for one, score in zip(listed, scores, strict=True)]
        theirs = Answer.model_validate({"system": "S", "case": "1", "retrieved": scored})
        assert other_than(ours, theirs) == other
        assert other_than(theirs, ours) == []


def test_a_run_replaces_nothing_and_adds_to_json_lines_alone(study: Path) -> None:
    (study / "answers").mkdir()
    file = study / "answers" / "mine.jsonl"
    file.write_text('{"case": "t00", "text": "Rest.", "retrieved": [{"document": "other"}]}\n')
    words = ["import", "--from", "trec-run", str(study.parent / "mine.run"), "--into", str(study)]
    done = CliRunner().invoke(app, words)
    assert 'got another retrieved in the answer of "mine" to "t00". Remove' in str(done.exception)
    file.unlink()
    (study / "answers" / "mine.csv").write_text("case,text\nt00,Rest.\n")
    before = sorted(study.rglob("*"))
    done = CliRunner().invoke(app, words)
    assert 'be JSON lines where the answer of "mine" to "t00" gains something' in str(
        done.exception
    )
    assert sorted(study.rglob("*")) == before


def test_every_bad_line_is_named(tmp_path: Path) -> None:
    run = tmp_path / "bad.run"
    run.write_text("t Q0 d 1 2.0 x\nt Q0 d 2 1.0 x\nt Q0 e 3 high x\nt Q0 f 4\nt Q0 g 5 nan x\n")
    with pytest.raises(InvalidInput) as caught:
        read_trec_run(run)
    assert [problem.row for problem in caught.value.problems] == [2, 3, 4, 5]
    qrels = tmp_path / "bad.qrels"
    qrels.write_text("t 0 d 1\nt 0 d 2\nt 0 e -1\nt 0 f 0.5\n")
    with pytest.raises(InvalidInput, match="not relevant: write 0") as caught:
        read_trec_qrels(qrels)
    assert [problem.row for problem in caught.value.problems] == [2, 3, 4]


def test_strange_topics_and_other_grades_change_nothing(filled: Path, tmp_path: Path) -> None:
    before = (filled / "cases.jsonl").read_bytes()
    other = tmp_path / "other.qrels"
    document, grade = next(iter(GOLDEN["qrels"]["t00"].items()))
    other.write_text(f"t00 0 {document} {grade + 1}\n")
    run = CliRunner().invoke(
        app, ["import", "--from", "trec-qrels", str(other), "--into", str(filled)]
    )
    assert "not change a grade" in str(run.exception)
    other.write_text("t99 0 d 1\n")
    run = CliRunner().invoke(
        app, ["import", "--from", "trec-qrels", str(other), "--into", str(filled)]
    )
    assert "name cases of the study" in str(run.exception)
    assert (filled / "cases.jsonl").read_bytes() == before


def written(folder: Path, *names: str, first: str = "t00") -> list[str]:
    """Write runs of one topic, each with a score of its own."""
    for place, name in enumerate(names):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(f"{first} Q0 d{place} 1 {place}.5 x\n{first} Q0 e 2 99 x\n")
    return [str(folder / name) for name in names]


def test_many_runs_are_taken_at_once_each_called_after_its_file(study: Path) -> None:
    names = [f"run{place:02}.txt" for place in range(20)]
    files = written(study.parent, *names)
    said = medassay("import", "--from", "trec-run", *files, "--into", str(study))
    assert "20 answers added" in said
    assert "wrote answers/run00.jsonl" in said
    assert "wrote 8 more files beside them" in said
    plain = " ".join(said.split())
    assert (
        "note: 20 runs: must list documents by falling score; got other orders for 1 of 1" in plain
    )
    assert "t00 first, in run00.txt." in plain
    assert "none for 1 of 1, t00 first" in plain
    opened = Study.open(study)
    assert opened.systems == tuple(f"run{place:02}" for place in range(20))
    answer = opened.answers.get("run07", "t00")
    assert answer is not None
    assert answer.retrieved is not None
    assert [(one.document, one.score) for one in answer.retrieved] == [("e", 99.0), ("d7", 7.5)]
    again = medassay("import", "--from", "trec-run", *files, "--into", str(study))
    assert "0 answers added, 20 were there already" in again


def test_one_bad_run_of_many_and_none_is_taken(study: Path) -> None:
    files = written(study.parent, "one.txt", "two.txt")
    files += written(study.parent, "strange.txt", first="t99")
    (study.parent / "broken.txt").write_text("t00 Q0 d 1 high x\n")
    done = CliRunner().invoke(
        app,
        [
            "import",
            "--from",
            "trec-run",
            *files,
            str(study.parent / "broken.txt"),
            "--into",
            str(study),
        ],
    )
    assert isinstance(done.exception, InvalidInput)
    assert [(one.file, one.row) for one in done.exception.problems] == [
        ("strange.txt", None), ("broken.txt", 1),
    ]  # fmt: skip
    assert not (study / "answers").exists()


def test_two_runs_of_one_name_and_one_name_for_two_runs_are_refused(study: Path) -> None:
    files = written(study.parent, "a/bm25.txt", "b/bm25.run")
    words = ["import", "--from", "trec-run", *files, "--into", str(study)]
    with pytest.raises(InvalidInput, match=r'b/bm25.run.*its own name.*"bm25", as .*a/bm25.txt'):
        CliRunner().invoke(app, words, catch_exceptions=False)
    with pytest.raises(InvalidInput, match='name the system of one run; got "mine" for 2 runs'):
        CliRunner().invoke(app, [*words, "--system", "mine"], catch_exceptions=False)
    assert not (study / "answers").exists()
    medassay(
        "import", "--from", "trec-run", files[1], "--system", "bm25 of b", "--into", str(study)
    )
    assert Study.open(study).systems == ("bm25 of b",)


def test_topics_without_judgements_are_said(study: Path) -> None:
    said = medassay(
        "import", "--from", "trec-run", str(study.parent / "mine.run"), "--into", str(study)
    )
    assert "none for 38 of 38" in said


def test_numbers_are_read_as_trec_eval_reads_them(tmp_path: Path) -> None:
    run = tmp_path / "odd.run"
    run.write_text("t Q0 a 1 1e-3 x\r\nt Q0 b 2 +.5E-9 x\r\nt Q0 c 3 1e-320 x\r\n\r\n")
    assert read_trec_run(run).rankings == {"t": [("a", 0.001), ("b", 5e-10), ("c", 1e-320)]}
    # Python's float() takes all of these, and C's reads another number or none.
    run.write_text("t Q0 a 1 1_000 x\nt Q0 b 2 ١٢ x\nt Q0 c 3 -inf x\nt Q0 d 4 1e999 x\n")
    with pytest.raises(InvalidInput) as caught:
        read_trec_run(run)
    assert [problem.row for problem in caught.value.problems] == [1, 2, 3, 4]
    # Only line feeds and carriage returns end a line: the row of what follows stays right.
    run.write_text("t Q0 a\u2028b 1 2.0 x\nt Q0 c 2 0,5 x\n")
    with pytest.raises(InvalidInput, match="Write a point before the decimals") as caught:
        read_trec_run(run)
    assert [problem.row for problem in caught.value.problems] == [1, 2]
    qrels = tmp_path / "odd.qrels"
    qrels.write_text("t 0 a 1_0\nt 0 b 2.0\n")
    with pytest.raises(InvalidInput) as caught:
        read_trec_qrels(qrels)
    assert [problem.row for problem in caught.value.problems] == [1]


def test_an_id_with_a_blank_is_refused_on_the_way_out(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"without blanks.*another id in the study"):
        write_trec_run(tmp_path / "out.run", {"t": [("Guideline 3", 1.0)]}, "mine")
    with pytest.raises(InvalidInput, match="without blanks"):
        write_trec_qrels(tmp_path / "out.qrels", {"case 1": {"d": 1}})
    assert not list(tmp_path.iterdir())


def test_ids_of_other_scripts_and_small_scores_come_back(tmp_path: Path) -> None:
    found = {"t": [("中文", 0.1 + 0.2), ("Ünï", 1e-320), ("😀", -1e22)]}
    write_trec_run(tmp_path / "out.run", found, "mine")
    assert read_trec_run(tmp_path / "out.run").rankings == found


def test_scores_that_tie_in_single_precision_alone_are_said(filled: Path, tmp_path: Path) -> None:
    assert not [note for note in Study.open(filled).warnings if "single precision" in str(note)]
    run = tmp_path / "close.run"
    run.write_text("t00 Q0 a 1 0.123456789 x\nt00 Q0 b 2 0.123456788 x\nt01 Q0 a 1 1e300 x\n")
    medassay("import", "--from", "trec-run", str(run), "--into", str(filled), "--system", "close")
    (said,) = [str(note) for note in Study.open(filled).warnings if "single precision" in str(note)]
    assert "others in 1 of 40, close, t00 first. They tie, as in trec_eval" in said


def test_grades_too_high_for_retrieval_are_taken_and_named(study: Path) -> None:
    odd = study.parent / "odd.txt"
    odd.write_text("t01 0 d1 1\nt01 0 d2 20230101\nt02 0 d1 10000\n")
    said = medassay("import", "--from", "trec-qrels", str(odd), "--into", str(study))
    plain = " ".join(said.split())
    assert "3 grades added" in plain
    assert "must have grades of at most 10,000" in plain
    assert 'got 1 above, 20230101 for "d2" of t01 first' in plain
