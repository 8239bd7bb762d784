"""Inspect: logs that it wrote itself in, logs that it reads out.

`tests/golden/make_inspect.py` made `examples/other-tools/inspect` with inspect_ai 0.3.285, and
read our export with it: status, samples, scores, and its own alpha over the ratings.
"""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from medassay.exchange.inspect.log import read_inspect
from medassay.study import Study

Run = Callable[..., Any]
Refused = Callable[..., list[str]]
# What Inspect's krippendorff_alpha("interval") says of our export of the template's study.
THEIR_ALPHA = 0.8703703703703703


@pytest.fixture
def log(data: Path) -> Path:
    return data / "inspect" / "log.json"


def test_a_log_becomes_answers_and_scores(study: Path, log: Path, medassay: Run) -> None:
    answers, scores = medassay("import", "--from", "inspect", log, "--into", study)
    assert (answers["kind"], answers["added"]) == ("answers", 2)
    # Five numbers a case, and for one case no score of the judge.
    assert (scores["kind"], scores["added"]) == ("scores", 10)
    *notes, unread = scores["notes"]
    assert unread.startswith("log.json: not read: input (4), target (4), ")
    assert notes == [
        "not carried over: explanations of scores (4).",
        "not carried over: words of words that are no numbers, such as good (4).",
        "not carried over: answers of further epochs (2).",
        ("words were read as numbers, as Inspect reads them, C as 1, I as 0: includes, quality."),
        "10 scores are means over the epochs that have one.",
    ]
    opened = Study.open_whole(study)
    answer = opened.answers.get("maker/model-1", "sprain")
    assert answer is not None
    assert answer.text == "Rest it for a day or two."
    rows = opened.imported[0].table.frame.select("source", "case", "value", "detail").rows()
    assert rows == [
        ("grader.fluent", "antibiotics", 1.0, None),
        ("grader.fluent", "sprain", 1.0, None),
        ("grader.tone", "antibiotics", 0.375, None),
        ("grader.tone", "sprain", 0.375, None),
        ("includes", "antibiotics", 0.75, None),
        ("includes", "sprain", 0.5, None),
        ("judge", "antibiotics", None, "parse_error"),
        ("judge", "sprain", 0.5, None),
        ("quality", "antibiotics", 4.0, None),
        ("quality", "sprain", 4.0, None),
    ]


def test_a_log_of_several_epochs_is_imported_again_and_adds_nothing(
    study: Path, log: Path, medassay: Run, refused: Refused
) -> None:
    medassay("import", log, "--into", study)
    before = {file: file.read_bytes() for file in study.rglob("*") if file.is_file()}
    (scores,) = medassay("import", log, "--into", study)
    assert (scores["added"], scores["known"]) == (0, 10)
    assert "not carried over: answers of further epochs (2)." in scores["notes"]
    assert before == {file: file.read_bytes() for file in study.rglob("*") if file.is_file()}
    # Another answer in the first epoch is refused as ever.
    said = json.loads(log.read_text(encoding="utf-8"))
    for sample in said["samples"]:
        sample["output"]["choices"][0]["message"]["content"] = "Run."
        sample["output"]["completion"] = "Run."
    other = study.parent / "other.json"
    other.write_text(json.dumps(said), encoding="utf-8")
    problems = refused("import", other, "--into", study)
    assert len(problems) == 2
    assert all("must not replace an answer that the study has" in one for one in problems)


def test_a_scorer_called_after_a_dimension_may_be_a_rater(
    study: Path, log: Path, medassay: Run
) -> None:
    words = ["--system", "system-a", "--rater", "judge-1"]
    scores = json.loads(log.read_text(encoding="utf-8").replace("NaN", "null"))
    for sample in scores["samples"]:
        sample["output"] = {}
    opened = Study.open_whole(study)
    for sample in scores["samples"]:
        answer = opened.answers.get("system-a", sample["id"])
        assert answer is not None
        sample["output"] = {"completion": answer.text}
    file = study.parent / "same.json"
    file.write_text(json.dumps(scores), encoding="utf-8")
    taken = medassay("import", "--from", "inspect", file, "--into", study, *words)
    assert [one["kind"] for one in taken] == ["scores", "judgements"]
    rows = Study.open_whole(study).everyone.current().filter(rater="judge-1")
    assert rows.select("rater_kind", "system", "case", "label").rows() == [
        ("model", "system-a", "antibiotics", "4"),
        ("model", "system-a", "sprain", "4"),
    ]


