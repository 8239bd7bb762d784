"""What has no score is told by its true reason, and does not stop a version that is better."""

import json
from pathlib import Path
from shutil import copytree

import pytest
from typer.testing import CliRunner, Result

from medassay.analyses import compare_versions
from medassay.cli import app
from medassay.errors import InvalidInput, MedassayError

CASES = 60
"""Enough cases for a verdict."""


def write(path: Path, text: str) -> None:
    (path / "answers").mkdir(parents=True)
    metrics = "".join(
        f'\n[[metrics]]\nname = "{name}"\n'
        for name in ("exact_match", "ndcg@5", "rouge1(ref=human)")
    )
    (path / "study.toml").write_text(
        f'schema = 1\ntitle = "t"\nsynthetic = true\n[protocol]\nname = "ratings"\n{metrics}'
    )
    cases = [
        {"case": f"c{i}", "question": "What?", "references": [{"text": f"Rest it {i} days long."}]}
        for i in range(CASES)
    ]
    rows = [{"case": f"c{i}", "text": text.format(i) + "x" * (i % 3)} for i in range(CASES)]
    (path / "cases.jsonl").write_text("\n".join(map(json.dumps, cases)) + "\n")
    (path / "answers" / "A.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n")


@pytest.fixture
def sides(tmp_path: Path) -> tuple[str, str]:
    """Two versions without options, gold or rankings; the second comes nearer to the reference."""
    write(tmp_path / "old", "Hold still {}.")
    write(tmp_path / "new", "Rest it {} days or ")
    return str(tmp_path / "old"), str(tmp_path / "new")


def compare(*words: str) -> Result:
    return CliRunner().invoke(app, ["compare", *words])


def refused(*words: str) -> list[str]:
    error = compare(*words).exception
    assert isinstance(error, MedassayError)
    return str(error).splitlines()


def test_the_better_version_passes_without_naming_a_metric(sides: tuple[str, str]) -> None:
    done = compare(*sides, "--require-not-worse", "--json")
    said = json.loads(done.stdout)
    assert done.exit_code == 0
    assert [one["metric"] for one in said["results"]] == ["rouge1(ref=human)"]
    assert said["unscored_metrics"] == ["exact_match", "ndcg@5"]
    shown = compare(*sides).stdout
    reason = f"no score in either ({CASES} the case lacks what is needed: no options)"
    assert f"note: exact_match is left out: {reason}.\n" in shown
    assert "note: ndcg@5 is left out: no score in either" in shown
    # The other way round it is still worse.
    assert compare(sides[1], sides[0]).exit_code == 3


def test_a_metric_that_was_asked_for_is_not_left_out_in_silence(sides: tuple[str, str]) -> None:
    (line,) = refused(*sides, "-m", "exact_match", "-m", "rouge1(ref=human)")
    must = "name a metric that both versions have scores of"
    got = f"no score in either ({CASES} the case lacks what is needed: no options)"
    hint = "What it needs: medassay metrics explain exact_match"
    assert line == f'--metric: must {must}; got "exact_match", {got}. {hint}'


def test_the_option_that_was_typed_is_named(sides: tuple[str, str]) -> None:
    assert refused(*sides, "-m", "rouge1") == [
        '--metric: must say ref, one of human, note; got "rouge1". For example rouge1(ref=human).'
    ]
    (line,) = refused(*sides, "--metric", "rogue1(ref=human)")
    assert line.startswith('--metric: must name a metric; got "rogue1(ref=human)". Did you mean')
    (line,) = refused(*sides, "--metric", "length")
    assert line == '--metric: must be a metric where one direction is better; got "length".'
    done = CliRunner().invoke(app, ["score", sides[0], "--only", "rouge1"])
    assert str(done.exception).startswith("--only: must say ref")


def test_a_metric_may_be_written_in_any_form_of_its_name(sides: tuple[str, str]) -> None:
    asked = ["rouge1( ref = human )", "rouge1(ref=human)"]
    found = compare_versions(*sides, metrics=asked)
    assert [one.metric for one in found.results] == ["rouge1(ref=human)"]


