"""mt-metrics-eval: scores in as its own reader reads them, a test set out that its reader takes.

`tests/golden/mt_metrics_eval.json` is what its reader finds in the test set in
`examples/other-tools/mt-metrics-eval`; `check_mt_metrics_eval.py` made it. The same script reads
what `medassay export --to mt-metrics-eval` writes, strictly.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from medassay.exchange.mt_metrics_eval.declared import read_mt_metrics_eval
from medassay.study import Study

Run = Callable[..., Any]
Refused = Callable[..., list[str]]
GOLDEN = Path(__file__).parents[2] / "golden" / "mt_metrics_eval.json"


@pytest.fixture
def folder(data: Path) -> Path:
    return data / "mt-metrics-eval"


def named(one: Any) -> str:  # noqa: ANN401 - a file of scores
    return f"{one.name}-{one.references}" if one.references else str(one.name)


def test_we_read_what_its_own_reader_reads(folder: Path) -> None:
    theirs = json.loads(GOLDEN.read_bytes())
    found = read_mt_metrics_eval([folder])
    assert {named(one): one.scores for one in found.scores} == theirs["scores"]
    assert found.segments == theirs["segments"]
    assert found.left == {
        "files of scores of the level sys": 2,
        "files of texts: sources, references and outputs": 5,
    }


def test_scores_become_columns_and_raters_files_judgements(
    study: Path, folder: Path, medassay: Run
) -> None:
    scores, judgements = medassay("import", "--from", "mt-metrics-eval", folder, "--into", study)
    assert (scores["kind"], scores["added"]) == ("scores", 16)
    assert (judgements["kind"], judgements["added"]) == ("judgements", 3)
    assert judgements["notes"] == [
        "not carried over: files of scores of the level sys (2).",
        "not carried over: files of texts: sources, references and outputs (5).",
        ("not carried over: files of people's means, which follow from the raters' own files (1)."),
    ]
    opened = Study.open_whole(study)
    (imported,) = opened.imported
    assert imported.table.sources == (
        "BLEU(references=refA)", "BLEU(references=refB)", "QE", "mqm",
    )  # fmt: skip
    # The document's name says which case a segment is: antibiotics comes first there.
    mqm = imported.table.select("mqm").select("system", "case", "value", "reason").rows()
    assert mqm == [
        ("system-a", "antibiotics", -1.5, None),
        ("system-a", "sprain", None, "not_imported"),
        ("system-b", "antibiotics", 0.0, None),
        ("system-b", "sprain", -0.1, None),
    ]
    anna = opened.judgements.current().filter(rater="anna").select("system", "case", "label")
    assert anna.rows() == [
        ("system-a", "antibiotics", "4"),
        ("system-b", "antibiotics", "5"),
        ("system-b", "sprain", "2"),
    ]


def test_a_study_goes_out_and_comes_back(named_raters: Path, tmp_path: Path, medassay: Run) -> None:
    study = named_raters
    out = tmp_path / "out"
    words = ["--only", "length", "--only", "rouge1(ref=human)"]
    given = medassay("export", "--to", "mt-metrics-eval", study, "--into", out, *words)
    assert given["counts"] == {"segment": 2, "system": 2}
    before = Study.open_whole(study).judgements.current().select("rater", "system", "case", "label")
    header = (study / "judgements.csv").read_text(encoding="utf-8").splitlines()[0]
    (study / "judgements.csv").write_text(f"{header}\n", encoding="utf-8")
    with (study / "study.toml").open("a", encoding="utf-8") as settings:
        settings.write('\n[[metrics]]\nname = "bleu(ref=human)"\n')
    scores, judgements = medassay("import", "--from", "mt-metrics-eval", out, "--into", study)
    assert (scores["added"], judgements["added"]) == (8, 8)
    opened = Study.open_whole(study)
    after = opened.judgements.current().select("rater", "system", "case", "label")
    assert after.equals(before)
    found = read_mt_metrics_eval([out])
    (length,) = (one for one in found.scores if one.name == "length")
    table = opened.imported[0].table.grid("length", ["system-a", "system-b"], found.segments)
    assert table.values.tolist() == [list(length.scores[name]) for name in table.systems]
    assert (out / "documents" / "en-en.docs").read_text(encoding="utf-8").split() == [
        "all", "sprain", "all", "antibiotics",
    ]  # fmt: skip


def test_a_metric_with_holes_is_left_and_named(study: Path, tmp_path: Path, medassay: Run) -> None:
    (study / "scores").mkdir()
    (study / "scores" / "mine.csv").write_text(
        "system,case,value\nsystem-a,sprain,1\nsystem-b,sprain,2\nsystem-b,antibiotics,3\n"
    )
    answers = study / "answers" / "system-a.jsonl"
    first = answers.read_text(encoding="utf-8").splitlines()[0]
    answers.write_text(f"{first}\n", encoding="utf-8")
    words = ["--only", "length"]
    given = medassay("export", "--to", "mt-metrics-eval", study, "--into", tmp_path / "out", *words)
    assert (
        "not carried over: mine, which has no score for 1 of 4 answers. A metric there has all or "
        "none."
    ) in given["notes"]
    assert not list((tmp_path / "out").rglob("mine*"))
    outputs = tmp_path / "out" / "system-outputs" / "en-en" / "system-a.txt"
    assert outputs.read_text(encoding="utf-8").splitlines()[1] == "[No translation supplied]"


def test_every_problem_is_said_with_its_row(study: Path, tmp_path: Path, refused: Refused) -> None:
    file = tmp_path / "BLEU-src.seg.score"
    words = ("import", "--from", "mt-metrics-eval", file, "--into", study)
    file.write_text("system-a None\nsystem-a 1 2\nsystem-b x\n")
    assert refused(*words) == [
        (
            'BLEU-src.seg.score, row 1: must have a number as score; got "None". Only people\'s '
            "scores may be missing."
        ),
        "BLEU-src.seg.score, row 2: must be a line of SYSTEM SCORE; got 3 words.",
        'BLEU-src.seg.score, row 3: must have a number as score; got "x".',
    ]
    file.write_text("system-a 1\nsystem-a 2\nsystem-b 1\n")
    assert refused(*words) == [
        (
            "BLEU-src.seg.score: must hold as many scores of each system; got 2 of system-a, 1 of "
            "system-b."
        )
    ]
    file.write_text("system-a 1\nsystem-b 1\n")
    (problem,) = refused(*words)
    assert "must hold 2 scores of each system, one a case; got 1 of system-a" in problem
    file.write_text("system-a 1\nsystem-a 1\nsystem-c 1\nsystem-c 1\n")
    (problem,) = refused(*words)
    assert 'must be a system that answered; got "system-c"' in problem
    other = tmp_path / "scores.txt"
    other.write_text("system-a 1\n")
    (problem,) = refused("import", "--from", "mt-metrics-eval", other, "--into", study)
    assert "must be called NAME-REF.seg.score" in problem
    rater = tmp_path / "en-de.quality.anna.seg.score"
    rater.write_text("system-a 4.5\nsystem-a None\n")
    (problem,) = refused("import", "--from", "mt-metrics-eval", rater, "--into", study)
    assert "must hold scores of quality: 1, 2, 3, 4, 5; got 4.5 of system-a for" in problem


def test_one_language_pair_is_chosen(
    study: Path, tmp_path: Path, medassay: Run, refused: Refused
) -> None:
    people = tmp_path / "set" / "human-scores"
    people.mkdir(parents=True)
    for pair, value in (("en-de", 1), ("en-fr", 2)):
        (people / f"{pair}.mqm.seg.score").write_text(f"system-a {value}\nsystem-a {value}\n")
    words = ("import", "--from", "mt-metrics-eval", tmp_path / "set", "--into", study)
    (problem,) = refused(*words)
    assert problem.endswith("got en-de, en-fr. Choose one: --pair en-de.")
    medassay(*words, "--pair", "en-fr", "--name", "french")
    assert Study.open(study).imported[0].table.frame["value"].drop_nulls().to_list() == [
        2.0,
        2.0,
    ]