def test_a_packed_log_is_the_same_log(data: Path, log: Path, tmp_path: Path) -> None:
    whole = json.loads(log.read_bytes())
    file = tmp_path / "log.eval"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("_journal/start.json", "{}")
        for one in whole["samples"]:
            archive.writestr(f"samples/{one['id']}_epoch_{one['epoch']}.json", json.dumps(one))
        archive.writestr("header.json", json.dumps({k: whole[k] for k in ("eval", "status")}))
    said = {(one.case, one.epoch, one.text) for one in read_inspect(file).samples}
    assert said == {(one.case, one.epoch, one.text) for one in read_inspect(log).samples}
    published = read_inspect(data / "inspect" / "log.eval")  # packed by Zstandard
    assert published.samples
    assert all(one.text for one in published.samples)


def test_a_study_goes_out_and_comes_back(named_raters: Path, tmp_path: Path, medassay: Run) -> None:
    study = named_raters
    given = medassay(
        "export", "--to", "inspect", study, "--into", tmp_path / "out", "--only", "length"
    )
    assert given["counts"] == {"system": 2, "answer": 4}
    assert given["notes"] == ["not carried over: the citations of 1 answer."]
    logs = sorted((tmp_path / "out").glob("*.json"))
    first = json.loads(logs[0].read_bytes())
    assert first["eval"]["metadata"]["synthetic"].startswith("Synthetic data")
    before = Study.open_whole(study).judgements.current().select("rater", "system", "case", "label")
    header = (study / "judgements.csv").read_text(encoding="utf-8").splitlines()[0]
    (study / "judgements.csv").write_text(f"{header}\n", encoding="utf-8")
    with (study / "study.toml").open("a", encoding="utf-8") as settings:
        settings.write('\n[[metrics]]\nname = "bleu(ref=human)"\n')
    scores, judgements = medassay("import", "--from", "inspect", *logs, "--into", study)
    assert (scores["added"], judgements["added"]) == (4, 8)
    after = Study.open_whole(study).judgements.current().select("rater", "system", "case", "label")
    assert after.equals(before)
    ratings = sorted((tmp_path / "out" / "ratings").iterdir())
    (again,) = medassay("import", "--from", "inspect", *ratings, "--into", study)
    assert (again["added"], again["known"]) == (0, 8)


def test_our_alpha_of_the_export_is_inspects(study: Path, medassay: Run) -> None:
    (ours,) = (
        one["value"]
        for one in medassay("agree", study)["panel"]
        if one["coefficient"] == "krippendorff(level=interval)" and one["mapping"] == "full"
    )
    assert ours == pytest.approx(THEIR_ALPHA, abs=1e-12)


def test_reasons_and_missing_scores_survive(
    named_raters: Path, tmp_path: Path, medassay: Run
) -> None:
    study = named_raters
    text = (study / "judgements.csv").read_text(encoding="utf-8")
    lines = text.splitlines()
    cells = lines[1].split(",")
    cells[5:7] = ["", "cannot_judge"]
    lines[1] = ",".join(cells)
    (study / "judgements.csv").write_text("\n".join([*lines, ""]), encoding="utf-8")
    (study / "scores").mkdir()
    (study / "scores" / "mine.csv").write_text(
        f"system,case,value\n{cells[2]},{cells[3]},\n{cells[2]},antibiotics,1\n"
    )
    medassay("export", "--to", "inspect", study, "--into", tmp_path / "out", "--only", "length")
    log = json.loads((tmp_path / "out" / f"{cells[2]}.json").read_bytes())
    one = next(sample for sample in log["samples"] if sample["id"] == cells[3])
    assert "mine" not in one["scores"]
    assert one["metadata"]["unscored"] == {"mine": "not_imported"}
    assert one["scores"]["quality"]["metadata"]["labels"][0] == "cannot_judge"
    assert len(one["scores"]["quality"]["value"]) == 1