def test_what_is_neither_study_nor_table_is_told_so(sides: tuple[str, str]) -> None:
    (line,) = refused(sides[0], "nowhere")
    assert line.startswith("nowhere: must be the folder of a study, or a table of scores (")
    (line,) = refused(sides[0], __file__)
    assert "got another file" in line


def table(path: Path, rows: list[tuple[str, str]], source: str = "judge") -> str:
    lines = [f"A,{case},{value},{source}" for case, value in rows]
    path.write_text("\n".join(["system,case,value,source", *lines]) + "\n")
    return str(path)


def test_other_ids_are_asked_after_only_where_they_differ(tmp_path: Path) -> None:
    old = table(tmp_path / "old.csv", [("1", "0.5"), ("2", "0.5"), ("3", "")])
    elsewhere = table(tmp_path / "elsewhere.csv", [("7", "0.5"), ("8", "0.5")])
    apart = table(tmp_path / "apart.csv", [("1", ""), ("2", ""), ("3", "0.5")])
    empty = table(tmp_path / "empty.csv", [("1", ""), ("2", ""), ("3", "")])
    up = ("--direction", "higher")
    must = "must have an answer in common that both have a score of"
    (line,) = refused(old, elsewhere, *up)
    got = "got 3 and 2 answers, none the same. Are the ids of the cases the same?"
    assert line == f"{old} and {elsewhere}: {must}; {got}"
    must = "must have an answer in common with a score of judge in both"
    (line,) = refused(old, apart, *up)
    assert line == f"{old} and {apart}: {must}; got 2 and 1 scores, of other answers."
    (line,) = refused(old, empty, *up)
    got = f"got no score in {empty} (3 not in the imported file)."
    assert line == f"{old} and {empty}: {must}; {got}"


def test_scores_that_only_the_new_version_has_are_nothing_to_compare_with(tmp_path: Path) -> None:
    cases = [(f"{i}", f"{0.5 + i % 3 / 10}") for i in range(50)]
    without = [(case, "") for case, _ in cases]
    for name, safety in (("old", without), ("new", cases)):
        table(tmp_path / f"{name}.csv", cases)
        more = table(tmp_path / "more.csv", safety, "safety")
        rows = Path(more).read_text().splitlines(keepends=True)[1:]
        with (tmp_path / f"{name}.csv").open("a") as both:
            both.writelines(rows)
    old, new = str(tmp_path / "old.csv"), str(tmp_path / "new.csv")
    words = ("--direction", "judge=higher", "--direction", "safety=higher")
    done = compare(old, new, *words, "--json")
    said = json.loads(done.stdout)
    assert (done.exit_code, said["new_metrics"], len(said["results"])) == (0, ["safety"], 1)
    # The other way round all of them are lost, and that never passes.
    done = compare(new, old, *words)
    assert done.exit_code == 4
    lost = "none of the 50 scores of the old version has a counterpart in the new one"
    assert f"safety: {lost} (50 not in the imported file). This does not pass." in done.stdout


def test_a_lost_score_is_told_why(folder: Path) -> None:
    new = Path(copytree(folder, folder.parent / "new"))
    path = new / "cases.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    del rows[0]["references"]
    path.write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
    found = compare_versions(str(folder), str(new), metrics=["rouge1(ref=human)"])
    why = "1 score of 3 is lost (1 the case lacks what is needed: no reference of kind human)"
    [result] = found.results
    assert [row.why for row in result.systems] == [f"{why}, and counted as 0"] * 3


def test_identical_versions_without_any_score_are_nothing_to_compare(tmp_path: Path) -> None:
    write(tmp_path / "old", "Hold still {}.")
    with pytest.raises(InvalidInput, match="no score in either"):
        compare_versions(str(tmp_path / "old"), str(tmp_path / "old"), metrics=["exact_match"])