def test_every_problem_is_said_with_its_place(
    study: Path, tmp_path: Path, log: Path, refused: Refused
) -> None:
    file = tmp_path / "log.json"
    words = ("import", "--from", "inspect", file, "--into", study)
    whole = json.loads(log.read_text(encoding="utf-8").replace("NaN", "null"))
    whole["samples"] = whole["samples"][:2]
    whole["samples"][0]["id"] = "sprian"
    del whole["samples"][1]["id"]
    file.write_text(json.dumps(whole), encoding="utf-8")
    assert refused(*words) == ["log.json, row 2, column id: must be given; got nothing."]
    whole["samples"][1]["id"] = "sprain"
    file.write_text(json.dumps(whole), encoding="utf-8")
    assert refused(*words) == [
        (
            'log.json, row 1, column id: must be of a case of the study; got "sprian". Did you '
            'mean "sprain"?'
        )
    ]
    file.write_text('{"samples": []}', encoding="utf-8")
    (problem,) = refused(*words)
    assert "must be a log of Inspect, or a list of objects with id and value" in problem
    file.write_text('[{"id": "sprain", "value": 1}]', encoding="utf-8")
    (problem,) = refused(*words)
    assert problem.endswith(
        "must be of a system; got none. Say --system NAME: precomputed scores do not."
    )
    broken = tmp_path / "log.eval"
    broken.write_bytes(b"PK nothing")
    (problem,) = refused("import", "--from", "inspect", broken, "--into", study)
    assert "must be a .eval log of Inspect" in problem


@pytest.mark.parametrize("said", ["an answer", "a score"])
def test_nothing_is_written_where_something_is_wrong(
    study: Path, log: Path, refused: Refused, said: str
) -> None:
    file = study.parent / "log.json"
    text = log.read_text(encoding="utf-8")
    # A column that the study computes itself cannot be imported.
    file.write_text(text.replace('"includes"', '"length"'), encoding="utf-8")
    before = {path: path.read_bytes() for path in study.rglob("*.*") if path.is_file()}
    words: list[object] = ["import", "--from", "inspect", file, "--into", study]
    words += ["--system", "system-a"] if said == "an answer" else []
    must = "another answer" if said == "an answer" else "a name that the study does not compute"
    assert all(must in problem for problem in refused(*words))
    after = {path: path.read_bytes() for path in study.rglob("*.*") if path.is_file()}
    assert {path for path in after if path.name != ".lock"} == set(before)
    assert all(after[path] == content for path, content in before.items())


def test_systems_whose_names_differ_in_signs_alone_get_a_log_each(
    study: Path, tmp_path: Path, medassay: Run
) -> None:
    rows = [
        {"system": system, "case": case, "text": "Rest."}
        for system in ("a/b", "a-b", "A/B", "CON", "n" * 300)
        for case in Study.open(study).cases.ids
    ]
    for name in ("answers", "scores"):
        for path in (study / name).glob("*"):
            path.unlink()
    (study / "judgements.csv").unlink()
    (study / "preferences.csv").unlink(missing_ok=True)
    lines = "".join(f"{json.dumps(row)}\n" for row in rows)
    (study / "answers" / "all.jsonl").write_text(lines, encoding="utf-8")
    settings = (study / "study.toml").read_text(encoding="utf-8")
    kept = settings.partition("[systems")[0]
    (study / "study.toml").write_text(kept, encoding="utf-8")
    medassay("export", "--to", "inspect", study, "--into", tmp_path / "out", "--only", "length")
    logs = [json.loads(path.read_bytes()) for path in (tmp_path / "out").glob("*.json")]
    assert len(logs) == 5
